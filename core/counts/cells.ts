/**
 * What a submitted response counts: cells with a number each, in rows. A question has a row with how often it was asked
 * and answered and how often each choice, point of a scale or month was selected; the sections of paths and the days of
 * submissions have rows too. Rows and cells have the short names of ids. Pure.
 */
import { countedAnswers, findSectionOf } from '#core/responses/answers.ts';
import type { Answer, Response } from '#core/responses/model.ts';
import { FIRST_YEAR, LAST_YEAR } from '#core/schema/limits.ts';
import { shortName } from '#core/schema/schema.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { isIds } from '#core/structure/types/content.ts';
import { asksForNumber, parseNumber } from '#core/structure/types/formats.ts';
import { getTraits } from '#core/structure/types/traits.ts';

/** Numbers by row and cell. */
export type Cells = ReadonlyMap<string, Row>;
export type Row = ReadonlyMap<string, number>;
/** Cells that are being added up. */
export type CellSums = Map<string, Map<string, number>>;

/** The row with how many paths have each section. */
export const SECTIONS = 'sections';
/** The cells of a question: the responses whose path has it, and those that answer it. */
export const ASKED = 'a';
export const ANSWERED = 'n';

/** Returns the name of the cell that adds up the places of a choice in rankings, from 1. */
export const nameRankCell = (choiceId: string): string => `${shortName(choiceId)}>`;

/** The cells of a question that asks for numbers: how many answers are numbers, and the parts of their sum. */
export const NUMBERS = '#';
const SUM_CELLS = ['#0', '#1', '#2'] as const;
/** Each part counts up to this many of its unit, so that sums of a billion numbers are exact. */
const PART_UNIT = 10_000_000n;
const MILLION = 1_000_000;

/** Splits a number into the cells that add up numbers: its millionths, by parts of seven digits. */
function listNumberCells(canonical: string): [string, number][] {
  const [whole = '', decimals = ''] = canonical.split('.');
  let rest = BigInt(whole + decimals.padEnd(6, '0'));
  return [
    [NUMBERS, 1],
    ...SUM_CELLS.map((cell): [string, number] => {
      const part = rest % PART_UNIT;
      rest /= PART_UNIT;
      return [cell, Number(part)];
    }),
  ];
}

/** Returns the mean of the numbers that a row adds up, and how many they are; null without any. */
export function readMean(row: Row = new Map()): { count: number; mean: number | null } {
  const count = Math.max(row.get(NUMBERS) ?? 0, 0);
  const parts = SUM_CELLS.map((cell, index) => BigInt(Math.round(row.get(cell) ?? 0)) * PART_UNIT ** BigInt(index));
  const sum = parts.reduce((total, part) => total + part, 0n);
  return { count, mean: count === 0 ? null : Number(sum) / MILLION / count };
}

/** Returns the row of a month; its cells are the days, in UTC. */
const monthRow = (time: string): string => time.slice(0, 7);
const dayCell = (time: string): string => time.slice(8, 10);
/** The cells of the dates before and after those that are counted by month, so that a question has at most 2,412 months. */
export const EARLIER = '<';
export const LATER = '>';
const FIRST_MONTH = `${FIRST_YEAR}-01`;
const LAST_MONTH = `${LAST_YEAR}-12`;
/** Whether a row is that of a month, such as `2026-05`. */
export const isMonth = (row: string): boolean => /^\d{4}-\d\d$/.test(row);

/** Lists what a response counts; nothing while it is a draft. `structure`: of its version or a newer one. */
export function listCells(response: Response, structure: Structure): Cells {
  const { progress, path = [], submittedAt } = response;
  if (progress !== 'SUBMITTED' || submittedAt === null) return new Map();
  const answerTo = countedAnswers({ response, structure });
  const questions = [...structure.sections.flatMap((section) => section.questions), ...structure.removed];
  const answered = questions.flatMap(({ id }) => {
    const answer = answerTo(id);
    return answer ? [[shortName(id), questionRow(answer, findQuestion(structure, id)?.question)] as const] : [];
  });
  const unanswered = response.unanswered ?? guessUnanswered(response, structure);
  return new Map([
    [SECTIONS, new Map(path.map((id) => [shortName(id), 1]))],
    [monthRow(submittedAt), new Map([[dayCell(submittedAt), 1]])],
    ...unanswered.map((name) => [name, questionRow(undefined)] as const),
    ...answered,
  ]);
}

