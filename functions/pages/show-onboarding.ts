/** Asks for a username and a name. */
import { openAccount } from '#core/accounts/accounts.ts';
import { respondentPages } from '#core/api/respondent-pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { parseReturnPath } from '#core/pages/shell/result.ts';
import { renderOnboardingPage } from '#core/pages/shell/sign-in.ts';

export const handler = page(respondentPages.showOnboarding, openAccount, async ({ app, account, query, context }) => {
  const to = parseReturnPath(query.get('to'), app.config.publicUrl);
  const { username, name } = account;
  return { html: renderOnboardingPage(context, { to, typed: { username, name }, errors: {} }) };
});
