/** Lists the sections of a form with their questions, in workflow order. */
import { sections } from '#core/api/sections.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentSection } from '#core/structure/documents.ts';
import { sectionsInOrder } from '#core/structure/path.ts';

export const handler = operation(sections.listSections, openStructure, async ({ structure }) => ({
  body: sectionsInOrder(structure).map((storedSection) => {
    const section = presentSection(structure, storedSection);
    return { section, questions: section.questions };
  }),
  etag: structure.version,
}));
