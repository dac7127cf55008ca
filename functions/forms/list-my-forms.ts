/** Lists the open public forms and the forms that the caller has responded to. */
import { signedIn } from '#core/accounts/accounts.ts';
import { forms } from '#core/api/forms.ts';
import { operation } from '#core/http/operation.ts';
import { listOwnForms } from '#core/responses/form-summaries.ts';

export const handler = operation(forms.listMyForms, signedIn, ({ caller, query, after, app }) =>
  listOwnForms(app, caller.id, { limit: query.limit, after }),
);
