/** Submits a response; repeating it opens the same page. Missing answers are shown on the page of all answers. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { Problem } from '#core/problems/problems.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { submitAnswers } from '#core/responses/edits.ts';

export const handler = page(respondentPages.submit, openResponse, async ({ app, opened }) => {
  const path = `/r/${opened.response.id}`;
  try {
    await changeResponse(app, opened, (current, now) => ({
      next: submitAnswers(current, [], now),
      body: undefined,
    }));
    return { location: `${path}/done` };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'response_incomplete') throw error;
    return { location: `${path}/check?missing` };
  }
});
