/** Returns an organization by its slug. */
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { openStoredOrganization } from '#core/organizations/service.ts';

export const handler = operation(orgs.getOrganization, openStoredOrganization, async ({ org }) => ({ body: org }));
