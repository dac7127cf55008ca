/** Leads to the first section that misses an answer, to the list of all answers, or to a submitted response. */
import { isOpen } from '#core/forms/gate.ts';
import { openResponseToShow } from '#core/responses/show.ts';
import { owner } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { findResumeSection, questionFragment } from './navigation.ts';

export const page = definePage({
  name: 'continueResponse',
  audience: 'respondents',
  path: '/r/{responseId}',
  access: owner,
  needs: ['table:read'],
  open: openResponseToShow,
  show: async ({ opened, context }) => {
    const { id, progress } = opened.response;
    if (progress === 'SUBMITTED') return { location: `/r/${id}/done` };
    const sectionId = isOpen(opened.gate, context.now) ? findResumeSection(opened) : undefined;
    if (sectionId === undefined) return { location: `/r/${id}/check` };
    return { location: `/r/${id}/s/${sectionId}${questionFragment(opened, sectionId, 'unfinished')}` };
  },
});
