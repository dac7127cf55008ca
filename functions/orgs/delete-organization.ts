/** Deletes an organization with everything that belongs to it. */
import { orgs } from '#core/api/orgs.ts';
import { deleteOrganization } from '#core/deletion/marks.ts';
import { operation } from '#core/http/operation.ts';
import { openStoredOrganization } from '#core/organizations/service.ts';

export const handler = operation(orgs.deleteOrganization, openStoredOrganization, async ({ org, app }) => {
  await deleteOrganization(app, org);
  return { body: undefined };
});
