/** Uploads files as the answer to a question: small ones at once, others directly to storage. */
import { files } from '#core/api/files.ts';
import { announceUploads, resignUploads, storeUploads } from '#core/files/upload.ts';
import { operation } from '#core/http/operation.ts';
import { openResponse } from '#core/responses/change.ts';

export const handler = operation(
  files.uploadFiles,
  openResponse,
  ({ opened, params, body, parts, app }) => {
    const uploading = { opened, questionId: params.questionId };
    return parts ? storeUploads(app, uploading, parts) : announceUploads(app, uploading, body ?? { files: [] });
  },
  (body, { app, input }) => resignUploads(app, input.params.responseId ?? '', body),
);
