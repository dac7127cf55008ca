/** Uploads files as the answer to a question: small ones at once, others straight to storage. */
import { files } from '#core/api/files.ts';
import { announceUploads, storeUploads } from '#core/files/upload.ts';
import { operation } from '#core/http/operation.ts';
import { response } from '#core/responses/open.ts';

export const handler = operation(
  files.uploadFiles,
  response,
  async ({ response, form, stored, params, body, parts, ifMatch, app }) => {
    const asked = { app, opened: { response, form, stored }, ifMatch, questionId: params.questionId };
    const { files, version } = parts
      ? await storeUploads(asked, parts)
      : await announceUploads(asked, body ?? { files: [] });
    return { body: { files }, etag: version };
  },
);
