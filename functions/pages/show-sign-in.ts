/** Shows the ways to sign in. Redirects people who are signed in: to choose names first, or back to where they came from. */
import { anyone, loadAccount } from '#core/accounts/accounts.ts';
import { respondentPages } from '#core/api/respondent-pages.ts';
import { LoginProvider } from '#core/identity/model.ts';
import { page } from '#core/pages/shell/page.ts';
import { parseReturnPath, pathAfterSignIn } from '#core/pages/shell/result.ts';
import { renderSignInPage } from '#core/pages/shell/sign-in.ts';

export const handler = page(respondentPages.showSignIn, anyone, async ({ app, caller, query, context }) => {
  const { config } = app;
  const to = parseReturnPath(query.get('to'), config.publicUrl);
  const account = caller && (await loadAccount(app.table, caller.id));
  if (account) return { location: pathAfterSignIn(account, to) };
  const providers = LoginProvider().options.flatMap((name) => {
    const title = config.loginTitles[name];
    return title === undefined ? [] : [{ name, title }];
  });
  const people = config.internalLogin ? config.demoPeople : [];
  const failed = query.get('status') === 'error';
  return { html: renderSignInPage(context, { providers, people, to, failed, publicUrl: config.publicUrl }) };
});
