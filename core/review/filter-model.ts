/** Filters over responses, what they answer, and the values they can be made of (interface "Response filter"). */
import * as z from 'zod';
import { StoredAnswer } from '#core/responses/model.ts';
import { Id, type Infer, schema, text } from '#core/schema/schema.ts';

/** AND between entries, OR inside one; an entry without answers asks for nothing. */
export const FilterInput = schema(() =>
  z
    .object({
      filters: z
        .array(
          z.object({
            questionId: Id(),
            answers: z
              .array(
                z.object({
                  option: text(0, 10_000).describe('A choice id, or a `matchValue` of the distinct answers.'),
                }),
              )
              .max(1_000),
          }),
        )
        .max(300)
        .describe('AND between entries, OR inside one; none asks for all responses.'),
    })
    .meta({ id: 'FilterInput' }),
);
export type FilterInput = Infer<typeof FilterInput>;

export const FilterResult = schema(() =>
  z
    .object({
      formId: Id(),
      responses: z.array(z.object({ id: Id(), answers: z.record(z.string(), StoredAnswer().nullable()) })),
      nextCursor: z.string().nullable().describe('Not null while there may be more, also when this page is short.'),
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
      truncated: z.boolean().describe('There are more than 1,000 values, or more than one answer can carry.'),
    })
    .meta({ id: 'DistinctAnswers' }),
);
export type DistinctAnswers = Infer<typeof DistinctAnswers>;
