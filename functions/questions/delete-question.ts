/** Deletes a question; answers to it are kept. */

import { questions } from '#core/api/questions.ts';
import { formOfSection } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { deleteQuestion } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(
  questions.deleteQuestion,
  formOfSection,
  async ({ form, stored, params, ifMatch, app }) => {
    const now = app.now().toISOString();
    await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, (current, answered) =>
      deleteQuestion(current, answered, { ...params, now }),
    );
    return { body: undefined };
  },
);
