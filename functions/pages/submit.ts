/**
 * Submits a response; repeating it opens the same page. Missing answers, and that the
 * form has closed, are shown on the page of all answers.
 */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { Problem } from '#core/problems/problems.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { submitAnswers } from '#core/responses/edits.ts';
import { parseTimeZone } from '#core/schema/format.ts';

export const handler = page(respondentPages.submit, openResponse, async ({ app, opened, posted }) => {
  const path = `/r/${opened.response.id}`;
  try {
    const timeZone = parseTimeZone(posted.fields.get('timeZone') ?? '');
    await changeResponse({ ...app, timeZone }, opened, (current, now) => ({
      next: submitAnswers(current, [], now),
      body: undefined,
    }));
    return { location: `${path}/done` };
  } catch (error) {
    const result = error instanceof Problem ? RESULTS[error.code] : undefined;
    if (result === undefined) throw error;
    return { location: `${path}/check?${result}` };
  }
});

/** What the page of all answers shows after a refused submit. */
const RESULTS: Partial<Record<Problem['code'], string>> = { response_incomplete: 'missing', form_not_open: 'late' };
