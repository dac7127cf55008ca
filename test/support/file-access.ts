/**
 * What tests of reading and deleting files share: forms that ask for files, files in one line each whichever way they
 * came, and a look at all that the table and the bucket still hold of something.
 */
import { createHash } from 'node:crypto';
import { formKey, keys } from '#core/db/keys.ts';
import { type App, app } from '#core/http/app.ts';
import { itemsMentioning } from './building.ts';
import { dyingAfter, withApp } from './faults.ts';
import { objectKeys } from './objects.ts';
import { PICTURES } from './scene.ts';
import { newForm, type Person } from './world.ts';

type Options = Parameters<typeof newForm>[3] & { required?: boolean };

/** A published form of one section with so many questions that ask for files. */
export async function formForFiles(
  editor: Person,
  slug: string,
  count = 1,
  { required = false, ...more }: Options = {},
) {
  const kinds = Array.from({ length: count }, () => ({ type: 'UPLOAD_FILE' as const, uploadFile: PICTURES, required }));
  const built = await newForm(editor, slug, [kinds], more);
  return { ...built, questionId: built.questionIds[0] ?? '' };
}

/** Uploads files of these names through the API as the answer to a question; their ids. */
export async function answerWithFiles(
  { client }: Person,
  responseId: string,
  questionId: string,
  ...names: string[]
): Promise<string[]> {
  const form = new FormData();
  for (const name of names) form.append('files', new File([`This is ${name}`], name));
  const { body } = await client.files.uploadFiles({ params: { responseId, questionId }, form });
  return body.files.map(({ fileId }) => fileId);
}

/** As `answerWithFiles`, of one file. */
export async function answerWithFile(person: Person, responseId: string, questionId: string, name = 'river.txt') {
  const [fileId = ''] = await answerWithFiles(person, responseId, questionId, name);
  return fileId;
}

/** Announces an upload straight to storage: its id, and how to send these bytes there. */
export async function announce(
  { client }: Person,
  responseId: string,
  questionId: string,
  { filename = 'river.txt', bytes = Buffer.from('Clear water') } = {},
) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { filename, contentType: 'application/octet-stream', size: bytes.length, sha256 };
  const { body } = await client.files.uploadFiles({ params: { responseId, questionId }, body: { files: [file] } });
  const [entry] = body.files;
  if (!entry?.upload) throw new Error('the answer does not say where to upload');
  const { url, headers } = entry.upload;
  return { fileId: entry.fileId, put: () => fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) }) };
}

/** Uploads files straight to storage and makes them the answer to a question, whatever their names; their ids. */
export async function answerThroughStorage(
  person: Person,
  responseId: string,
  questionId: string,
  ...names: string[]
): Promise<string[]> {
  const fileIds: string[] = [];
  for (const filename of names) {
    const { fileId, put } = await announce(person, responseId, questionId, { filename });
    if ((await put()).status !== 200) throw new Error(`storage did not take ${filename}`);
    fileIds.push(fileId);
  }
  await person.client.files.completeUploads({ params: { responseId, questionId }, body: { fileIds } });
  return fileIds;
}

/** All that the table and the bucket hold in which an id stands; of a form, all that is under it too. */
export async function tracesOf(id: string): Promise<string[]> {
  const [items, keysOfObjects] = await Promise.all([itemsMentioning(id), objectKeys()]);
  const passing = /^(?:IDEMPOTENCY#\S+ |SLUG#\S+ USAGE#)/;
  return [...items.filter((item) => !passing.test(item)), ...keysOfObjects.filter((key) => key.includes(id))];
}

/** As `tracesOf` for a form: everything that is under it has an id that begins as the form's does. */
export const tracesOfForm = (formId: string): Promise<string[]> => tracesOf(formKey(formId));

/** Whether a response stands in the table, be it in deletion. */
export const isStored = async (responseId: string): Promise<boolean> =>
  (await app().table.read([keys.response(responseId)]))[0] !== undefined;

/** A world in which only the first `count` changes of the bucket go through; then storage is as good as dead. */
const bucketDyingAfter =
  (count: number) =>
  ({ bucket }: App): Partial<App> => {
    let done = 0;
    const limited =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        done += 1;
        if (done > count) throw new Error('storage died');
        return call(...args);
      };
    const { put, copy, remove, removeAll } = bucket;
    const changes = { put: limited(put), copy: limited(copy), remove: limited(remove), removeAll: limited(removeAll) };
    return { bucket: { ...bucket, ...changes } };
  };

/** As `dyingAfter`, of a whole world. */
const tableDyingAfter =
  (count: number) =>
  ({ table }: App): Partial<App> => ({ table: { ...table, ...dyingAfter(count)(table) } });

const DEATHS = { table: tableDyingAfter, bucket: bucketDyingAfter } as const;

/**
 * Lets something new be deleted while the table, or the bucket, dies at its first change, its second, and so on until
 * it lives long enough. `judge` looks at what was deleted after each death; answers how many deaths there were.
 */
export async function dyingAtEveryStep<T>(
  of: keyof typeof DEATHS,
  {
    make,
    remove,
    judge,
  }: {
    make: () => Promise<T>;
    remove: (made: T) => Promise<number>;
    judge: (made: T, step: number) => Promise<void>;
  },
): Promise<number> {
  for (let step = 0; step < 100; step += 1) {
    const made = await make();
    const status = await withApp(DEATHS[of](step), () => remove(made));
    if (status === 204) return step;
    if (status !== 500) throw new Error(`died with ${status}`);
    await judge(made, step);
  }
  throw new Error('a deletion does not end');
}
