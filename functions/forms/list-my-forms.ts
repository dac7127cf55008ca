/** Lists the open public forms and the forms that the caller has responded to. */
import { signedIn } from '#core/accounts/accounts.ts';
import { forms } from '#core/api/forms.ts';
import { operation } from '#core/http/operation.ts';
import { listOwnForms, presentFormSummary } from '#core/responses/form-summaries.ts';

export const handler = operation(forms.listMyForms, signedIn, async ({ caller, query, after, app }) => {
  const listed = await listOwnForms(app, caller.id, { limit: query.limit, after });
  return { body: listed.forms.map((form) => presentFormSummary(form, app.now())), next: listed.next };
});
