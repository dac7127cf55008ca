/** Creates a DRAFT copy of a form in its organization or in another one of the caller. */
import { forms } from '#core/api/forms.ts';
import { duplicateForm, openCompleteForm } from '#core/definitions/copies.ts';
import { operation } from '#core/http/operation.ts';
import { requireMembership } from '#core/organizations/service.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = operation(forms.duplicateForm, openCompleteForm, async ({ complete, account, body, app }) => {
  if (!account) throw problems.unauthorized();
  const { slug, title } = body ?? {};
  const orgId = slug ? await requireMembership(app.table, slug, account) : complete.form.orgId;
  return duplicateForm(app, complete, { orgId, creator: account, title });
});
