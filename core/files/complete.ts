/**
 * Completing uploads (contract section 8): what a browser sent straight to storage is looked at, put in its place, and
 * attached to its question. What is not what was announced is removed.
 */
import type { Inspected } from '#core/db/bucket.ts';
import { objects } from '#core/db/objects.ts';
import type { App } from '#core/http/app.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { answersBy } from '#core/responses/edit.ts';
import { attachedFiles, type Response, type UploadedFile } from '#core/responses/model.ts';
import { readAgain } from '#core/responses/service.ts';
import { type Asked, attach, rehearse } from './attach.ts';
import { amountFaults, type FileQuestion, fileFaults, requireFileQuestion } from './judge.ts';
import { kindFault, LEADING_BYTES } from './kind.ts';
import { asAnswer, type StoredFile } from './model.ts';
import { discardFiles, forgetObjects, placeOf } from './objects.ts';
import { loadUploads, removeUpload } from './store.ts';

/**
 * Makes the files of some ids the answer to a question: uploads of this question, and files attached to it before.
 * Repeatable. Throws 400 with a fault for each id that is neither, or whose upload is missing, another one, or not what
 * the question takes by now.
 */
export async function completeUploads(asked: Asked, fileIds: readonly string[]): Promise<Response> {
  const { app, opened, questionId } = asked;
  const question = requireFileQuestion(opened.stored.structure, questionId);
  const { current, uploads } = await readUploads(asked, fileIds);
  refuse([
    ...amountFaults(question, fileIds.length, '/body/fileIds'),
    ...strangers(current.opened.response, questionId, fileIds, uploads),
    ...uploads.flatMap((upload) => unsuited(question, upload, fileIds)),
  ]);
  rehearse(current, chosen(current.opened.response, questionId, fileIds, uploads));
  const missing = await putInPlace(asked, uploads, fileIds);
  if (missing.length > 0) {
    const waiting = await stillWaiting(asked, missing);
    if (waiting.length === missing.length) refuse(missing.map((upload) => faultOf(upload, fileIds, notSent(upload))));
    // A request beside this one attached some of them, and removed what it had copied.
    return completeUploads({ ...asked, opened: await readAgain(app.table, opened.response.id) }, fileIds);
  }
  let hasMet = false;
  const response = await attach({ ...current, attaching: uploads }, async (response) => {
    hasMet = response !== current.opened.response;
    const left = hasMet ? await stillWaiting(asked, uploads) : uploads;
    refuse(strangers(response, questionId, fileIds, left));
    return chosen(response, questionId, fileIds, left);
  });
  // A request beside this one may have attached copies of its own.
  if (hasMet) await discardFiles(app, uploads);
  await forgetObjects(app, uploads.map(pendingKey));
  return response;
}

/** Those of some uploads that no request has attached meanwhile. */
async function stillWaiting({ app, opened }: Asked, uploads: readonly StoredFile[]): Promise<StoredFile[]> {
  const ids = uploads.map(({ id }) => id);
  const found = new Set((await loadUploads(app.table, opened.response.id, ids, app.now())).map(({ id }) => id));
  return uploads.filter(({ id }) => found.has(id));
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw problems.invalid(faults);
}

/** Why the question does not take an upload any more: it may have been changed since that was announced. */
const unsuited = (question: FileQuestion, upload: StoredFile, fileIds: readonly string[]): Fault[] =>
  fileFaults(question, upload, '').map(({ detail }) => faultOf(upload, fileIds, `"${upload.filename}" ${detail}`));

const faultOf = ({ id }: StoredFile, fileIds: readonly string[], detail: string): Fault => ({
  pointer: `/body/fileIds/${fileIds.indexOf(id)}`,
  detail,
});

const notSent = ({ filename }: StoredFile): string =>
  `was not uploaded yet: send "${filename}" to the url of its upload`;

/**
 * The uploads that some ids name. Where one is neither an upload nor attached as far as is known, a request beside this
 * one may just have attached it: then the response is read anew.
 */
