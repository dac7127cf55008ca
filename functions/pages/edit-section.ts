/** Shows the title and description of a section for editing. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { renderSectionEditorPage, toTypedSection } from '#core/pages/builder/section.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireSection } from '#core/structure/questions.ts';
import { sectionTitle } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.editSection,
  openDraftSection,
  async ({ app, gate, stored, params, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const { structure } = stored;
    const section = requireSection(structure, params.sectionId);
    const typed = toTypedSection(sectionTitle(structure, section.id), section);
    return {
      html: renderSectionEditorPage(context, await loadGateHead(app, gate), { gate, structure, section, typed }),
    };
  },
);
