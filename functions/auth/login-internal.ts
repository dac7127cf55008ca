/** Logs in by user ID where the configuration enables it; elsewhere the operation is not there. */

import { anyone } from '#core/accounts/open.ts';
import { loadAccount } from '#core/accounts/store.ts';
import { auth } from '#core/api/auth.ts';
import { type Opener, operation } from '#core/http/operation.ts';
import { startSession } from '#core/identity/sessions.ts';
import { problems } from '#core/problems/problems.ts';

const whereEnabled: Opener<Record<never, never>> = async (call) => {
  if (!call.app.config.internalLogin) throw problems.notFound();
  return anyone(call);
};

export const handler = operation(auth.loginInternal, whereEnabled, async ({ body, app }) => {
  const account = await loadAccount(app.table, body.uid);
  if (!account) throw problems.notFound();
  return { body: { message: 'Signed in' }, cookies: await startSession(app, account) };
});
