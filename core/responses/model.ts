/**
 * Responses and their answers: the shapes in which they are sent, stored and shown
 * (interface "Response and answers", contract section 7). The rules stand beside it: `answers.ts` judges one
 * answer, `progress.ts` reads a response along its path, `edit.ts` saves, submits and cancels.
 */
import * as z from 'zod';
import { Id, type Infer, PageQuery, schema, Timestamp, text } from '#core/schema/schema.ts';
import { type Choice, QuestionType, QuestionView } from '#core/structure/question-model.ts';

export const ResponseProgress = schema(() => z.enum(['DRAFT', 'SUBMITTED']).meta({ id: 'ResponseProgress' }));
export type ResponseProgress = Infer<typeof ResponseProgress>;

/** One uploaded file as an answer names it. */
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

/** The profile that a connected account answered with. */
export const ConnectedAccount = schema(() =>
  z
    .object({
      provider: z.string(),
      providerId: z.string(),
      username: z.string(),
      email: z.string(),
      avatar_url: z.string(),
      avatarUrl: z.string(),
    })
    .meta({ id: 'ConnectedAccount' }),
);
export type ConnectedAccount = Infer<typeof ConnectedAccount>;

const NamedFile = schema(() => z.looseObject({ fileId: Id() }));
const FilesValue = schema(() => z.object({ files: z.array(NamedFile()).max(10) }));

/** An answer as it is sent; whether the value suits the question is judged in `answers.ts`. */
export const AnswerInput = schema(() =>
  z
    .object({
      questionId: Id(),
      questionType: QuestionType(),
      value: z
        .union([z.string(), z.number(), z.array(z.string()).max(200), FilesValue()], {
          error: 'must be a string, a number, an array of strings, or an object with files, as the question type asks',
        })
        .describe('Text: a string. Choices: an array of choice ids. Scales: a number. Dates: YYYY-MM-DD or RFC 3339.'),
      otherText: text(0, 200).nullish().describe('What the respondent wrote beside the other choice.'),
    })
    .meta({ id: 'AnswerInput' }),
);
export type AnswerInput = Infer<typeof AnswerInput>;

/** The value of an answer as it is stored and shown. */
export const AnswerValue = schema(() =>
  z
    .union([z.string(), z.number(), z.array(z.string()), z.array(UploadedFile()), ConnectedAccount()])
    .describe(
      'Text: a string. Choices: choice ids. Scales: a number. Dates: midnight UTC; parts that were not asked for are of 1970-01-01. Files and connected accounts: what is kept of them.',
    )
    .meta({ id: 'AnswerValue' }),
);
export type AnswerValue = Infer<typeof AnswerValue>;

/** What an answer says, without when it was said. */
export type AnswerContent = {
  type: QuestionType;
  value: AnswerValue;
  otherText?: string;
  /** Of choice answers: the names of the chosen, in the order of `value`, as they were when they were chosen. */
  names?: string[];
  /** The display value where neither the names nor the value itself give it. */
  display?: string;
};

/** An answer as the response's item keeps it. */
export type Answer = AnswerContent & { createdAt: string; updatedAt: string };

/** A response as its item keeps it: one value, so that every change is one conditional write. */
export type Response = {
  id: string;
  formId: string;
  userId: string;
  progress: ResponseProgress;
  /** Counts the changes; the ETag of the answers and the condition of every write. */
  version: number;
  /** By question id. */
  answers: Record<string, Answer>;
  createdAt: string;
  updatedAt: string;
  /** When it was last submitted; null while it is a draft. */
  submittedAt: string | null;
  /** Set while a deletion runs: from then on nobody knows the response. */
  deleting?: true;
};

/** An answer as it is shown: what could be sent back as it is, and how to show it to a person. */
export const StoredAnswer = schema(() =>
  z
    .object({
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      responseId: Id(),
      answer: z.object({
        questionId: Id(),
        questionType: QuestionType(),
        value: AnswerValue(),
        otherText: z.string().optional(),
      }),
      displayValue: z.string(),
    })
    .meta({ id: 'StoredAnswer' }),
);
export type StoredAnswer = Infer<typeof StoredAnswer>;

