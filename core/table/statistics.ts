/** Builds the statistics of a form from what its responses count. Pure. */

import {
  ANSWERED,
  ASKED,
  type Cells,
  EARLIER,
  isMonth,
  LATER,
  nameRankCell,
  type Row,
  readMean,
  SECTIONS,
} from '#core/counts/cells.ts';
import { countedAnswers, findPath } from '#core/responses/answers.ts';
import type { Response } from '#core/responses/model.ts';
import { shortName } from '#core/schema/schema.ts';
import { displayOrder } from '#core/structure/path.ts';
import { findSection, listChoices, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { asksForNumber } from '#core/structure/types/formats.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import type { TableColumn } from './table.ts';

/** How often something was done in a day, a month, a year, or a month of any year; before 1900 (`<1900`), after 2100. */
export type PeriodCount = { period: string; count: number };

/** How often a choice is selected; `meanPlace`: of a ranking, from 1, null if nobody has ranked the choice. */
export type CountedChoice = { choiceId: string; name: string; count: number; meanPlace?: number | null };

/** The mean and the median are null without answers. */
export type CountedScale = {
  mean: number | null;
  median: number | null;
  points: readonly { value: number; count: number }[];
};

/**
 * Numbers: their mean, from the counters of all of them, and what is only known of those that were read: `readCount` of the
 * newest. Null without any.
 */
export type CountedNumbers = {
  count: number;
  mean: number | null;
  readCount: number;
  min: number | null;
  max: number | null;
  median: number | null;
};

/** How often a question was asked and answered, and what was answered, by what its type counts. */
export type CountedQuestion = {
  column: TableColumn;
  askedCount: number;
  answeredCount: number;
  choices?: readonly CountedChoice[];
  /** How often choices were selected that are not offered any more. */
  removedChoicesCount?: number;
  scale?: CountedScale;
  dates?: readonly PeriodCount[];
  numbers?: CountedNumbers;
};

/** How many responses have reached a section, and how many drafts stopped in it. */
export type CountedSection = {
  sectionId: string;
  title: string;
  reachedCount: number;
  submittedCount: number;
  stoppedCount: number;
};

/** Submissions over time, oldest first; `timeZone`: where the days begin. */
export type CountedTime = { unit: 'DAY' | 'MONTH'; timeZone: string; periods: readonly PeriodCount[] };

type Count = (cell: string) => number;
const toCount =
  (row: Row = new Map()): Count =>
  (cell) =>
    Math.max(row.get(cell) ?? 0, 0);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Builds the statistics of a question of a form. `numbers`: the answers that were read, if it asks for numbers. */
export function countQuestion(
  structure: Structure,
  column: TableColumn,
  cells: Cells,
  numbers: readonly number[] = [],
): CountedQuestion {
  const { id, type } = column;
  const row = cells.get(shortName(id));
  const count = toCount(row);
  const common = { column, askedCount: count(ASKED), answeredCount: count(ANSWERED) };
  if (asksForNumber(column.question)) return { ...common, numbers: countNumbers(row, numbers) };
  switch (getTraits(type).counts) {
    case 'choices':
      return { ...common, ...countChoices(structure, column, row) };
    case 'points':
      return { ...common, scale: countPoints(column, row) };
    case 'months':
      return { ...common, dates: countDates(column, row) };
    default:
      return common;
  }
}

/** Counts the choices that can be selected, in their order; a ranking by mean place. */
function countChoices(
  structure: Structure,
  { id: questionId, type }: TableColumn,
  row: Row | undefined,
): Pick<CountedQuestion, 'choices' | 'removedChoicesCount'> {
  const count = toCount(row);
  const isRanked = getTraits(type).isOrdered === true;
  const offered = listChoices(structure, questionId);
  const cells = new Set(offered.map(({ id }) => shortName(id)));
  const removed = [...(row ?? [])].filter(
    ([cell]) => cell !== ASKED && cell !== ANSWERED && !cell.endsWith('>') && !cells.has(cell),
  );
  const choices = offered.map((choice) => {
    const selected = count(shortName(choice.id));
    const meanPlace = selected === 0 ? null : count(nameRankCell(choice.id)) / selected;
    return { choiceId: choice.id, name: choiceName(choice), count: selected, ...(isRanked && { meanPlace }) };
  });
  const place = ({ meanPlace }: { meanPlace?: number | null }): number => meanPlace ?? Number.POSITIVE_INFINITY;
  return {
    choices: isRanked ? choices.toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0)) : choices,
    removedChoicesCount: sum(removed.map(([, number]) => number)),
  };
}

/** Counts the points of a scale, with those that were selected before it changed. */
function countPoints({ question }: TableColumn, row: Row = new Map()): CountedScale {
  const count = toCount(row);
  const { minVal, maxVal } = question?.scale ?? { minVal: 1, maxVal: 0 };
  const offered = Array.from({ length: maxVal - minVal + 1 }, (_, index) => minVal + index);
  const selected = [...row.keys()].filter((cell) => /^\d+$/.test(cell) && count(cell) > 0).map(Number);
  const points = [...new Set([...offered, ...selected])]
    .sort((a, b) => a - b)
    .map((value) => ({ value, count: count(String(value)) }));
  const total = sum(points.map((point) => point.count));
  if (total === 0) return { mean: null, median: null, points };
  const mean = sum(points.map((point) => point.value * point.count)) / total;
  // With an even number of answers it is halfway between the two in the middle.
  const median = (valueAt(points, Math.floor((total - 1) / 2)) + valueAt(points, Math.floor(total / 2))) / 2;
  return { mean, median, points };
}

