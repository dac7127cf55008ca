/** Operations of files: uploading them as answers, reading and deleting them. */
import * as z from 'zod';
import {
  AttachedFiles,
  CompleteInput,
  Download,
  FileDocument,
  FileList,
  FileListQuery,
  UploadResult,
  UploadsInput,
} from '#core/files/model.ts';
import { ArrayListQuery, schema } from '#core/schema/schema.ts';
import { MAX_FILES } from '#core/structure/types/content.ts';
import { declare } from './declare.ts';

const Files = schema(() => z.array(FileDocument()));

const owner = { credential: 'user', guests: true, target: 'response', roles: ['owner'] } as const;
const readers = { credential: 'user', guests: true, target: 'file' } as const;
const notEditable = 'The caller does not own the response, or it is submitted and the form does not allow editing.';

export const files = declare('files', {
  uploadFiles: {
    method: 'POST',
    path: '/responses/{responseId}/questions/{questionId}/files',
    summary: 'Upload files as the answer to a question',
    description:
      'Small files as multipart, in parts named `files`: they are stored and become the answer. Larger ones are sent directly to storage: announce them as JSON, send each with the request in `upload` of its entry within 30 minutes, then attach them with `completeUploads`. An upload that is not attached within a day is removed. A question may have at most 20 announced uploads with valid URLs.',
    access: owner,
    needs: ['table:read', 'table:write', 'files:write'],
    body: UploadsInput,
    parts: {
      name: 'files',
      max: MAX_FILES,
      description: 'The files, at most 4.5 MB in total.',
      otherwise:
        'Send large files directly to storage: POST JSON {"files": [{filename, contentType, size, sha256}]} to this path',
    },
    idempotent: true,
    ifMatch: true,
    success: {
      status: 201,
      description: 'The files; those with `upload` are not attached yet.',
      body: UploadResult,
      etag: true,
    },
    problems: {
      400: 'A file is too large or not of an allowed type, there are too many, or the form is not open.',
      403: notEditable,
    },
  },
  completeUploads: {
    method: 'POST',
    path: '/responses/{responseId}/questions/{questionId}/files/complete',
    summary: 'Attach uploaded files to their question',
    description:
      'The list becomes the answer: attached files that are not in it are deleted. The request can be repeated. Uploads that were announced while the form was open can still be attached after it has closed.',
    access: owner,
    needs: ['table:read', 'table:write', 'files:read', 'files:remove'],
    body: CompleteInput,
    ifMatch: true,
    success: { status: 200, description: 'The files of the answer.', body: AttachedFiles, etag: true },
    problems: {
      400: 'An id is not an upload of this question, its bytes were not uploaded yet, or they differ from the announcement and were removed; the question allows fewer files; or the form is not open and the list removes or reorders files.',
      403: notEditable,
    },
  },
  clearFiles: {
    method: 'DELETE',
    path: '/responses/{responseId}/questions/{questionId}/files',
    summary: 'Delete the files of a question',
    access: owner,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 204, description: 'The question is no longer answered.' },
    problems: { 400: 'The form is not open, or a submitted response would become incomplete.', 403: notEditable },
  },
  listFiles: {
    method: 'GET',
    path: '/files',
    summary: "List the current user's files",
    access: { credential: 'user' },
    needs: ['table:read', 'table:list'],
    query: FileListQuery,
    success: { status: 200, description: 'Own files, newest first.', body: FileList },
  },
  listMyFiles: {
    method: 'GET',
    path: '/files/me',
    summary: "List the current user's files, as an array",
    access: { credential: 'user' },
    needs: ['table:read', 'table:list'],
    query: ArrayListQuery,
    success: { status: 200, description: 'Own files, newest first.', body: Files, link: true },
  },
  downloadFile: {
    method: 'GET',
    path: '/files/{fileId}',
    summary: 'Download a file',
    description:
      'Redirects to storage, where the file is available for one minute with its content type and as an attachment. With `Accept: application/json` the URL is returned instead, for pages of other origins.',
    access: readers,
    needs: ['table:read', 'files:read'],
    head: true,
    success: { status: 302, description: 'The file in storage.' },
    otherSuccess: { status: 200, description: 'The URL of the file.', body: Download },
  },
  getFile: {
    method: 'GET',
    path: '/files/{fileId}/info',
    summary: 'Get the metadata of a file',
    access: readers,
    needs: ['table:read'],
    success: { status: 200, description: 'The file.', body: FileDocument },
  },
  deleteFile: {
    method: 'DELETE',
    path: '/files/{fileId}',
    summary: 'Delete a file and remove it from its answer',
    access: { ...readers, roles: ['owner', 'admin'] },
    needs: ['table:read', 'table:write'],
    success: { status: 204, description: 'The file is deleted.' },
    problems: {
      400: 'Its uploader may not delete it now: the form is not open, or a submitted response would become incomplete.',
      403: 'The caller neither uploaded the file nor is an admin, or the response is submitted and cannot be edited.',
    },
  },
});
