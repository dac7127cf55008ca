/** Deletes the files of a question by clearing its answer. */
import { files } from '#core/api/files.ts';
import { requireFileAnswer } from '#core/files/checks.ts';
import { operation } from '#core/http/operation.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { clearAnswer } from '#core/responses/edits.ts';

export const handler = operation(files.clearFiles, openResponse, ({ opened, params, app }) =>
  changeResponse(app, opened, (current, now) => {
    requireFileAnswer(current, params.questionId);
    return { next: clearAnswer(current, params.questionId, now), body: undefined };
  }),
);
