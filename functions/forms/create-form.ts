/** Creates a DRAFT form under an organization. */
import { forms } from '#core/api/forms.ts';
import { createForm } from '#core/forms/service.ts';
import { requireAudience, requireNoticesAllowed } from '#core/forms/status.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganizationAsUser } from '#core/organizations/service.ts';

export const handler = operation(
  forms.createForm,
  openOrganizationAsUser,
  async ({ orgId, account, body, roles, app }) => {
    requireAudience(app, body);
    requireNoticesAllowed(roles, body);
    return createForm(app, { orgId, creator: account, input: body });
  },
);
