/** Loads the statistics of a form: from its counters, or of the responses that match a filter. */

import { loadAllCells } from '#core/counts/answer-counters.ts';
import { type Counters, countResponses, listSeconds } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { listEntries, loadResponseBatch } from '#core/responses/store.ts';
import { MAX_DRAFT_KB, MAX_READ_KB, NEWEST_RESPONSES } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { type Collected, isListed, type ListedAnswer, openCollector } from './collect.ts';
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
  describe,
  listDays,
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
/** How many responses are read for the newest answers to texts: few, and the others only if they do not fill all lists. */
const FIRST_NEWEST = 10;

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
  /** How long respondents take: the median, null without any, of so many responses. */
  timeToComplete: { medianSeconds: number | null; readCount: number };
  overTime: CountedTime;
  sections: readonly CountedSection[];
  /** `newest`: the newest answers to a question whose answers cannot be counted. */
  questions: readonly (CountedQuestion & { newest?: readonly ListedAnswer[] })[];
  /** How many of the newest responses were read for the texts. */
  readForTexts: number;
  /** Whether all responses were read that match the search. */
  isComplete: boolean;
};

type StatisticsRequest = TableQuery & {
  counters: Counters | undefined;
  timeZone?: string | undefined;
  visit?: Visit | undefined;
};

/**
 * Loads the statistics of the responses that match a query. Without a filter those of a form with more than 200 responses, or
 * with large ones, come from the counters, and are of all of them; otherwise at most the newest 1,000 responses are read. With
 * `visit`, these are read in any case, and it is called with each that matches the search. Numbers may be a second old. `timeZone`:
 * where days begin, of responses that are read; counters have them in UTC.
 */
export async function loadStatistics(
  app: Pick<Ports, 'table' | 'now'>,
  structure: Structure,
  { counters, visit, timeZone = 'UTC', ...query }: StatisticsRequest,
): Promise<LoadedStatistics> {
  const { table } = app;
  const { formId } = structure;
  const isFiltered = !isUnfiltered(query);
  const isCounted = areUsed(counters) && !isFiltered;
  const columns = listColumns(structure).filter(({ question }) => question);
  // Of what is counted, only the newest texts are missing.
  const needsNoResponse = isCounted && !visit && !columns.some(isListed);
  const [counts, counted, read, drafts] = await Promise.all([
    countResponses(table, formId, counters),
    isCounted ? loadAllCells(table, formId, counters) : undefined,
    needsNoResponse
      ? NOTHING_READ
      : readNewest(app, structure, { query, columns, timeZone, visit, listsOnly: isCounted && !visit }),
    isFiltered ? [] : readDrafts(table, structure),
  ]);
  // A form with few responses that are too large to be read: its counters may be some seconds old.
  const isTooLarge = !isCounted && !isFiltered && !read.isComplete && counters?.isComplete === true;
  const cells = counted ?? (isTooLarge ? await loadAllCells(table, formId, counters) : read.cells);
  const isOfCounters = isCounted || isTooLarge;
  const submittedCount = isCounted ? counters.submitted : counts.submittedCount;
  const countedResponses = isOfCounters ? counters.submitted : read.count;
  const seconds = isCounted ? listSeconds(counters.seconds) : read.seconds;
  return {
    formId,
    startedCount: submittedCount + counts.draftCount,
    submittedCount,
    isCounting: !isOfCounters && !isFiltered && !read.isComplete,
    countedResponses,
    countedDrafts: drafts.length,
    timeToComplete: { medianSeconds: describe(seconds).median, readCount: seconds.length },
    overTime: isOfCounters ? countOverTime(listDays(cells), 'UTC') : countOverTime(read.days, timeZone),
    sections: countSections(structure, cells, drafts),
    questions: countQuestions(structure, columns, { ...read, cells }),
    readForTexts: Math.min(read.count, NEWEST_RESPONSES),
    matches: isFiltered ? { count: read.count, isComplete: read.isComplete } : undefined,
    isComplete: read.isComplete,
  };
}

