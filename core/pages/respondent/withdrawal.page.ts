/** Asks before a submitted response becomes a draft again. */
import { isOpen } from '#core/forms/gate.ts';
import { openResponse } from '#core/responses/change.ts';
import type { Response } from '#core/responses/model.ts';
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
  open: openResponse,
  show: async ({ opened, context }) => {
    const { response, gate } = opened;
    const mayCancel = response.progress === 'SUBMITTED' && isOpen(gate, context.now);
    return mayCancel ? { html: renderWithdrawalPage(context, response) } : { location: `/r/${response.id}` };
  },
});

/** Renders the confirmation before a submitted response becomes a draft again. */
const renderWithdrawalPage = (context: PageContext, { id }: Response): Html =>
  renderConfirmationPage(context, {
    title: context.t.withdrawal.title,
    lead: context.t.withdrawal.lead,
    action: `/r/${id}/cancel`,
    confirm: context.t.withdrawal.confirm,
    cancel: context.t.withdrawal.keep,
    cancelHref: `/r/${id}/done`,
  });
