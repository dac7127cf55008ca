/** The valid requests of operations about files and connected accounts. */
import { app } from '#core/http/app.ts';
import { about, formOf, local, sentDirectly } from '#test/support/files.ts';
import { send } from '#test/support/fixtures.ts';
import { pick } from '#test/support/provider.ts';
import type { Rows } from '#test/support/requests.ts';
import type { Resources } from '#test/support/scene.ts';

const frogs = local('frogs.txt', 'Many frogs');

const paramsOf = ({ draftId, fileQuestionId }: Resources) => ({ responseId: draftId, questionId: fileQuestionId });
const ofQuestion = (resources: Resources) => ({ params: paramsOf(resources) });

/** A file that is in storage and waits to be attached; its id. */
const uploaded = async (resources: Resources, file = frogs): Promise<string> =>
  (await sentDirectly(resources.respondent, paramsOf(resources), file))[0] ?? '';

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
      input: (resources) => ({ ...ofQuestion(resources), body: { files: [about(frogs)] } }),
      others: (resources) => [{ ...ofQuestion(resources), form: formOf([frogs]) }],
    },
    completeUploads: {
      by: 'respondent',
      input: (resources) => ({ ...ofQuestion(resources), body: { fileIds: [resources.fileId] } }),
      // The second is not the text that its name says: it is refused and removed.
      others: async (resources) => [
        { ...ofQuestion(resources), body: { fileIds: [await uploaded(resources)] } },
        {
          ...ofQuestion(resources),
          body: { fileIds: [await uploaded(resources, local('frogs.txt', '\u0000\u0001'))] },
        },
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
