/** Attaches uploaded files to their question. */
import { files } from '#core/api/files.ts';
import { completeUploads } from '#core/files/complete.ts';
import { operation } from '#core/http/operation.ts';
import { openResponse } from '#core/responses/change.ts';

export const handler = operation(files.completeUploads, openResponse, ({ opened, params, body, app }) =>
  completeUploads(app, { opened, questionId: params.questionId }, body.fileIds),
);
