/** Saves what was typed into a section, and does what the pressed button says. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { postSection } from '#core/pages/respondent/section-post.ts';
import { page } from '#core/pages/shell/page.ts';
import { openResponse } from '#core/responses/change.ts';

export const handler = page(respondentPages.saveSection, openResponse, postSection);
