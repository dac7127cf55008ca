/** Copies a question; the copy follows it. */
import { questions } from '#core/api/questions.ts';
import { idWithin } from '#core/db/keys.ts';
import { openSectionEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentPlacedQuestion } from '#core/structure/documents.ts';
import { copyQuestion } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(questions.copyQuestion, openSectionEdit, async ({ gate, stored, params, app }) => {
  const newId = () => idWithin(gate.formId, app.uuid());
  const copy = { copyId: newId(), newId, now: app.now().toISOString() };
  const placed = { sectionId: params.sectionId, questionId: copy.copyId };
  return editStructure(app, stored, (current) => {
    const structure = copyQuestion(current, params, copy);
    return { next: structure, body: presentPlacedQuestion(structure, placed) };
  });
});
