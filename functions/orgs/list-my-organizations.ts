/** Lists the organizations that the current user is a member of. */
import { signedIn } from '#core/accounts/accounts.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { listMemberships } from '#core/organizations/service.ts';
import { fitBatch } from '#core/schema/page-size.ts';

export const handler = operation(orgs.listMyOrganizations, signedIn, async ({ caller, query, after, app }) => {
  const start = { limit: query.limit, after };
  const { items, last } = fitBatch(await listMemberships(app, caller.id, start));
  return { body: items, next: last };
});
