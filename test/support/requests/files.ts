/** The valid requests of operations about files and connected accounts. */
import { createHash } from 'node:crypto';
import { app } from '#core/http/app.ts';
import { pick } from '#test/support/provider.ts';
import type { Rows } from '#test/support/requests.ts';
import type { Things } from '#test/support/scene.ts';
import { send } from '#test/support/world.ts';

const TEXT = 'Many frogs';

const announced = {
  filename: 'frogs.txt',
  contentType: 'text/plain',
  size: TEXT.length,
  sha256: createHash('sha256').update(TEXT).digest('hex'),
};

const ofQuestion = ({ draftId, fileQuestionId }: Things) => ({
  params: { responseId: draftId, questionId: fileQuestionId },
});

/** An upload that is in storage and waits to be attached; its id. */
async function uploaded(things: Things): Promise<string> {
  const { client } = things.respondent;
  const { files } = (await client.files.uploadFiles({ ...ofQuestion(things), body: { files: [announced] } })).body;
  const [file] = files;
  if (!file?.upload) throw new Error('the service did not say where to upload to');
  const { url, method, headers } = file.upload;
  const answer = await fetch(url, { method, headers, body: TEXT });
  if (!answer.ok) throw new Error(`storage refused the upload: ${answer.status} ${await answer.text()}`);
  return file.fileId;
}

/** What a browser that has been at the provider brings back for a connection. */
async function connected({ respondent, draftId, connectQuestionId }: Things) {
  const r = encodeURIComponent(app().config.publicUrl);
  const path = `/api/responses/${draftId}/questions/${connectQuestionId}/oauth?r=${r}`;
  return broughtBack(await send('GET', path, { headers: { authorization: `Bearer ${respondent.token}` } }));
}

/** What a browser brings to a callback after it was sent to the provider: query and cookies. */
export async function broughtBack(started: Response) {
  const cookie = started.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const callback = new URL(await pick(started.headers.get('location') ?? '', 'dave'));
  const query = { state: '', ...Object.fromEntries(callback.searchParams) };
  return { query, headers: { cookie } };
}

export const fileRows: Rows<'files' | 'connections'> = {
  files: {
    uploadFiles: {
      by: 'respondent',
      input: (things) => ({ ...ofQuestion(things), body: { files: [announced] } }),
      other: (things) => {
        const form = new FormData();
        form.append('files', new File([TEXT], 'frogs.txt', { type: 'text/plain' }));
        return { ...ofQuestion(things), form };
      },
    },
    completeUploads: {
      by: 'respondent',
      input: (things) => ({ ...ofQuestion(things), body: { fileIds: [things.fileId] } }),
      other: async (things) => ({ ...ofQuestion(things), body: { fileIds: [await uploaded(things)] } }),
    },
    clearFiles: { by: 'respondent', consumes: true, input: ofQuestion },
    listFiles: { by: 'respondent', input: () => ({ query: { limit: 100, offset: 0 } }) },
    listMyFiles: { by: 'respondent', input: () => ({ query: { limit: 100 } }) },
    downloadFile: { by: 'respondent', input: ({ fileId }) => ({ params: { fileId } }) },
    getFile: { by: 'respondent', input: ({ fileId }) => ({ params: { fileId } }) },
    deleteFile: { by: 'respondent', consumes: true, input: ({ fileId }) => ({ params: { fileId } }) },
  },
  connections: {
    startConnection: {
      by: 'respondent',
      input: ({ draftId, connectQuestionId }) => ({
        params: { responseId: draftId, questionId: connectQuestionId },
        query: { r: app().config.publicUrl },
      }),
    },
    finishConnection: {
      by: 'nobody',
      input: async (things) => ({ params: { provider: 'PROVIDER_ONE' }, ...(await connected(things)) }),
    },
  },
};
