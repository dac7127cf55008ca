/** Asks before a response is deleted. Deletes a response with everything that belongs to it, and shows the table. */
import { loadRespondent } from '#core/accounts/accounts.ts';
import { presentShortUser } from '#core/accounts/model.ts';
import { deleteResponse } from '#core/deletion/marks.ts';
import { openResponseToDelete } from '#core/responses/change.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { personName, withDone } from './header.ts';
import { buildListQuery, listHref, parseListAddress, responseHref } from './list-address.ts';

const deleter = { credential: 'user', target: 'response', roles: ['admin', 'creator'] } as const;

export const page = definePage({
  name: 'deleteResponse',
  audience: 'reviewers',
  path: '/review/{formId}/r/{responseId}/delete',
  access: deleter,
  needs: ['table:read'],
  open: openResponseToDelete,
  show: async ({ app, response, query, context }) => {
    const { deletion } = getReviewTexts(context);
    const { id, formId, userId } = response;
    const address = parseListAddress(formId, query, context.timeZone);
    const name = personName(context, presentShortUser(userId, await loadRespondent(app.table, userId)));
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
  post: {
    access: deleter,
    needs: ['table:read', 'table:write', 'table:remove'],
    open: openResponseToDelete,
    actions: {
      deleteResponse: async ({ app, response, gate, roles, query, context }) => {
        await deleteResponse(app, response, { ...gate, roles });
        return { location: withDone(listHref(parseListAddress(response.formId, query, context.timeZone)), 'deleted') };
      },
    },
  },
});
