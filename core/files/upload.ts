/**
 * Uploading files as an answer (contract section 8): small ones through the API, which stores and attaches them at once;
 * others are announced here, go straight to storage, and are attached by `complete.ts`.
 */
import { createHash } from 'node:crypto';
import { objects } from '#core/db/objects.ts';
import { WriteRefused } from '#core/db/table.ts';
import { type App, newIdWithin } from '#core/http/app.ts';
import type { Part } from '#core/http/request.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { stillThere } from '#core/responses/store.ts';
import { characters } from '#core/schema/schema.ts';
import { type Asked, attach, rehearse } from './attach.ts';
import { amountFaults, type FileQuestion, fileFaults, requireFileQuestion } from './judge.ts';
import { kindFault, LEADING_BYTES } from './kind.ts';
import { contentTypeOf } from './kind-model.ts';
import {
  asAnswer,
  base64Of,
  MAX_NAME_CHARACTERS,
  type StoredFile,
  UPLOAD_URL_SECONDS,
  type UploadResult,
  type UploadsInput,
} from './model.ts';
import { discardFiles } from './objects.ts';
import { createUpload } from './store.ts';

/** The files, and the version of the response that they were announced for or attached to. */
type Uploads = UploadResult & { version: number };

/**
 * Announces uploads: notes them and answers where to send each. Throws 400 for files that do not suit the question,
 * and whatever would keep them from becoming its answer now.
 */
export async function announceUploads(asked: Asked, input: UploadsInput): Promise<Uploads> {
  const { app, opened, questionId } = asked;
  const question = requireFileQuestion(opened.stored.structure, questionId);
  const faults = input.files.flatMap((file, index) => fileFaults(question, file, `/body/files/${index}`));
  faults.push(...amountFaults(question, input.files.length, '/body/files'));
  if (faults.length > 0) throw problems.invalid(faults);
  const files = input.files.map((file) => newFile(asked, { ...file, sha256: base64Of(file.sha256) }));
  rehearse(asked, files.map(asAnswer));
  await note(app, opened.response.id, files);
  const expiresAt = new Date(app.now().getTime() + UPLOAD_URL_SECONDS * 1_000).toISOString();
  const entries = files.map(async (file) => {
    const key = objects.pending(objects.file(file.responseId, file.id));
    const { url, headers } = await app.bucket.signPut(key, file, UPLOAD_URL_SECONDS);
    return { ...asAnswer(file), upload: { method: 'PUT' as const, url, headers, expiresAt } };
  });
  return { files: await Promise.all(entries), version: opened.response.version };
}

/** Notes uploads for a response. Throws 404 when it is gone: it takes all notes of its uploads along. */
async function note(app: App, responseId: string, files: readonly StoredFile[]): Promise<void> {
  try {
    await app.table.write([...files.map(createUpload), stillThere(responseId)]);
  } catch (error) {
    throw error instanceof WriteRefused ? problems.notFound() : error;
  }
}

/** A file that is being uploaded; its type is the one that its name stands for. */
function newFile(
  { app, opened: { response }, questionId }: Asked,
  { filename, contentType, size, sha256 }: Pick<StoredFile, 'filename' | 'contentType' | 'size' | 'sha256'>,
): StoredFile {
  return {
    id: newIdWithin(app, response.formId),
    formId: response.formId,
    responseId: response.id,
    questionId,
    filename,
    contentType: contentTypeOf(filename, contentType),
    size,
    sha256,
    uploadedBy: response.userId,
    createdAt: app.now().toISOString(),
  };
}

/** Stores the files of a multipart body as the answer to a question; those that it had before are gone. */
export async function storeUploads(asked: Asked, parts: readonly Part[]): Promise<Uploads> {
  const { app, opened, questionId } = asked;
  const question = requireFileQuestion(opened.stored.structure, questionId);
  const faults = await Promise.all(parts.map((part, index) => partFaults(question, part, `/body/files/${index}`)));
  const all = [...faults.flat(), ...amountFaults(question, parts.length, '/body/files')];
  if (all.length > 0) throw problems.invalid(all);
  const files = parts.map(({ filename, contentType, bytes }) => {
    const sha256 = createHash('sha256').update(bytes).digest('base64');
    return newFile(asked, { filename, contentType, size: bytes.length, sha256 });
  });
  rehearse(asked, files.map(asAnswer));
  await putAll(app, files, parts);
  const { version } = await attach({ ...asked, attaching: files }, () => files.map(asAnswer));
  return { files: files.map(asAnswer), version };
}

/** Stores the bytes of files; when that fails for one, the others are removed. */
async function putAll(app: App, files: readonly StoredFile[], parts: readonly Part[]): Promise<void> {
  const puts = files.map(({ responseId, id, contentType }, index) =>
    app.bucket.put(objects.file(responseId, id), parts[index]?.bytes ?? new Uint8Array(), contentType),
  );
  // All of them are waited for: one that is under way yet would come after the removal.
  const failed = (await Promise.allSettled(puts)).find((put) => put.status === 'rejected');
  if (!failed) return;
  await discardFiles(app, files);
  throw failed.reason;
}

async function partFaults(question: FileQuestion, { filename, bytes }: Part, pointer: string): Promise<Fault[]> {
  const faults = fileFaults(question, { filename, size: bytes.length }, pointer);
  if (characters(filename) > MAX_NAME_CHARACTERS) {
    faults.push({ pointer: `${pointer}/filename`, detail: `must be at most ${MAX_NAME_CHARACTERS} characters` });
  }
  if (faults.length > 0) return faults;
  const kind = await kindFault(filename, bytes.subarray(0, LEADING_BYTES));
  return kind === undefined ? [] : [{ pointer, detail: kind }];
}
