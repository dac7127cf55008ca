/** Resumes the mails of an organization to guests. */
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { resumeGuestMails } from '#core/organizations/guest-mails.ts';
import { openStoredOrganization } from '#core/organizations/service.ts';

export const handler = operation(orgs.resumeGuestMails, openStoredOrganization, ({ org, app }) =>
  resumeGuestMails(app, org),
);