/** Describes numbers by their mean, extremes and median. */
const countNumbers = (row: Row | undefined, read: readonly number[]): CountedNumbers => ({
  ...readMean(row),
  readCount: read.length,
  ...describe(read),
});

/** Finds the least, the greatest and the middle of some numbers; null without any. */
export function describe(numbers: readonly number[]): {
  min: number | null;
  max: number | null;
  median: number | null;
} {
  if (numbers.length === 0) return { min: null, max: null, median: null };
  const sorted = Float64Array.from(numbers).sort();
  const at = (index: number): number => sorted[Math.floor(index)] ?? 0;
  const middle = (sorted.length - 1) / 2;
  return { min: at(0), max: at(sorted.length - 1), median: (at(middle) + at(middle + 0.5)) / 2 };
}

/** Finds the value at an index of all values in order. */
function valueAt(points: readonly { value: number; count: number }[], index: number): number {
  let before = 0;
  for (const { value, count } of points) {
    before += count;
    if (index < before) return value;
  }
  return points.at(-1)?.value ?? 0;
}

/** Counts dates by month; those of a question without years by month of the year, without months not at all. */
function countDates({ question }: TableColumn, row: Row = new Map()): PeriodCount[] {
  const { hasYear, hasMonth } = question?.date ?? { hasYear: true, hasMonth: true };
  const readPeriod = (cell: string): string | undefined => {
    if (cell === EARLIER) return '<1900';
    if (cell === LATER) return '>2100';
    if (!/^\d{4}-\d\d$/.test(cell)) return undefined;
    if (!hasYear) return hasMonth ? cell.slice(5) : undefined;
    return hasMonth ? cell : cell.slice(0, 4);
  };
  const periods = new Map<string, number>();
  for (const [cell, number] of row) {
    const period = readPeriod(cell);
    if (period !== undefined && number > 0) periods.set(period, (periods.get(period) ?? 0) + number);
  }
  const order = (period: string): string => period.replace('<1900', '0').replace('>2100', '9999');
  return [...periods]
    .map(([period, count]) => ({ period, count }))
    .sort((a, b) => (order(a.period) < order(b.period) ? -1 : 1));
}

// Responses over time.

const MAX_DAYS = 62;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Lists how many responses were submitted on each day, in UTC, by the counters. */
export const listDays = (cells: Cells): Map<string, number> =>
  new Map(
    [...cells]
      .filter(([row]) => isMonth(row))
      .flatMap(([month, row]) =>
        [...row].filter(([, count]) => count > 0).map(([day, count]): [string, number] => [`${month}-${day}`, count]),
      ),
  );

/** Counts submissions by day if they were made within two months, otherwise by month; periods without any included. */
export function countOverTime(submitted: ReadonlyMap<string, number>, timeZone: string): CountedTime {
  const days = [...submitted].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? -1 : 1));
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (first === undefined || last === undefined) return { unit: 'DAY', timeZone, periods: [] };
  const unit = (Date.parse(last) - Date.parse(first)) / DAY_MS < MAX_DAYS ? 'DAY' : 'MONTH';
  const length = unit === 'DAY' ? 10 : 7;
  const counts = new Map<string, number>();
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY_MS) {
    counts.set(new Date(time).toISOString().slice(0, length), 0);
  }
  for (const { day, count } of days) {
    const period = day.slice(0, length);
    counts.set(period, (counts.get(period) ?? 0) + count);
  }
  return { unit, timeZone, periods: [...counts].map(([period, count]) => ({ period, count })) };
}

// Which sections responses reach.

/** Finds the sections that a draft has reached: its path up to the last one with an answer; at least the first. */
export function reachedSections(response: Response, structure: Structure): readonly string[] {
  const answerTo = countedAnswers({ response, structure });
  const path = findPath({ response, structure });
  const last = path.findLastIndex((id) => findSection(structure, id)?.questions.some((each) => answerTo(each.id)));
  return path.slice(0, Math.max(last, 0) + 1);
}

/** Counts the sections of a form, in its order. `drafts`: the sections that each draft has reached. */
export function countSections(
  structure: Structure,
  cells: Cells,
  drafts: readonly (readonly string[])[],
): CountedSection[] {
  const submitted = toCount(cells.get(SECTIONS));
  const reached = Map.groupBy(drafts.flat(), (id) => id);
  const stopped = Map.groupBy(drafts, (sections) => sections.at(-1));
  return displayOrder(structure).map((sectionId) => {
    const submittedCount = submitted(shortName(sectionId));
    return {
      sectionId,
      title: sectionTitle(structure, sectionId),
      reachedCount: submittedCount + (reached.get(sectionId)?.length ?? 0),
      submittedCount,
      stoppedCount: stopped.get(sectionId)?.length ?? 0,
    };
  });
}
