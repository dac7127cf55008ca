/** Keeps the language that the reader chose, and shows the same page in it. */
import { anyone } from '#core/accounts/accounts.ts';
import { respondentPages } from '#core/api/respondent-pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { parseReturnPath } from '#core/pages/shell/result.ts';
import { buildLanguageCookie, isLanguage } from '#core/pages/shell/session.ts';

export const handler = page(respondentPages.chooseLanguage, anyone, async ({ app, posted }) => {
  const language = posted.fields.get('language') ?? undefined;
  return {
    location: parseReturnPath(posted.fields.get('to'), app.config.publicUrl),
    cookies: isLanguage(language) ? [buildLanguageCookie(app.config.cookies, language)] : [],
  };
});
