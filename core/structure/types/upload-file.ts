/** UPLOAD_FILE: files of allowed types, which uploads attach. `file-types.ts` has the types. */
import * as z from 'zod';
import { type AnswerFault, fault, refuse } from '#core/problems/answer-faults.ts';
import { type Infer, schema } from '#core/schema/schema.ts';
import { type AnswerContent, MAX_FILE_NAME, MAX_FILES, type SentValue, type UploadedFile } from './content.ts';
import { FILE_TYPES, isAllowedName } from './file-types.ts';
import type { QuestionTypeRules } from './type.ts';

/** The largest size of a file that a question can name: 10 MB. */
export const MAX_SIZE_LIMIT = 10 * 1_024 * 1_024;

/** The largest size of a file in bytes: just below 10 MB. */
export const MAX_FILE_BYTES = MAX_SIZE_LIMIT - 1;

/** Returns the size in bytes that a file of a question may have at most. */
export const maxFileBytes = ({ maxFileSizeLimit }: { maxFileSizeLimit: number }): number =>
  Math.min(maxFileSizeLimit, MAX_FILE_BYTES);

export const UploadFile = schema(() =>
  z
    .object({
      allowedFileTypes: z.array(z.enum(FILE_TYPES)).min(1).max(FILE_TYPES.length),
      maxFileAmount: z.int().min(1).max(MAX_FILES),
      maxFileSizeLimit: z
        .int()
        .min(1)
        .max(MAX_SIZE_LIMIT)
        .describe('The largest size of a file in bytes; files must also be smaller than 10,485,760 bytes.'),
    })
    .meta({ id: 'UploadFile' }),
);
export type UploadFile = Infer<typeof UploadFile>;

/** Returns the option as it is stored: each type once. */
const buildUploadFile = (option: UploadFile): UploadFile => ({
  ...option,
  allowedFileTypes: [...new Set(option.allowedFileTypes)],
});

/** Lists the files of an answer; none for answers of other types. */
export const attachedFiles = (answer: AnswerContent | undefined): UploadedFile[] =>
  answer?.type === 'UPLOAD_FILE' && Array.isArray(answer.value)
    ? answer.value.filter((file): file is UploadedFile => typeof file !== 'string')
    : [];

export const uploadFile: QuestionTypeRules<{ uploadFile?: UploadFile | undefined }> = {
  build: ({ uploadFile: option }) => (option ? { uploadFile: buildUploadFile(option) } : {}),
  check: () => refuse('/value', 'uploaded'),
  storedFaults: (question, answer) => attachedFileFaults(question.uploadFile, attachedFiles(answer)),
  repeats: (value, stored) => namesSameFiles(value, attachedFiles(stored)),
  display: (answer) => {
    const files = attachedFiles(answer);
    return `${files.length} file(s): ${files.map((file) => `${file.originalFilename} (${file.size} bytes)`).join(', ')}`;
  },
  subjects: (answer) => attachedFiles(answer).map(({ originalFilename }) => originalFilename),
  maxCharacters: MAX_FILES * MAX_FILE_NAME,
};

function attachedFileFaults(option: UploadFile | undefined, files: readonly UploadedFile[]): AnswerFault[] {
  if (!option) return [];
  const { maxFileAmount, maxFileSizeLimit, allowedFileTypes } = option;
  if (files.length > maxFileAmount) return [fault('/value', 'too_many_files', maxFileAmount)];
  return files.flatMap(({ originalFilename, size }, index) => {
    if (size > maxFileSizeLimit)
      return [fault(`/value/${index}`, 'file_too_large', originalFilename, maxFileSizeLimit)];
    return isAllowedName(originalFilename, allowedFileTypes)
      ? []
      : [fault(`/value/${index}`, 'file_type', originalFilename)];
  });
}

/**
 * Whether a value contains exactly the attached files, each once and in any order: as ids or as `{files: [{fileId}]}`.
 */
export function namesSameFiles(value: SentValue, attached: readonly UploadedFile[]): boolean {
  if (value === null || typeof value !== 'object' || attached.length === 0) return false;
  const ids = (Array.isArray(value) ? value : value.files).map((file) =>
    typeof file === 'string' ? file : file.fileId,
  );
  const named = new Set(ids);
  return ids.length === attached.length && attached.every((file) => named.has(file.fileId));
}
