/** Shows the names, sign-ins, addresses and organizations of the reader. */
import { openAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { listIdentities } from '#core/identity/identities.ts';
import { loadOrganizations } from '#core/organizations/store.ts';
import { listSignIns, MAX_ORGANIZATIONS, renderAccountPage } from '#core/pages/organizers/account.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(organizerPages.showAccount, openAccount, async ({ app, account, context }) => {
  const orgIds = Object.keys(account.memberships).sort().slice(0, MAX_ORGANIZATIONS);
  const [organizations, identities] = await Promise.all([
    loadOrganizations(app.table, orgIds),
    listIdentities(app.table, account.id),
  ]);
  const { loginTitles } = app.config;
  return {
    html: renderAccountPage(context, { account, organizations, signIns: listSignIns(loginTitles, identities) }),
  };
});
