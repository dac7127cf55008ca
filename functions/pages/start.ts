/** Starts a response and shows its first section. */
import { respondentPages } from '#core/api/pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { openGateToStart } from '#core/responses/change.ts';
import { startResponse } from '#core/responses/start.ts';

export const handler = page(respondentPages.start, openGateToStart, async ({ app, gate, caller, ownCount }) => {
  const start = { gate, userId: caller.id, ownCount, answers: [], isSubmission: false };
  const { body } = await startResponse(app, start);
  return { location: `/r/${body.id}` };
});
