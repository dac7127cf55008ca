/** Creates a DRAFT form under an organization. */
import { forms } from '#core/api/forms.ts';
import { createForm } from '#core/forms/service.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganizationAsUser } from '#core/organizations/service.ts';

export const handler = operation(forms.createForm, openOrganizationAsUser, ({ orgId, account, body, app }) =>
  createForm(app, { orgId, creator: account, input: body }),
);
