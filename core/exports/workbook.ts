/**
 * A form's submitted responses as a workbook: the table of `table.ts` with the respondent and the time of submission in
 * each row. `xlsx.ts` writes the file; it is loaded on demand.
 */

import { loadRespondents } from '#core/accounts/accounts.ts';
import { respondentName } from '#core/accounts/model.ts';
import { readAhead } from '#core/db/batches.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import type { Table } from '#core/db/table.ts';
import type { Answer, Response } from '#core/responses/model.ts';
import { parseResponse } from '#core/responses/store.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { answerCell, TYPES } from '#core/structure/types/types.ts';
import { readSubmittedItems } from '#core/table/submitted.ts';
import { answersInTable, type TableColumn } from '#core/table/table.ts';
import type { Cell } from './xlsx-cells.ts';
import type { Column } from './xlsx-parts.ts';

/** The largest file that Lambda can return: 6 MB less the overhead of base64. */
const MAX_DIRECT_BYTES = 4_400_000;
/** The time that must be left to queue a job instead. */
const QUEUE_MS = 10_000;
/** The respondents that are remembered while the rows are read; one has about 200 bytes. */
const MAX_REMEMBERED = 50_000;

type WorkbookOptions = { title: string; structure: Structure; columns: readonly TableColumn[] };

/** Writes the workbook of a form in chunks. `rows` are those of `exportRows`. */
export async function* writeWorkbook(
  { title, columns }: WorkbookOptions,
  rows: AsyncIterable<Cell[]>,
  createdAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { writeXlsx } = await import('./xlsx.ts');
  yield* writeXlsx({ title, columns: buildSheetColumns(columns), rows, createdAt });
}

/**
 * Writes the workbook of a form, if it is small enough for one HTTP response and quick enough for one request; otherwise
 * undefined, while there is still time to queue a job.
 */
export async function writeSmallWorkbook(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  options: WorkbookOptions,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isLate = false;
  async function* rowsInTime(): AsyncGenerator<Cell[], void, undefined> {
    for await (const row of exportRows(table, options)) {
      isLate = remainingMs() < QUEUE_MS;
      if (isLate) return;
      yield row;
    }
  }
  for await (const chunk of writeWorkbook(options, rowsInTime(), now())) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (isLate || bytes > MAX_DIRECT_BYTES) return undefined;
  }
  return Buffer.concat(chunks);
}

/** Reads the rows of all submitted responses of a form, oldest submission first. */
export async function* exportRows(
  table: Table,
  { structure, columns }: Pick<WorkbookOptions, 'structure' | 'columns'>,
): AsyncGenerator<Cell[], void, undefined> {
  for await (const { items, respondents } of readAhead(withRespondents(table, structure.formId))) {
    for (const item of items) {
      const response = parseResponse(item);
      if (response?.formId === structure.formId) yield buildRow(response, respondents, structure, columns);
    }
  }
}

/** How each respondent is shown, by user id. */
type Respondents = ReadonlyMap<string, string>;

/** The items of responses in batches, with their respondents, of whom the most recent are remembered. */
async function* withRespondents(table: Table, formId: string) {
  let remembered = new Map<string, string>();
  for await (const items of readSubmittedItems(table, formId)) {
    const userIds = items.map(({ userId }) => String(userId));
    const unknown = userIds.filter((userId) => !remembered.has(userId));
    if (remembered.size + unknown.length > MAX_REMEMBERED) remembered = new Map(pickRespondents(remembered, userIds));
    const loaded = await loadRespondents(table, unknown);
    for (const userId of unknown) remembered.set(userId, respondentName(userId, loaded.get(userId)));
    yield { items, respondents: remembered };
  }
}

const pickRespondents = (respondents: Respondents, userIds: readonly string[]): [string, string][] =>
  userIds.flatMap((userId): [string, string][] => {
    const name = respondents.get(userId);
    return name === undefined ? [] : [[userId, name]];
  });

/** In characters: an id, and the padding of a cell. */
const RESPONSE_ID_WIDTH = 39;

const buildSheetColumns = (columns: readonly TableColumn[]): Column[] => [
  { title: 'Response ID', width: RESPONSE_ID_WIDTH },
  { title: 'Submitted at', kind: 'datetime' },
  { title: 'Respondent' },
  ...columns.map(({ title, type, question }) => ({ title, kind: TYPES[type].column?.(question) ?? 'text' })),
];

function buildRow(
  response: Response,
  respondents: Respondents,
  structure: Structure,
  columns: readonly TableColumn[],
): Cell[] {
  const answers = answersInTable(response, structure, columns);
  return [
    response.id,
    response.submittedAt === null ? null : { date: new Date(response.submittedAt), format: 'datetime' },
    respondents.get(response.userId) ?? response.userId,
    ...answers.map((answer, index) => toCell(answer, columns[index]?.question)),
  ];
}

function toCell(answer: Answer | undefined, question: Question | undefined): Cell {
  if (!answer) return null;
  const cell = answerCell(answer, question);
  return cell instanceof Date ? { date: cell, format: 'date' } : cell;
}
