/** Changes the title or the description of a section. */

import { sections } from '#core/api/sections.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { updateSection } from '#core/structure/question-edits.ts';
import { requireSection } from '#core/structure/questions.ts';
import { showSection } from '#core/structure/section-view.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(
  sections.updateSection,
  formWithStructure,
  async ({ form, stored, params, body, ifMatch, app }) => {
    const now = app.now().toISOString();
    const structure = await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, (current) => {
      requireSection(current, params.sectionId);
      return updateSection(current, params.sectionId, body, now);
    });
    return { body: showSection(structure, requireSection(structure, params.sectionId)), etag: structure.version };
  },
);
