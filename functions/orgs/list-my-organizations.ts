/** Lists the organizations that the current user is a member of. */

import { signedIn } from '#core/accounts/open.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { listMemberships } from '#core/organizations/service.ts';

export const handler = operation(orgs.listMyOrganizations, signedIn, async ({ user, query, app }) =>
  listMemberships(app, user.id, query),
);
