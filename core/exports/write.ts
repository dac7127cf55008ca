/** Writes the rows of an export as a file of the requested kind, in chunks, whatever their number. */
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { problems } from '#core/problems/problems.ts';
import { presentAnswer } from '#core/responses/model.ts';
import { formatReference } from '#core/responses/reference.ts';
import { MAX_SHEET_COLUMNS } from '#core/schema/limits.ts';
import { listExportColumns, listQuestions, QUESTION_COLUMNS, questionRows } from './columns.ts';
import { writeCsv } from './csv.ts';
import { type ExportRow, type RowSource, readRows } from './rows.ts';

/** The largest file that Lambda can return: 6 MB less the overhead of base64. */
const MAX_DIRECT_BYTES = 4_400_000;
/** The time that must be left to queue a job instead. */
const QUEUE_MS = 10_000;

/** An export to write: of which form, and what of it. `publicUrl`: the address of the service, for links. */
export type Export = RowSource & { title: string; publicUrl: string };

/** Throws 400 for an export with more columns than a sheet can have, and for an archive of questions without files. */
export function requireWritable({ structure, columns, options }: RowSource): void {
  if (options.format === 'ZIP' && !columns.some(({ type }) => type === 'UPLOAD_FILE')) {
    throw problems.invalid([{ pointer: '/body/format', detail: 'needs a question for files' }]);
  }
  const count =
    options.format === 'JSON' || options.format === 'ZIP'
      ? 0
      : listExportColumns(structure, columns, options, '').length;
  if (count <= MAX_SHEET_COLUMNS) return;
  const detail = `makes ${count} columns; a sheet has at most ${MAX_SHEET_COLUMNS}. Choose fewer questions, or JSON.`;
  throw problems.invalid([{ pointer: '/body/columnPerChoice', detail }]);
}

/** Writes an export in chunks; stopping early closes the rows. */
export async function* writeExport(
  source: Export,
  rows: AsyncIterable<ExportRow>,
  createdAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { structure, columns, options, title, publicUrl } = source;
  const { format = 'XLSX', raw } = options;
  if (format === 'JSON') {
    yield* writeJson(source, rows, createdAt);
    return;
  }
  const exported = listExportColumns(structure, columns, options, publicUrl);
  if (format === 'CSV') {
    yield* writeCsv(exported, rows, raw);
    return;
  }
  const { writeXlsx } = await import('./xlsx.ts');
  const questions = {
    name: 'Questions',
    columns: QUESTION_COLUMNS,
    rows: questionRows(listQuestions(structure, columns)),
  };
  const cells = async function* () {
    for await (const row of rows) yield exported.map(({ cell }) => cell(row));
  };
  yield* writeXlsx({ title, columns: exported, rows: cells(), createdAt, further: [questions] });
}

/** Writes the form, its questions and the responses, each as the API has it, one response a line. */
async function* writeJson(
  { structure, columns, title, options }: Export,
  rows: AsyncIterable<ExportRow>,
  createdAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { formId } = structure;
  const form = { formId, title, exportedAt: createdAt.toISOString(), questions: listQuestions(structure, columns) };
  yield Buffer.from(`${JSON.stringify(form).slice(0, -1)},"responses":[`);
  let separator = '\n';
  for await (const { response, respondent, answers } of rows) {
    const { id, submittedAt } = response;
    const entries = columns.map((column, index) => {
      const answer = answers[index];
      return [column.id, answer ? presentAnswer(id, column.id, answer) : null] as const;
    });
    const reference = options.reference && { reference: formatReference(id) };
    const row = { id, submittedAt, respondent, ...reference, answers: Object.fromEntries(entries) };
    yield Buffer.from(`${separator}${JSON.stringify(row)}`);
    separator = ',\n';
  }
  yield Buffer.from('\n]}\n');
}

/**
 * Writes an export, if it is small enough for one HTTP response and quick enough for one request; otherwise undefined, while
 * there is still time to queue a job.
 */
export async function writeSmallExport(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  source: Export,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isLate = false;
  async function* rowsInTime(): AsyncGenerator<ExportRow, void, undefined> {
    for await (const { rows } of readRows(table, source)) {
      isLate = remainingMs() < QUEUE_MS;
      if (isLate) return;
      yield* rows;
    }
  }
  for await (const chunk of writeExport(source, rowsInTime(), now())) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (isLate || bytes > MAX_DIRECT_BYTES) return undefined;
  }
  return isLate ? undefined : Buffer.concat(chunks);
}
