/** Creates a DRAFT form under an organization. */

import { forms } from '#core/api/forms.ts';
import { createForm } from '#core/forms/create.ts';
import { showEdited } from '#core/forms/service.ts';
import { operation } from '#core/http/operation.ts';
import { organization } from '#core/organizations/open.ts';

export const handler = operation(forms.createForm, organization, async ({ org, user, body, app }) =>
  showEdited(app, await createForm(app, { orgId: org.id, userId: user.id, input: body })),
);
