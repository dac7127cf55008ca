/** Deletes the files of a question: clears its answer. */
import { files } from '#core/api/files.ts';
import { requireFileQuestion } from '#core/files/judge.ts';
import { operation } from '#core/http/operation.ts';
import { answersBy, clearInPlace } from '#core/responses/edit.ts';
import { response } from '#core/responses/open.ts';
import { changeResponse, requireEditable } from '#core/responses/service.ts';

export const handler = operation(
  files.clearFiles,
  response,
  async ({ response, form, stored, params, ifMatch, app }) => {
    const { questionId } = params;
    // A question that was removed may still have files.
    if (answersBy(response.answers)(questionId)?.type !== 'UPLOAD_FILE')
      requireFileQuestion(stored.structure, questionId);
    await changeResponse({ app, opened: { response, form, stored }, ifMatch }, (current, now) =>
      clearInPlace(current.response, current.stored.structure, questionId, now, () => requireEditable(current)),
    );
    return { body: undefined };
  },
);
