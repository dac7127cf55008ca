/**
 * Asks before the selected responses are deleted. Deletes them with everything that belongs to them, and shows the table, or the list of
 * drafts if they were selected there (`of=drafts`).
 */
import { loadListedUsers } from '#core/accounts/accounts.ts';
import { deleteDrafts, deleteResponses } from '#core/deletion/marks.ts';
import { openGate } from '#core/forms/open.ts';
import { loadResponses } from '#core/responses/store.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import type { PageContext } from '../shell/context.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { personName, withDone } from './header.ts';
import { buildListQuery, listHref, parseListAddress } from './list-address.ts';
import { draftsHref, hiddenSelected, readSelected } from './selection.ts';

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
    const { isOfDrafts, action, back } = readOrigin(gate.formId, query, context);
    const loaded = await loadResponses(app.table, readSelected(query));
    const responses = loaded.filter(
      ({ formId, progress }) => formId === gate.formId && (!isOfDrafts || progress === 'DRAFT'),
    );
    // Without any, there is nothing to ask.
    if (responses.length === 0) return { location: withDone(back, 'noneSelected') };
    const findUser = await loadListedUsers(
      app,
      responses.map(({ userId }) => userId),
    );
    const texts = deletion[isOfDrafts ? 'drafts' : 'selected'];
    const names = responses.map(({ userId }) => personName(context, findUser(userId)));
    return {
      html: renderConfirmationPage(context, {
        title: texts.title(responses.length),
        lead: texts.lead(names.slice(0, NAMED), Math.max(names.length - NAMED, 0)),
        action,
        hidden: hiddenSelected(responses.map(({ id }) => id)),
        confirm: texts.confirm(responses.length),
        cancel: deletion.selectedCancel,
        cancelHref: back,
      }),
    };
  },
  post: {
    access: deleter,
    needs: ['table:read', 'table:list', 'table:write', 'table:remove'],
    open: openGate,
    actions: {
      deleteSelected: async ({ app, gate, roles, posted, query, context }) => {
        const { isOfDrafts, back } = readOrigin(gate.formId, query, context);
        const selected = readSelected(posted.fields);
        if (isOfDrafts) await deleteDrafts(app, gate, selected);
        else await deleteResponses(app, { ...gate, roles }, selected);
        return { location: withDone(back, isOfDrafts ? 'draftsDeleted' : 'selectedDeleted') };
      },
    },
  },
});

/** How many respondents the question names. */
const NAMED = 10;

/** Reads where the responses were selected: `back` is the address of that list, `action` where the form is posted. */
function readOrigin(formId: string, query: URLSearchParams, { timeZone }: Pick<PageContext, 'timeZone'>) {
  const path = `/review/${formId}/delete-selected`;
  if (query.get('of') === 'drafts') return { isOfDrafts: true, action: `${path}?of=drafts`, back: draftsHref(formId) };
  const address = parseListAddress(formId, query, timeZone);
  return { isOfDrafts: false, action: `${path}${buildListQuery(address)}`, back: listHref(address) };
}
