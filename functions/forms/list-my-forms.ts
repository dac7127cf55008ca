/** Lists the forms of the current user: those open to all, and those they have responded to. */

import { signedIn } from '#core/accounts/open.ts';
import { forms } from '#core/api/forms.ts';
import { listOwnForms } from '#core/forms/lists.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.listMyForms, signedIn, async ({ user, query, app }) => {
  const list = `forms of ${user.id}`;
  const asked = { limit: query.limit, after: app.cursors.open(list, query.cursor) };
  const page = await listOwnForms(app, user.id, asked);
  return { body: page.items, next: app.cursors.seal(list, page.last) };
});
