/** Asks before a response is deleted. */

import { loadAccount } from '#core/accounts/accounts.ts';
import { presentShortUser } from '#core/accounts/model.ts';
import { reviewPages } from '#core/api/pages.ts';
import { personName } from '#core/pages/review/header.ts';
import { listAddressOf, queryOf, responseHref } from '#core/pages/review/list-address.ts';
import { confirmationPage } from '#core/pages/shell/confirmation.ts';
import { page } from '#core/pages/shell/page.ts';
import { reviewText } from '#core/pages/text/review.ts';
import { openResponseToDelete } from '#core/responses/open.ts';

export const handler = page(
  reviewPages.confirmDeletion,
  openResponseToDelete,
  async ({ app, response, query, context }) => {
    const { deletion } = reviewText(context);
    const { id, formId, userId } = response;
    const address = listAddressOf(formId, query);
    const name = personName(context, presentShortUser(userId, await loadAccount(app.table, userId)));
    return {
      html: confirmationPage(context, {
        title: deletion.title,
        lead: deletion.lead(name),
        action: `/review/${formId}/r/${id}/delete${queryOf(address)}`,
        confirm: deletion.confirm,
        cancel: deletion.cancel,
        cancelHref: responseHref(address, id),
      }),
    };
  },
);
