/** Asks before a submitted response becomes a draft again. */
import { isOpen } from '#core/forms/gate.ts';
import type { Response } from '#core/responses/model.ts';
import { isPending, openToEdit } from '#core/responses/pending-edit.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import type { PageContext } from '../shell/context.ts';
import { owner } from '../shell/declare-page.ts';
import type { Html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';

export const page = definePage({
  name: 'withdrawal',
  audience: 'respondents',
  path: '/r/{responseId}/withdraw',
  access: owner,
  needs: ['table:read'],
  open: openToEdit,
  show: async ({ opened, edit, context }) => {
    const { response, gate } = opened;
    const mayCancel = response.progress === 'SUBMITTED' && isOpen(gate, context.now);
    return mayCancel
      ? { html: renderWithdrawalPage(context, response, isPending({ edit })) }
      : { location: `/r/${response.id}` };
  },
});

/** Renders the confirmation before a submitted response becomes a draft again. */
const renderWithdrawalPage = (context: PageContext, { id }: Response, pending: boolean): Html =>
  renderConfirmationPage(context, {
    title: context.t.withdrawal.title,
    lead: `${context.t.withdrawal.lead}${pending ? ` ${context.t.pendingEdit.withdrawn}` : ''}`,
    action: `/r/${id}/cancel`,
    confirm: context.t.withdrawal.confirm,
    cancel: context.t.withdrawal.keep,
    cancelHref: `/r/${id}/done`,
  });
