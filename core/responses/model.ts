/** Responses and their answers: how they are sent, stored and returned. */

import * as z from 'zod';
import { ShortUser } from '#core/accounts/model.ts';
import { MAX_QUESTIONS } from '#core/schema/limits.ts';
import { Id, type Infer, ListQuery, schema, Timestamp } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { QuestionDocument, QuestionType } from '#core/structure/question-model.ts';
import { type AnswerContent, AnswerValue, SentValue } from '#core/structure/types/content.ts';
import { displayValue } from '#core/structure/types/types.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import { DeliveryStatuses } from './delivery-model.ts';

export const ResponseProgress = schema(() => z.enum(['DRAFT', 'SUBMITTED']).meta({ id: 'ResponseProgress' }));
export type ResponseProgress = Infer<typeof ResponseProgress>;

/** The longest text for the other choice, in characters. */
export const MAX_OTHER_TEXT = 200;

/** An answer as it is sent; `answers.ts` validates the value for the question. */
export const AnswerInput = schema(() =>
  z
    .object({
      questionId: Id(),
      questionType: QuestionType(),
      value: SentValue(),
      otherText: line(0, MAX_OTHER_TEXT)
        .nullish()
        .describe(
          'The text that the respondent entered for the other choice. To be submitted, one without a name needs it.',
        ),
    })
    .meta({ id: 'AnswerInput' }),
);
export type AnswerInput = Infer<typeof AnswerInput>;

/** An answer as it is stored. */
export type Answer = AnswerContent & { createdAt: string; updatedAt: string };

/** A response as it is stored: one item, so that every change is one conditional write. */
export type Response = {
  id: string;
  formId: string;
  userId: string;
  progress: ResponseProgress;
  /** That nobody may start two responses to its form was so when it was started: its deletion allows another one. */
  isOnce?: true;
  /** Counts the changes; the ETag of the answers and the condition of every write. */
  version: number;
  /** By question id. */
  answers: Record<string, Answer>;
  createdAt: string;
  /** When an answer was last saved. */
  updatedAt: string;
  /** When it was started, last submitted or last cancelled: the `updatedAt` in lists. */
  listedAt: string;
  /** When it was last submitted; null while it is a draft. */
  submittedAt: string | null;
  /** The counters of the form in which it has a place. */
  places?: readonly string[];
  /** The sections on the path of the submitted response; later changes of the form do not affect it. */
  path?: string[];
  /** While it is submitted: the version of the structure at the submission, which this path is from. */
  structureVersion?: number;
  /**
   * While it is submitted: the short names of the questions on the path that have no answer. With the answers that count they
   * are the questions that were asked, whatever becomes of the form.
   */
  unanswered?: readonly string[];
};

/** The largest number of responses of one user to a form. */
export const MAX_OWN_RESPONSES = 100;
/** The largest number of responses of one guest to a form. */
export const MAX_GUEST_RESPONSES = 3;

/** An answer as it is returned: in the form of an input, and as display text. */
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
      respondent: ShortUser(),
      progress: ResponseProgress(),
      createdAt: Timestamp(),
      updatedAt: Timestamp().describe('When it was started, last submitted or last cancelled.'),
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
      counting: z
        .boolean()
        .optional()
        .describe('True while the responses of a large form are being counted: there are at least as many.'),
      responses: z.array(ResponseItem()),
      nextCursor: z.string().nullable(),
    })
    .meta({ id: 'ResponseList' }),
);
export type ResponseList = Infer<typeof ResponseList>;

export const ResponseListQuery = schema(() =>
  ListQuery().extend({ progress: ResponseProgress().optional().describe('Only responses with this progress.') }),
);

export const SECTION_PROGRESS = ['SKIPPED', 'NOT_STARTED', 'DRAFT', 'COMPLETED'] as const;

export const ResponsePreview = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      progress: ResponseProgress(),
      submittedBy: Id(),
      respondent: ShortUser(),
      createdAt: Timestamp(),
      updatedAt: Timestamp().describe('When an answer was last saved.'),
      submittedAt: Timestamp().nullable(),
      deliveries: DeliveryStatuses().optional().describe('The statuses of the mail and the row. For members only.'),
      sections: z.array(
        z.object({
          id: Id(),
          title: z.string(),
          progress: z.enum(SECTION_PROGRESS),
          answerDetails: z.array(z.object({ question: QuestionDocument(), payload: StoredAnswer().nullable() })),
        }),
      ),
    })
    .meta({ id: 'ResponsePreview' }),
);
export type ResponsePreview = Infer<typeof ResponsePreview>;

/** The body of save and submit. */
export const AnswersInput = schema(() =>
  z.object({ answers: z.array(AnswerInput()).max(MAX_QUESTIONS) }).meta({ id: 'AnswersInput' }),
);
export type AnswersInput = Infer<typeof AnswersInput>;

/** The body of starting a response: answers to save, and whether to submit it in the same write. */
export const StartInput = schema(() =>
  z
    .object({
      answers: z.array(AnswerInput()).max(MAX_QUESTIONS).nullish(),
      submit: z.boolean().nullish().describe('Submit the response in the same write; the result is its summary.'),
    })
    .meta({ id: 'StartInput' }),
);

export const SavedAnswers = schema(() => z.object({ answers: z.array(StoredAnswer()) }).meta({ id: 'SavedAnswers' }));

/** Lists the ids of all files of a response. */
export const listFileIds = ({ answers }: Pick<Response, 'answers'>): string[] =>
  Object.values(answers).flatMap((answer) => attachedFiles(answer).map(({ fileId }) => fileId));

/** Adds up the sizes of all files of a response, in bytes. */
export const sumFileBytes = ({ answers }: Pick<Response, 'answers'>): number =>
  Object.values(answers)
    .flatMap(attachedFiles)
    .reduce((sum, { size }) => sum + size, 0);

/** How many seconds a respondent has taken from the start of a response to its submission. */
export const secondsToComplete = ({ createdAt, submittedAt }: Pick<Response, 'createdAt' | 'submittedAt'>): number =>
  Math.max((Date.parse(submittedAt ?? createdAt) - Date.parse(createdAt)) / 1_000, 0);

/** Presents an answer as the API returns it. */
export function presentAnswer(responseId: string, questionId: string, answer: Answer): StoredAnswer {
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

/** Presents the answers of a response to some questions; unanswered ones are left out. */
export const presentAnswers = (response: Response, questionIds: readonly string[]): StoredAnswer[] =>
  questionIds.flatMap((questionId) => {
    const answer = Object.hasOwn(response.answers, questionId) ? response.answers[questionId] : undefined;
    return answer ? [presentAnswer(response.id, questionId, answer)] : [];
  });
