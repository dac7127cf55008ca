/**
 * Files as a respondent sends them: as multipart, or announced, sent straight to storage and completed; and what is
 * stored afterwards, so that a test can show that a refused request left nothing behind.
 */
import { expect } from 'vitest';
import type { ProblemBody } from '#core/api/client.ts';
import { objects } from '#core/db/bucket.ts';
import { formKey, type Key } from '#core/db/keys.ts';
import type { UploadResult } from '#core/files/model.ts';
import { type App, app } from '#core/http/app.ts';
import { sha256 } from '#core/schema/hash.ts';
import { gate, withApp } from './faults.ts';
import { type Cast, clientWith, expectProblem, newForm, type Person } from './fixtures.ts';
import { start } from './responses.ts';
import { everythingStored, objectKeys } from './stored.ts';
import { cleanUp } from './sweeps.ts';

type UploadFile = typeof PICTURES;
type Headers = Record<string, string>;
type Bytes = Uint8Array<ArrayBuffer>;
/** A question of a response. */
export type At = { responseId: string; questionId: string };
/** A question that takes files, of a response of dave's. */
export type Place = At & { formId: string };
/** What a question about pictures accepts. */
export const PICTURES = {
  allowedFileTypes: ['PNG' as const, 'PDF' as const, 'TXT' as const],
  maxFileAmount: 10,
  maxFileSizeLimit: 10_485_759,
};

/** A file on the respondent's disk. */
export type Local = { name: string; bytes: Bytes; type: string };

export const local = (name: string, content: string | Uint8Array = 'Clear water', type = 'text/plain'): Local => ({
  name,
  bytes: new Uint8Array(Buffer.from(content)),
  type,
});

/** A PDF of a given size in bytes. */
export const pdf = (name: string, size = 100): Local =>
  local(
    name,
    Buffer.concat([Buffer.from('%PDF-1.7\n%âãÏÓ\n'), Buffer.alloc(size, 7)]).subarray(0, size),
    'application/pdf',
  );

/** A program for Linux under a name. */
export const program = (name: string): Local =>
  local(name, Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), Buffer.alloc(80)]), 'application/pdf');

export const hashOf = ({ bytes }: Local, encoding: 'hex' | 'base64' = 'hex'): string => sha256(bytes, encoding);

type Options = Parameters<typeof newForm>[3] & { required?: boolean; takes?: Partial<UploadFile> };

/** A published form of one section with `count` questions that ask for files. */
export async function formForFiles(
  editor: Person,
  slug: string,
  count = 1,
  { required = false, takes, ...more }: Options = {},
) {
  const uploadFile = { ...PICTURES, ...takes };
  const kinds = Array.from({ length: count }, () => ({ type: 'UPLOAD_FILE' as const, uploadFile, required }));
  const built = await newForm(editor, slug, [kinds], more);
  return { ...built, questionId: built.questionIds[0] ?? '' };
}

/** A published form that asks for files, and a response of dave's to it. */
export async function filePlace(
  { alice, dave, slug }: Cast,
  takes: Partial<UploadFile> = {},
  required = false,
): Promise<Place> {
  const { formId, questionId } = await formForFiles(alice, slug, 1, { required, takes });
  return { formId, questionId, responseId: await start(dave, formId) };
}

const with_ = (headers: Headers | undefined) => (headers ? { headers } : {});
const paramsOf = ({ responseId, questionId }: At) => ({ responseId, questionId });

/** Files as a browser puts them into a form. */
export function formOf(files: readonly Local[], part = 'files'): FormData {
  const form = new FormData();
  for (const { name, bytes, type } of files) form.append(part, new File([bytes], name, { type }), name);
  return form;
}

/** Sends files through the API. */
export const upload = ({ client }: Person, at: At, files: readonly Local[], headers?: Headers) =>
  client.files.uploadFiles({ params: paramsOf(at), form: formOf(files), ...with_(headers) });

/** A file that is given as such or by its name. */
const fileOf = (file: Local | string, content?: string): Local =>
  typeof file === 'string' ? local(file, content) : file;

/** The ids of files sent through the API. */
export const uploaded = async (person: Person, at: At, ...files: (Local | string)[]): Promise<string[]> =>
  (
    await upload(
      person,
      at,
      files.map((file) => fileOf(file, `This is ${file}`)),
    )
  ).body.files.map(({ fileId }) => fileId);

