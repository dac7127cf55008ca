/** An organization by its slug. */

import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { organization } from '#core/organizations/open.ts';

export const handler = operation(orgs.getOrganization, organization, async ({ org }) => ({ body: org }));
