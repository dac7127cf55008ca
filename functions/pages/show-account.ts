/** Shows the names, sign-ins, sessions, addresses and organizations of the reader. */
import { openAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { listIdentities } from '#core/identity/identities.ts';
import { REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { listSessions } from '#core/identity/sessions.ts';
import { loadOrganizations } from '#core/organizations/store.ts';
import { listSignIns, MAX_ORGANIZATIONS, renderAccountPage } from '#core/pages/organizers/account.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(organizerPages.showAccount, openAccount, async ({ app, account, readCookie, context }) => {
  const orgIds = Object.keys(account.memberships).sort().slice(0, MAX_ORGANIZATIONS);
  const [organizations, identities, sessions] = await Promise.all([
    loadOrganizations(app.table, orgIds),
    listIdentities(app.table, account.id),
    listSessions(app, account, readCookie(REFRESH_COOKIE)),
  ]);
  const { loginTitles } = app.config;
  return {
    html: renderAccountPage(context, {
      account,
      organizations,
      signIns: listSignIns(loginTitles, identities),
      sessions,
    }),
  };
});
