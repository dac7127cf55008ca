/** Replaces a question and moves it to its `order`. */
import { questions } from '#core/api/questions.ts';
import { idWithin } from '#core/db/keys.ts';
import { openSectionEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentPlacedQuestion } from '#core/structure/documents.ts';
import { replaceQuestion } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(
  questions.updateQuestion,
  openSectionEdit,
  async ({ gate, stored, params, body, app }) => {
    const newId = () => idWithin(gate.formId, app.uuid());
    const edit = { ...params, input: body, now: app.now().toISOString(), newId };
    return editStructure(app, stored, (current, answered) => {
      const structure = replaceQuestion(current, answered, edit);
      return { next: structure, body: presentPlacedQuestion(structure, edit) };
    });
  },
);
