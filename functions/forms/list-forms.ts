/** Lists the forms that the caller can see. */
import { signedInWithAccount } from '#core/accounts/accounts.ts';
import { forms } from '#core/api/forms.ts';
import { listVisibleForms } from '#core/forms/lists.ts';
import { operation } from '#core/http/operation.ts';
import { fitBatch } from '#core/schema/page-size.ts';

export const handler = operation(forms.listForms, signedInWithAccount, async ({ account, query, after, app }) => {
  const batch = fitBatch(await listVisibleForms(app, account, { limit: query.limit, after, status: query.status }));
  return { body: batch.items, next: batch.last };
});
