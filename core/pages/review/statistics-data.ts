/** Loads the data of the page of statistics. */
import type { Counters } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Count } from '#core/exports/counts-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { listCountedValues } from '#core/table/counted.ts';
import type { Facets } from '#core/table/facets.ts';
import { type LoadedStatistics, loadStatistics } from '#core/table/statistics-data.ts';
import { listColumns, type TableColumn } from '#core/table/table.ts';
import { type ListAddress, toTableQuery } from './list-address.ts';

/** Questions of a page, so that one with many choices stays small. */
export const QUESTIONS_OF_PAGE = 30;
/** Questions by which the page can be filtered. */
const MAX_FILTERS = 20;

export type StatisticsPage = {
  structure: Structure;
  address: ListAddress;
  statistics: LoadedStatistics;
  /** The job that has counted the statistics, if they are of all responses that match. */
  ofAll?: Count | undefined;
  counters?: Counters | undefined;
  /** The index of the first question of the page. */
  from: number;
  /** The open filter, and the questions that it has. */
  facets: Facets | undefined;
  columns: readonly TableColumn[];
};

export type StatisticsRequest = {
  structure: Structure;
  counters: Counters | undefined;
  address: ListAddress;
  /** Where the days of the reader begin. */
  timeZone: string;
  /** The number of the first question, from the address. */
  from: string;
};

/** Loads the statistics at an address. Filters of unknown questions are ignored. */
export async function loadStatisticsPage(
  app: Pick<Ports, 'table' | 'now'>,
  { structure, counters, timeZone, from, ...request }: StatisticsRequest,
): Promise<StatisticsPage> {
  const columns = listColumns(structure);
  const known = new Set(columns.map(({ id }) => id));
  const filters = request.address.filters.filter(({ questionId }) => known.has(questionId));
  const address = { ...request.address, filters };
  const isFiltered = (id: string): boolean => filters.some(({ questionId }) => questionId === id);
  const standard = columns.filter(({ question }) => question).slice(0, MAX_FILTERS);
  const offered = columns.filter((column) => isFiltered(column.id) || standard.includes(column));
  const filterable = offered.filter(({ id, type }) => isFiltered(id) || !getTraits(type).isDistinct);
  // Few requests show the filter.
  const plan = address.isFiltering
    ? (await import('#core/table/facets.ts')).planFacets(structure, {
        columns: filterable,
        query: toTableQuery(address),
        counters,
        requested: address.facetId,
      })
    : undefined;
  const [statistics, counted] = await Promise.all([
    loadStatistics(app, structure, { ...toTableQuery(address), counters, timeZone, visit: plan?.visit }),
    listCountedValues(app.table, structure, counters, plan?.counted ?? []),
  ]);
  const facets = plan?.build(counted, statistics.isComplete);
  return { structure, address, statistics, from: findFirst(from, statistics), facets, columns: offered };
}

/** Returns what the page shows of statistics that a job has counted. */
export const showCounted = (
  statistics: LoadedStatistics,
  { structure, address, from }: StatisticsRequest,
): StatisticsPage => ({
  ...{ structure, address, statistics },
  from: findFirst(from, statistics),
  facets: undefined,
  columns: listColumns(structure),
});

/** Finds the index of the first question of a page from its number in the address. */
function findFirst(from: string, { questions }: LoadedStatistics): number {
  const first = /^\d{1,3}$/.test(from) ? Number(from) - 1 : 0;
  return first >= 0 && first < questions.length ? first : 0;
}
