/** Signs in a demo person by user ID, where the configuration enables it. */
import { loadAccount } from '#core/accounts/accounts.ts';
import { respondentPages } from '#core/api/respondent-pages.ts';
import { openInternalLogin } from '#core/identity/login.ts';
import { startSession } from '#core/identity/sessions.ts';
import { page } from '#core/pages/shell/page.ts';
import { parseReturnPath, pathAfterSignIn } from '#core/pages/shell/result.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';

export const handler = page(respondentPages.signIn, openInternalLogin, async ({ app, posted }) => {
  const uid = posted.fields.get('uid') ?? '';
  const account = isId(uid) ? await loadAccount(app.table, uid) : undefined;
  if (!account) throw problems.notFound();
  const to = parseReturnPath(posted.fields.get('to'), app.config.publicUrl);
  return { location: pathAfterSignIn(account, to), cookies: await startSession(app, account) };
});
