/** Lists all organizations for operators, their own for other callers. */
import { signedIn } from '#core/accounts/accounts.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { listMemberships } from '#core/organizations/service.ts';
import { listAllOrganizations } from '#core/organizations/store.ts';
import { fitBatch } from '#core/schema/page-size.ts';

export const handler = operation(orgs.listOrganizations, signedIn, async ({ caller, query, after, app }) => {
  const isOperator = caller.roles.includes('ADMIN');
  const start = { limit: query.limit, after };
  const batch = isOperator ? listAllOrganizations(app.table, start) : listMemberships(app, caller.id, start);
  const { items, last } = fitBatch(await batch);
  return { body: items, next: last };
});
