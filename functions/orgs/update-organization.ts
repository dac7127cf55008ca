/** Replaces the fields of an organization; a new slug ends the use of the old one. */

import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { organization } from '#core/organizations/open.ts';
import { changeOrganization } from '#core/organizations/service.ts';

export const handler = operation(orgs.updateOrganization, organization, async ({ org, body, app }) => ({
  body: await changeOrganization(app, org, body),
}));
