/** Shows the title and description of a section for editing. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { sectionPage, toTypedSection } from '#core/pages/builder/section.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireSection } from '#core/structure/questions.ts';
import { sectionTitle } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.editSection,
  openDraftSection,
  async ({ app, gate, stored, params, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const section = requireSection(stored.structure, params.sectionId);
    const title = sectionTitle(stored.structure, section.id);
    const head = await loadGateHead(app, gate);
    return { html: sectionPage(context, head, { gate, section, title, typed: toTypedSection(title, section) }) };
  },
);
