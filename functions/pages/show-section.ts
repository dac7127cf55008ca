/**
 * Shows a section with its stored answers. A section off the path, or of a form that is not open, redirects to the page
 * at which the respondent continues.
 */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { isOpen } from '#core/forms/gate.ts';
import { findSectionOnPath } from '#core/pages/respondent/navigation.ts';
import { renderSectionPage } from '#core/pages/respondent/section.ts';
import { findDescription, sectionFields } from '#core/pages/respondent/section-save.ts';
import { page } from '#core/pages/shell/page.ts';
import { openResponseToShow } from '#core/responses/show.ts';

const PREFILLED = ['all', 'some', 'none'] as const;

export const handler = page(
  respondentPages.showSection,
  openResponseToShow,
  async ({ opened, params, query, context }) => {
    const { response, gate } = opened;
    const section = findSectionOnPath(opened, params.sectionId);
    const isFinal = response.progress === 'SUBMITTED' && !gate.allowEditResponse;
    if (isFinal || !section || !isOpen(gate, context.now)) return { location: `/r/${response.id}` };
    const fields = sectionFields(context, opened, section);
    const description = findDescription(opened, section.id);
    const fromCheck = query.get('from') === 'check';
    const connectionFailed = query.get('status') === 'error';
    const prefilled = PREFILLED.find((value) => value === query.get('prefilled'));
    const data = { gate, response, section, description, fields, fromCheck, connectionFailed, prefilled };
    return { html: renderSectionPage(context, data) };
  },
);
