/** Submits a response; once submitted, doing so again leads to the same page. */
import { respondentPages } from '#core/api/pages.ts';
import { checkPage } from '#core/pages/check.ts';
import { missingIds } from '#core/pages/journey.ts';
import { page } from '#core/pages/page.ts';
import { Problem } from '#core/problems/problems.ts';
import { submitAnswers } from '#core/responses/changes.ts';
import { openResponse } from '#core/responses/open.ts';
import { previewOf } from '#core/responses/preview.ts';
import { changeResponse } from '#core/responses/service.ts';

export const handler = page(respondentPages.submit, openResponse, async ({ app, opened, view }) => {
  const { gate, response } = opened;
  const done = { location: `/r/${response.id}/done` };
  try {
    return await changeResponse(
      app,
      opened,
      (current, now) => submitAnswers(current, [], now),
      () => done,
    );
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'response_incomplete') throw error;
    const preview = previewOf(opened, undefined);
    const check = { gate, response, preview, missing: missingIds(opened), isClosed: false, wasSubmitted: true };
    return { html: checkPage(view, check), status: 400 };
  }
});