/** The questions that a response of an earlier version was asked, as far as the form of today tells: it did not store them. */
function guessUnanswered(response: Response, structure: Structure): string[] {
  const { submittedAt } = response;
  const onPath = new Set(response.path);
  const isAsked = ({ id, createdAt }: Question): boolean => {
    const sectionId = findSectionOf({ response, structure }, id);
    return submittedAt !== null && createdAt <= submittedAt && sectionId !== undefined && onPath.has(sectionId);
  };
  const questions = structure.sections.flatMap((section) => section.questions);
  return questions.filter(isAsked).map(({ id }) => shortName(id));
}

/** The row of a question that was asked. */
function questionRow(answer: Answer | undefined, question?: Question): Row {
  const row = new Map([[ASKED, 1]]);
  if (!answer) return row;
  row.set(ANSWERED, 1);
  for (const [cell, number] of listAnswerCells(answer, question)) row.set(cell, number);
  return row;
}

function listAnswerCells({ type, value }: Answer, question: Question | undefined): [string, number][] {
  const { counts, isOrdered } = getTraits(type);
  if (asksForNumber(question)) {
    const parsed = parseNumber(String(value));
    return parsed ? listNumberCells(parsed.canonical) : [];
  }
  if (counts === 'points') return [[String(value), 1]];
  if (counts === 'months') return [[monthCell(String(value)), 1]];
  if (counts === undefined || !isIds(value)) return [];
  return value.flatMap((id, index): [string, number][] => [
    [shortName(id), 1],
    ...(isOrdered ? [[nameRankCell(id), index + 1] as [string, number]] : []),
  ]);
}

/** The cell of a date: its month. */
function monthCell(date: string): string {
  const month = date.slice(0, 7);
  if (month < FIRST_MONTH) return EARLIER;
  return month > LAST_MONTH ? LATER : month;
}

/** Adds cells to sums, `by` times. */
export function addCells(sums: CellSums, cells: Cells, by = 1): void {
  for (const [row, numbers] of cells) {
    const sum = sums.get(row) ?? new Map<string, number>();
    sums.set(row, sum);
    for (const [cell, number] of numbers) sum.set(cell, (sum.get(cell) ?? 0) + by * number);
  }
}

/** Converts cells to a value of an item, without zeros. */
export const toStored = (cells: Cells): Record<string, Record<string, number>> =>
  Object.fromEntries(
    [...cells].flatMap(([row, numbers]) => {
      const counted = [...numbers].filter(([, number]) => number !== 0);
      return counted.length > 0 ? [[row, Object.fromEntries(counted)]] : [];
    }),
  );

/** Parses cells from a value of an item. */
export const parseCells = (value: unknown): Cells =>
  new Map(
    listEntries(value).map(([row, cells]) => [row, new Map(listEntries(cells).map(([cell, n]) => [cell, Number(n)]))]),
  );

const listEntries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

// Which counter item has a row. A submission writes one item for each group that it counts in, and each is billed by its
// size: a form of average size has one group, and that of the month.

/** About as many cells as have 4 KB, which is one unit to read and four to write in a transaction. */
const GROUP_CELLS = 300;
const MAX_GROUPS = 32;
/** About as many months as the answers to a date question have. */
const DATE_CELLS = 60;

/** Returns the number of groups over which the questions of a form are spread. */
export function chooseGroups(structure: Structure): number {
  const questions = structure.sections.flatMap((section) => section.questions);
  const cells = questions.reduce((sum, { id, type }) => {
    const { counts, isOrdered } = getTraits(type);
    return sum + 2 + (counts === 'months' ? DATE_CELLS : (isOrdered ? 2 : 1) * listChoices(structure, id).length);
  }, structure.sections.length);
  return Math.min(Math.max(Math.ceil(cells / GROUP_CELLS), 1), MAX_GROUPS);
}

/** Returns the group of a row: a month is by itself, so that no item grows with the years. */
export const chooseGroup = (row: string, groups: number): string =>
  isMonth(row) ? row : String(Buffer.from(row, 'base64url').reduce((sum, byte) => sum + byte, 0) % groups);
