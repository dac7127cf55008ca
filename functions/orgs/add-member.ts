/** Adds the user of an e-mail address to an organization, who gets a mail; adding a member again changes nothing. */

import { findAccountByEmail } from '#core/accounts/accounts.ts';
import { presentFoundUser } from '#core/accounts/model.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { addMember, openOrganization } from '#core/organizations/service.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = operation(orgs.addMember, openOrganization, async ({ caller, orgId, body, app }) => {
  const account = await findAccountByEmail(app.table, body.email);
  if (!account) throw problems.notFound();
  await addMember(app, orgId, { account, addedBy: caller.id, maxOrganizations: app.config.maxOrganizations });
  return { body: { orgId, member: presentFoundUser(account, body.email) } };
});
