/** Removes a member from an organization; the last admin stays. */
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { organizationWithMember } from '#core/organizations/open.ts';
import { leaveOrganization } from '#core/organizations/service.ts';

export const handler = operation(orgs.removeMember, organizationWithMember, async ({ org, params, app }) => {
  await leaveOrganization(app, org.id, params.memberId);
  return { body: undefined };
});
