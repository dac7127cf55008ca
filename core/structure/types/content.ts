/**
 * The content of an answer: its value and its display value. Conditions and tables use this file; `core/responses` adds
 * the times of an answer.
 */
import * as z from 'zod';
import { formatScalePoint, type Language } from '#core/schema/format.ts';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import { choiceName, type DateOptions, type QuestionType } from '../question-model.ts';
import { dateText } from './date.ts';

/** An uploaded file in an answer. */
export const UploadedFile = schema(() =>
  z
    .object({
      fileId: Id(),
      originalFilename: z.string(),
      contentType: z.string(),
      size: z.int().describe('In bytes.'),
    })
    .meta({ id: 'UploadedFile' }),
);
export type UploadedFile = Infer<typeof UploadedFile>;

/** The profile of a connected account. */
export const ConnectedAccount = schema(() =>
  z
    .object({
      provider: z.string(),
      providerId: z.string(),
      username: z.string(),
      email: z.string().nullable().describe('Null unless the provider has verified the address.'),
      avatar_url: z.string(),
      avatarUrl: z.string(),
    })
    .meta({ id: 'ConnectedAccount' }),
);
export type ConnectedAccount = Infer<typeof ConnectedAccount>;

/** The value of an answer as it is stored and returned. */
export const AnswerValue = schema(() =>
  z
    .union([z.string(), z.number(), z.array(z.string()), z.array(UploadedFile()), ConnectedAccount()])
    .describe(
      'Text: a string. Choices: choice ids. Scales: a number. Dates: midnight UTC, with 1970, 01 and 01 for parts that are not requested. Files and connected accounts: objects.',
    )
    .meta({ id: 'AnswerValue' }),
);
export type AnswerValue = Infer<typeof AnswerValue>;

/** An answer without its times. */
export type AnswerContent = {
  type: QuestionType;
  value: AnswerValue;
  otherText?: string;
  /** For choice answers: the names of the choices at the time of selection, in the order of `value`. */
  names?: string[];
  /** The display value if it follows neither from the names nor from the value. */
  display?: string;
};

/** Whether a value is a list of texts, as of a choice answer: the ids of the selected choices. */
export const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Lists the files of an answer; none for answers of other types. */
export const attachedFiles = (answer: AnswerContent | undefined): UploadedFile[] =>
  answer?.type === 'UPLOAD_FILE' && Array.isArray(answer.value)
    ? answer.value.filter((file): file is UploadedFile => typeof file !== 'string')
    : [];

/** The display value of an answer, never an empty line: joined names, the requested parts of a date, file names with sizes. */
export function displayValue(answer: AnswerContent): string {
  if (answer.display !== undefined) return answer.display;
  if (answer.names)
    return answer.names.map((name) => choiceName({ name })).join(answer.type === 'RANKING' ? ' > ' : ', ');
  const { value } = answer;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return Array.isArray(value) ? fileNames(attachedFiles(answer)) : value.username;
}

const fileNames = (files: readonly UploadedFile[]): string =>
  `${files.length} file(s): ${files.map((file) => `${file.originalFilename} (${file.size} bytes)`).join(', ')}`;

// Formats answers in the language of the reader, in the same way for pages and mails.

type DisplayedAnswer = {
  type: QuestionType;
  value: AnswerValue;
  displayValue: string;
  /** Of the question, if it has one now. */
  scale?: { maxVal: number } | undefined;
  /** Which parts a date question asks for; a whole date without it. */
  date?: Pick<DateOptions, 'hasYear' | 'hasMonth' | 'hasDay'> | undefined;
};

/**
 * Formats an answer as text: a date as "1 May 2026" or "May 2026", a point on a scale as "3 of 5", anything else as its
 * display value.
 */
export function readableAnswer(
  reader: { language: Language },
  { type, value, displayValue, scale, date }: DisplayedAnswer,
): string {
  if (type === 'DATE') return dateText(reader, displayValue, date);
  return scale && typeof value === 'number' ? formatScalePoint(reader, value, scale.maxVal) : displayValue;
}
