/** Says what is lost with a section, before it is deleted. */
import { authorPages } from '#core/api/author-pages.ts';
import { countAnswers, withEntries } from '#core/counts/lost-answers.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { renderSectionRemovalPage } from '#core/pages/builder/removal.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireSection } from '#core/structure/questions.ts';

export const handler = page(
  authorPages.confirmSectionDeletion,
  withEntries(openDraftSection),
  async ({ app, gate, stored, listed, params, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const section = requireSection(stored.structure, params.sectionId);
    const ids = section.questions.map(({ id }) => id).filter((id) => stored.answered.ids.has(id));
    const [head, counts] = await Promise.all([
      loadGateHead(app, gate),
      countAnswers(app.table, gate.formId, listed, ids),
    ]);
    return { html: renderSectionRemovalPage(context, head, { gate, stored, counts, section }) };
  },
);
