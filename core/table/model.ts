/** Filters of responses, their results, and the distinct answers for filtering. */

import * as z from 'zod';
import { StoredAnswer } from '#core/responses/model.ts';
import { MAX_QUESTIONS } from '#core/schema/limits.ts';
import { Id, type Infer, Moment, schema, text } from '#core/schema/schema.ts';

/** The longest text that is searched for, in characters. */
export const MAX_SEARCH_TEXT = 200;

/** A date or the first parts of one, as it is displayed: `2026-06-15`, `2026-06`, `06-15`. */
const DatePart = schema(() => z.string().regex(/^(?:\d{4}|\d\d)(?:-\d\d){0,2}$/, 'must be a number or a date'));
const Bound = schema(() =>
  z.union([z.number(), DatePart()], { error: 'must be a number or a date such as 2026-06-15' }),
);

export const FilterEntry = schema(() =>
  z.object({
    questionId: Id(),
    answers: z
      .array(z.object({ option: text(0, 10_000).describe('A choice id, or a `matchValue` of the distinct answers.') }))
      .max(1_000)
      .optional()
      .describe('The answer has one of these.'),
    isEmpty: z.boolean().optional().describe('`true`: there is no answer; `false`: there is one.'),
    contains: text(1, MAX_SEARCH_TEXT)
      .optional()
      .describe('The answer as it is displayed contains this text, in any case: names of choices and files, too.'),
    min: Bound().optional().describe('The number, or the date in the parts that both have, is at least this.'),
    max: Bound().optional().describe('The number, or the date in the parts that both have, is at most this.'),
    not: z
      .boolean()
      .optional()
      .describe(
        '`true`: the entry matches the responses that it would not match otherwise, those without an answer included.',
      ),
  }),
);
export type FilterEntry = Infer<typeof FilterEntry>;

/** Conditions of an entry, and entries, are combined with AND, options with OR; an entry without conditions matches all. */
export const FilterInput = schema(() =>
  z
    .object({
      filters: z
        .array(FilterEntry())
        .max(MAX_QUESTIONS)
        .describe(
          'Entries, and the conditions of an entry, are combined with AND, the options of an entry with OR. An empty filter, or an entry without conditions, matches all responses.',
        ),
      from: Moment().optional().describe('Submitted at this time or later.'),
      to: Moment().optional().describe('Submitted before this time.'),
      copies: z
        .enum(['FAILED'])
        .optional()
        .describe('FAILED: the copy by mail, or the confirmation, could not be sent, and the submission still stands.'),
    })
    .meta({ id: 'FilterInput' }),
);
export type FilterInput = Infer<typeof FilterInput>;

/** A filter and a search. */
export const StatisticsQuery = schema(() =>
  FilterInput()
    .extend({
      respondent: text(0, MAX_SEARCH_TEXT)
        .optional()
        .describe(
          "Text in the respondent's name, username or e-mail addresses, or in an answer as it is displayed, in any case; or the reference or id of the response, which is found in a form of any size; empty matches all.",
        ),
    })
    .meta({ id: 'StatisticsQuery' }),
);

/** A filter, a search and an order of the table. */
export const ResponseQuery = schema(() =>
  StatisticsQuery()
    .extend({
      sort: z
        .object({
          questionId: Id()
            .optional()
            .describe(
              'A question with one choice, a number or a date, in a form with at most 1,000 submitted responses, of at most 50 MB; without it, the order of submission.',
            ),
          descending: z.boolean().optional().describe('Highest or newest first. Responses without an answer are last.'),
        })
        .optional(),
    })
    .meta({ id: 'ResponseQuery' }),
);
export type ResponseQuery = Infer<typeof ResponseQuery>;

export const FilterResult = schema(() =>
  z
    .object({
      formId: Id(),
      responses: z.array(z.object({ id: Id(), answers: z.record(z.string(), StoredAnswer().nullable()) })),
      nextCursor: z.string().nullable().describe('Null at the end only; a page can be short or empty before it.'),
    })
    .meta({ id: 'FilterResult' }),
);
export type FilterResult = Infer<typeof FilterResult>;

export const DistinctAnswers = schema(() =>
  z
    .object({
      viewId: Id(),
      formId: Id(),
      questionId: Id(),
      answers: z.array(z.object({ displayValue: z.string(), matchValue: z.string(), selected: z.boolean() })),
      truncated: z.boolean().describe('Whether there is a next page.'),
      nextCursor: z
        .string()
        .nullable()
        .describe('Null at the end only. Values can be repeated on later pages: merge them by `matchValue`.'),
    })
    .meta({ id: 'DistinctAnswers' }),
);
export type DistinctAnswers = Infer<typeof DistinctAnswers>;

// The table of a form's submitted responses: the schemas of its request and its preview.

export const TableInput = schema(() =>
  z
    .object({
      questionIds: z.array(Id()).min(1, 'must contain at least one question').max(2_000),
      ...FilterInput().partial().shape,
    })
    .meta({ id: 'TableInput' }),
);

export const TablePreview = schema(() =>
  z
    .object({
      headers: z.array(z.object({ id: Id(), title: z.string() })),
      rows: z.array(
        z.object({
          id: Id(),
          answers: z
            .record(z.string(), StoredAnswer().nullable())
            .describe('By question id; null where there is no answer.'),
        }),
      ),
      nextCursor: z.string().nullable(),
    })
    .meta({ id: 'TablePreview' }),
);
export type TablePreview = Infer<typeof TablePreview>;
