/** Asks before the selected responses are deleted. Deletes them with everything that belongs to them, and shows the table. */
import { loadListedUsers } from '#core/accounts/accounts.ts';
import { deleteResponses } from '#core/deletion/marks.ts';
import { openGate } from '#core/forms/open.ts';
import { loadResponses } from '#core/responses/store.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { personName, withDone } from './header.ts';
import { buildListQuery, listHref, parseListAddress } from './list-address.ts';
import { hiddenSelected, readSelected } from './selection.ts';

const deleter = { credential: 'user', target: 'form', roles: ['admin', 'creator'] } as const;

export const page = definePage({
  name: 'deleteSelected',
  audience: 'reviewers',
  path: '/review/{formId}/delete-selected',
  access: deleter,
  needs: ['table:read', 'table:list'],
  open: openGate,
  show: async ({ app, gate, query, context }) => {
    const { deletion } = getReviewTexts(context);
    const address = parseListAddress(gate.formId, query, context.timeZone);
    const loaded = await loadResponses(app.table, readSelected(query));
    const responses = loaded.filter(({ formId }) => formId === gate.formId);
    // Without any, there is nothing to ask.
    if (responses.length === 0) return { location: withDone(listHref(address), 'noneSelected') };
    const findUser = await loadListedUsers(
      app,
      responses.map(({ userId }) => userId),
    );
    const names = responses.map(({ userId }) => personName(context, findUser(userId)));
    return {
      html: renderConfirmationPage(context, {
        title: deletion.selectedTitle(responses.length),
        lead: deletion.selectedLead(names.slice(0, NAMED), Math.max(names.length - NAMED, 0)),
        action: `/review/${gate.formId}/delete-selected${buildListQuery(address)}`,
        hidden: hiddenSelected(responses.map(({ id }) => id)),
        confirm: deletion.selectedConfirm(responses.length),
        cancel: deletion.selectedCancel,
        cancelHref: listHref(address),
      }),
    };
  },
  post: {
    access: deleter,
    needs: ['table:read', 'table:list', 'table:write', 'table:remove'],
    open: openGate,
    actions: {
      deleteSelected: async ({ app, gate, roles, posted, query, context }) => {
        await deleteResponses(app, { ...gate, roles }, readSelected(posted.fields));
        const address = parseListAddress(gate.formId, query, context.timeZone);
        return { location: withDone(listHref(address), 'selectedDeleted') };
      },
    },
  },
});

/** How many respondents the question names. */
const NAMED = 10;
