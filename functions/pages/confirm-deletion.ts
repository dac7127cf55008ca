/** Asks before a response is deleted. */

import { loadAccount } from '#core/accounts/accounts.ts';
import { presentShortUser } from '#core/accounts/model.ts';
import { reviewPages } from '#core/api/review-pages.ts';
import { personName } from '#core/pages/review/header.ts';
import { buildListQuery, parseListAddress, responseHref } from '#core/pages/review/list-address.ts';
import { renderConfirmationPage } from '#core/pages/shell/confirmation.ts';
import { page } from '#core/pages/shell/page.ts';
import { getReviewTexts } from '#core/pages/text/review.ts';
import { openResponseToDelete } from '#core/responses/change.ts';

export const handler = page(
  reviewPages.confirmDeletion,
  openResponseToDelete,
  async ({ app, response, query, context }) => {
    const { deletion } = getReviewTexts(context);
    const { id, formId, userId } = response;
    const address = parseListAddress(formId, query);
    const name = personName(context, presentShortUser(userId, await loadAccount(app.table, userId)));
    return {
      html: renderConfirmationPage(context, {
        title: deletion.title,
        lead: deletion.lead(name),
        action: `/review/${formId}/r/${id}/delete${buildListQuery(address)}`,
        confirm: deletion.confirm,
        cancel: deletion.cancel,
        cancelHref: responseHref(address, id),
      }),
    };
  },
);
