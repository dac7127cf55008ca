/** Makes a submitted response a draft again and shows its answers. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { cancel } from '#core/responses/edits.ts';

export const handler = page(respondentPages.cancelSubmission, openResponse, async ({ app, opened }) => {
  await changeResponse(app, opened, ({ response }, now) => ({
    // Pressed twice, the response is a draft already.
    next: response.progress === 'DRAFT' ? response : cancel(response, now),
    body: undefined,
  }));
  return { location: `/r/${opened.response.id}/check?done=withdrawn` };
});