/** As `uploaded`, of one file. */
export async function answerWithFile(person: Person, responseId: string, questionId: string, name = 'river.txt') {
  const [fileId = ''] = await uploaded(person, { responseId, questionId }, name);
  return fileId;
}

export type Announced = { filename: string; contentType: string; size: number; sha256: string };

/** How a file is announced. */
export const about = (file: Local): Announced => ({
  filename: file.name,
  contentType: file.type,
  size: file.bytes.length,
  sha256: hashOf(file),
});

/** Announces files. */
export const announce = ({ client }: Person, at: At, files: readonly Announced[], headers?: Headers) =>
  client.files.uploadFiles({ params: paramsOf(at), body: { files: [...files] }, ...with_(headers) });

type Entry = UploadResult['files'][number];

/** Sends bytes to the URL of an upload, with its headers or others; the response of storage. */
export const sendTo = ({ upload: to }: Entry, bytes: Bytes, headers: Headers = to?.headers ?? {}): Promise<Response> =>
  fetch(to?.url ?? 'announced without an upload', { method: to?.method ?? '', headers, body: bytes });

/** Announces one file. */
export async function announced(person: Person, at: At, file: Local): Promise<Entry> {
  const [entry] = (await announce(person, at, [about(file)])).body.files;
  if (!entry) throw new Error('nothing was announced');
  return entry;
}

/** Announces one file: its id, and how to send it. */
export async function announceFile(person: Person, responseId: string, questionId: string) {
  const file = local('river.txt');
  const entry = await announced(person, { responseId, questionId }, file);
  return { fileId: entry.fileId, put: () => sendTo(entry, file.bytes) };
}

/** Announces files and sends them to storage; their ids, not attached yet. */
export async function sentDirectly(person: Person, at: At, ...files: Local[]): Promise<string[]> {
  const { files: entries } = (await announce(person, at, files.map(about))).body;
  const responses = await Promise.all(entries.map((entry, n) => sendTo(entry, files[n]?.bytes ?? new Uint8Array())));
  expect(responses.map(({ status }) => status)).toEqual(files.map(() => 200));
  return entries.map(({ fileId }) => fileId);
}

export const complete = ({ client }: Person, at: At, fileIds: readonly string[], headers?: Headers) =>
  client.files.completeUploads({ params: paramsOf(at), body: { fileIds: [...fileIds] }, ...with_(headers) });

/** Files sent directly and attached; their ids. */
export async function attached(person: Person, at: At, ...files: (Local | string)[]): Promise<string[]> {
  const fileIds = await sentDirectly(person, at, ...files.map((file) => fileOf(file)));
  await complete(person, at, fileIds);
  return fileIds;
}

export const clearFiles = ({ client }: Person, at: At, headers?: Headers) =>
  client.files.clearFiles({ params: paramsOf(at), ...with_(headers) });

/** A file as somebody downloads it: the response of storage. */
export async function download({ client }: Person, fileId: string) {
  const redirect = await client.files.downloadFile({ params: { fileId } });
  const object = await fetch(redirect.headers.get('location') ?? '');
  return { status: object.status, headers: object.headers, bytes: Buffer.from(await object.arrayBuffer()) };
}

/** Everything in the table and in the bucket. */
export const everything = async () => ({ items: await everythingStored(), objects: await objectKeys() });

/** The problems of calls that are refused, one after the other; fails the test if they change anything. */
export async function refusals(calls: readonly (() => Promise<unknown>)[]): Promise<ProblemBody[]> {
  const before = await everything();
  const found: ProblemBody[] = [];
  for (const call of calls) found.push(await expectProblem(call()));
  expect(await everything(), 'stored after a refused request').toEqual(before);
  return found;
}

/** The problem of a call that is refused; fails the test if it changes anything. */
export async function refusal(call: () => Promise<unknown>): Promise<ProblemBody> {
  const [problem] = await refusals([call]);
  if (!problem) throw new Error('there is no problem');
  return problem;
}

