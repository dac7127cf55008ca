/** The sections of a form with their questions, in workflow order. */

import { sections } from '#core/api/sections.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { displayOrder } from '#core/structure/path.ts';
import { showSection } from '#core/structure/section-view.ts';
import { findSection } from '#core/structure/structure.ts';

export const handler = operation(sections.listSections, formWithStructure, async ({ stored: { structure } }) => ({
  body: displayOrder(structure).flatMap((sectionId) => {
    const found = findSection(structure, sectionId);
    if (!found) return [];
    const section = showSection(structure, found);
    return [{ section, questions: section.questions }];
  }),
  etag: structure.version,
}));
