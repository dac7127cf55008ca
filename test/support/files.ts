/**
 * Files as a respondent sends them: as multipart, or announced, sent straight to storage and completed; and what a test
 * looks at afterwards, so that a refusal is shown to have left nothing behind.
 */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ProblemBody } from '#core/api/client.ts';
import type { UploadResult } from '#core/files/model.ts';
import { type App, app } from '#core/http/app.ts';
import { gate, withApp } from './faults.ts';
import { objectKeys } from './objects.ts';
import { preview, start } from './responses.ts';
import { PICTURES } from './scene.ts';
import { everythingStored } from './stored.ts';
import { type Cast, clientWith, newForm, type Person, problemOf } from './world.ts';

type UploadFile = { allowedFileTypes: ('PNG' | 'PDF' | 'TXT')[]; maxFileAmount: number; maxFileSizeLimit: number };
type Headers = Record<string, string>;
type Bytes = Uint8Array<ArrayBuffer>;
/** A question of a response. */
export type At = { responseId: string; questionId: string };
/** A question that takes files, of a response of dave's. */
export type Place = At & { formId: string };
/** A file on the respondent's disk. */
export type Local = { name: string; bytes: Bytes; type: string };

export const local = (name: string, content: string | Uint8Array = 'Clear water', type = 'text/plain'): Local => ({
  name,
  bytes: new Uint8Array(Buffer.from(content)),
  type,
});

/** A PDF of so many bytes. */
export const pdf = (name: string, size = 100): Local =>
  local(
    name,
    Buffer.concat([Buffer.from('%PDF-1.7\n%âãÏÓ\n'), Buffer.alloc(size, 7)]).subarray(0, size),
    'application/pdf',
  );

/** A program for Linux under a name. */
export const program = (name: string): Local =>
  local(name, Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), Buffer.alloc(80)]), 'application/pdf');

export const hashOf = ({ bytes }: Local, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding);

/** A published form that asks for files, and a response of dave's to it. */
export async function filePlace(
  { alice, dave, slug }: Cast,
  takes: Partial<UploadFile> = {},
  required = false,
): Promise<Place> {
  const { formId, questionIds } = await fileForm({ alice, slug }, takes, required);
  return { formId, questionId: questionIds[0] ?? '', responseId: await start(dave, formId) };
}

/** A published form of one question that asks for files. */
export const fileForm = (
  { alice, slug }: Pick<Cast, 'alice' | 'slug'>,
  takes: Partial<UploadFile> = {},
  required = false,
) => newForm(alice, slug, [[{ type: 'UPLOAD_FILE', required, uploadFile: { ...PICTURES, ...takes } }]]);

const with_ = (headers: Headers | undefined) => (headers ? { headers } : {});
const paramsOf = ({ responseId, questionId }: At) => ({ responseId, questionId });

/** Files as a browser puts them into a form. */
export function formOf(files: readonly Local[]): FormData {
  const form = new FormData();
  for (const { name, bytes, type } of files) form.append('files', new File([bytes], name, { type }), name);
  return form;
}

/** Sends files through the API. */
export const upload = ({ client }: Person, at: At, files: readonly Local[], headers?: Headers) =>
  client.files.uploadFiles({ params: paramsOf(at), form: formOf(files), ...with_(headers) });

/** The ids of files sent through the API. */
export const uploaded = async (person: Person, at: At, ...files: Local[]): Promise<string[]> =>
  (await upload(person, at, files)).body.files.map(({ fileId }) => fileId);

export type Announced = { filename: string; contentType: string; size: number; sha256: string };

/** What is said of a file before it is sent straight to storage. */
export const about = (file: Local): Announced => ({
  filename: file.name,
  contentType: file.type,
  size: file.bytes.length,
  sha256: hashOf(file),
});

/** Announces files, or what is said of them. */
export const announce = ({ client }: Person, at: At, files: readonly Announced[], headers?: Headers) =>
  client.files.uploadFiles({ params: paramsOf(at), body: { files: [...files] }, ...with_(headers) });

type Entry = UploadResult['files'][number];

/** Sends bytes to where an upload is to be sent, with its headers or others; what storage says. */
export const sendTo = ({ upload: to }: Entry, bytes: Bytes, headers: Headers = to?.headers ?? {}): Promise<Response> =>
  fetch(to?.url ?? 'announced without an upload', { method: to?.method ?? '', headers, body: bytes });

/** Announces files and sends them to storage, which takes them; their ids, not attached yet. */
export async function sentDirectly(person: Person, at: At, ...files: Local[]): Promise<string[]> {
  const { files: entries } = (await announce(person, at, files.map(about))).body;
  const answers = await Promise.all(entries.map((entry, n) => sendTo(entry, files[n]?.bytes ?? new Uint8Array())));
  expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200));
  return entries.map(({ fileId }) => fileId);
}

/** Puts bytes where an upload is expected, as no browser could: storage takes only what was announced. */
export const smuggle = ({ responseId }: At, fileId: string, { bytes, type }: Local): Promise<void> =>
  app().bucket.put(`pending/files/${responseId}/${fileId}`, bytes, type);

