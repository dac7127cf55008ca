/** The statistics of the responses to a form: the schema of the response of the API. */
import * as z from 'zod';
import { parseTimeZone } from '#core/schema/format.ts';
import { TIMED_RESPONSES } from '#core/schema/limits.ts';
import { Id, type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { QuestionType } from '#core/structure/question-model.ts';
import { StatisticsQuery } from './model.ts';

/** The name of a time zone as clients send it; converted to its usual spelling. */
const TimeZone = schema(() =>
  z
    .string()
    .refine((name) => parseTimeZone(name) !== undefined, 'must be the name of a time zone such as Asia/Taipei')
    .overwrite((name) => parseTimeZone(name) ?? name)
    .meta({ id: 'TimeZone' }),
);

const inZone = {
  timeZone: TimeZone()
    .optional()
    .describe(
      'Where the days of submissions begin, such as `Asia/Taipei`; UTC without it, and for what comes from counters.',
    ),
};

export const StatisticsZone = schema(() => z.object(inZone));

/** A filter, a search, and where days begin. */
export const StatisticsInput = schema(() => StatisticsQuery().extend(inZone).meta({ id: 'StatisticsInput' }));

const Count = schema(() => z.int().min(0));

const SectionStatistics = schema(() =>
  z
    .object({
      sectionId: Id(),
      title: z.string(),
      reachedCount: Count().describe('Submitted responses and drafts whose path has reached the section.'),
      submittedCount: Count().describe('Submitted responses whose path has the section.'),
      stoppedCount: Count().describe(
        'Drafts whose last answer is in the section; in the first one also those without.',
      ),
    })
    .meta({ id: 'SectionStatistics' }),
);

const QuestionStatistics = schema(() =>
  z
    .object({
      questionId: Id(),
      sectionId: Id(),
      title: z.string(),
      type: QuestionType(),
      askedCount: Count().describe('Submitted responses whose path has the question.'),
      answeredCount: Count(),
      choices: z
        .array(
          z.object({
            choiceId: Id(),
            name: z.string(),
            count: Count(),
            meanPlace: z.number().nullish().describe('Of a ranking, from 1; null if nobody has ranked the choice.'),
          }),
        )
        .optional()
        .describe('Of questions with choices: those that can be selected now, with the other choice.'),
      removedChoicesCount: Count()
        .optional()
        .describe('How often choices were selected that are not offered any more.'),
      scale: z
        .object({
          mean: z.number().nullable(),
          median: z.number().nullable(),
          points: z.array(z.object({ value: z.int(), count: Count() })),
        })
        .optional()
        .describe('Of scales and ratings. The mean and the median are null without answers.'),
      dates: z
        .array(z.object({ period: z.string(), count: Count() }))
        .optional()
        .describe('Of dates, by month (`2026-05`, or `05` if years are not asked for), with `<1900` and `>2100`.'),
      numbers: z
        .object({
          count: Count().describe('The answers that are numbers.'),
          mean: z.number().nullable(),
          readCount: Count().describe('The newest of them, of which the following are.'),
          min: z.number().nullable(),
          max: z.number().nullable(),
          median: z.number().nullable(),
        })
        .optional()
        .describe('Of texts that are numbers. Null without any.'),
      newest: z
        .array(
          z.object({
            responseId: Id(),
            submittedAt: Timestamp(),
            text: z.string(),
            files: z
              .array(z.object({ fileId: Id(), originalFilename: z.string() }))
              .optional()
              .describe('Of an answer with files.'),
          }),
        )
        .max(5)
        .optional()
        .describe(
          'Of texts, links, files and accounts: the newest five among the last 100 responses, fewer of large ones; shortened.',
        ),
    })
    .meta({ id: 'QuestionStatistics' }),
);
export type QuestionStatistics = Infer<typeof QuestionStatistics>;

export const Statistics = schema(() =>
  z
    .object({
      formId: Id(),
      startedCount: Count().describe('Drafts and submitted responses.'),
      submittedCount: Count(),
      counting: z.boolean().optional().describe('True while the first responses are being counted.'),
      matches: z
        .object({ count: Count(), isComplete: z.boolean().describe('False if only the newest 1,000 were searched.') })
        .optional()
        .describe('How many responses match the filter, of `queryStatistics`. The numbers below are of these.'),
      countedResponses: Count().describe('The submitted responses that the numbers below are of.'),
      countedDrafts: Count().describe(
        'The drafts that the sections are of: at most the newest 100, fewer where they are large or take long to be followed through the form, none under a filter.',
      ),
      completionRate: z
        .number()
        .nullable()
        .optional()
        .describe(
          'The part of the started responses that is submitted, from 0 to 1, of all that are stored; null without any. Absent under a filter.',
        ),
      timeToComplete: z
        .object({
          medianSeconds: z.number().nullable().describe('From the start to the submission; null without any.'),
          readCount: Count().describe(
            `Of how many responses: of all that were counted, or, where counters count them, of at most ${TIMED_RESPONSES} of the newest.`,
          ),
        })
        .describe('How long respondents take.'),
      overTime: z.object({
        unit: z.enum(['DAY', 'MONTH']),
        timeZone: z
          .string()
          .describe(
            'Where the days begin: as requested if the responses were read, which are at most 200, or 1,000 that match a filter; UTC if counters count them.',
          ),
        periods: z
          .array(z.object({ period: z.string(), count: Count() }))
          .describe('Submissions by day (up to two months) or month, oldest first.'),
      }),
      sections: z.array(SectionStatistics()).describe('In the order of the form.'),
      questions: z.array(QuestionStatistics()).describe('In the order of the form, without removed ones.'),
    })
    .meta({ id: 'Statistics' }),
);
export type Statistics = Infer<typeof Statistics>;
