/** Lists the forms of an organization to its members. */

import { forms } from '#core/api/forms.ts';
import { listOrganizationForms } from '#core/forms/lists.ts';
import { operation } from '#core/http/operation.ts';
import { organization } from '#core/organizations/open.ts';

export const handler = operation(forms.listOrganizationForms, organization, async ({ org, query, app }) => {
  const list = `forms ${org.id}`;
  const asked = { limit: query.limit, after: app.cursors.open(list, query.cursor), status: query.status };
  const page = await listOrganizationForms(app, org.id, asked);
  return { body: page.items, next: app.cursors.seal(list, page.last) };
});
