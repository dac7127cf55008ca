/** What an export has: which responses, which columns, and as which kind of file. */
import * as z from 'zod';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import { StatisticsQuery } from '#core/table/model.ts';

/** The kinds of files, with the end of their names and their media type. */
export const FORMATS = {
  XLSX: { extension: '.xlsx', contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  CSV: { extension: '.csv', contentType: 'text/csv; charset=utf-8' },
  JSON: { extension: '.json', contentType: 'application/json' },
  ZIP: { extension: '.zip', contentType: 'application/zip' },
} as const;
export const FORMAT_NAMES = ['XLSX', 'CSV', 'JSON', 'ZIP'] as const satisfies (keyof typeof FORMATS)[];
export type ExportFormat = (typeof FORMAT_NAMES)[number];

/** The responses that can be selected for one export. */
const MAX_SELECTED = 100;
/** The item of a job has its filter. */
const MAX_FILTER_BYTES = 50_000;

export const ExportInput = schema(() =>
  z
    .object({
      questionIds: z
        .array(Id())
        .min(1, 'must contain at least one question')
        .max(2_000)
        .optional()
        .describe('The questions to export; those of the view without it.'),
      viewId: Id().optional().describe('A view whose questions are exported, in its order.'),
      ...StatisticsQuery().partial().shape,
      responseIds: z
        .array(Id())
        .min(1, 'must contain at least one response')
        .max(MAX_SELECTED)
        .optional()
        .describe('Only these responses; those that are not submitted are left out.'),
      format: z
        .enum(FORMAT_NAMES)
        .optional()
        .describe('XLSX by default. ZIP has the files of the questions, with a list of them, and is always a job.'),
      columnPerChoice: z
        .boolean()
        .optional()
        .describe(
          'Of XLSX and CSV: a question that selects several choices has a column for each, with 1 or 0, or the place in a ranking; and one for what is none of them.',
        ),
      reference: z
        .boolean()
        .optional()
        .describe(
          'The reference of each response, which its respondent has too, in a last column; in JSON a member of each response.',
        ),
      raw: z
        .boolean()
        .optional()
        .describe(
          "Of CSV: a text that a spreadsheet program would take for a formula is written as it is. Without it, it begins with `'`.",
        ),
    })
    .refine(({ questionIds, viewId }) => questionIds !== undefined || viewId !== undefined, {
      path: ['questionIds'],
      error: 'must be given, or viewId must name a view',
    })
    .refine(({ filters = [] }) => JSON.stringify(filters).length <= MAX_FILTER_BYTES, {
      path: ['filters'],
      error: `may have at most ${MAX_FILTER_BYTES} characters as JSON`,
    })
    .meta({ id: 'ExportInput' }),
);
export type ExportInput = Infer<typeof ExportInput>;

/** Which responses an export has, and how they are written; without a member, all of them, as XLSX. */
export type ExportOptions = Omit<ExportInput, 'questionIds' | 'viewId'>;

/** Returns the options of a request, without what is not given; equal requests have equal options. */
export function toExportOptions(input: ExportOptions): ExportOptions {
  const { filters, from, to, copies, respondent, responseIds, format, columnPerChoice, reference, raw } = input;
  return {
    ...(filters?.length && { filters }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(copies && { copies }),
    ...(respondent && { respondent }),
    ...(responseIds && { responseIds: [...new Set(responseIds)].sort() }),
    ...(format && format !== 'XLSX' && { format }),
    ...(columnPerChoice && { columnPerChoice }),
    ...(reference && { reference }),
    ...(raw && { raw }),
  };
}
