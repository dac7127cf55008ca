/** Leads to the first section that misses an answer, to the list of all answers, or to a submitted response. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { isOpen } from '#core/forms/gate.ts';
import { findResumeSection } from '#core/pages/respondent/navigation.ts';
import { page } from '#core/pages/shell/page.ts';
import { openResponseToShow } from '#core/responses/show.ts';

export const handler = page(respondentPages.continueResponse, openResponseToShow, async ({ opened, context }) => {
  const { id, progress } = opened.response;
  if (progress === 'SUBMITTED') return { location: `/r/${id}/done` };
  const sectionId = isOpen(opened.gate, context.now) ? findResumeSection(opened) : undefined;
  return { location: sectionId === undefined ? `/r/${id}/check` : `/r/${id}/s/${sectionId}` };
});
