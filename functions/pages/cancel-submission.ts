/** Makes a submitted response a draft again and shows its answers. */
import { respondentPages } from '#core/api/pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { cancel } from '#core/responses/edits.ts';

export const handler = page(respondentPages.cancelSubmission, openResponse, ({ app, opened }) =>
  changeResponse(
    app,
    opened,
    // Pressed twice, the response is a draft already.
    ({ response }, now) => (response.progress === 'DRAFT' ? response : cancel(response, now)),
    ({ id }) => ({ location: `/r/${id}/check?done=withdrawn` }),
  ),
);
