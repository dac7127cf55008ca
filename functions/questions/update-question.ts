/** Replaces a question, and moves it when its order differs. */

import { questions } from '#core/api/questions.ts';
import { formOfSection } from '#core/forms/open.ts';
import { newIdWithin } from '#core/http/app.ts';
import { operation } from '#core/http/operation.ts';
import { showQuestion } from '#core/structure/question-view.ts';
import { replaceQuestion, requireQuestion } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(
  questions.updateQuestion,
  formOfSection,
  async ({ form, stored, params, body, ifMatch, app }) => {
    const newId = () => newIdWithin(app, form.id);
    const asked = { ...params, input: body, now: app.now().toISOString(), newId };
    const structure = await editStructure(
      app.table,
      { formId: form.id, opened: stored, ifMatch },
      (current, answered) => replaceQuestion(current, answered, asked),
    );
    const { question, order } = requireQuestion(structure, params.sectionId, params.questionId);
    return { body: showQuestion(question, params.sectionId, order), etag: structure.version };
  },
);
