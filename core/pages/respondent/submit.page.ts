/**
 * Submits a response; repeating it opens the same page. Missing answers, that the form has closed and that no place is left
 * are shown on the page of all answers.
 */
import { Problem } from '#core/problems/problems.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { submitAnswers } from '#core/responses/edits.ts';
import { parseTimeZone } from '#core/schema/format.ts';
import { owner } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';

export const page = definePage({
  name: 'submit',
  audience: 'respondents',
  path: '/r/{responseId}/submit',
  segmentsBelowPage: 1,
  post: {
    access: owner,
    needs: ['table:read', 'table:write'],
    open: openResponse,
    actions: {
      submit: async ({ app, opened, posted }) => {
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
      },
    },
  },
});

/** What the page of all answers shows after a refused submit. */
const RESULTS: Partial<Record<Problem['code'], string>> = {
  response_incomplete: 'missing',
  form_not_open: 'late',
  no_place_left: 'full',
};
