/**
 * Completes uploads: objects that were sent directly to storage are inspected and become the answer to their question.
 * Three round trips: open the response, read the announced uploads while inspecting the objects, write.
 */

import type { StoredObject } from '#core/db/bucket.ts';
import { objects } from '#core/db/bucket.ts';
import { change } from '#core/db/change.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { answerLookup } from '#core/responses/answers.ts';
import { type ChangedResponse, decideEdit, type OpenedResponse, reopenResponse } from '#core/responses/change.ts';
import type { Response } from '#core/responses/model.ts';
import { loadUploads, replaceUploads, type StoredFile, toUploadedFile, type Uploads } from '#core/responses/store.ts';
import type { UploadedFile } from '#core/structure/types/content.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import {
  amountFaults,
  type FileQuestion,
  fileFaults,
  kindFault,
  LEADING_BYTES,
  requireFileQuestion,
} from './checks.ts';
import { attachFiles } from './upload.ts';

type Completing = {
  questionId: string;
  /** The files join those that are attached already; otherwise they replace them. */
  added?: boolean;
};

/**
 * Makes announced uploads and attached files, given by id, the answer to a question; can be repeated. Throws 400 with a
 * fault for each id that is neither, and for each object that is missing, differs from its announcement or is not
 * allowed by the question; objects that differ are removed. Otherwise throws like `changeResponse`. An upload can be
 * attached once; a file that a later answer dropped cannot be attached again.
 */
export async function completeUploads(
  app: ChangePorts,
  { opened, questionId, added = false }: { opened: OpenedResponse } & Completing,
  fileIds: readonly string[],
): Promise<ChangedResponse<{ files: UploadedFile[] }>> {
  const request = { questionId, added, fileIds };
  return change(app, {
    loaded: opened,
    reload: () => reopenResponse(app.table, opened.response.id),
    decide: async (newest) => {
      const { current, announced, pending, files } = await inspectUploads(app, newest, request);
      const alsoWrites =
        announced.length > 0 ? [replaceUploads(current.response.id, questionId, pending, app.now())] : [];
      const edit = (before: OpenedResponse, now: string) => {
        const { next } = attachFiles(questionId, files)(before, now);
        return { next, body: { files: listAnswerFiles(next, questionId) }, attachable: announced, alsoWrites };
      };
      return decideEdit(app, current, edit, { completesUploads: true });
    },
  });
}

/** `announced`: the uploads to attach. `pending`: those that remain announced. `files`: the files of the next answer. */
type InspectedUploads = {
  current: OpenedResponse;
  announced: readonly StoredFile[];
  pending: Uploads;
  files: readonly UploadedFile[];
};

/** Reads and inspects the uploads of a request. Throws 400 like `completeUploads`. */
async function inspectUploads(
  app: ChangePorts,
  current: OpenedResponse,
  request: Required<Completing> & { fileIds: readonly string[] },
): Promise<InspectedUploads> {
  const { response, structure } = current;
  const { questionId, added } = request;
  const question = requireFileQuestion(structure, questionId);
  const attached = listAnswerFiles(response, questionId);
  const fileIds = added ? [...new Set([...attached.map(({ fileId }) => fileId), ...request.fileIds])] : request.fileIds;
  const newIds = fileIds.filter((id) => !attached.some(({ fileId }) => fileId === id));
  const [uploads, inspected] = await Promise.all([
    newIds.length > 0 ? loadUploads(app.table, response.id, questionId, app.now()) : { version: 0, files: [] },
    Promise.all(newIds.map((fileId) => app.bucket.inspect(objects.file(response.id, fileId), LEADING_BYTES))),
  ]);
  const announced = uploads.files.filter(({ id }) => newIds.includes(id));
  if (announced.length < newIds.length) {
    // The same request, sent twice, may have attached them after the response was read.
    const newest = await reopenResponse(app.table, response.id);
    if (newest.response.version !== response.version) return inspectUploads(app, newest, request);
  }
  const objectsById = new Map(newIds.map((fileId, index) => [fileId, inspected[index]]));
  await removeDiffering(app, current, { questionId, uploads, fileIds }, objectsById);
  const files = new Map([...announced.map(toUploadedFile), ...attached].map((file) => [file.fileId, file]));
  const faults = [
    ...amountFaults(question, fileIds.length, '/body/fileIds'),
    ...fileIds.filter((fileId) => !files.has(fileId)).map((fileId) => buildFault(fileIds, fileId, UNKNOWN)),
    ...announced.flatMap((file) => announcedFaults(question, file, objectsById.get(file.id), fileIds)),
  ];
  if (faults.length > 0) throw problems.invalid(faults);
  return {
    current,
    announced,
    pending: { ...uploads, files: uploads.files.filter(({ id }) => !newIds.includes(id)) },
    files: fileIds.map((fileId) => files.get(fileId)).filter((file) => file !== undefined),
  };
}

const UNKNOWN = 'is neither an announced upload of this question nor a file of its answer; uploads expire after a day';

/** Finds the faults that prevent an announced upload from being attached. */
function announcedFaults(
  question: FileQuestion,
  file: StoredFile,
  object: StoredObject | undefined,
  fileIds: readonly string[],
): Fault[] {
  const details = fileFaults(question, file, '').map(({ detail }) => `"${file.filename}" ${detail}`);
  if (!object) details.push(`was not uploaded yet: send "${file.filename}" to its upload URL`);
  return details.map((detail) => buildFault(fileIds, file.id, detail));
}

const listAnswerFiles = (response: Response, questionId: string): UploadedFile[] =>
  attachedFiles(answerLookup(response.answers)(questionId));

const buildFault = (fileIds: readonly string[], fileId: string, detail: string): Fault => ({
  pointer: `/body/fileIds/${fileIds.indexOf(fileId)}`,
  detail,
});

/** Removes objects that differ from their announcement together with their announced uploads, and throws 400. */
async function removeDiffering(
  app: ChangePorts,
  { response }: OpenedResponse,
  { questionId, uploads, fileIds }: { questionId: string; uploads: Uploads; fileIds: readonly string[] },
  objectsById: ReadonlyMap<string, StoredObject | undefined>,
): Promise<void> {
  const checked = await Promise.all(
    uploads.files.map(async (file) => {
      const object = objectsById.get(file.id);
      return { file, detail: object && (await findDifference(file, object)) };
    }),
  );
  const differing = checked.flatMap(({ file, detail }) => (detail === undefined ? [] : [{ file, detail }]));
  if (differing.length === 0) return;
  const removedIds = new Set(differing.map(({ file }) => file.id));
  const pendingUploads = { ...uploads, files: uploads.files.filter(({ id }) => !removedIds.has(id)) };
  await app.table.write([replaceUploads(response.id, questionId, pendingUploads, app.now())]);
  await app.bucket.remove(differing.map(({ file }) => objects.file(response.id, file.id)));
  throw problems.invalid(
    differing.map(({ file, detail }) => buildFault(fileIds, file.id, `${detail}: it was removed, upload it again`)),
  );
}

/** Finds how an object differs from its announcement; undefined when it does not. */
async function findDifference(file: StoredFile, object: StoredObject): Promise<string | undefined> {
  if (object.size !== file.size) return `has ${object.size} bytes instead of the announced ${file.size}`;
  if (object.sha256 !== file.sha256) return 'has a different SHA-256 than announced';
  return kindFault(file.filename, object.start);
}
