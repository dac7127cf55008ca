/**
 * The values by which a table of responses can be filtered: the distinct answers to several questions with the number
 * of responses that have each, found in one pass over at most 1,000 responses.
 */
import type { Ports } from '#core/db/ports.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { choicesOf, type Structure } from '#core/structure/structure.ts';
import { choiceNames, distinctValues, matchesFilter } from './filter.ts';
import type { FilterInput } from './model.ts';
import { submittedPages } from './submitted.ts';
import type { TableColumn } from './table.ts';

const MAX_PAGES = 10;
/** The most values of a question that are listed, besides those that are selected. */
const MAX_VALUES = 100;
/** Longer texts are not listed: the address of a page has to hold the selected ones. */
const MAX_VALUE_LENGTH = 200;

type Filters = FilterInput['filters'];

type FacetValue = { matchValue: string; displayValue: string; count: number; selected: boolean };
/** The values of a question; `isCut`: it has more values than are listed. */
export type Facet = { column: TableColumn; values: readonly FacetValue[]; isCut: boolean };
/** `isComplete`: all submitted responses were looked at. */
export type Facets = { facets: readonly Facet[]; isComplete: boolean };

/**
 * The values of some columns. Each question is counted in the responses that match the filters of the other questions;
 * selected values are always listed. There is at most one filter for each question.
 */
export async function facetsOf(
  { table }: Pick<Ports, 'table'>,
  structure: Structure,
  { columns, filters }: { columns: readonly TableColumn[]; filters: Filters },
): Promise<Facets> {
  const found = new Map(columns.map((column) => [column.id, selectedValues(structure, column, filters)]));
  const names = new Map(columns.map(({ id }) => [id, choiceNames(structure, id)]));
  const cut = new Set<string>();
  let isComplete = false;
  for await (const page of submittedPages(table, structure.formId, { maxPages: MAX_PAGES })) {
    for (const response of page.responses) {
      const answerTo = countedAnswers({ response, structure });
      const failing = filters.filter((filter) => !matchesFilter([filter], answerTo));
      if (failing.length > 1) continue;
      for (const { id } of columns) {
        const answer = failing.every(({ questionId }) => questionId === id) ? answerTo(id) : undefined;
        const values = found.get(id);
        if (!answer || !values) continue;
        for (const value of distinctValues(answer, names.get(id) ?? new Map())) {
          if (!count(values, value)) cut.add(id);
        }
      }
    }
    isComplete = page.last === null;
  }
  const facets = columns.map((column) => ({
    column,
    values: sorted(structure, column, [...(found.get(column.id)?.values() ?? [])]),
    isCut: cut.has(column.id),
  }));
  return { facets, isComplete };
}

/** Counts a value; false if it cannot be listed. */
function count(
  values: Map<string, FacetValue>,
  { matchValue, displayValue }: { matchValue: string; displayValue: string },
): boolean {
  const known = values.get(matchValue);
  if (!known && (values.size >= MAX_VALUES || matchValue.length > MAX_VALUE_LENGTH)) return false;
  values.set(matchValue, {
    matchValue,
    displayValue,
    count: (known?.count ?? 0) + 1,
    selected: known?.selected ?? false,
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

/** How an option of a filter is shown: the name of a choice, or the option itself. */
export const optionName = (structure: Structure, questionId: string, option: string): string =>
  choiceNames(structure, questionId).get(option) ?? option;

/** Choices in the order of the question, everything else by its text, numbers by their size. */
function sorted(structure: Structure, { id }: TableColumn, values: FacetValue[]): FacetValue[] {
  const order = new Map(choicesOf(structure, id).map((choice, index) => [choice.id, index]));
  const place = ({ matchValue }: FacetValue): number => order.get(matchValue) ?? order.size;
  return values.sort(
    (a, b) => place(a) - place(b) || a.displayValue.localeCompare(b.displayValue, 'en', { numeric: true }),
  );
}
