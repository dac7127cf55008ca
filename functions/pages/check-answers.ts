/** Shows all answers before they are submitted. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { isOpen } from '#core/forms/gate.ts';
import { renderCheckPage } from '#core/pages/respondent/check.ts';
import { page } from '#core/pages/shell/page.ts';
import { findMissing } from '#core/responses/answers.ts';
import { findPath, listAnsweredSections } from '#core/responses/preview.ts';
import { openResponseToShow } from '#core/responses/show.ts';

export const handler = page(respondentPages.checkAnswers, openResponseToShow, async ({ opened, query, context }) => {
  const { gate, response } = opened;
  if (response.progress === 'SUBMITTED') return { location: `/r/${response.id}/done` };
  const sections = listAnsweredSections(opened);
  const isClosed = !isOpen(gate, context.now);
  const missing = isClosed ? [] : findMissing(opened);
  const wasSubmitted = query.has('missing');
  const wasTooLate = query.has('late');
  const wasWithdrawn = query.get('done') === 'withdrawn';
  const lastSectionId = findPath(opened).at(-1);
  const state = { isClosed, wasSubmitted, wasTooLate, wasWithdrawn };
  const html = renderCheckPage(context, { gate, response, sections, missing, lastSectionId, ...state });
  // Going back after the submit loads the page again, which leads to the submitted response.
  return { html, headers: { 'cache-control': 'no-store' } };
});
