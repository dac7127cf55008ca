/** Lists the members of an organization. */

import { showUser } from '#core/accounts/model.ts';
import { loadAccounts } from '#core/accounts/store.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { organization } from '#core/organizations/open.ts';
import { pageMembers } from '#core/organizations/store.ts';

export const handler = operation(orgs.listMembers, organization, async ({ org, query, app }) => {
  const list = `members ${org.id}`;
  const page = await pageMembers(app.table, org.id, query.limit, app.cursors.open(list, query.cursor));
  const accounts = await loadAccounts(app.table, page.userIds);
  return {
    body: [...accounts.values()].map((account) => showUser(account, app.config.operatorEmails)),
    next: app.cursors.seal(list, page.last),
  };
});
