/** Creates an organization whose first admin is its creator. */

import { ownAccount } from '#core/accounts/open.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { slugTaken } from '#core/organizations/service.ts';
import { createOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = operation(orgs.createOrganization, ownAccount, async ({ user, body, app }) => {
  if (app.config.createOrganizations === 'operators' && !user.roles.includes('ADMIN')) {
    throw problems.forbidden('Only operators create organizations in this installation');
  }
  const made = { id: app.uuid(), input: body, creatorId: user.id, now: app.now().toISOString() };
  return { body: await createOrganization(app.table, made).catch(slugTaken(body.slug, 0)) };
});
