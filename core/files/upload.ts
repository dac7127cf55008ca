/**
 * Uploads files as an answer. Small files are sent through the API, stored and attached at once; others are announced
 * here, sent directly to storage, and attached by `complete.ts`. A clean-up is scheduled before any object is stored,
 * so that a failure leaves no unreferenced object.
 */

import { objects, signUpload } from '#core/db/bucket.ts';
import { change } from '#core/db/change.ts';
import { idWithin, isGuestId } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { WriteRefused } from '#core/db/table.ts';
import { requireStorageRoom, type StorageLimit } from '#core/organizations/store.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { answerLookup } from '#core/responses/answers.ts';
import { allowedEdit, type ChangedResponse, changeResponse, type OpenedResponse } from '#core/responses/change.ts';
import { setAnswer } from '#core/responses/edits.ts';
import type { Response } from '#core/responses/model.ts';
import {
  checkResponse,
  countSendable,
  loadUploads,
  MAX_SENDABLE,
  replaceUploads,
  type StoredFile,
  scheduleUploadCleanUp,
  toUploadedFile,
} from '#core/responses/store.ts';
import { sha256 } from '#core/schema/hash.ts';
import { countCharacters } from '#core/schema/schema.ts';
import { sha256Base64 } from '#core/schema/upload.ts';
import { MAX_FILE_NAME, type UploadedFile } from '#core/structure/types/content.ts';
import { findContentType } from '#core/structure/types/file-types.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import {
  amountFaults,
  type FileQuestion,
  fileFaults,
  kindFault,
  LEADING_BYTES,
  requireFileQuestion,
} from './checks.ts';
import { UploadResult, type UploadsInput } from './model.ts';

/** A file sent through the API. */
type SentFile = { filename: string; contentType: string; bytes: Uint8Array };

type Uploading = { opened: OpenedResponse; questionId: string };
type Result = { body: UploadResult; etag: number };

/** Builds the decision that adds files to the answer to a question. It throws like that of `attachFiles`. */
const addFiles =
  (questionId: string, files: readonly UploadedFile[]) =>
  (current: OpenedResponse, now: string): { next: Response } =>
    attachFiles(questionId, [...listAnswerFiles(current, questionId), ...files])(current, now);

const listAnswerFiles = ({ response }: OpenedResponse, questionId: string): UploadedFile[] =>
  attachedFiles(answerLookup(response.answers)(questionId));

/**
 * Builds the decision that makes files the answer to a question. It throws 400 for a question that takes no files, for more
 * files than it takes, and like `setAnswer`.
 */
export const attachFiles =
  (questionId: string, files: readonly UploadedFile[]) =>
  (current: OpenedResponse, now: string): { next: Response } => {
    const faults = amountFaults(requireFileQuestion(current.structure, questionId), files.length, '/body/files');
    if (faults.length > 0) throw problems.invalid(faults);
    return { next: setAnswer(current, questionId, { type: 'UPLOAD_FILE', value: [...files] }, now) };
  };

/**
 * Announces uploads and returns the upload request of each. Throws 400 for files that the question does not accept and
 * for too many announced uploads, 404 when the response was deleted, 413 when the organization may store no more, and like
 * `changeResponse` if the files could not become the answer now.
 */
export async function announceUploads(
  app: ChangePorts & StorageLimit,
  { opened, questionId }: Uploading,
  input: UploadsInput,
): Promise<Result> {
  const { response, structure } = opened;
  const question = requireFileQuestion(structure, questionId);
  const faults = input.files.flatMap((file, index) => fileFaults(question, file, `/body/files/${index}`));
  faults.push(...amountFaults(question, input.files.length, '/body/files'));
  if (faults.length > 0) throw problems.invalid(faults);
  const files = input.files.map((file) =>
    newFile(app, opened, questionId, { ...file, sha256: sha256Base64(file.sha256) }),
  );
  app.ifMatch(response.version);
  allowedEdit(opened, attachFiles(questionId, files.map(toUploadedFile)), app.now());
  const entries = await Promise.all(
    files.map(async (file) => ({
      ...toUploadedFile(file),
      upload: await signUpload(app, objects.file(response.id, file.id), file),
    })),
  );
  const result = { body: { files: entries }, etag: response.version };
  return change(app, {
    reload: async () => {
      const [uploads] = await Promise.all([
        loadUploads(app.table, response.id, questionId, app.now()),
        requireStorageRoom(app, storedBy(opened), totalBytes(files)),
      ]);
      return uploads;
    },
    decide: (uploads) => {
      const now = app.now();
      if (countSendable(uploads, now) + files.length > MAX_SENDABLE) throw problems.tooManyUploads(MAX_SENDABLE);
      const announced = { ...uploads, files: [...uploads.files, ...files] };
      const writes = [
        checkResponse(response.id),
        replaceUploads(response.id, questionId, announced, now),
        ...files.map((file) => scheduleUploadCleanUp(app, file)),
      ];
      return { writes, result, onRefused: requireResponse };
    },
  });
}

