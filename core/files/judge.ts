/** Whether files suit the question that they answer (contract section 8, "Limits"). Throws what is wrong, all of it. */
import { type Fault, problems } from '#core/problems/problems.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { isAllowedName } from './kind-model.ts';

export type FileQuestion = Question & { uploadFile: NonNullable<Question['uploadFile']> };

/** The question of an id, which takes files. Throws 400 when it takes none. */
export function requireFileQuestion(structure: Structure, questionId: string): FileQuestion {
  const question = findQuestion(structure, questionId)?.question;
  if (question && takesFiles(question)) return question;
  const detail = question
    ? `takes no files: it is a ${question.type} question`
    : 'takes no files any more: the question was removed';
  throw problems.invalid([{ pointer: '/path/questionId', detail }]);
}

const takesFiles = (question: Question): question is FileQuestion =>
  question.type === 'UPLOAD_FILE' && question.uploadFile !== undefined;

/** What is wrong with the number of files of an answer; `pointer` is where they stand in the body. */
export function amountFaults({ uploadFile }: FileQuestion, amount: number, pointer: string): Fault[] {
  const most = uploadFile.maxFileAmount;
  return amount <= most ? [] : [{ pointer, detail: `must be at most ${most} files, which is what the question takes` }];
}

/** What is wrong with the name or the size of a file; `pointer` is where it stands in the body. */
export function fileFaults(
  { uploadFile }: FileQuestion,
  { filename, size }: { filename: string; size: number },
  pointer: string,
): Fault[] {
  const { allowedFileTypes, maxFileSizeLimit } = uploadFile;
  const faults: Fault[] = [];
  if (!isAllowedName(filename, allowedFileTypes)) {
    const detail = `must have the extension of a type that the question takes: ${allowedFileTypes.join(', ')}`;
    faults.push({ pointer: `${pointer}/filename`, detail });
  }
  if (size < 1) faults.push({ pointer: `${pointer}/size`, detail: 'must be at least 1 byte: the file is empty' });
  if (size > maxFileSizeLimit) {
    const detail = `must be at most ${maxFileSizeLimit} bytes, which is what the question takes; it has ${size}`;
    faults.push({ pointer: `${pointer}/size`, detail });
  }
  return faults;
}
