/** Which files a question accepts. */
import { type Fault, problems } from '#core/problems/problems.ts';
import { answerLookup, type Current } from '#core/responses/edits.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { isAllowedName } from '#core/structure/types/file-types.ts';
import { MAX_FILE_BYTES } from './model.ts';

export type FileQuestion = Question & { uploadFile: NonNullable<Question['uploadFile']> };

/** Returns the question with an id. Throws 400 unless it is an UPLOAD_FILE question. */
export function requireFileQuestion(structure: Structure, questionId: string): FileQuestion {
  const question = findQuestion(structure, questionId)?.question;
  if (question && takesFiles(question)) return question;
  const detail = question
    ? `takes no files: it is a ${question.type} question`
    : 'takes no files: the question was removed';
  throw problems.invalid([{ pointer: '/path/questionId', detail }]);
}

/** Throws 400 unless the question accepts files or its answer consists of files, as after its removal. */
export function requireFileAnswer({ response, structure }: Current, questionId: string): void {
  if (answerLookup(response.answers)(questionId)?.type !== 'UPLOAD_FILE') requireFileQuestion(structure, questionId);
}

const takesFiles = (question: Question): question is FileQuestion =>
  question.type === 'UPLOAD_FILE' && question.uploadFile !== undefined;

/** Finds the faults of a number of files; `pointer` locates the files in the body. */
export function amountFaults({ uploadFile }: FileQuestion, amount: number, pointer: string): Fault[] {
  const max = uploadFile.maxFileAmount;
  return amount <= max ? [] : [{ pointer, detail: `must be at most ${max} files` }];
}

/** Finds the faults of a file's name and size; `pointer` locates the file in the body. */
export function fileFaults(
  { uploadFile }: FileQuestion,
  { filename, size }: { filename: string; size: number },
  pointer: string,
): Fault[] {
  const { allowedFileTypes, maxFileSizeLimit } = uploadFile;
  const maxBytes = Math.min(maxFileSizeLimit, MAX_FILE_BYTES);
  const faults: Fault[] = [];
  if (!isAllowedName(filename, allowedFileTypes)) {
    const detail = `must have the extension of an allowed type: ${allowedFileTypes.join(', ')}`;
    faults.push({ pointer: `${pointer}/filename`, detail });
  }
  if (size < 1) faults.push({ pointer: `${pointer}/size`, detail: 'must be at least 1 byte: the file is empty' });
  if (size > maxBytes) {
    const detail = `must be at most ${maxBytes} bytes, but is ${size}`;
    faults.push({ pointer: `${pointer}/size`, detail });
  }
  return faults;
}
