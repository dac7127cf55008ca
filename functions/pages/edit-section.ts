/** Shows the title and description of a section for editing. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { renderSectionEditorPage, requireTitled, SECTION } from '#core/pages/builder/section.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { showFields } from '#core/pages/shell/typed-fields.ts';

export const handler = page(
  authorPages.editSection,
  openDraftSection,
  async ({ app, gate, stored, params, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const { structure } = stored;
    const section = requireTitled(structure, params.sectionId);
    const typed = showFields(SECTION, section, context);
    return {
      html: renderSectionEditorPage(context, await loadGateHead(app, gate), { gate, structure, section, typed }),
    };
  },
);
