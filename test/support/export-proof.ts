/**
 * A form with 30 questions of mixed types and any number of responses, written straight to the table, and the comparison
 * of its export with the table that the API shows, row by row: for the slow test of killed workers and for the bench.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import excel from 'exceljs';
import { paginate } from '#core/api/client.ts';
import { toAttributes } from '#core/aws/attribute-values.ts';
import { encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import type { StoredAnswer } from '#core/responses/model.ts';
import { createResponse } from '#core/responses/store.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { type Built, newForm, type Person } from './fixtures.ts';
import { CHOICES, questionsOf, submissionOf } from './responses.ts';
import { putItems } from './stored.ts';

type Kind = { type: QuestionInput['type'] } & Partial<QuestionInput>;

const KINDS: Kind[] = [
  { type: 'SHORT_TEXT' },
  { type: 'LONG_TEXT' },
  { type: 'SINGLE_CHOICE', choices: CHOICES },
  { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 10 } },
  { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
  { type: 'HYPERLINK' },
];
const QUESTIONS = 30;
/** ASCII, because the stream reader of exceljs breaks characters of several bytes at the ends of its chunks. */
const WORDS = 'form answer survey tea & coffee quite often <never> "very" =blue 42 maybe\r\nnext time'.split(' ');
const FIRST_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** Texts of 2 to 24 words. */
const TEXTS = Array.from({ length: 997 }, (_, seed) =>
  Array.from({ length: 2 + (seed % 23) }, (_, i) => WORDS[(seed + i * i) % WORDS.length]).join(' '),
);

/** The answer to a question of some kind; null for one in ten. */
function contentOf(kind: Kind, choiceIds: readonly string[], seed: number): AnswerContent | null {
  if (seed % 10 === 0) return null;
  const text = TEXTS[seed % TEXTS.length] ?? '';
  switch (kind.type) {
    case 'SINGLE_CHOICE':
      return { type: kind.type, value: [choiceIds[seed % 2] ?? ''], names: [CHOICES[seed % 2]?.name ?? ''] };
    case 'LINEAR_SCALE':
      return { type: kind.type, value: 1 + (seed % 10), display: `${1 + (seed % 10)} (1-10)` };
    case 'DATE': {
      const day = new Date(FIRST_MS + (seed % 5_000) * DAY_MS).toISOString().slice(0, 10);
      return { type: kind.type, value: `${day}T00:00:00Z`, display: day };
    }
    case 'HYPERLINK':
      return { type: kind.type, value: `https://example.org/${seed}?a=1&b=2` };
    default:
      return { type: kind.type, value: text };
  }
}

/** A form with this many submitted responses of a tenth as many respondents. */
export async function seedForm(editor: Person, slug: string, count: number): Promise<Built> {
  const kinds = Array.from({ length: QUESTIONS }, (_, n) => KINDS[n % KINDS.length] ?? { type: 'SHORT_TEXT' as const });
  const form = await newForm(editor, slug, [kinds]);
  const questions = await questionsOf(editor, form.formId);
  const people = Array.from({ length: Math.ceil(count / 10) }, () => app().uuid());
  await putAll(people.length, (n) => accountItem(people[n] ?? '', n));
  await putAll(count, (n) => {
    const contents = questions.flatMap((question, column) => {
      const ids = (question.choices ?? []).map(({ id }) => id);
      const content = contentOf(kinds[column] ?? { type: 'SHORT_TEXT' }, ids, n * 31 + column * 7);
      return content ? [[question.id, content] as const] : [];
    });
    const at = new Date(FIRST_MS + n * 7).toISOString();
    const write = createResponse(submissionOf(form, people[n % people.length] ?? '', at, Object.fromEntries(contents)));
    if (!('put' in write)) throw new Error('a response is created by a put');
    return write.put;
  });
  return form;
}

