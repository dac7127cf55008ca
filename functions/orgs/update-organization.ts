/** Replaces the fields of an organization; a new slug releases the old one. */
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { openStoredOrganization, updateOrganization } from '#core/organizations/service.ts';

export const handler = operation(orgs.updateOrganization, openStoredOrganization, async ({ org, body, app }) => ({
  body: await updateOrganization(app, org, body),
}));