/** Throws 404 when the check was refused that the response exists. */
function requireResponse({ index }: WriteRefused): void {
  if (index === 0) throw problems.notFound();
}

/**
 * Stores files sent through the API and makes them the answer; previous files of the answer are removed, unless the
 * files are `added` to them. Throws 400 for files that the question does not accept, 413 when the organization may store
 * no more, and like `changeResponse`.
 */
export async function storeUploads(
  app: ChangePorts & StorageLimit,
  { opened, questionId, added = false }: Uploading & { added?: boolean },
  sentFiles: readonly SentFile[],
): Promise<ChangedResponse<UploadResult>> {
  const question = requireFileQuestion(opened.structure, questionId);
  const existingCount = added ? listAnswerFiles(opened, questionId).length : 0;
  const faults = await Promise.all(sentFiles.map((file, index) => sentFaults(question, file, `/body/files/${index}`)));
  const allFaults = [...faults.flat(), ...amountFaults(question, sentFiles.length + existingCount, '/body/files')];
  if (allFaults.length > 0) throw problems.invalid(allFaults);
  const files = sentFiles.map(({ filename, bytes }) => {
    const hash = sha256(bytes, 'base64');
    return newFile(app, opened, questionId, { filename, size: bytes.length, sha256: hash });
  });
  const attach = (added ? addFiles : attachFiles)(questionId, files.map(toUploadedFile));
  app.ifMatch(opened.response.version);
  allowedEdit(opened, attach, app.now());
  await requireStorageRoom(app, storedBy(opened), totalBytes(files));
  await app.table.write(files.map((file) => scheduleUploadCleanUp(app, file)));
  await Promise.all(
    files.map(({ responseId, id, contentType }, index) =>
      app.bucket.put(objects.file(responseId, id), sentFiles[index]?.bytes ?? new Uint8Array(), contentType),
    ),
  );
  const body = { files: files.map(toUploadedFile) };
  return changeResponse(app, opened, (current, now) => ({
    ...attach(current, now),
    body,
    attachable: files,
  }));
}

/** Whose limits the files of a response count towards. */
const storedBy = ({ response, gate: { orgId, formId } }: OpenedResponse) => ({
  orgId,
  guestsOf: isGuestId(response.userId) ? formId : undefined,
});

const totalBytes = (files: readonly StoredFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Builds a new file of a question; the extension determines its stored type. */
function newFile(
  app: Pick<Ports, 'now' | 'uuid'>,
  { response }: OpenedResponse,
  questionId: string,
  { filename, size, sha256 }: Pick<StoredFile, 'filename' | 'size' | 'sha256'>,
): StoredFile {
  return {
    id: idWithin(response.formId, app.uuid()),
    formId: response.formId,
    responseId: response.id,
    questionId,
    filename,
    contentType: findContentType(filename),
    size,
    sha256,
    uploadedBy: response.userId,
    createdAt: app.now().toISOString(),
  };
}

async function sentFaults(question: FileQuestion, { filename, bytes }: SentFile, pointer: string): Promise<Fault[]> {
  const faults = fileFaults(question, { filename, size: bytes.length }, pointer);
  if (countCharacters(filename) > MAX_FILE_NAME) {
    faults.push({ pointer: `${pointer}/filename`, detail: `must be at most ${MAX_FILE_NAME} characters` });
  }
  if (faults.length > 0) return faults;
  const kindDetail = await kindFault(filename, bytes.subarray(0, LEADING_BYTES));
  return kindDetail === undefined ? [] : [{ pointer, detail: kindDetail }];
}

// Replays an announcement of uploads: its URLs are signed again, because the recorded ones expire.

/** Renews the upload URLs in the recorded body of an announcement. */
export async function resignUploads(
  app: Pick<Ports, 'bucket' | 'now'>,
  responseId: string,
  body: unknown,
): Promise<UploadResult> {
  const recorded = UploadResult().parse(body);
  const files = recorded.files.map(async (file) => {
    if (!file.upload) return file;
    const sha256 = file.upload.headers['x-amz-checksum-sha256'] ?? '';
    return { ...file, upload: await signUpload(app, objects.file(responseId, file.fileId), { ...file, sha256 }) };
  });
  return { files: await Promise.all(files) };
}