function accountItem(id: string, n: number): Item {
  const now = new Date(FIRST_MS).toISOString();
  const names = { username: `person-${n}`, name: `person_${n}`, emails: [`person${n}@example.org`], avatarUrl: '' };
  const account = { id, ...names, onboarded: true, createdAt: now, updatedAt: now };
  return { ...keys.account(id), ...encode(account), version: 1, memberships: {} };
}

const BATCH = 25;
const AT_ONCE = 4;

/** Puts items without conditions, some batches at a time. */
async function putAll(count: number, itemOf: (n: number) => Item): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const first = next;
      next += BATCH;
      const numbers = Array.from({ length: Math.min(BATCH, count - first) }, (_, n) => first + n);
      await putItems(numbers.map((n) => toAttributes(itemOf(n))));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** A worker in a process of its own, and the lines that it prints. */
type WorkerProcess = { child: ChildProcess; lines: AsyncIterableIterator<string> };

/**
 * V8 sizes its young generation by the memory of the machine: 64 MB on one with 25 GB, at most this in a function with
 * the 1,769 MB of the worker.
 */
const YOUNG_GENERATION = '--max-semi-space-size=32';

/** Starts a worker whose clock is some seconds ahead; `hang` as in `export-worker.ts`. */
export function startWorker(clock: number, hang: 'progress' | 'upload' | '' = ''): WorkerProcess {
  const script = new URL('export-worker.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [YOUNG_GENERATION, script, String(clock), hang], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** Kills a process and waits for its end. */
export async function kill({ child }: WorkerProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/**
 * Compares a workbook with the table of its form, row by row; exceljs reads it as a stream. Returns the number of rows.
 * Throws for the first difference.
 */
export async function compareWithTable(file: Buffer, editor: Person, { formId, questionIds }: Built): Promise<number> {
  const expected = tableRows(editor, formId, questionIds);
  let count = 0;
  for await (const row of sheetRows(file)) {
    const [id, submittedAt, respondent, ...cells] = row;
    const { value } = await expected.next();
    const want = value?.cells.map(comparable);
    const isSame = id === value?.id && JSON.stringify(cells.map(comparable)) === JSON.stringify(want);
    const isAttributed = submittedAt instanceof Date && /^person\d+@example\.org$/.test(String(respondent));
    if (!isSame || !isAttributed)
      throw new Error(`row ${count} differs: ${JSON.stringify(row)} instead of ${JSON.stringify(value)}`);
    count += 1;
  }
  if (!(await expected.next()).done) throw new Error(`the workbook ends after ${count} rows, the table does not`);
  return count;
}

/** A value for comparison: dates as text. */
const comparable = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));

/** The rows of the table as the API shows it. */
async function* tableRows(editor: Person, formId: string, questionIds: string[]) {
  const request = { params: { formId }, body: { questionIds }, query: { limit: 100 } };
  for await (const { body } of paginate(editor.client.exports.previewTable, request)) {
    for (const { id, answers } of body.rows)
      yield { id, cells: questionIds.map((questionId) => cellOf(answers[questionId])) };
  }
}

/** The cell in which an answer is exported: numbers and dates as such, CR LF as LF. */
function cellOf(stored: StoredAnswer | null | undefined): unknown {
  if (!stored) return null;
  const { questionType, value } = stored.answer;
  if (questionType === 'LINEAR_SCALE') return value;
  return questionType === 'DATE' ? new Date(String(value)) : stored.displayValue.replaceAll('\r\n', '\n');
}

/** The rows of a workbook below the header. */
async function* sheetRows(file: Buffer): AsyncGenerator<unknown[]> {
  const reader = new excel.stream.xlsx.WorkbookReader(Readable.from([file]), { worksheets: 'emit', styles: 'cache' });
  for await (const sheet of reader) {
    for await (const row of sheet) {
      if (row.number === 1 || !Array.isArray(row.values)) continue;
      yield Array.from({ length: QUESTIONS + 3 }, (_, column) => row.getCell(column + 1).value);
    }
  }
}