/** Builds the statistics of all responses that match, which were collected one after the other. `timeZone`: of their days. */
export async function statisticsOfAll(
  { table }: Pick<Ports, 'table'>,
  structure: Structure,
  { counters, timeZone = 'UTC', ...query }: Omit<StatisticsRequest, 'visit'>,
  collected: Collected,
): Promise<LoadedStatistics> {
  const { formId } = structure;
  const { count, seconds, days, cells } = collected;
  const isFiltered = !isUnfiltered(query);
  const [counts, drafts] = await Promise.all([
    countResponses(table, formId, counters),
    isFiltered ? [] : readDrafts(table, structure),
  ]);
  const submittedCount = isFiltered ? counts.submittedCount : count;
  const columns = listColumns(structure).filter(({ question }) => question);
  return {
    ...{ formId, startedCount: submittedCount + counts.draftCount, submittedCount, isCounting: false },
    ...{ countedResponses: count, countedDrafts: drafts.length, readForTexts: count },
    timeToComplete: { medianSeconds: describe(seconds).median, readCount: seconds.length },
    overTime: countOverTime(days, timeZone),
    sections: countSections(structure, cells, drafts),
    questions: countQuestions(structure, columns, collected),
    matches: isFiltered ? { count, isComplete: true } : undefined,
    isComplete: true,
  };
}

/** Counts the questions of a form, with the newest answers to those that cannot be counted. */
export const countQuestions = (
  structure: Structure,
  columns: readonly TableColumn[],
  { cells, newest, numbers }: Pick<Collected, 'cells' | 'newest' | 'numbers'>,
): LoadedStatistics['questions'] =>
  columns.map((column) => {
    const listed = newest.get(column.id);
    const counts = countQuestion(structure, column, cells, numbers.get(column.id));
    return { ...counts, ...(listed && { newest: listed }) };
  });

/** Returns the part of the started responses that is submitted; null without any. */
export const completionRate = ({
  startedCount,
  submittedCount,
}: Pick<LoadedStatistics, 'startedCount' | 'submittedCount'>): number | null =>
  startedCount === 0 ? null : submittedCount / startedCount;

/** Presents statistics as the API returns them. */
export function presentStatistics(loaded: LoadedStatistics): Statistics {
  const { isComplete: _, readForTexts: __, isCounting, matches, overTime, sections, questions, ...counts } = loaded;
  return {
    ...counts,
    ...(!matches && { completionRate: completionRate(loaded) }),
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

type Reading = {
  query: TableQuery;
  columns: readonly TableColumn[];
  timeZone: string;
  visit: Visit | undefined;
  /** Whether the responses are read only for the answers that are listed. */
  listsOnly: boolean;
};
type Read = Collected & { isComplete: boolean };

const NOTHING_READ: Read = {
  ...{ count: 0, cells: new Map(), days: new Map(), numbers: new Map(), seconds: [], newest: new Map() },
  isComplete: true,
};

/** Reads the newest responses that match, and adds up what they count. */
async function readNewest(
  app: Pick<Ports, 'table' | 'now'>,
  structure: Structure,
  { query, columns, timeZone, visit, listsOnly }: Reading,
): Promise<Read> {
  const collector = openCollector(structure, columns, { timeZone, descending: true, listsOnly });
  let isComplete = false;
  const amount = visit || !isUnfiltered(query) ? {} : { maxKb: MAX_READ_KB };
  const newestOnly = listsOnly ? { first: FIRST_NEWEST, most: NEWEST_RESPONSES, growth: NEWEST_RESPONSES } : {};
  const reading = { ...amount, ...newestOnly, consistency: 'eventual', visit, descending: true } as const;
  for await (const batch of readMatches(app, structure, query, reading)) {
    batch.responses.forEach(collector.add);
    isComplete = batch.last === null;
    if (listsOnly && collector.isFull()) break;
  }
  return { ...collector.read(), isComplete };
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
