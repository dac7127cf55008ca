/**
 * Adds up what responses count for the statistics, one after the other. What is kept grows with the questions of the form and not
 * with the number of responses, except for numbers and times, of which there is a median: 8 bytes each, up to a limit.
 */

import { addCells, type CellSums, type Cells, listCells } from '#core/counts/cells.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import { type Answer, type Response, secondsToComplete } from '#core/responses/model.ts';
import { dayFormat } from '#core/schema/format.ts';
import { NEWEST_RESPONSES } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { asksForNumber, toNumber } from '#core/structure/types/formats.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { displayValue } from '#core/structure/types/types.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import type { TableColumn } from './table.ts';

/** How many of the newest answers to a text are listed, and how long they are. */
export const MAX_NEWEST = 5;
const MAX_TEXT = 200;
/** How many numbers are kept for medians; if there are more, there are no medians of them. */
const MAX_KEPT = 4_000_000;

/** An answer that is listed, shortened; with its files, if it has some. */
export type ListedAnswer = {
  responseId: string;
  submittedAt: string;
  text: string;
  files?: { fileId: string; originalFilename: string }[];
};

/** What some responses count. */
export type Collected = {
  /** How many responses there were. */
  count: number;
  cells: Cells;
  /** How many were submitted on each day. */
  days: ReadonlyMap<string, number>;
  /** The numbers among the answers, by question. */
  numbers: ReadonlyMap<string, readonly number[]>;
  /** The seconds from the start of each response to its submission. */
  seconds: readonly number[];
  /** The newest answers to the questions that are listed, newest first. */
  newest: ReadonlyMap<string, readonly ListedAnswer[]>;
};

/** Whether the answers to a question are listed, because they cannot be counted. */
export const isListed = ({ type }: TableColumn): boolean => getTraits(type).counts === undefined;

/**
 * `timeZone`: where the days begin. `descending`: the newest responses come first; the newest answers are then those of the first 100.
 * `listsOnly`: only listed answers and numbers are collected; counters have the rest.
 */
type Collecting = { timeZone: string; descending: boolean; listsOnly?: boolean };

/** Begins to collect what responses count. `columns`: the questions of the form. */
export function openCollector(
  structure: Structure,
  columns: readonly TableColumn[],
  { timeZone, descending, listsOnly = false }: Collecting,
): { add: (response: Response) => void; isFull: () => boolean; read: () => Collected } {
  const cells: CellSums = new Map();
  const days = new Map<string, number>();
  const dayOf = dayFormat(timeZone);
  const lists = columns.filter(isListed).map(({ id }): [string, Found[]] => [id, []]);
  const numbers = columns
    .filter(({ question }) => asksForNumber(question))
    .map(({ id }): [string, number[]] => [id, []]);
  const seconds: number[] = [];
  let [count, kept] = [0, 0];
  const keep = (list: number[], value: number): void => {
    if (kept < MAX_KEPT) list.push(value);
    // The median of a part would look like that of all.
    else if (kept === MAX_KEPT) for (const each of [seconds, ...numbers.map(([, values]) => values)]) each.length = 0;
    kept += 1;
  };
  const addAnswers = (response: Response): void => {
    if (lists.length === 0 && numbers.length === 0) return;
    const answerTo = countedAnswers({ response, structure });
    for (const [id, values] of numbers) {
      const number = toNumber(String(answerTo(id)?.value ?? ''));
      if (number !== undefined) keep(values, number);
    }
    for (const [id, found] of lists) {
      if (descending && (found.length === MAX_NEWEST || count >= NEWEST_RESPONSES)) continue;
      const answer = answerTo(id);
      if (!answer || response.submittedAt === null) continue;
      found.push({ responseId: response.id, submittedAt: response.submittedAt, answer });
      if (found.length > MAX_NEWEST) found.shift();
    }
  };
  const addCounts = (response: Response): void => {
    addCells(cells, listCells(response, structure));
    if (response.submittedAt === null) return;
    const day = dayOf(response.submittedAt);
    days.set(day, (days.get(day) ?? 0) + 1);
    keep(seconds, secondsToComplete(response));
  };
  return {
    add: (response) => {
      addAnswers(response);
      if (!listsOnly) addCounts(response);
      count += 1;
    },
    isFull: () => lists.every(([, { length }]) => length === MAX_NEWEST),
    read: () => ({
      count,
      cells,
      days,
      numbers: new Map(numbers),
      seconds,
      newest: new Map(lists.map(([id, found]) => [id, (descending ? found : found.toReversed()).map(listAnswer)])),
    }),
  };
}

type Found = { responseId: string; submittedAt: string; answer: Answer };

function listAnswer({ responseId, submittedAt, answer }: Found): ListedAnswer {
  const text = displayValue(answer);
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  const files = attachedFiles(answer).map(({ fileId, originalFilename }) => ({ fileId, originalFilename }));
  return { responseId, submittedAt, text: shown.toWellFormed(), ...(files.length > 0 && { files }) };
}
