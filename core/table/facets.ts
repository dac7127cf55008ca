/**
 * The values by which a table of responses can be filtered: the distinct answers to several questions with the number
 * of responses that have each. Those of choices and scales come from the counters, if no other question is filtered;
 * others are found in one pass over at most 1,000 responses.
 */
import type { Counters } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';
import { areUsed, isCounted, listCountedValues } from './counted.ts';
import { choiceNames, distinctValues, matchesFilter } from './filter.ts';
import type { FilterInput } from './model.ts';
import { readSubmittedBatches } from './submitted.ts';
import type { TableColumn } from './table.ts';

const MAX_BATCHES = 10;
/** The most values of a question that are listed, besides those that are selected. */
const MAX_VALUES = 100;
/** Longer texts are not listed: the address of a page has to hold the selected ones. */
const MAX_VALUE_LENGTH = 200;

type Filters = FilterInput['filters'];

type FacetValue = { matchValue: string; displayValue: string; count: number; selected: boolean };
/** The values of a question; `isTruncated`: it has more values than are listed. */
export type Facet = { column: TableColumn; values: readonly FacetValue[]; isTruncated: boolean };
/** `isComplete`: all submitted responses were counted. */
export type Facets = { facets: readonly Facet[]; isComplete: boolean };

type FacetRequest = { columns: readonly TableColumn[]; filters: Filters };

/**
 * Counts the values of some columns. Each question is counted in the responses that match the filters of the other questions;
 * selected values are always listed. There is at most one filter for each question.
 */
export async function countFacets(
  { table }: Pick<Ports, 'table'>,
  structure: Structure,
  { columns, filters, counters }: FacetRequest & { counters: Counters | undefined },
): Promise<Facets> {
  const isUnfiltered = ({ id }: TableColumn): boolean => filters.every(({ questionId }) => questionId === id);
  const counted = areUsed(counters) ? columns.filter((column) => isCounted(column) && isUnfiltered(column)) : [];
  const rest = columns.filter((column) => !counted.includes(column));
  const [listed, read] = await Promise.all([
    counters ? listCountedValues(table, structure, counters, counted) : undefined,
    countByReading(table, structure, { columns: rest, filters }),
  ]);
  const facets = columns.map((column): Facet => {
    const values = selectedValues(structure, column, filters);
    const { values: countedValues, isComplete } = listed?.get(column.id) ?? { values: [], isComplete: true };
    const isListed = countedValues.map((value) => countValue(values, value, value.count));
    return (
      read.facets.get(column.id) ?? {
        column,
        values: sortValues(structure, column, [...values.values()]),
        isTruncated: !isComplete || isListed.includes(false),
      }
    );
  });
  return { facets, isComplete: read.isComplete };
}

/** Counts the values of some columns in at most 1,000 responses. */
async function countByReading(
  table: Table,
  structure: Structure,
  { columns, filters }: FacetRequest,
): Promise<{ facets: ReadonlyMap<string, Facet>; isComplete: boolean }> {
  if (columns.length === 0) return { facets: new Map(), isComplete: true };
  const valuesByColumn = new Map(columns.map((column) => [column.id, selectedValues(structure, column, filters)]));
  const names = new Map(columns.map(({ id }) => [id, choiceNames(structure, id)]));
  const truncatedIds = new Set<string>();
  let isComplete = false;
  for await (const batch of readSubmittedBatches(table, structure.formId, { maxBatches: MAX_BATCHES })) {
    for (const response of batch.responses) {
      const answerTo = countedAnswers({ response, structure });
      const failing = filters.filter((filter) => !matchesFilter([filter], answerTo));
      if (failing.length > 1) continue;
      for (const { id } of columns) {
        const answer = failing.every(({ questionId }) => questionId === id) ? answerTo(id) : undefined;
        const values = valuesByColumn.get(id);
        if (!answer || !values) continue;
        for (const value of distinctValues(answer, names.get(id) ?? new Map())) {
          if (!countValue(values, value, 1)) truncatedIds.add(id);
        }
      }
    }
    isComplete = batch.last === null;
  }
  const facets = columns.map((column): [string, Facet] => {
    const values = sortValues(structure, column, [...(valuesByColumn.get(column.id)?.values() ?? [])]);
    return [column.id, { column, values, isTruncated: truncatedIds.has(column.id) }];
  });
  return { facets: new Map(facets), isComplete };
}

/** Adds the count of a value; false if it cannot be listed. */
function countValue(
  values: Map<string, FacetValue>,
  { matchValue, displayValue }: { matchValue: string; displayValue: string },
  count: number,
): boolean {
  const existing = values.get(matchValue);
  if (!existing && (values.size >= MAX_VALUES || matchValue.length > MAX_VALUE_LENGTH)) return false;
  values.set(matchValue, {
    matchValue,
    displayValue,
    count: (existing?.count ?? 0) + count,
    selected: existing?.selected ?? false,
  });
  return true;
}

function selectedValues(structure: Structure, { id }: TableColumn, filters: Filters): Map<string, FacetValue> {
  const options = filters.filter(({ questionId }) => questionId === id).flatMap(({ answers }) => answers);
  return new Map(
    options.map(({ option }) => [
      option,
      { matchValue: option, displayValue: optionName(structure, id, option), count: 0, selected: true },
    ]),
  );
}

/** Returns the name of an option of a filter: the name of a choice, or the option itself. */
export const optionName = (structure: Structure, questionId: string, option: string): string =>
  choiceNames(structure, questionId).get(option) ?? option;

/** Sorts choices in the order of the question, everything else by its text, numbers by their size. */
function sortValues(structure: Structure, { id }: TableColumn, values: FacetValue[]): FacetValue[] {
  const order = new Map(listChoices(structure, id).map((choice, index) => [choice.id, index]));
  const rankOf = ({ matchValue }: FacetValue): number => order.get(matchValue) ?? order.size;
  return values.sort(
    (a, b) => rankOf(a) - rankOf(b) || a.displayValue.localeCompare(b.displayValue, 'en', { numeric: true }),
  );
}
