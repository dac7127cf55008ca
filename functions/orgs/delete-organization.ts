/** Deletes an organization with everything under it. */
import { orgs } from '#core/api/orgs.ts';
import { deleteOrganization } from '#core/deletion/organization.ts';
import { operation } from '#core/http/operation.ts';
import { organizationToDelete } from '#core/organizations/open.ts';

export const handler = operation(orgs.deleteOrganization, organizationToDelete, async ({ org, user, app }) => {
  await deleteOrganization(app, org, user.id);
  return { body: undefined };
});
