/** Copies a section with its questions; the copy follows it. */
import { sections } from '#core/api/sections.ts';
import { idWithin } from '#core/db/keys.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentSection } from '#core/structure/documents.ts';
import { requireSection } from '#core/structure/questions.ts';
import { copySection } from '#core/structure/sections.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(sections.copySection, openStructureEdit, async ({ gate, stored, params, app }) => {
  const newId = () => idWithin(gate.formId, app.uuid());
  const copy = { copyId: newId(), newId, now: app.now().toISOString() };
  return editStructure(app, stored, (current) => {
    const structure = copySection(current, params.sectionId, copy);
    return { next: structure, body: presentSection(structure, requireSection(structure, copy.copyId)) };
  });
});
