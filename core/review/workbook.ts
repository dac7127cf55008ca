/**
 * A form's submitted responses as a workbook: the table of `table.ts` with who submitted each row and when, as cells
 * of their kind (contract section 9, "XLSX"). `xlsx.ts` writes the file; it is loaded only when one is written.
 */
import type { Account } from '#core/accounts/model.ts';
import { loadAccounts } from '#core/accounts/store.ts';
import type { App } from '#core/http/app.ts';
import { problems } from '#core/problems/problems.ts';
import { type Answer, displayValue, type Response } from '#core/responses/model.ts';
import { pageResponses } from '#core/responses/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { answersInTable, type TableColumn } from './table.ts';
import type { Cell, Column } from './xlsx-model.ts';

/** The most responses that are exported within one request (contract section 9). */
export const MAX_DIRECT_ROWS = 1_000;
/** The most bytes of a file that API Gateway can answer: 6 MB less base64. */
const MAX_DIRECT_BYTES = 4_400_000;

type Asked = { title: string; structure: Structure; columns: readonly TableColumn[] };

/** The workbook of a small form. Throws 413 beyond `MAX_DIRECT_ROWS` responses or what an answer can carry. */
export async function smallWorkbook(app: App, { title, structure, columns }: Asked): Promise<Uint8Array> {
  const responses = await loadAtMost(app, structure.formId, MAX_DIRECT_ROWS);
  const people = await loadRespondents(app, responses);
  const { writeXlsx } = await import('./xlsx.ts');
  const rows = responses.map((response) => rowOf(response, people.get(response.userId), structure, columns));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of writeXlsx({ title, columns: sheetColumns(columns), rows, createdAt: app.now() })) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_DIRECT_BYTES)
      throw problems.tooLarge('The file is too large to be answered directly: ask for fewer questions');
  }
  return Buffer.concat(chunks);
}

async function loadAtMost(app: App, formId: string, most: number): Promise<Response[]> {
  const responses: Response[] = [];
  let after: string | undefined;
  do {
    const page = await pageResponses(app.table, formId, ['SUBMITTED'], { limit: 100, after });
    responses.push(...page.responses);
    if (responses.length > most) throw problems.tooLarge(`The form has more than ${most} submitted responses`);
    after = page.last ?? undefined;
  } while (after !== undefined);
  return responses;
}

async function loadRespondents(app: App, responses: readonly Response[]): Promise<Map<string, Account>> {
  const ids = [...new Set(responses.map((response) => response.userId))];
  const people = new Map<string, Account>();
  for (let index = 0; index < ids.length; index += 100) {
    for (const [id, account] of await loadAccounts(app.table, ids.slice(index, index + 100))) people.set(id, account);
  }
  return people;
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
    response.submittedAt === null ? null : { date: response.submittedAt, format: 'datetime' },
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
  return isWhole ? { date: `${display}T00:00:00Z`, format: 'date' } : display;
}
