/** Deletes an organization with everything that belongs to it. */
import { orgs } from '#core/api/orgs.ts';
import { deleteOrganization } from '#core/deletion/organization.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganization } from '#core/organizations/open.ts';

export const handler = operation(orgs.deleteOrganization, openOrganization, async ({ org, app }) => {
  await deleteOrganization(app, org);
  return { body: undefined };
});
