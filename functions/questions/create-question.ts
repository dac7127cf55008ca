/** Creates a question in a section, at its place in the order. */

import { questions } from '#core/api/questions.ts';
import { formOfSection } from '#core/forms/open.ts';
import { newIdWithin } from '#core/http/app.ts';
import { operation } from '#core/http/operation.ts';
import { showQuestion } from '#core/structure/question-view.ts';
import { createQuestion, requireQuestion } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(
  questions.createQuestion,
  formOfSection,
  async ({ form, stored, params, body, ifMatch, app }) => {
    const newId = () => newIdWithin(app, form.id);
    const asked = { ...params, questionId: newId(), input: body, now: app.now().toISOString(), newId };
    const structure = await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, (current) =>
      createQuestion(current, asked),
    );
    const { question, order } = requireQuestion(structure, asked.sectionId, asked.questionId);
    return { body: showQuestion(question, asked.sectionId, order), etag: structure.version };
  },
);