/** A refusal with these faults and no others. */
export const badRequest = (...faults: [pointer: string, detail: string][]) => ({
  status: 400,
  title: 'Bad Request',
  errors: faults.map(([pointer, detail]) => ({ pointer, detail: expect.stringContaining(detail) })),
});

/** The keys of the objects of a response. */
export const listObjects = ({ responseId }: Pick<At, 'responseId'>): Promise<string[]> =>
  objectKeys(objects.file(responseId, ''));

/**
 * The answer has these files, each with its item and bytes; and once clean-ups were carried out, nothing else of the
 * response is stored. What is announced can be used no more.
 */
export async function expectTidy(person: Person, at: Place, names: readonly string[]): Promise<void> {
  await cleanUp();
  expect(await listFileNames(person, at)).toEqual(names);
  const fileIds = await listFileIds(person, at);
  const found = await Promise.all(fileIds.map((fileId) => download(person, fileId)));
  expect(found.map(({ status }) => status)).toEqual(fileIds.map(() => 200));
  expect(await listObjects(at)).toEqual(fileIds.map((fileId) => objects.file(at.responseId, fileId)).sort());
  expect(await listFileItems(at)).toEqual(fileIds.toSorted());
}

/** The ids of all file items under the form of a response. */
export const listFileItems = async ({ responseId }: Pick<At, 'responseId'>): Promise<string[]> =>
  (await everythingStored())
    .map((line) => line.split(' ')[0] ?? '')
    .filter((pk) => pk.startsWith(`FILE#${formKey(responseId)}`))
    .map((pk) => pk.slice('FILE#'.length));

/** The files of an answer, in its order; none when the question is not answered. */
async function listFiles({ client }: Person, at: At) {
  const found = await client.responses.getAnswer({ params: paramsOf(at) }).catch(() => undefined);
  const value = found?.body.answer.answer.value ?? [];
  if (!Array.isArray(value)) throw new Error('the answer is not of files');
  return value.filter((file) => typeof file !== 'string');
}

export const listFileIds = async (person: Person, at: At): Promise<string[]> =>
  (await listFiles(person, at)).map(({ fileId }) => fileId);

export const listFileNames = async (person: Person, at: At): Promise<string[]> =>
  (await listFiles(person, at)).map(({ originalFilename }) => originalFilename);

/** Runs something as if these seconds had passed, as the same person with a new token. */
export function later<T>(seconds: number, { id, ...person }: Person, run: (then: Person) => Promise<T>): Promise<T> {
  const now = () => new Date(Date.now() + seconds * 1_000);
  return withApp(
    () => ({ now }),
    async () => {
      const token = await app().tokens.sign({ id, roles: ['USER'] }, now());
      return run({ ...person, id, token, client: clientWith(token) });
    },
  );
}

/** A storage call of a request; `readUploads` reads the announced uploads of a question. */
export type Verb = 'inspect' | 'put' | 'readUploads' | 'write';

/** An app in which the first call of a verb waits at a gate; all other calls pass. */
function waiting(verb: Verb, { bucket, table }: App, wait: () => Promise<void>): Partial<App> {
  let isFirst = true;
  const held =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const waits = isFirst;
      isFirst = false;
      if (waits) await wait();
      return call(...args);
    };
  if (verb === 'write') return { table: { ...table, write: held(table.write) } };
  if (verb === 'put') return { bucket: { ...bucket, put: held(bucket.put) } };
  if (verb === 'readUploads') {
    const isOfUploads = ({ sk }: Key) => sk.startsWith('UPLOADS#');
    const read = held(table.read);
    return { table: { ...table, read: (keys) => (keys.some(isOfUploads) ? read(keys) : table.read(keys)) } };
  }
  return { bucket: { ...bucket, inspect: held(bucket.inspect) } };
}

/** Runs a request up to its first call of a verb, then other requests to their ends, then the rest of the first. */
export async function whileWaiting<T>(
  verb: Verb,
  request: () => Promise<T>,
  others: () => Promise<unknown>,
): Promise<T> {
  const { reached, open, wait } = gate();
  return withApp(
    (before) => waiting(verb, before, wait),
    async () => {
      const running = request();
      // An early failure is reported where the result is awaited.
      running.catch(() => undefined);
      await Promise.race([reached, running.catch(() => undefined)]);
      await others();
      open();
      return running;
    },
  );
}
