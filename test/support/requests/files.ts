/** The valid requests of operations about files and connected accounts. */
import { app } from '#core/http/app.ts';
import { sha256 } from '#core/schema/hash.ts';
import { send } from '#test/support/fixtures.ts';
import { pick } from '#test/support/provider.ts';
import type { Rows } from '#test/support/requests.ts';
import type { Resources } from '#test/support/scene.ts';

const TEXT = 'Many frogs';

const announcedWith = (content: string) => ({
  filename: 'frogs.txt',
  contentType: 'text/plain',
  size: content.length,
  sha256: sha256(content, 'hex'),
});
const announced = announcedWith(TEXT);

const ofQuestion = ({ draftId, fileQuestionId }: Resources) => ({
  params: { responseId: draftId, questionId: fileQuestionId },
});

/** An upload with some content that is in storage and waits to be attached; its id. */
async function uploaded(resources: Resources, content = TEXT): Promise<string> {
  const { client } = resources.respondent;
  const body = { files: [announcedWith(content)] };
  const { files } = (await client.files.uploadFiles({ ...ofQuestion(resources), body })).body;
  const [file] = files;
  if (!file?.upload) throw new Error('the service did not say where to upload to');
  const { url, method, headers } = file.upload;
  const response = await fetch(url, { method, headers, body: content });
  if (!response.ok) throw new Error(`storage refused the upload: ${response.status} ${await response.text()}`);
  return file.fileId;
}

/** What a browser that has been at the provider brings back for a connection. */
async function connected({ respondent, draftId, connectQuestionId }: Resources) {
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
      input: (resources) => ({ ...ofQuestion(resources), body: { files: [announced] } }),
      others: (resources) => {
        const form = new FormData();
        form.append('files', new File([TEXT], 'frogs.txt', { type: 'text/plain' }));
        return [{ ...ofQuestion(resources), form }];
      },
    },
    completeUploads: {
      by: 'respondent',
      input: (resources) => ({ ...ofQuestion(resources), body: { fileIds: [resources.fileId] } }),
      // The second is not the text that its name says: it is refused and removed.
      others: async (resources) => [
        { ...ofQuestion(resources), body: { fileIds: [await uploaded(resources)] } },
        { ...ofQuestion(resources), body: { fileIds: [await uploaded(resources, '\u0000\u0001')] } },
      ],
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
      input: async (resources) => ({ params: { provider: 'PROVIDER_ONE' }, ...(await connected(resources)) }),
    },
  },
};
