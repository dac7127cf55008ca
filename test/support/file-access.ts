/**
 * Support for tests of reading and deleting files: forms with file questions, uploads in one line each, everything that
 * is stored of a resource, and deletions that fail at each of their steps.
 */
import { formKey, keys } from '#core/db/keys.ts';
import { type App, app } from '#core/http/app.ts';
import { dyingAfter, withApp } from './faults.ts';
import { announced, attached, local, sendTo, uploaded } from './files.ts';
import { newForm, type Person } from './fixtures.ts';
import { PICTURES } from './scene.ts';
import { itemsMentioning, objectKeys } from './stored.ts';
import { cleanUp, finishDeletions, isInterrupted } from './sweeps.ts';

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
export const answerWithFiles = (
  person: Person,
  responseId: string,
  questionId: string,
  ...names: string[]
): Promise<string[]> =>
  uploaded(person, { responseId, questionId }, ...names.map((name) => local(name, `This is ${name}`)));

/** As `answerWithFiles`, of one file. */
export async function answerWithFile(person: Person, responseId: string, questionId: string, name = 'river.txt') {
  const [fileId = ''] = await answerWithFiles(person, responseId, questionId, name);
  return fileId;
}

/** Announces an upload straight to storage: its id, and how to send it. */
export async function announce(person: Person, responseId: string, questionId: string) {
  const file = local('river.txt');
  const entry = await announced(person, { responseId, questionId }, file);
  return { fileId: entry.fileId, put: () => sendTo(entry, file.bytes) };
}

/** Uploads files of these names straight to storage as the answer to a question; their ids. */
export const answerThroughStorage = (
  person: Person,
  responseId: string,
  questionId: string,
  ...names: string[]
): Promise<string[]> => attached(person, { responseId, questionId }, ...names.map((name) => local(name)));

/** Everything in the table and the bucket that names an id, once all clean-ups were carried out. */
export async function tracesOf(id: string): Promise<string[]> {
  await cleanUp();
  const [items, keysOfObjects] = await Promise.all([itemsMentioning(id), objectKeys()]);
  const kept = /^(?:IDEMPOTENCY#\S+ |SLUG#\S+ USAGE#)/;
  return [...items.filter((item) => !kept.test(item)), ...keysOfObjects.filter((key) => key.includes(id))];
}

/** As `tracesOf` for a form: the ids of everything under it begin with its key. */
export const tracesOfForm = (formId: string): Promise<string[]> => tracesOf(formKey(formId));

/** Whether a response is in the table, even one that is being deleted. */
export const isStored = async (responseId: string): Promise<boolean> =>
  (await app().table.read([keys.response(responseId)]))[0] !== undefined;

/** An app in which only the first `count` changes of the bucket succeed. */
const bucketFailingAfter =
  (count: number) =>
  ({ bucket }: App): Partial<App> => {
    let done = 0;
    const limited =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        done += 1;
        if (done > count) throw new Error('storage is down');
        return call(...args);
      };
    const { put, remove, removeSome } = bucket;
    const changes = { put: limited(put), remove: limited(remove), removeSome: limited(removeSome) };
    return { bucket: { ...bucket, ...changes } };
  };

/** An app in which only the first `count` writes of the table succeed. */
const tableFailingAfter =
  (count: number) =>
  ({ table }: App): Partial<App> => ({ table: { ...table, ...dyingAfter(count)(table) } });

const FAILING = { table: tableFailingAfter, bucket: bucketFailingAfter } as const;

/**
 * Deletes something new, and interrupts the worker: the table, or the bucket, fails from its first change on, from its
 * second, and so on until it is not interrupted. Each deletion must leave nothing in the end. Returns how many
 * interruptions there were.
 */
export async function interruptedAtEveryStep<T>(
  of: keyof typeof FAILING,
  {
    create,
    remove,
    expectGone,
  }: {
    create: () => Promise<T>;
    remove: (created: T) => Promise<unknown>;
    expectGone: (created: T) => Promise<void>;
  },
): Promise<number> {
  for (let step = 0; step < 100; step += 1) {
    const created = await create();
    await remove(created);
    const interrupted = await withApp(FAILING[of](step), isInterrupted);
    await finishDeletions();
    await expectGone(created);
    if (!interrupted) return step;
  }
  throw new Error('the deletion does not end');
}
