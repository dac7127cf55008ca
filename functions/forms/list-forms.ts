/** Lists the forms that the current user can see. */

import { signedIn } from '#core/accounts/open.ts';
import { forms } from '#core/api/forms.ts';
import { listVisibleForms } from '#core/forms/lists.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.listForms, signedIn, async ({ user, query, app }) => {
  const list = `visible forms ${user.id}`;
  const asked = { limit: query.limit, after: app.cursors.open(list, query.cursor), status: query.status };
  const page = await listVisibleForms(app, user.id, asked);
  return { body: page.items, next: app.cursors.seal(list, page.last) };
});
