/** Loads the data of the table of responses. */

import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
import { countResponses, loadCounters, type ResponseCounts } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import { type Gate, isOpen } from '#core/forms/gate.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import type { Answer } from '#core/responses/model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { traitsOf } from '#core/structure/types/traits.ts';
import { countFacets, type Facets } from '#core/table/facets.ts';
import { presentHighlight } from '#core/table/highlight.ts';
import type { HighlightDocument } from '#core/table/highlight-model.ts';
import {
  countMatches,
  isUnfiltered,
  listMatchingResponses,
  listSortedResponses,
  MAX_SEARCHED,
} from '#core/table/search.ts';
import { isSortable } from '#core/table/sort.ts';
import { answersInTable, listColumns, type TableColumn } from '#core/table/table.ts';
import type { View as TableView, Views } from '#core/views/model.ts';
import { listViewColumns } from './columns.ts';
import { type ListAddress, toTableQuery } from './list-address.ts';

/** Columns of the table without a view. */
const STANDARD_COLUMNS = 20;
/** Rows of a page of a table with many columns, so that the page stays small. */
const ROWS_OF_WIDE_TABLES = 10;
const WIDE_COLUMNS = 60;

export type TableRow = {
  id: string;
  respondent: ShortUser;
  submittedAt: string | null;
  /** In the order of the columns. */
  answers: readonly (Answer | undefined)[];
};

export type TablePage = {
  gate: Gate;
  structure: Structure;
  address: ListAddress;
  isOpen: boolean;
  views: readonly TableView[];
  current: TableView | undefined;
  columns: readonly TableColumn[];
  /** How many columns there would be, without a limit. */
  allColumns: number;
  rows: readonly TableRow[];
  /** The cursor before which the previous page is; null on the first page. */
  previous: string | null;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** How many responses match the filter and the search; undefined without them. */
  matches: { count: number; isComplete: boolean } | undefined;
  /** The form has too many responses to be sorted by answers. */
  isTooLargeToSort: boolean;
  counts: ResponseCounts;
  highlight: HighlightDocument;
  /** The open filter. */
  facets: Facets | undefined;
};

type Opened = { gate: Gate; structure: Structure; views: Views; address: ListAddress };

/** Loads the table at an address. A removed view or question is ignored. Throws 400 for a cursor of another list. */
export async function loadTablePage(app: Pick<Ports, 'table' | 'now'>, opened: Opened): Promise<TablePage> {
  const { gate, structure, views } = opened;
  const tableColumns = listColumns(structure);
  const current = views.views.find(({ id }) => id === opened.address.viewId);
  const knownIds = new Set(tableColumns.map(({ id }) => id));
  const filters = opened.address.filters.filter(({ questionId }) => knownIds.has(questionId));
  const sortedBy = tableColumns.find(({ id }) => id === opened.address.sort.questionId);
  const sort =
    sortedBy && isSortable(sortedBy.type) ? opened.address.sort : { descending: opened.address.sort.descending };
  const requested: ListAddress = { ...opened.address, viewId: current?.id, filters, sort };
  const columns = current
    ? listViewColumns(structure, current)
    : tableColumns.filter(({ question }) => question).slice(0, STANDARD_COLUMNS);
  const filterable = tableColumns.filter(
    (column) =>
      filters.some(({ questionId }) => questionId === column.id) ||
      (columns.includes(column) && !traitsOf(column.type).isDistinct),
  );
  const loadingCounters = loadCounters(app.table, gate.formId);
  const [rowBatch, counts, highlight, facets] = await Promise.all([
    loadRows(app, structure, columns, requested),
    loadingCounters.then((counters) => countResponses(app.table, gate.formId, counters)),
    loadingCounters.then((counters) => presentHighlight(app, structure, counters)),
    requested.isFiltering
      ? loadingCounters.then((counters) => countFacets(app, structure, { columns: filterable, filters, counters }))
      : undefined,
  ]);
  const standardCount = tableColumns.filter(({ question }) => question).length;
  return {
    ...{ gate, structure, views: views.views, current, columns, counts, highlight, facets },
    ...rowBatch,
    isTooLargeToSort: rowBatch.isTooLargeToSort || counts.submittedCount > MAX_SEARCHED,
    isOpen: isOpen(gate, app.now()),
    allColumns: current ? columns.length : standardCount,
  };
}

type Rows = Pick<TablePage, 'address' | 'rows' | 'previous' | 'next' | 'matches' | 'isTooLargeToSort'>;

/** Loads the rows of a page. A form that is too large to be sorted by answers is shown from its newest response. */
async function loadRows(
  app: Pick<Ports, 'table' | 'now'>,
  structure: Structure,
  columns: readonly TableColumn[],
  address: ListAddress,
): Promise<Rows> {
  const limit = columns.length > WIDE_COLUMNS ? ROWS_OF_WIDE_TABLES : address.rows;
  const { formId, page } = address;
  const query = toTableQuery(address);
  const list = { formId, ...query };
  const request = {
    limit,
    after: page && 'after' in page ? decodeCursor(list, page.after) : undefined,
    before: page && 'before' in page ? decodeCursor(list, page.before) : undefined,
  };
  const { questionId, descending } = address.sort;
  const found =
    questionId === undefined
      ? await listMatchingResponses(app, structure, query, request)
      : await listSortedResponses(app, structure, { ...query, sort: { questionId, descending } }, request);
  if (!found) {
    const newest = { ...address, sort: { descending: true }, page: undefined };
    return { ...(await loadRows(app, structure, columns, newest)), isTooLargeToSort: true };
  }
  const { responses, first, last } = found;
  const isWhole = page === undefined && last === null;
  const [userOf, matches] = await Promise.all([
    loadListedUsers(
      app,
      responses.map(({ userId }) => userId),
    ),
    isUnfiltered(query)
      ? undefined
      : found.count !== undefined || isWhole
        ? { count: found.count ?? responses.length, isComplete: true }
        : countMatches(app, structure, query),
  ]);
  const rows = responses.map((response) => ({
    id: response.id,
    respondent: userOf(response.userId),
    submittedAt: response.submittedAt,
    answers: answersInTable(response, structure, columns),
  }));
  const [previous, next] = [first, last].map((position) => (position === null ? null : encodeCursor(list, position)));
  return { address, rows, previous: previous ?? null, next: next ?? null, matches, isTooLargeToSort: false };
}
