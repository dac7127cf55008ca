/**
 * A form with 30 questions of mixed types and any number of responses, written straight to the table, and the comparison
 * of its export with the table that the API shows, row by row: for the slow test of killed workers and for the bench.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import excel from 'exceljs';
import { paginate } from '#core/api/client.ts';
import type { StoredAnswer } from '#core/responses/model.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { type Built, newForm, type Person, person, type QuestionKind } from './fixtures.ts';
import { CHOICES, readQuestions, store, submissionOf } from './responses.ts';

const QUESTIONS = 30;
/** ASCII, because the stream reader of exceljs breaks characters of several bytes at the ends of its chunks. */
const WORDS = 'form answer survey tea & coffee quite often <never> "very" =blue 42 maybe\r\nnext time'.split(' ');
const FIRST_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** A text of 2 to 24 words. */
const textOf = (seed: number): Content => ({
  value: Array.from({ length: 2 + (seed % 23) }, (_, i) => WORDS[(seed + i * i) % WORDS.length]).join(' '),
});

type Content = Omit<AnswerContent, 'type'>;
type Choices = readonly { id: string; name: string }[];

/** Kinds of questions, and their answers. */
const KINDS: readonly [QuestionKind, (seed: number, choices: Choices) => Content][] = [
  [{ type: 'SHORT_TEXT' }, textOf],
  [{ type: 'LONG_TEXT' }, textOf],
  [
    { type: 'SINGLE_CHOICE', choices: CHOICES },
    (seed, choices) => ({ value: [choices[seed % 2]?.id ?? ''], names: [choices[seed % 2]?.name ?? ''] }),
  ],
  [
    { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 10 } },
    (seed) => ({ value: 1 + (seed % 10), display: `${1 + (seed % 10)} (1-10)` }),
  ],
  [
    { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
    (seed) => {
      const day = new Date(FIRST_MS + (seed % 5_000) * DAY_MS).toISOString().slice(0, 10);
      return { value: `${day}T00:00:00Z`, display: day };
    },
  ],
  [{ type: 'HYPERLINK' }, (seed) => ({ value: `https://example.org/${seed}?a=1&b=2` })],
];

/** A form with this many submitted responses of a tenth as many respondents; one in ten questions is not answered. */
export async function seedForm(editor: Person, slug: string, count: number): Promise<Built> {
  const columns = Array.from({ length: Math.ceil(QUESTIONS / KINDS.length) }, () => KINDS).flat();
  const form = await newForm(editor, slug, [columns.map(([kind]) => kind)]);
  const questions = await readQuestions(editor, form.formId);
  const people: string[] = [];
  for (let n = 0; n < count / 10; n += 1) {
    people.push((await person('', { email: `person${n}@example.org`, onboarded: false })).id);
  }
  const responseAt = (n: number) => {
    const contents = columns.flatMap(([{ type }, contentOf], column): [string, AnswerContent][] => {
      const [seed, question] = [n * 31 + column * 7, questions[column]];
      return seed % 10 === 0 || !question ? [] : [[question.id, { type, ...contentOf(seed, question.choices ?? []) }]];
    });
    const at = new Date(FIRST_MS + n * 7).toISOString();
    return submissionOf(form, people[n % people.length] ?? '', at, Object.fromEntries(contents));
  };
  for (let first = 0; first < count; first += 100) {
    await store(Array.from({ length: Math.min(100, count - first) }, (_, n) => responseAt(first + n)));
  }
  return form;
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
  const ended = once(child, 'exit');
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

/** The rows of a workbook that are responses: below the header of a sheet of them. */
async function* sheetRows(file: Buffer): AsyncGenerator<unknown[]> {
  const reader = new excel.stream.xlsx.WorkbookReader(Readable.from([file]), { worksheets: 'emit', styles: 'cache' });
  for await (const sheet of reader) {
    let isOfResponses = false;
    for await (const row of sheet) {
      if (row.number === 1) isOfResponses = row.getCell(1).value === 'Response ID';
      if (row.number === 1 || !isOfResponses || !Array.isArray(row.values)) continue;
      yield Array.from({ length: QUESTIONS + 3 }, (_, column) => row.getCell(column + 1).value);
    }
  }
}
