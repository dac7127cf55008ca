/** Creates an organization whose first admin is its creator. */
import { openAccount } from '#core/accounts/accounts.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { createOrganization, mayCreateOrganizations } from '#core/organizations/service.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = operation(orgs.createOrganization, openAccount, async ({ caller, body, app }) => {
  if (!mayCreateOrganizations(app, caller)) {
    throw problems.forbidden('Only operators create organizations in this installation.');
  }
  const { maxOrganizations } = app.config;
  return createOrganization(app, { creatorId: caller.id, maxOrganizations }, body);
});
