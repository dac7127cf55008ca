/** Shows a submitted response to its respondent. */

import { parseAccount } from '#core/accounts/accounts.ts';
import { keys } from '#core/db/keys.ts';
import { isOpen } from '#core/forms/gate.ts';
import { parseForm } from '#core/forms/store.ts';
import { findPath } from '#core/responses/answers.ts';
import { findConfirmationAddress } from '#core/responses/confirmation.ts';
import { isPending, loadPendingEdit } from '#core/responses/pending-edit.ts';
import { listAnsweredSections } from '#core/responses/preview.ts';
import { recallFrom } from '#core/responses/recall.ts';
import { openResponseToShow } from '#core/responses/show.ts';
import { owner } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { renderDonePage } from './done.ts';
import { guestLink } from './guest-link.ts';

export const page = definePage({
  name: 'done',
  audience: 'respondents',
  path: '/r/{responseId}/done',
  access: owner,
  needs: ['table:read'],
  open: openResponseToShow,
  show: async ({ app, opened, caller, query, context }) => {
    const { gate, response } = opened;
    if (response.progress === 'DRAFT') return { location: `/r/${response.id}` };
    const [[head, account], edit] = await Promise.all([
      app.table.read([keys.formHead(gate.formId), keys.account(caller.id)], 'eventual'),
      loadPendingEdit(app.table, opened, { consistency: 'eventual' }),
    ]);
    const mayCancel = isOpen(gate, context.now);
    const isOfGuest = caller.guestOf !== undefined;
    const email = isOfGuest ? (caller.invited?.email ?? undefined) : parseAccount(account)?.emails[0];
    const mailTo = gate.sendResponseEmail ? email : undefined;
    return {
      html: renderDonePage(context, {
        gate,
        response,
        sections: listAnsweredSections(opened),
        message: parseForm(head, gate.formId)?.messageAfterSubmission ?? '',
        recall: recallFrom(opened, findPath(opened)),
        mailTo,
        confirmTo: isOfGuest && mailTo === undefined ? findConfirmationAddress(opened) : undefined,
        mayEdit: mayCancel && gate.allowEditResponse,
        mayCancel,
        wasEdited: query.get('done') === 'saved',
        wasDiscarded: query.get('done') === 'discarded',
        pending: isPending({ edit }),
        link: isOfGuest ? await guestLink(app, caller, gate.formId) : undefined,
        email,
      }),
    };
  },
});
