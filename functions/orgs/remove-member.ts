/** Removes a member from an organization, unless it is the last admin. */
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganizationWithMember, removeMember } from '#core/organizations/service.ts';

export const handler = operation(orgs.removeMember, openOrganizationWithMember, async ({ orgId, params, app }) => {
  await removeMember(app, orgId, params.memberId);
  return { body: undefined };
});
