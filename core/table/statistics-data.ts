/** Loads the statistics of a form: from its counters, or of the responses that match a filter. */

import { loadAllCells } from '#core/counts/answer-counters.ts';
import { addCells, type CellSums, type Cells, listCells } from '#core/counts/cells.ts';
import { type Counters, countResponses } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import type { Response } from '#core/responses/model.ts';
import { listEntries, loadResponseBatch } from '#core/responses/store.ts';
import { MAX_DRAFT_KB, MAX_READ_KB, NEWEST_RESPONSES } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { asksForNumber, toNumber } from '#core/structure/types/formats.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { displayValue } from '#core/structure/types/types.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import { areUsed } from './counted.ts';
import { isUnfiltered, readMatches, type TableQuery, type Visit } from './matches.ts';
import type { MatchCount } from './page.ts';
import {
  type CountedQuestion,
  type CountedSection,
  type CountedTime,
  countOverTime,
  countQuestion,
  countSections,
  reachedSections,
} from './statistics.ts';
import type { Statistics } from './statistics-model.ts';
import { listColumns, type TableColumn } from './table.ts';

/**
 * How many of the newest drafts are read to find the sections that they have reached, and for how long they are followed
 * through the form; the last one may take half a second more, of the second that a request may take.
 */
const MAX_DRAFTS = 100;
const MAX_DRAFT_MS = 300;
/** How many of the newest answers to a text are listed, and how long they are. */
const MAX_NEWEST = 5;
/** How many responses are read for these answers: few, and the others only if they do not fill all lists. */
const FIRST_NEWEST = 10;
const MAX_TEXT = 200;

/** An answer that is listed, shortened; with its files, if it has some. */
export type ListedAnswer = {
  responseId: string;
  submittedAt: string;
  text: string;
  files?: { fileId: string; originalFilename: string }[];
};

/** The statistics of a form, of all responses or of those that match a filter. */
export type LoadedStatistics = {
  formId: string;
  /** Drafts and submitted responses of the form. */
  startedCount: number;
  submittedCount: number;
  /** Whether the first responses are still being counted. */
  isCounting: boolean;
  /** How many responses match; undefined without a filter. */
  matches: MatchCount | undefined;
  /** The submitted responses and the drafts that the numbers below are of. */
  countedResponses: number;
  countedDrafts: number;
  overTime: CountedTime;
  sections: readonly CountedSection[];
  /** `newest`: the newest answers to a question whose answers cannot be counted. */
  questions: readonly (CountedQuestion & { newest?: readonly ListedAnswer[] })[];
  /** How many of the newest responses were read for the texts. */
  readForTexts: number;
  /** Whether all responses were read that match the search. */
  isComplete: boolean;
};

/**
 * Loads the statistics of the responses that match a query. Without a filter those of a form with more than 200 responses, or
 * with large ones, come from the counters, and are of all of them; otherwise at most the newest 1,000 responses are read. With
 * `visit`, these are read in any case, and it is called with each that matches the search. Numbers may be a second old.
 */
export async function loadStatistics(
  app: Pick<Ports, 'table' | 'now'>,
  structure: Structure,
  { counters, visit, ...query }: TableQuery & { counters: Counters | undefined; visit?: Visit | undefined },
): Promise<LoadedStatistics> {
  const { table } = app;
  const { formId } = structure;
  const isFiltered = !isUnfiltered(query);
  const isCounted = areUsed(counters) && !isFiltered;
  const columns = listColumns(structure).filter(({ question }) => question);
  const [counts, counted, read, drafts] = await Promise.all([
    countResponses(table, formId, counters),
    isCounted ? loadAllCells(table, formId, counters) : undefined,
    // Of what is counted, only the newest texts are missing.
    isCounted && !visit && !columns.some(isListed)
      ? NOTHING_READ
      : readNewest(app, structure, { query, columns, visit, listsOnly: isCounted && !visit }),
    isFiltered ? [] : readDrafts(table, structure),
  ]);
  // A form with few responses that are too large to be read: its counters may be some seconds old.
  const isTooLarge = !isCounted && !isFiltered && !read.isComplete && counters?.isComplete === true;
  const cells = counted ?? (isTooLarge ? await loadAllCells(table, formId, counters) : read.cells);
  const isOfCounters = isCounted || isTooLarge;
  const submittedCount = isCounted ? counters.submitted : counts.submittedCount;
  const countedResponses = isOfCounters ? counters.submitted : read.count;
  return {
    formId,
    startedCount: submittedCount + counts.draftCount,
    submittedCount,
    isCounting: !isOfCounters && !isFiltered && !read.isComplete,
    countedResponses,
    countedDrafts: drafts.length,
    overTime: countOverTime(cells),
    sections: countSections(structure, cells, drafts),
    questions: columns.map((column) => {
      const newest = read.newest.get(column.id);
      const counts = countQuestion(structure, column, cells, read.numbers.get(column.id));
      return { ...counts, ...(newest && { newest }) };
    }),
    readForTexts: Math.min(read.count, NEWEST_RESPONSES),
    matches: isFiltered ? { count: read.count, isComplete: read.isComplete } : undefined,
    isComplete: read.isComplete,
  };
}

