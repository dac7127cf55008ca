/** Moves a question behind another, also to another section. */
import { questions } from '#core/api/questions.ts';
import { openSectionEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentPlacedQuestion } from '#core/structure/documents.ts';
import { moveQuestion } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(questions.moveQuestion, openSectionEdit, async ({ stored, params, body, app }) => {
  const moved = { sectionId: body.sectionId, questionId: params.questionId };
  return editStructure(app, stored, (current) => {
    const structure = moveQuestion(current, params, body);
    return { next: structure, body: presentPlacedQuestion(structure, moved) };
  });
});
