/** Attaches uploaded files to their question. */
import { files } from '#core/api/files.ts';
import { completeUploads } from '#core/files/complete.ts';
import { operation } from '#core/http/operation.ts';
import { answersBy } from '#core/responses/edit.ts';
import { attachedFiles } from '#core/responses/model.ts';
import { response } from '#core/responses/open.ts';

export const handler = operation(
  files.completeUploads,
  response,
  async ({ response, form, stored, params, body, ifMatch, app }) => {
    const { questionId } = params;
    const asked = { app, opened: { response, form, stored }, ifMatch, questionId, open: 'unless adding' as const };
    const completed = await completeUploads(asked, body.fileIds);
    const answer = answersBy(completed.answers)(questionId);
    return { body: { files: attachedFiles(answer) }, etag: completed.version };
  },
);