export const complete = ({ client }: Person, at: At, fileIds: readonly string[], headers?: Headers) =>
  client.files.completeUploads({ params: paramsOf(at), body: { fileIds: [...fileIds] }, ...with_(headers) });

/** Files sent directly and attached; their ids. */
export async function attached(person: Person, at: At, ...files: Local[]): Promise<string[]> {
  const fileIds = await sentDirectly(person, at, ...files);
  await complete(person, at, fileIds);
  return fileIds;
}

export const clearFiles = ({ client }: Person, at: At, headers?: Headers) =>
  client.files.clearFiles({ params: paramsOf(at), ...with_(headers) });

/** The bytes of a file as its uploader downloads it, with what storage says of it. */
export async function download({ client }: Person, fileId: string) {
  const answer = await client.files.downloadFile({ params: { fileId } });
  const object = await fetch(answer.headers.get('location') ?? '');
  return { status: object.status, headers: object.headers, bytes: Buffer.from(await object.arrayBuffer()) };
}

/** The names of the files of an answer, in its order; none when the question is not answered. */
export async function answerOf(person: Person, { formId, responseId, questionId }: Place): Promise<string[]> {
  const { sections } = await preview(person, formId, responseId);
  const found = sections
    .flatMap(({ answerDetails }) => answerDetails)
    .find(({ question }) => question.id === questionId);
  const value = found?.payload?.answer.value ?? [];
  if (!Array.isArray(value)) throw new Error('the answer is none of files');
  return value.map((file) => (typeof file === 'string' ? file : file.originalFilename));
}

/** All that is kept, in the table and in the bucket. */
export const everything = async () => ({ items: await everythingStored(), objects: await objectKeys() });

/** The problem of a call that is refused and changes nothing at all. */
export async function refusal(call: () => Promise<unknown>): Promise<ProblemBody> {
  const before = await everything();
  const problem = await problemOf(call());
  expect(await everything(), 'what a refused request left behind').toEqual(before);
  return problem;
}

/** A refusal with these faults and no others. */
export const badRequest = (...faults: [pointer: string, detail: string][]) => ({
  status: 400,
  title: 'Bad Request',
  errors: faults.map(([pointer, detail]) => ({ pointer, detail: expect.stringContaining(detail) })),
});

/**
 * That each file of the answer has its item and its bytes, and that nothing else of the response is kept: no other
 * file, no object, no upload.
 */
export async function expectTidy(person: Person, at: Place, names: readonly string[]): Promise<void> {
  expect(await answerOf(person, at)).toEqual(names);
  const fileIds = await fileIdsOf(person, at);
  const found = await Promise.all(fileIds.map((fileId) => download(person, fileId)));
  expect(found.map(({ status }) => status)).toEqual(fileIds.map(() => 200));
  const objects = (await objectKeys()).filter((key) => key.includes(at.responseId));
  expect(objects).toEqual(fileIds.map(() => expect.stringMatching(`^files/${at.responseId}/`)));
  const form = at.formId.slice(0, 18);
  const kept = (await everythingStored()).map((line) => line.split(' ')[0] ?? '');
  expect(kept.filter((pk) => pk.startsWith(`FILE#${form}`)).sort()).toEqual(fileIds.map((id) => `FILE#${id}`).sort());
  const uploads = (await everythingStored()).filter((line) => line.startsWith(`RESPONSE#${at.responseId} UPLOAD#`));
  expect(uploads).toEqual([]);
}

/** The ids of the files of an answer, in its order. */
export async function fileIdsOf({ client }: Person, at: At): Promise<string[]> {
  const answer = await client.responses.getAnswer({ params: paramsOf(at) }).catch(() => undefined);
  const value = answer?.body.answer.answer.value ?? [];
  if (!Array.isArray(value)) throw new Error('the answer is none of files');
  return value.map((file) => (typeof file === 'string' ? file : file.fileId));
}

/** Runs something so many seconds later, as the same person signed in anew. */
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

/** What a request does with the world while others go on. */
export type Verb = 'inspect' | 'copy' | 'put' | 'write';

/** The verbs of a world, of which the first call of one waits at a gate; the calls of other requests go through. */
function waiting(verb: Verb, { bucket, table }: App, wait: () => Promise<void>): Partial<App> {
  let isFirst = true;
  const first = async (): Promise<void> => {
    if (!isFirst) return;
    isFirst = false;
    await wait();
  };
  const held =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await first();
      return call(...args);
    };
  if (verb === 'write') return { table: { ...table, write: held(table.write) } };
  return { bucket: { ...bucket, [verb]: held(bucket[verb] as (...args: unknown[]) => Promise<unknown>) } };
}

/** Runs a request up to its first use of a verb, then the others to their ends, then the rest of the first. */
export async function whileWaiting<T>(
  verb: Verb,
  request: () => Promise<T>,
  others: () => Promise<unknown>,
): Promise<T> {
  const { reached, open, wait } = gate();
  return withApp(
    (world) => waiting(verb, world, wait),
    async () => {
      const running = request();
      // An early failure must not be reported before it is looked at.
      running.catch(() => undefined);
      await Promise.race([reached, running.catch(() => undefined)]);
      await others();
      open();
      return running;
    },
  );
}
