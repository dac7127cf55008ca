/** Shows the names, addresses and organizations of the reader. */
import { openAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/pages.ts';
import { loadOrganizations } from '#core/organizations/store.ts';
import { MAX_ORGANIZATIONS, renderAccountPage } from '#core/pages/organizers/account.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(organizerPages.showAccount, openAccount, async ({ app, account, context }) => {
  const orgIds = Object.keys(account.memberships).sort().slice(0, MAX_ORGANIZATIONS);
  return { html: renderAccountPage(context, account, await loadOrganizations(app.table, orgIds)) };
});