async function readUploads(asked: Asked, fileIds: readonly string[]) {
  const { app, opened, questionId } = asked;
  const attached = new Set(attachedTo(opened.response, questionId).keys());
  const others = fileIds.filter((fileId) => !attached.has(fileId));
  const found = await loadUploads(app.table, opened.response.id, others, app.now());
  const uploads = found
    .filter((upload) => upload.questionId === questionId)
    .map((upload) => ({ ...upload, object: `${upload.id}.${app.uuid()}` }));
  const isKnown = uploads.length === others.length;
  return { uploads, current: isKnown ? asked : { ...asked, opened: await readAgain(app.table, opened.response.id) } };
}

const attachedTo = (response: Response, questionId: string): Map<string, UploadedFile> =>
  new Map(attachedFiles(answersBy(response.answers)(questionId)).map((file) => [file.fileId, file]));

/** A fault for each id that names no file of this question. */
function strangers(
  response: Response,
  questionId: string,
  fileIds: readonly string[],
  uploads: readonly StoredFile[],
): Fault[] {
  const known = new Set([...attachedTo(response, questionId).keys(), ...uploads.map(({ id }) => id)]);
  const detail = 'names neither an upload for this question nor a file of its answer; uploads vanish after a day';
  return fileIds.flatMap((id, index) => (known.has(id) ? [] : [{ pointer: `/body/fileIds/${index}`, detail }]));
}

/** The files that some ids name, in that order. */
function chosen(
  response: Response,
  questionId: string,
  fileIds: readonly string[],
  uploads: readonly StoredFile[],
): UploadedFile[] {
  const attached = attachedTo(response, questionId);
  return fileIds.flatMap((fileId) => {
    const upload = uploads.find(({ id }) => id === fileId);
    return attached.get(fileId) ?? (upload ? [asAnswer(upload)] : []);
  });
}

const pendingKey = ({ responseId, id }: StoredFile): string => objects.pending(objects.file(responseId, id));

/**
 * Looks at what was uploaded and copies it to where it stays. Throws 400 when something is not as announced, and removes
 * that. Answers the uploads that are not there, or that went while they were looked at.
 */
async function putInPlace(
  { app }: Asked,
  uploads: readonly StoredFile[],
  fileIds: readonly string[],
): Promise<StoredFile[]> {
  const looks = await Promise.all(
    uploads.map(async (upload) => {
      const found = await app.bucket.inspect(pendingKey(upload), LEADING_BYTES);
      return { upload, found, fault: found && (await difference(upload, found)) };
    }),
  );
  const missing = looks.filter(({ found }) => !found).map(({ upload }) => upload);
  const wrong = looks.flatMap(({ upload, fault }) => (fault === undefined ? [] : [{ upload, fault }]));
  if (wrong.length > 0) {
    await app.table.write(wrong.map(({ upload: { responseId, id } }) => removeUpload(responseId, id)));
    await forgetObjects(
      app,
      wrong.map(({ upload }) => pendingKey(upload)),
    );
    refuse([
      ...wrong.map(({ upload, fault }) => faultOf(upload, fileIds, `${fault}: it was removed, upload it again`)),
      ...missing.map((upload) => faultOf(upload, fileIds, notSent(upload))),
    ]);
  }
  if (missing.length > 0) return missing;
  return copyAll(app, looks);
}

type Look = { upload: StoredFile; found: Inspected | undefined };

/** Copies all that was looked at, or leaves no copy at all. Answers the uploads that went meanwhile. */
async function copyAll(app: App, looks: readonly Look[]): Promise<StoredFile[]> {
  const copies = looks.map(({ upload, found }) => {
    const as = { etag: found?.etag ?? '', contentType: upload.contentType };
    return app.bucket.copy(pendingKey(upload), placeOf(upload), as);
  });
  // All of them are waited for: one that is under way yet would come after the removal.
  const outcomes = await Promise.allSettled(copies);
  const isCopied = outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value);
  const uploads = looks.map(({ upload }) => upload);
  if (isCopied.every(Boolean)) return [];
  await discardFiles(app, uploads);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return uploads.filter((_, index) => !isCopied[index]);
}

/** How an object differs from what was announced; undefined when it does not. */
async function difference(upload: StoredFile, found: Inspected): Promise<string | undefined> {
  if (found.size !== upload.size) return `has ${found.size} bytes in place of the ${upload.size} that were announced`;
  if (found.sha256 !== upload.sha256) return 'has another SHA-256 than was announced';
  return kindFault(upload.filename, found.start);
}
