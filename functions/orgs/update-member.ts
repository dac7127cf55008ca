/** Changes a member's role, unless it is the last admin. */

import { loadAccount } from '#core/accounts/accounts.ts';
import { presentUser } from '#core/accounts/model.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { changeRole, openOrganizationWithMember } from '#core/organizations/service.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = operation(
  orgs.updateMember,
  openOrganizationWithMember,
  async ({ orgId, params, body, app }) => {
    await changeRole(app, orgId, params.memberId, body.role);
    const account = await loadAccount(app.table, params.memberId);
    if (!account) throw problems.notFound();
    return { body: { orgId, member: presentUser(account, app.config.operatorEmails), role: body.role } };
  },
);
