/**
 * A form's submitted responses as a workbook: the table of `table.ts` with the respondent and the time of submission in
 * each row. `xlsx.ts` writes the file; it is loaded on demand.
 */
import type { Account } from '#core/accounts/model.ts';
import { loadAccounts } from '#core/accounts/store.ts';
import type { Ports } from '#core/db/ports.ts';
import { problems } from '#core/problems/problems.ts';
import type { Answer, Response } from '#core/responses/model.ts';
import { displayValue } from '#core/structure/answer-content.ts';
import type { Structure } from '#core/structure/structure.ts';
import { submittedPages } from './submitted.ts';
import { answersInTable, type TableColumn } from './table.ts';
import type { Cell } from './xlsx-cells.ts';
import type { Column } from './xlsx-parts.ts';

/** The largest number of responses in a direct export. */
const MAX_DIRECT_ROWS = 1_000;
/** The largest file that Lambda can return: 6 MB less the overhead of base64. */
const MAX_DIRECT_BYTES = 4_400_000;

type Reader = Pick<Ports, 'table' | 'now'>;
type WorkbookOptions = { title: string; structure: Structure; columns: readonly TableColumn[] };

/** The workbook of a small form. Throws 413 for more than 1,000 responses or a file too large for one HTTP response. */
export async function smallWorkbook(app: Reader, { title, structure, columns }: WorkbookOptions): Promise<Uint8Array> {
  const responses = await loadAtMost(app, structure.formId, MAX_DIRECT_ROWS);
  const people = await loadAccounts(
    app.table,
    responses.map(({ userId }) => userId),
  );
  const { writeXlsx } = await import('./xlsx.ts');
  const rows = responses.map((response) => rowOf(response, people.get(response.userId), structure, columns));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of writeXlsx({ title, columns: sheetColumns(columns), rows, createdAt: app.now() })) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_DIRECT_BYTES)
      throw problems.tooLarge('The file is too large to be returned directly: choose fewer questions');
  }
  return Buffer.concat(chunks);
}

async function loadAtMost(app: Reader, formId: string, max: number): Promise<Response[]> {
  const responses: Response[] = [];
  for await (const page of submittedPages(app.table, formId)) {
    responses.push(...page.responses);
    if (responses.length > max) throw problems.tooLarge(`The form has more than ${max} submitted responses`);
  }
  return responses;
}

const sheetColumns = (columns: readonly TableColumn[]): Column[] => [
  { title: 'Response ID' },
  { title: 'Submitted at', kind: 'datetime' },
  { title: 'Respondent' },
  ...columns.map(({ title, type, question }): Column => {
    if (type === 'LINEAR_SCALE' || type === 'RATING') return { title, kind: 'number' };
    return { title, kind: type === 'DATE' && isWholeDate(question) ? 'date' : 'text' };
  }),
];

const isWholeDate = (question: TableColumn['question']): boolean =>
  Boolean(question?.date?.hasYear && question.date.hasMonth && question.date.hasDay);

function rowOf(
  response: Response,
  account: Account | undefined,
  structure: Structure,
  columns: readonly TableColumn[],
): Cell[] {
  const answers = answersInTable(response, structure, columns);
  return [
    response.id,
    response.submittedAt === null ? null : { date: new Date(response.submittedAt), format: 'datetime' },
    account?.emails[0] ?? account?.username ?? response.userId,
    ...answers.map(cellOf),
  ];
}

/** The cell of an answer: a number or a whole date as itself, everything else as it is displayed. */
function cellOf(answer: Answer | undefined): Cell {
  if (!answer) return null;
  if (typeof answer.value === 'number') return answer.value;
  const display = displayValue(answer);
  const isWhole = answer.type === 'DATE' && /^\d{4}-\d{2}-\d{2}$/.test(display);
  return isWhole ? { date: new Date(`${display}T00:00:00Z`), format: 'date' } : display;
}
