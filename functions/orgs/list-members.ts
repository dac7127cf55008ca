/** Lists the members of an organization. */

import { loadAccounts } from '#core/accounts/accounts.ts';
import { presentUser } from '#core/accounts/model.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { listMemberIds } from '#core/organizations/store.ts';

export const handler = operation(orgs.listMembers, openOrganization, async ({ orgId, query, after, app }) => {
  const batch = await listMemberIds(app.table, orgId, { limit: query.limit, after });
  const accounts = await loadAccounts(app.table, batch.items);
  return {
    body: [...accounts.values()].map((account) => presentUser(account, app.config.operatorEmails)),
    next: batch.last,
  };
});
