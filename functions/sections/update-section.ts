/** Changes the title or the description of a section. */
import { sections } from '#core/api/sections.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentSection } from '#core/structure/documents.ts';
import { requireSection, updateSection } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(sections.updateSection, openStructureEdit, async ({ stored, params, body, app }) => {
  const now = app.now().toISOString();
  return editStructure(app, stored, (current) => {
    const structure = updateSection(current, params.sectionId, body, now);
    return { next: structure, body: presentSection(structure, requireSection(structure, params.sectionId)) };
  });
});
