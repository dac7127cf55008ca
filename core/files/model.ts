/** Files: the schemas of announcing, attaching, listing and returning them. */
import * as z from 'zod';
import type { StoredFile } from '#core/responses/store.ts';
import { Id, type Infer, schema, Timestamp, text } from '#core/schema/schema.ts';
import { Sha256, Upload } from '#core/schema/upload.ts';
import { MAX_FILE_NAME, MAX_FILES, UploadedFile } from '#core/structure/types/content.ts';
import { MAX_FILE_BYTES } from '#core/structure/types/upload-file.ts';

const FileName = schema(() =>
  text(1, MAX_FILE_NAME).describe(
    'Kept exactly as sent. Its extension determines the type, which the question must allow.',
  ),
);

/** The announcement of files that are uploaded directly to storage. */
export const UploadsInput = schema(() =>
  z
    .object({
      files: z
        .array(
          z.object({
            filename: FileName(),
            contentType: z.string().max(255).describe('A hint; the stored type is determined by the extension.'),
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

/** The files of an answer; those that are not attached yet have `upload`. */
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
        .describe('The new answer in this order: ids of announced uploads and attached files.'),
    })
    .meta({ id: 'CompleteInput' }),
);

/** The files of an answer. */
export const AttachedFiles = schema(() => z.object({ files: z.array(UploadedFile()) }).meta({ id: 'AttachedFiles' }));

export const FileDocument = schema(() =>
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
export type FileDocument = Infer<typeof FileDocument>;

export const FileListQuery = schema(() =>
  z.object({
    limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of files, 1 to 100.'),
    offset: z
      .preprocess((value) => (value === '' ? Number.NaN : value), z.coerce.number().int().min(0).max(10_000))
      .default(0)
      .describe('How many of the newest files to skip.'),
  }),
);

export const FileList = schema(() =>
  z
    .object({ files: z.array(FileDocument()), total: z.int(), limit: z.int(), offset: z.int() })
    .meta({ id: 'FileList' }),
);
export type FileList = Infer<typeof FileList>;

/** Presents a file as the API returns it. */
export const presentFile = ({ id, filename, contentType, size, uploadedBy, createdAt }: StoredFile): FileDocument => ({
  id,
  originalFilename: filename,
  contentType,
  size,
  uploadedBy,
  createdAt,
});

/** A URL from which a file can be downloaded for a while. */
export const Download = schema(() => z.object({ url: z.string(), expiresAt: Timestamp() }).meta({ id: 'Download' }));
