/** Says what is lost with a section, before it is deleted. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { sectionRemovalPage } from '#core/pages/builder/removal.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireSection } from '#core/structure/questions.ts';

export const handler = page(
  authorPages.confirmSectionDeletion,
  openDraftSection,
  async ({ app, gate, stored, params, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const section = requireSection(stored.structure, params.sectionId);
    return { html: sectionRemovalPage(context, await loadGateHead(app, gate), { gate, stored, section }) };
  },
);
