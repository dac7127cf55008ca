/**
 * Files: what respondents upload as answers (interface "File", contract section 8). A file is an upload first, which
 * vanishes after a day unless it is attached to its question; then it belongs to the answer and goes with it.
 */
import * as z from 'zod';
import { UploadedFile } from '#core/responses/model.ts';
import { Id, type Infer, schema, Timestamp, text } from '#core/schema/schema.ts';

/** Files of one answer, at most; the question may ask for fewer. */
export const MAX_FILES = 10;
/** The largest file in bytes: less than 10 MB (interface "Limits"). */
export const MAX_FILE_BYTES = 10 * 1_024 * 1_024 - 1;
/** The longest name of a file. */
export const MAX_NAME_CHARACTERS = 500;
/** How long an upload may wait to be attached. */
export const UPLOAD_SECONDS = 24 * 60 * 60;
/** How long the URL of an upload can be used. */
export const UPLOAD_URL_SECONDS = 60 * 60;
/** How long the URL of a download can be used. */
export const DOWNLOAD_URL_SECONDS = 60;

/** A file as the table keeps it: an upload until it is attached. */
export type StoredFile = {
  id: string;
  formId: string;
  responseId: string;
  questionId: string;
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, base64. */
  sha256: string;
  uploadedBy: string;
  createdAt: string;
  /**
   * What its bytes are called where that is not its id: each attempt to attach an upload makes a copy of its own, so
   * that no request takes away what another one attaches.
   */
  object?: string;
};

const FileName = schema(() =>
  text(1, MAX_NAME_CHARACTERS).describe(
    'Kept to the letter. Its extension tells the type, which must be one that the question takes.',
  ),
);

const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

const Sha256 = schema(() =>
  z
    .string()
    .refine((value) => HEX.test(value) || BASE64.test(value), 'must be a SHA-256 as 64 hexadecimal digits or as base64')
    .meta({ pattern: `${HEX.source}|${BASE64.source}` })
    .describe('SHA-256 of the bytes, as 64 hexadecimal digits or as base64.'),
);

/** A SHA-256 as S3 writes it: base64, whose last digit can be written in four ways, in the usual one. */
export const base64Of = (sha256: string): string =>
  Buffer.from(sha256, HEX.test(sha256) ? 'hex' : 'base64').toString('base64');

/** What a browser is going to upload straight to storage. */
export const UploadsInput = schema(() =>
  z
    .object({
      files: z
        .array(
          z.object({
            filename: FileName(),
            contentType: z.string().max(255).describe('A hint: what is stored suits the extension.'),
            size: z
              .int()
              .min(1, 'must be at least 1 byte')
              .max(MAX_FILE_BYTES, `must be at most ${MAX_FILE_BYTES} bytes`)
              .describe('In bytes.'),
            sha256: Sha256(),
          }),
        )
        .min(1)
        .max(MAX_FILES),
    })
    .meta({ id: 'UploadsInput' }),
);
export type UploadsInput = Infer<typeof UploadsInput>;

/** What a browser sends to upload a file straight to storage. */
export const Upload = schema(() =>
  z
    .object({
      method: z.literal('PUT'),
      url: z.string(),
      headers: z.record(z.string(), z.string()).describe('To be sent exactly so.'),
      expiresAt: Timestamp(),
    })
    .meta({ id: 'Upload' }),
);
export type Upload = Infer<typeof Upload>;

/** The files of an answer; with `upload` those that are not attached yet. */
export const UploadResult = schema(() =>
  z
    .object({ files: z.array(UploadedFile().extend({ upload: Upload().optional() }).meta({ id: 'UploadEntry' })) })
    .meta({ id: 'UploadResult' }),
);
export type UploadResult = Infer<typeof UploadResult>;

export const CompleteInput = schema(() =>
  z
    .object({
      fileIds: z
        .array(Id())
        .min(1)
        .max(MAX_FILES)
        .refine((ids) => new Set(ids).size === ids.length, 'must not name a file twice')
        .meta({ uniqueItems: true })
        .describe('What the answer is from now on, in this order: uploads, and files already attached to it.'),
    })
    .meta({ id: 'CompleteInput' }),
);

/** The files of an answer. */
export const AttachedFiles = schema(() => z.object({ files: z.array(UploadedFile()) }).meta({ id: 'AttachedFiles' }));

export const FileView = schema(() =>
  z
    .object({
      id: Id(),
      originalFilename: z.string(),
      contentType: z.string(),
      size: z.int().describe('In bytes.'),
      uploadedBy: Id(),
      createdAt: Timestamp(),
    })
    .meta({ id: 'File' }),
);
export type FileView = Infer<typeof FileView>;

export const FileListQuery = schema(() =>
  z.object({
    limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many files at most, 1 to 100.'),
    offset: z
      .preprocess((value) => (value === '' ? Number.NaN : value), z.coerce.number().int().min(0).max(1_000_000))
      .default(0)
      .describe('How many of the newest to leave out; none when absent.'),
  }),
);

export const FileList = schema(() =>
  z.object({ files: z.array(FileView()), total: z.int(), limit: z.int(), offset: z.int() }).meta({ id: 'FileList' }),
);
export type FileList = Infer<typeof FileList>;

/** A file as it is described. */
export const showFile = ({ id, filename, contentType, size, uploadedBy, createdAt }: StoredFile): FileView => ({
  id,
  originalFilename: filename,
  contentType,
  size,
  uploadedBy,
  createdAt,
});

/** A file as its answer names it. */
export const asAnswer = ({ id, filename, contentType, size }: StoredFile): UploadedFile => ({
  fileId: id,
  originalFilename: filename,
  contentType,
  size,
});
