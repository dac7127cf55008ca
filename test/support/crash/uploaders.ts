/**
 * A worker of the crash test that uploads files, through the API and straight to storage in turn, replaces and deletes
 * them. A file holds its own name, so that what is found after a crash tells whether it is the right one.
 */
import { expect } from 'vitest';
import { type Client, uploadFiles } from '#core/api/client.ts';
import { type Fate, survived, type Worker } from './fate.ts';

type Asked = { formId: string; questionId: string };
/** The names of the files that were acknowledged, and those asked for since; undefined: no response yet. */
type Memory = { responseId: string; round: number; known: string[]; next?: string[] };

const fileOf = (name: string): File => new File([`This is ${name}. `.repeat(500)], name, { type: 'text/plain' });

/** Gives one answer of files after the other, and takes one away now and then. */
export function uploader({ formId, questionId }: Asked): Worker {
  const memory: Memory = { responseId: '', round: 0, known: [] };
  return {
    async work(client, fate) {
      if (memory.responseId === '') {
        const started = await survived(fate, client.responses.startResponse({ params: { formId } }));
        if (!started) return;
        memory.responseId = started.body.id;
      }
      while (await goRound(client, fate, questionId, memory));
    },
    async check(client) {
      if (memory.responseId !== '') await checkFiles(client, questionId, memory);
    },
  };
}

/** Uploads two files, then one of other names, then deletes it; false when the service died under it. */
async function goRound(client: Client, fate: Fate, questionId: string, memory: Memory): Promise<boolean> {
  memory.round += 1;
  const params = { responseId: memory.responseId, questionId };
  const [one, two, three] = ['one', 'two', 'three'].map((word) => `${word} ${memory.round}.txt`);
  const direct = [one ?? '', two ?? ''];
  const small = three ?? '';
  const form = new FormData();
  form.append('files', fileOf(small));
  const steps: { leadsTo: string[]; request: () => Promise<unknown> }[] = [
    { leadsTo: direct, request: () => uploadFiles(client, params, direct.map(fileOf)) },
    { leadsTo: [small], request: () => client.files.uploadFiles({ params, form }) },
    { leadsTo: [], request: () => client.files.clearFiles({ params }) },
  ];
  for (const { leadsTo, request } of steps) {
    memory.next = leadsTo;
    if (
      (await survived(
        fate,
        request().then(() => 'done'),
      )) === undefined
    )
      return false;
    memory.known = leadsTo;
    delete memory.next;
  }
  return true;
}

/** The answer names the files that were acknowledged or asked for, each can be had, and the list agrees. */
async function checkFiles(client: Client, questionId: string, memory: Memory): Promise<void> {
  const { responseId } = memory;
  const answer = await client.responses.getAnswer({ params: { responseId, questionId } }).catch(() => undefined);
  const value = answer?.body.answer.answer.value ?? [];
  const files = Array.isArray(value) ? value.filter((each) => typeof each !== 'string') : [];
  const found = files.map(({ originalFilename }) => originalFilename);
  expect([memory.known, memory.next ?? memory.known]).toContainEqual(found);
  for (const { fileId, originalFilename } of files) {
    const { headers } = await client.files.downloadFile({ params: { fileId } });
    const bytes = await fetch(headers.get('location') ?? '');
    expect(await bytes.text()).toBe(await fileOf(originalFilename).text());
  }
  const listed = (await client.files.listMyFiles()).body.map(({ id }) => id);
  for (const { fileId } of files) expect(listed).toContain(fileId);
  memory.known = found;
  delete memory.next;
}
