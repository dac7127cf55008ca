/** Shows how many mails an organization may send to guests, and whether they are paused. */
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { showGuestMails } from '#core/organizations/guest-mails.ts';
import { openStoredOrganization } from '#core/organizations/service.ts';

export const handler = operation(orgs.getGuestMails, openStoredOrganization, async ({ org, app }) => ({
  body: await showGuestMails(app, org),
}));
