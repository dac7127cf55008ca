/**
 * A worker of the crash test that uploads files, directly to storage and through the API in turn, and replaces and
 * deletes them. The content of a file contains its name, so it identifies the file after a crash.
 */
import { expect } from 'vitest';
import { type Client, uploadFiles } from '#core/api/client.ts';
import { attempt, checkProgress, type Progress, type Step, takeSteps, type Worker } from './worker.ts';

type Params = { responseId: string; questionId: string };
/** The names of the files of the answer. */
type State = string[];

const fileOf = (name: string): File => new File([`This is ${name}. `.repeat(500)], name, { type: 'text/plain' });

/** Answers a question with other files again and again. */
export function uploader({ formId, questionId }: { formId: string; questionId: string }): Worker {
  const progress: Progress<State> = { known: [] };
  let responseId = '';
  let round = 0;
  return {
    async work(client, run) {
      if (responseId === '') {
        const started = await attempt(run, client.responses.startResponse({ params: { formId } }));
        if (!started) return;
        responseId = started.body.id;
      }
      do round += 1;
      while (await takeSteps(client, run, progress, stepsOf({ responseId, questionId }, round)));
    },
    async check(client) {
      if (responseId === '') return;
      await checkProgress(client, progress, () => readFiles(client, { responseId, questionId }));
    },
  };
}

/** Uploads two files, replaces them by one, and deletes it. */
function stepsOf(params: Params, round: number): Step<State>[] {
  const direct = [`one ${round}.txt`, `two ${round}.txt`];
  const small = `three ${round}.txt`;
  const form = new FormData();
  form.append('files', fileOf(small));
  return [
    { leadsTo: direct, request: (client) => uploadFiles(client, params, direct.map(fileOf)) },
    { leadsTo: [small], request: ({ files }) => files.uploadFiles({ params, form }) },
    { leadsTo: [], request: ({ files }) => files.clearFiles({ params }) },
  ];
}

/** The names of the files of the answer. Each file must be whole and in the list of files. */
async function readFiles(client: Client, params: Params): Promise<State> {
  const found = await client.responses.getAnswer({ params }).catch(() => undefined);
  const value = found?.body.answer.answer.value ?? [];
  const files = Array.isArray(value) ? value.filter((each) => typeof each !== 'string') : [];
  for (const { fileId, originalFilename } of files) {
    const { headers } = await client.files.downloadFile({ params: { fileId } });
    const downloaded = await fetch(headers.get('location') ?? '');
    expect(await downloaded.text()).toBe(await fileOf(originalFilename).text());
  }
  const listed = (await client.files.listMyFiles()).body.map(({ id }) => id);
  expect(listed).toEqual(expect.arrayContaining(files.map(({ fileId }) => fileId)));
  return files.map(({ originalFilename }) => originalFilename);
}
