/** Creates a DRAFT form from a definition. */
import { forms } from '#core/api/forms.ts';
import { importForm } from '#core/definitions/copies.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganizationAsUser } from '#core/organizations/service.ts';

export const handler = operation(forms.importForm, openOrganizationAsUser, ({ orgId, account, body, app }) =>
  importForm(app, body.form, { orgId, creator: account }),
);
