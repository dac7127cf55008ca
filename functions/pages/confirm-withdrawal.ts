/** Asks before a submitted response becomes a draft again. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { isOpen } from '#core/forms/gate.ts';
import { renderWithdrawalPage } from '#core/pages/respondent/done.ts';
import { page } from '#core/pages/shell/page.ts';
import { openResponse } from '#core/responses/change.ts';

export const handler = page(respondentPages.confirmWithdrawal, openResponse, async ({ opened, context }) => {
  const { response, gate } = opened;
  const mayCancel = response.progress === 'SUBMITTED' && isOpen(gate, context.now);
  return mayCancel ? { html: renderWithdrawalPage(context, response) } : { location: `/r/${response.id}` };
});
