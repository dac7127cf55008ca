/** Deletes an organization with everything under it. */
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { deleteOrganization } from '#core/orgs/delete.ts';
import { organizationToDelete } from '#core/orgs/open.ts';

export const handler = operation(orgs.deleteOrganization, organizationToDelete, async ({ org, user, app }) => {
  await deleteOrganization(app, org, user.id);
  return { body: undefined };
});