export const ResponseSummary = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      createdAt: Timestamp(),
      submittedAt: Timestamp().nullable(),
      progress: ResponseProgress(),
    })
    .meta({ id: 'ResponseSummary' }),
);
export type ResponseSummary = Infer<typeof ResponseSummary>;

export const ResponseItem = schema(() =>
  z
    .object({
      id: Id(),
      submittedBy: Id(),
      progress: ResponseProgress(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      submittedAt: Timestamp().nullable(),
    })
    .meta({ id: 'ResponseItem' }),
);
export type ResponseItem = Infer<typeof ResponseItem>;

export const ResponseList = schema(() =>
  z
    .object({
      formId: Id(),
      totalCount: z.int(),
      draftCount: z.int(),
      submittedCount: z.int(),
      responses: z.array(ResponseItem()),
      nextCursor: z.string().nullable(),
    })
    .meta({ id: 'ResponseList' }),
);
export type ResponseList = Infer<typeof ResponseList>;

export const ResponseListQuery = schema(() =>
  PageQuery().extend({ progress: ResponseProgress().optional().describe('Only responses of this progress.') }),
);

export const SECTION_PROGRESS = ['SKIPPED', 'NOT_STARTED', 'DRAFT', 'COMPLETED'] as const;

export const ResponsePreview = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      progress: ResponseProgress(),
      sections: z.array(
        z.object({
          id: Id(),
          title: z.string(),
          progress: z.enum(SECTION_PROGRESS),
          answerDetails: z.array(z.object({ question: QuestionView(), payload: StoredAnswer().nullable() })),
        }),
      ),
    })
    .meta({ id: 'ResponsePreview' }),
);
export type ResponsePreview = Infer<typeof ResponsePreview>;

/** The body of save and submit. */
export const AnswersInput = schema(() =>
  z.object({ answers: z.array(AnswerInput()).max(300) }).meta({ id: 'AnswersInput' }),
);
export type AnswersInput = Infer<typeof AnswersInput>;

export const SavedAnswers = schema(() => z.object({ answers: z.array(StoredAnswer()) }).meta({ id: 'SavedAnswers' }));

/** The files of an answer; none for answers of other types. */
export const attachedFiles = (answer: AnswerContent | undefined): UploadedFile[] =>
  answer?.type === 'UPLOAD_FILE' && Array.isArray(answer.value)
    ? answer.value.filter((file): file is UploadedFile => typeof file !== 'string')
    : [];

/** The ids of all files of a response. */
export const fileIdsOf = ({ answers }: Pick<Response, 'answers'>): string[] =>
  Object.values(answers).flatMap((answer) => attachedFiles(answer).map(({ fileId }) => fileId));

/** How an answer is shown to a person (contract section 7, column `displayValue`). */
export function displayValue(answer: AnswerContent): string {
  if (answer.display !== undefined) return answer.display;
  if (answer.names) return answer.names.join(answer.type === 'RANKING' ? ' > ' : ', ');
  const { value } = answer;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return Array.isArray(value) ? fileNames(attachedFiles(answer)) : value.username;
}

const fileNames = (files: readonly UploadedFile[]): string =>
  `${files.length} file(s): ${files.map((file) => `${file.originalFilename} (${file.size} bytes)`).join(', ')}`;

/** An answer in the shape of the wire. */
export function storedAnswer(responseId: string, questionId: string, answer: Answer): StoredAnswer {
  return {
    createdAt: answer.createdAt,
    updatedAt: answer.updatedAt,
    responseId,
    answer: {
      questionId,
      questionType: answer.type,
      value: answer.value,
      ...(answer.otherText === undefined ? {} : { otherText: answer.otherText }),
    },
    displayValue: displayValue(answer),
  };
}

/** Choices that a question offers to one respondent, by question id (`sourceId` resolved). */
export type OfferedChoices = (questionId: string) => Choice[];
