/** Operations of files: uploading them as answers, reading and deleting them (contract section 8). */
import * as z from 'zod';
import {
  AttachedFiles,
  CompleteInput,
  FileList,
  FileListQuery,
  FileView,
  MAX_FILES,
  UploadResult,
  UploadsInput,
} from '#core/files/model.ts';
import { PageQuery, schema } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const Files = schema(() => z.array(FileView()));

const owner = { credential: 'user', target: 'response', roles: ['owner'] } as const;
const readers = { credential: 'user', target: 'file' } as const;
const submitted = 'The caller does not own the response, or it is submitted and the form does not allow editing.';

export const files = declare('files', {
  uploadFiles: {
    method: 'POST',
    path: '/responses/{responseId}/questions/{questionId}/files',
    summary: 'Upload files as the answer to a question',
    description:
      'Small files as multipart, in parts named `files`: they are stored and become the answer. Others straight to storage: JSON says what they are, each entry of the answer says in `upload` how to send it, and completing attaches them. An upload that is not attached vanishes after a day.',
    access: owner,
    needs: ['table:read', 'table:write', 'files:write', 'files:remove'],
    body: UploadsInput,
    parts: {
      name: 'files',
      max: MAX_FILES,
      description: 'The files, 4.5 MB together at most.',
      otherwise:
        'Send large files straight to storage: POST JSON {"files": [{filename, contentType, size, sha256}]} here',
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
      400: 'A file is too large, one too many, or of a kind that the question does not take; or the form is not open.',
      403: submitted,
    },
    example: {
      body: {
        files: [
          {
            filename: 'river.pdf',
            contentType: 'application/pdf',
            size: 9_000_000,
            sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          },
        ],
      },
    },
  },
  completeUploads: {
    method: 'POST',
    path: '/responses/{responseId}/questions/{questionId}/files/complete',
    summary: 'Attach uploaded files to their question',
    description:
      'The list becomes the answer: files of the question that it does not name are deleted. Repeatable. Uploads that were begun while the form was open may still be attached after it has closed.',
    access: owner,
    needs: ['table:read', 'table:write', 'files:read', 'files:write', 'files:remove'],
    body: CompleteInput,
    ifMatch: true,
    success: { status: 200, description: 'The files of the answer.', body: AttachedFiles, etag: true },
    problems: {
      400: 'An id names no upload of this question, nothing was uploaded for it yet, or what was uploaded is not what was announced: then it is removed. Or the question takes fewer files, or the form is not open and the list drops or reorders files.',
      403: submitted,
    },
    example: { body: { fileIds: ['7c9e6679-7425-8a1b-9c3d-0242ac120040'] } },
  },
  clearFiles: {
    method: 'DELETE',
    path: '/responses/{responseId}/questions/{questionId}/files',
    summary: 'Delete the files of a question',
    access: owner,
    needs: ['table:read', 'table:write', 'files:remove'],
    ifMatch: true,
    success: { status: 204, description: 'The question is not answered any more.' },
    problems: { 400: 'The form is not open, or a submitted response would become incomplete.', 403: submitted },
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
    query: PageQuery,
    success: { status: 200, description: 'Own files, newest first.', body: Files, link: true },
  },
  downloadFile: {
    method: 'GET',
    path: '/files/{fileId}',
    summary: 'Download a file',
    description:
      'Redirects to storage, where the file can be had for a minute, with its content type and as an attachment.',
    access: readers,
    needs: ['table:read', 'files:read'],
    success: { status: 302, description: 'Where the bytes are.' },
  },
  getFile: {
    method: 'GET',
    path: '/files/{fileId}/info',
    summary: 'Get the metadata of a file',
    access: readers,
    needs: ['table:read'],
    success: { status: 200, description: 'The file.', body: FileView },
  },
  deleteFile: {
    method: 'DELETE',
    path: '/files/{fileId}',
    summary: 'Delete a file; it also leaves its answer',
    access: { ...readers, roles: ['owner', 'admin'] },
    needs: ['table:read', 'table:write', 'files:remove'],
    success: { status: 204, description: 'The file is gone.' },
    problems: {
      400: 'Its uploader may not delete it now: the form is not open, or a submitted response would become incomplete.',
      403: 'The caller neither uploaded the file nor is an admin, or the response is submitted and cannot be edited.',
    },
  },
});
