/**
 * The values by which a table of responses can be filtered: the distinct answers to several questions with the number
 * of responses that have each. Those of choices and scales come from the counters, if nothing else is filtered. Others are
 * counted while the responses of the table are read, at most 1,000; they are not read for these values alone, unless that
 * is asked for. Pure.
 */

import type { Counters } from '#core/counts/counters.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import type { Response } from '#core/responses/model.ts';
import { shortName } from '#core/schema/schema.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';
import { areUsed, type CountedValue, type CountedValues, isCounted } from './counted.ts';
import { buildFilter, choiceNames, distinctValues } from './filter.ts';
import { isUnfiltered, type TableQuery, type Visit } from './matches.ts';
import type { FilterInput } from './model.ts';
import type { TableColumn } from './table.ts';

/** The most values of a question that are listed, in addition to those that are selected. */
const MAX_VALUES = 100;
/** The most values of a question that are counted in responses, so that memory is bounded. */
const MAX_FOUND = 300;
/** Longer texts are not listed: the address of a page has to hold the selected ones. */
const MAX_VALUE_LENGTH = 200;

type Filters = FilterInput['filters'];

type FacetValue = { matchValue: string; displayValue: string; count: number; selected: boolean };
/**
 * The values of a question; `isTruncated`: it has more values than are listed. `unlisted`: values that are listed when the
 * reader asks for them, since responses have to be read: all, or those of choices that the question does not offer any more.
 */
export type Facet = {
  column: TableColumn;
  values: readonly FacetValue[];
  isTruncated: boolean;
  unlisted: 'all' | 'removed' | undefined;
};
/** `isComplete`: all submitted responses were counted. */
export type Facets = { facets: readonly Facet[]; isComplete: boolean };

type FacetRequest = {
  columns: readonly TableColumn[];
  /** With at most one entry for each question. */
  query: TableQuery;
  counters: Counters | undefined;
  /** The question whose unlisted values are asked for. */
  requested: string | undefined;
};

/**
 * How facets are counted: the values of `counted` are loaded, each response of the search is visited, then they are built.
 */
export type FacetPlan = {
  counted: readonly TableColumn[];
  /** Undefined if no response has to be read. */
  visit: Visit | undefined;
  /** `isComplete`: all responses of the search were visited. */
  build(counted: ReadonlyMap<string, CountedValues>, isComplete: boolean): Facets;
};

/**
 * Plans how to count the values of some columns. Each question is counted in the responses that match the search and the
 * filters of the other questions; selected values are always listed.
 */
export function planFacets(structure: Structure, request: FacetRequest): FacetPlan {
  const { columns, query, counters, requested } = request;
  const { filters } = query;
  const isAlone = (column: TableColumn): boolean =>
    isUnfiltered({ ...query, filters: filters.filter(({ questionId }) => questionId !== column.id) });
  const counted = areUsed(counters) ? columns.filter((column) => isCounted(column) && isAlone(column)) : [];
  // If responses are read, all the other columns are counted in them at no further cost.
  const isReading = !areUsed(counters) || !isUnfiltered(query) || columns.some(({ id }) => id === requested);
  const visited = columns.filter((column) => column.id === requested || !counted.includes(column));
  const { visit, found } = countVisited(structure, isReading ? visited : [], { counted, filters });
  return {
    counted,
    visit: isReading ? visit : undefined,
    build: (listed, isComplete) => ({
      facets: columns.map((column) =>
        buildFacet(structure, column, { filters, listed: listed.get(column.id), found: found.get(column.id) }),
      ),
      isComplete: !isReading || isComplete,
    }),
  };
}

/** The values that were found in responses. */
type Found = { values: Map<string, CountedValue>; isTruncated: boolean };

/** Counts the values of some columns in visited responses; of those that are counted, only those of removed choices. */
function countVisited(
  structure: Structure,
  columns: readonly TableColumn[],
  { counted, filters }: { counted: readonly TableColumn[]; filters: Filters },
): { visit: Visit; found: ReadonlyMap<string, Found> } {
  const found = new Map(columns.map(({ id }): [string, Found] => [id, { values: new Map(), isTruncated: false }]));
  const names = new Map(columns.map(({ id }) => [id, choiceNames(structure, id)]));
  const questions = new Map(columns.map(({ id, question }) => [id, question]));
  const countedIds = new Set(counted.map(({ id }) => id));
  const filter = buildFilter(structure, filters);
  const visit = (response: Response): void => {
    const answerTo = countedAnswers({ response, structure });
    const failing = filter.listFailing(answerTo);
    if (failing.length > 1) return;
    for (const [id, of] of found) {
      const answer = failing.every((questionId) => questionId === id) ? answerTo(id) : undefined;
      const offered = names.get(id) ?? new Map();
      for (const value of answer ? distinctValues(answer, questions.get(id), offered) : []) {
        if (!countedIds.has(id) || !offered.has(value.matchValue)) addValue(of, value);
      }
    }
  };
  return { visit, found };
}

function addValue(found: Found, { matchValue, displayValue }: Omit<CountedValue, 'count'>): void {
  const count = found.values.get(matchValue)?.count ?? 0;
  if (count === 0 && found.values.size >= MAX_FOUND) found.isTruncated = true;
  else found.values.set(matchValue, { matchValue, displayValue, count: count + 1 });
}

function buildFacet(
  structure: Structure,
  column: TableColumn,
  { filters, listed, found }: { filters: Filters; listed: CountedValues | undefined; found: Found | undefined },
): Facet {
  // The counters know how often a removed choice was selected, the responses its name.
  const named = [...(found?.values.values() ?? [])].flatMap((value): CountedValue[] => {
    const count = listed ? listed.unnamed.get(shortName(value.matchValue)) : value.count;
    return count === undefined ? [] : [{ ...value, count }];
  });
  const isIncomplete = listed !== undefined && named.length < listed.unnamed.size;
  const values = selectedValues(structure, column, filters);
  let isTruncated = found?.isTruncated === true || (found !== undefined && isIncomplete);
  for (const { matchValue, displayValue, count } of [...(listed?.values ?? []), ...named]) {
    const selected = values.has(matchValue);
    const isListed = selected || (values.size < MAX_VALUES && matchValue.length <= MAX_VALUE_LENGTH);
    if (isListed) values.set(matchValue, { matchValue, displayValue, count, selected });
    else isTruncated = true;
  }
  const unlisted = found ? undefined : !listed ? 'all' : isIncomplete ? 'removed' : undefined;
  return { column, values: sortValues(structure, column, [...values.values()]), isTruncated, unlisted };
}

function selectedValues(structure: Structure, { id }: TableColumn, filters: Filters): Map<string, FacetValue> {
  const options = filters.filter(({ questionId }) => questionId === id).flatMap(({ answers = [] }) => answers);
  const names = choiceNames(structure, id);
  return new Map(
    options.map(({ option }) => [
      option,
      { matchValue: option, displayValue: names.get(option) ?? option, count: 0, selected: true },
    ]),
  );
}

/** Sorts choices in the order of the question, everything else by its text, numbers by their size. */
function sortValues(structure: Structure, { id }: TableColumn, values: FacetValue[]): FacetValue[] {
  const order = new Map(listChoices(structure, id).map((choice, index) => [choice.id, index]));
  const getRank = ({ matchValue }: FacetValue): number => order.get(matchValue) ?? order.size;
  return values.sort(
    (a, b) => getRank(a) - getRank(b) || a.displayValue.localeCompare(b.displayValue, 'en', { numeric: true }),
  );
}
