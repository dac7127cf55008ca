/** Logs in by user ID, where the configuration enables it. */
import { loadAccount } from '#core/accounts/accounts.ts';
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';
import { openInternalLogin } from '#core/identity/login.ts';
import { startSession } from '#core/identity/sessions.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = operation(auth.loginInternal, openInternalLogin, async ({ body, app }) => {
  const account = await loadAccount(app.table, body.uid);
  if (!account) throw problems.notFound();
  return { body: { message: 'Signed in' }, cookies: await startSession(app, account) };
});
