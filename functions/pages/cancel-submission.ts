/** Makes a submitted response a draft again and shows its answers; of a closed form it stays submitted. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { isFormClosed } from '#core/pages/respondent/closed.ts';
import { page } from '#core/pages/shell/page.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { cancel } from '#core/responses/edits.ts';

export const handler = page(respondentPages.cancelSubmission, openResponse, async ({ app, opened }) => {
  const path = `/r/${opened.response.id}`;
  try {
    await changeResponse(app, opened, ({ response }, now) => ({
      // Pressed twice, the response is a draft already.
      next: response.progress === 'DRAFT' ? response : cancel(response, now),
      body: undefined,
    }));
  } catch (error) {
    if (isFormClosed(error)) return { location: path };
    throw error;
  }
  return { location: `${path}/check?done=withdrawn` };
});
