/** Lists all organizations to operators, and to others their own. */

import { signedIn } from '#core/accounts/open.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { listMemberships } from '#core/organizations/service.ts';
import { pageOrganizations } from '#core/organizations/store.ts';

export const handler = operation(orgs.listOrganizations, signedIn, async ({ user, query, app }) => {
  if (!user.roles.includes('ADMIN')) return listMemberships(app, user.id, query);
  const after = app.cursors.open('orgs', query.cursor);
  const page = await pageOrganizations(app.table, query.limit, after);
  return { body: page.organizations, next: app.cursors.seal('orgs', page.last) };
});
