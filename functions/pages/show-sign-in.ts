/** Shows the ways to sign in. Whoever is signed in goes on: to choose names first, or where they came from. */
import { anyone, loadAccount } from '#core/accounts/accounts.ts';
import { respondentPages } from '#core/api/pages.ts';
import { LoginProvider } from '#core/identity/model.ts';
import { page } from '#core/pages/shell/page.ts';
import { afterSignIn, returnPath } from '#core/pages/shell/result.ts';
import { signInPage } from '#core/pages/shell/sign-in.ts';

export const handler = page(respondentPages.showSignIn, anyone, async ({ app, caller, query, context }) => {
  const { config } = app;
  const to = returnPath(query.get('to'), config.publicUrl);
  const account = caller && (await loadAccount(app.table, caller.id));
  if (account) return { location: afterSignIn(account, to) };
  const providers = LoginProvider().options.flatMap((name) => {
    const title = config.loginTitles[name];
    return title === undefined ? [] : [{ name, title }];
  });
  const people = config.internalLogin ? config.demoPeople : [];
  const failed = query.get('status') === 'error';
  return { html: signInPage(context, { providers, people, to, failed, publicUrl: config.publicUrl }) };
});
