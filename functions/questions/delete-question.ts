/** Deletes a question; answers to it are kept. */
import { questions } from '#core/api/questions.ts';
import { openSectionEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { deleteQuestion } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(questions.deleteQuestion, openSectionEdit, async ({ stored, params, app }) => {
  const edit = { ...params, now: app.now().toISOString() };
  return editStructure(app, stored, (structure, answered) => ({
    next: deleteQuestion(structure, answered, edit),
    body: undefined,
  }));
});
