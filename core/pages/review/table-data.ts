/** Loads the data of the table of responses. */

import { loadAccounts } from '#core/accounts/accounts.ts';
import { presentShortUser } from '#core/accounts/model.ts';
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
import { listMatchingResponses } from '#core/table/search.ts';
import { answersInTable, listColumns, type TableColumn } from '#core/table/table.ts';
import type { View as TableView, Views } from '#core/views/model.ts';
import { listViewColumns } from './columns.ts';
import type { ListAddress } from './list-address.ts';

/** Columns of the table without a view. */
const STANDARD_COLUMNS = 20;
/** Rows of a page, fewer if the table has many columns, so that the page stays small. */
const ROWS = 50;
const ROWS_OF_WIDE_TABLES = 10;
const WIDE_COLUMNS = 60;

export type TableRow = {
  id: string;
  respondent: ReturnType<typeof presentShortUser>;
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
  /** The cursor of the next page; null at the end. */
  next: string | null;
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
  const address = { ...opened.address, viewId: current?.id, filters };
  const columns = current
    ? listViewColumns(structure, current)
    : tableColumns.filter(({ question }) => question).slice(0, STANDARD_COLUMNS);
  const filterable = tableColumns.filter(
    (column) =>
      filters.some(({ questionId }) => questionId === column.id) ||
      (columns.includes(column) && !traitsOf(column.type).isDistinct),
  );
  const [rowBatch, counts, highlight, facets] = await Promise.all([
    loadRows(app, structure, columns, address),
    loadCounts(app, gate.formId),
    presentHighlight(app, structure),
    address.isFiltering ? countFacets(app, structure, { columns: filterable, filters }) : undefined,
  ]);
  const standardCount = tableColumns.filter(({ question }) => question).length;
  return {
    ...{ gate, structure, address, views: views.views, current, columns, counts, highlight, facets },
    ...rowBatch,
    isOpen: isOpen(gate, app.now()),
    allColumns: current ? columns.length : standardCount,
  };
}

async function loadRows(
  app: Pick<Ports, 'table'>,
  structure: Structure,
  columns: readonly TableColumn[],
  { formId, filters, cursor }: ListAddress,
): Promise<Pick<TablePage, 'rows' | 'next'>> {
  const list = { formId, filters };
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const limit = columns.length > WIDE_COLUMNS ? ROWS_OF_WIDE_TABLES : ROWS;
  const { responses, last } = await listMatchingResponses(app, structure, { filters }, { limit, after });
  const accounts = await loadAccounts(
    app.table,
    responses.map(({ userId }) => userId),
  );
  const rows = responses.map((response) => ({
    id: response.id,
    respondent: presentShortUser(response.userId, accounts.get(response.userId)),
    submittedAt: response.submittedAt,
    answers: answersInTable(response, structure, columns),
  }));
  return { rows, next: last === null ? null : encodeCursor(list, last) };
}

async function loadCounts({ table }: Pick<Ports, 'table'>, formId: string): Promise<ResponseCounts> {
  return countResponses(table, formId, await loadCounters(table, formId));
}
