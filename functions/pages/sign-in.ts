/** Signs in a demo person by user ID, where the configuration enables it. */
import { loadAccount } from '#core/accounts/store.ts';
import { respondentPages } from '#core/api/pages.ts';
import { openInternalLogin } from '#core/identity/open.ts';
import { startSession } from '#core/identity/sessions.ts';
import { page } from '#core/pages/page.ts';
import { afterSignIn, returnPath } from '#core/pages/return-path.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';

export const handler = page(respondentPages.signIn, openInternalLogin, async ({ app, posted }) => {
  const uid = posted.fields.get('uid') ?? '';
  const account = isId(uid) ? await loadAccount(app.table, uid) : undefined;
  if (!account) throw problems.notFound();
  const to = returnPath(posted.fields.get('to'), app.config.publicUrl);
  return { location: afterSignIn(account, to), cookies: await startSession(app, account) };
});
