/** Shows the kinds of questions, or the form of a new question of the chosen kind. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { buildPreset } from '#core/pages/builder/presets.ts';
import { renderQuestionPage } from '#core/pages/builder/question.ts';
import { newQuestion, parseQuestionType } from '#core/pages/builder/question-fields.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { renderQuestionKindPage } from '#core/pages/builder/section.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireSection } from '#core/structure/questions.ts';

export const handler = page(
  authorPages.showNewQuestion,
  openDraftSection,
  async ({ app, gate, stored: { structure }, params: { sectionId }, query, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const head = await loadGateHead(app, gate);
    const type = parseQuestionType(query.get('type'));
    const typed = type ? newQuestion(type) : buildPreset(context, query.get('preset'));
    if (!typed) {
      const section = requireSection(structure, sectionId);
      return { html: renderQuestionKindPage(context, head, { gate, structure, section }) };
    }
    return { html: renderQuestionPage(context, head, { gate, structure, sectionId, typed, newId: app.uuid() }) };
  },
);
