/** The table of a form in a spreadsheet: its columns, and the cells of a response. */
import { type Respondent, respondentName } from '#core/accounts/model.ts';
import { remainingMs } from '#core/db/request-context.ts';
import type { Answer, Response } from '#core/responses/model.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { answerCell, displayValue } from '#core/structure/types/types.ts';
import { answersInTable, listColumns } from '#core/table/table.ts';
import { type SheetCell, type SheetColumn, SheetFailure, type SheetPorts, type SheetTable } from './port.ts';

/** The columns before those of the questions. */
const FIXED: readonly SheetColumn[] = [
  { key: 'id', title: 'Response ID' },
  { key: 'at', title: 'Submitted at' },
  { key: 'by', title: 'Respondent' },
];

/** Lists the columns of a form: fixed ones, questions in workflow order, then removed questions that were answered. */
export const listSheetColumns = (structure: Structure): SheetColumn[] => [
  ...FIXED,
  ...listColumns(structure).map(({ id, title }) => ({ key: columnKey(id), title })),
];

/** Builds a short key of a question: 48 bits of a hash, because the length of metadata is limited. */
const columnKey = (questionId: string): string => sha256(questionId, 'base64url').slice(0, 8);

/** Builds the cells of a response, in the order of the columns of its form. */
export function buildCells(response: Response, structure: Structure, respondent: Respondent | undefined): SheetCell[] {
  const columns = listColumns(structure);
  const answers = answersInTable(response, structure, columns);
  return [
    response.id,
    response.submittedAt,
    respondentName(response.userId, respondent),
    ...answers.map((answer, index) => toSheetCell(answer, columns[index]?.question)),
  ];
}

/** A number is a number, also one that was typed as text; anything else is displayed. */
function toSheetCell(answer: Answer | undefined, question: Question | undefined): SheetCell {
  if (!answer) return null;
  const cell = answerCell(answer, question);
  return typeof cell === 'number' ? cell : displayValue(answer);
}

// Writes rows to a spreadsheet so that one that is refused fails alone: a table that is refused is written in halves,
// and these again, until single rows are left. The number of attempts is limited, because requests are.

/** The time that must be left to write a table: requests to the spreadsheet service can be slow. */
export const MIN_MS = 30_000;

/**
 * How many tables may be refused in one run. To find one bad row of 100 takes eight; after fifteen, with none accepted,
 * each eighth of a table was refused, and its rows are given up together.
 */
const MAX_REFUSED = 15;

/** Rows that were written together, or refused for good. */
type WrittenRows<T> = { rows: readonly T[]; refusal?: SheetFailure };

/**
 * Writes tables one after the other: a spreadsheet applies changes in turn. Yields rows as soon as they were written or
 * refused for good, and leaves out those for which too little time or too few attempts were left. Throws SheetFailure when
 * the failure is not about single rows.
 */
export async function* writeTables<T extends SheetTable['rows'][number]>(
  { sheets }: Pick<SheetPorts, 'sheets'>,
  spreadsheetId: string,
  tables: readonly (SheetTable & { rows: readonly T[] })[],
): AsyncGenerator<WrittenRows<T>, void, undefined> {
  let refused = 0;
  for (const table of tables) {
    const refusedBefore = refused;
    let isAnyWritten = false;
    // Level by level, so that every part of the table is tried before small ones are.
    const queue: (readonly T[])[] = [table.rows];
    for (let rows = queue.shift(); rows !== undefined; rows = queue.shift()) {
      if (remainingMs() < MIN_MS) return;
      const refusal = await catchRefusal(sheets.write(spreadsheetId, { columns: table.columns, rows }));
      if (refusal) refused += 1;
      else isAnyWritten = true;
      if (!refusal) yield { rows };
      else if (rows.length === 1) yield { rows, refusal };
      else queue.push(...splitInHalves(rows));
      if (!refusal || refused < MAX_REFUSED) continue;
      if (!isAnyWritten && refusedBefore === 0) yield* queue.map((unwrittenRows) => ({ rows: unwrittenRows, refusal }));
      return;
    }
  }
}

const splitInHalves = <T>(rows: readonly T[]): (readonly T[])[] => {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
};

/** Waits for a write and returns its failure if it was refused; undefined when it was accepted. Throws other failures. */
async function catchRefusal(write: Promise<void>): Promise<SheetFailure | undefined> {
  try {
    await write;
    return undefined;
  } catch (error) {
    if (error instanceof SheetFailure && error.reason === 'refused') return error;
    throw error;
  }
}