/** Presents statistics as the API returns them. */
export function presentStatistics(loaded: LoadedStatistics): Statistics {
  const { isComplete: _, readForTexts: __, isCounting, matches, overTime, sections, questions, ...counts } = loaded;
  return {
    ...counts,
    ...(isCounting && { counting: true }),
    ...(matches && { matches }),
    overTime: { ...overTime, periods: [...overTime.periods] },
    sections: [...sections],
    questions: questions.map(({ column, choices, scale, dates, newest, ...question }) => ({
      ...{ questionId: column.id, sectionId: column.sectionId, title: column.title, type: column.type },
      ...question,
      ...(choices && { choices: [...choices] }),
      ...(scale && { scale: { ...scale, points: [...scale.points] } }),
      ...(dates && { dates: [...dates] }),
      ...(newest && { newest: [...newest] }),
    })),
  };
}

/** Whether the answers to a question are listed, because they cannot be counted. */
const isListed = ({ type }: TableColumn): boolean => getTraits(type).counts === undefined;

type Reading = {
  query: TableQuery;
  columns: readonly TableColumn[];
  visit: Visit | undefined;
  /** Whether the responses are read only for the answers that are listed. */
  listsOnly: boolean;
};
type Read = {
  cells: Cells;
  /** The newest answers to the questions that are listed, among the first 100 responses that match. */
  newest: ReadonlyMap<string, ListedAnswer[]>;
  /** The numbers among the answers that were read, by question. */
  numbers: ReadonlyMap<string, number[]>;
  count: number;
  isComplete: boolean;
};

const NOTHING_READ: Read = { cells: new Map(), newest: new Map(), numbers: new Map(), count: 0, isComplete: true };

/** Reads the newest responses that match, and adds up what they count. */
async function readNewest(
  app: Pick<Ports, 'table' | 'now'>,
  structure: Structure,
  { query, columns, visit, listsOnly }: Reading,
): Promise<Read> {
  const cells: CellSums = new Map();
  const newest = new Map(columns.filter(isListed).map(({ id }): [string, ListedAnswer[]] => [id, []]));
  const numbers = new Map(
    columns.filter(({ question }) => asksForNumber(question)).map(({ id }): [string, number[]] => [id, []]),
  );
  let [count, isComplete] = [0, false];
  const amount = visit || !isUnfiltered(query) ? {} : { maxKb: MAX_READ_KB };
  const newestOnly = listsOnly ? { first: FIRST_NEWEST, most: NEWEST_RESPONSES, growth: NEWEST_RESPONSES } : {};
  const reading = { ...amount, ...newestOnly, consistency: 'eventual', visit, descending: true } as const;
  for await (const batch of readMatches(app, structure, query, reading)) {
    for (const response of batch.responses) {
      if (count < NEWEST_RESPONSES) addNewest(newest, response, structure);
      addNumbers(numbers, response, structure);
      if (!listsOnly) addCells(cells, listCells(response, structure));
      count += 1;
    }
    isComplete = batch.last === null;
    if (listsOnly && newest.values().every(({ length }) => length === MAX_NEWEST)) break;
  }
  return { cells, newest, numbers, count, isComplete };
}

/** Adds the answers of a response that are numbers. */
function addNumbers(numbers: ReadonlyMap<string, number[]>, response: Response, structure: Structure): void {
  if (numbers.size === 0) return;
  const answerTo = countedAnswers({ response, structure });
  for (const [id, found] of numbers) {
    const number = toNumber(String(answerTo(id)?.value ?? ''));
    if (number !== undefined) found.push(number);
  }
}

/** Adds the answers of a response to those lists that are not full. */
function addNewest(newest: ReadonlyMap<string, ListedAnswer[]>, response: Response, structure: Structure): void {
  const answerTo = countedAnswers({ response, structure });
  for (const [id, answers] of newest) {
    const answer = answers.length < MAX_NEWEST ? answerTo(id) : undefined;
    if (!answer || response.submittedAt === null) continue;
    const text = displayValue(answer);
    const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
    const files = attachedFiles(answer).map(({ fileId, originalFilename }) => ({ fileId, originalFilename }));
    answers.push({
      responseId: response.id,
      submittedAt: response.submittedAt,
      text: shown.toWellFormed(),
      ...(files.length > 0 && { files }),
    });
  }
}

/**
 * Finds the sections that the newest drafts have reached. They are read, not counted: which section a draft has reached
 * follows from the form as it is now, so a counter would be wrong after each change of its questions or rules.
 */
async function readDrafts(table: Table, structure: Structure): Promise<(readonly string[])[]> {
  const { formId } = structure;
  const range = { limit: MAX_DRAFTS, maxKb: MAX_DRAFT_KB, descending: true };
  const listed = await listEntries(table, formId, ['DRAFT'], range);
  const { responses } = await loadResponseBatch(table, formId, ['DRAFT'], listed, 'eventual');
  const reached: (readonly string[])[] = [];
  const before = process.threadCpuUsage();
  for (const response of responses) {
    reached.push(reachedSections(response, structure));
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > MAX_DRAFT_MS * 1_000) break;
  }
  return reached;
}
