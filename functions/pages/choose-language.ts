/** Keeps the language that the reader chose, and shows the same page in it. */
import { anyone } from '#core/accounts/accounts.ts';
import { respondentPages } from '#core/api/pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { returnPath } from '#core/pages/shell/result.ts';
import { isLanguage, languageCookie } from '#core/pages/shell/session.ts';

export const handler = page(respondentPages.chooseLanguage, anyone, async ({ app, posted }) => {
  const language = posted.fields.get('language') ?? undefined;
  return {
    location: returnPath(posted.fields.get('to'), app.config.publicUrl),
    cookies: isLanguage(language) ? [languageCookie(app.config.cookies, language)] : [],
  };
});
