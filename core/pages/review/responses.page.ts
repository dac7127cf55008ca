/** Shows the table of submitted responses to the members of the form's organization. */
import { loadListedUsers } from '#core/accounts/accounts.ts';
import { type Counters, countResponses, withCounters } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import { type Gate, isOpen } from '#core/forms/gate.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { showNotices } from '#core/organizations/notices-list.ts';
import { countFailedMails, MAX_FAILED_COUNTED, sendsMails } from '#core/responses/failed-count.ts';
import { loadGoing } from '#core/responses/going.ts';
import { isMistypedReference } from '#core/responses/reference.ts';
import { formatDay } from '#core/schema/format.ts';
import { MAX_SEARCHED } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isSortable } from '#core/structure/types/formats.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { countMatching, listCountedValues } from '#core/table/counted.ts';
import { loadHighlight } from '#core/table/counted-highlight.ts';
import { type Highlight, withHighlight } from '#core/table/highlight.ts';
import { listMatchingResponses } from '#core/table/list.ts';
import { isUnfiltered, type Visit } from '#core/table/matches.ts';
import { listSortedResponses } from '#core/table/sorted-list.ts';
import { answersInTable, listColumns, type TableColumn } from '#core/table/table.ts';
import type { SavedView, Views } from '#core/views/model.ts';
import { listViewColumns, openViews } from '#core/views/views.ts';
import type { PageContext } from '../shell/context.ts';
import { shareLink } from '../shell/controls.ts';
import { member } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { menu } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { activeFilters } from './filter.ts';
import { loadReviewHead, reviewLayout } from './header.ts';
import { highlightChart, highlightForm } from './highlight.ts';
import {
  buildListQuery,
  hiddenListFields,
  identifyTable,
  isFiltered,
  isSameList,
  type ListAddress,
  listHref,
  parseListAddress,
  toTableQuery,
  UNFILTERED,
  viewAddress,
  withKept,
} from './list-address.ts';
import { noticesForm } from './notices.ts';
import { searchForm } from './order.ts';
import { paging, responseTable } from './table.ts';
import type { TablePage } from './table-data.ts';

const openTable = withHighlight(withCounters(openViews));

export const page = definePage({
  name: 'responses',
  audience: 'reviewers',
  path: '/review/{formId}',
  access: member,
  needs: ['table:read', 'table:list'],
  open: openTable,
  show: async ({ app, gate, structure, views, highlight, counters, roles, caller, query, context }) => {
    const address = parseListAddress(gate.formId, query, context.timeZone);
    const wasDeleted = ['deleted', 'selectedDeleted'].includes(query.get('done') ?? '');
    const [head, { frequency }, data] = await Promise.all([
      loadReviewHead(app, gate),
      showNotices(app, gate.formId, caller?.id ?? ''),
      loadTablePage(app, { gate, structure, views, highlight, counters, address }),
    ]);
    const mayDelete = roles.includes('admin') || roles.includes('creator');
    const notices = { frequency, answers: roles.includes('admin') ? gate.noticesWithAnswers : undefined };
    const shown = { ...data, mayDelete, mayResend: sendsMails(gate), notices, wasDeleted };
    const { facets, columns } = data;
    const form = facets && {
      filterForm: (await import('./filter-form.ts')).filterForm(context, structure, data.address, {
        ...{ ...facets, columns, sendsMails: shown.mayResend },
      }),
    };
    return { html: renderTablePage(context, head, { ...shown, ...form }) };
  },
});

type ShownTable = TablePage & {
  /** A response was just deleted; the counts follow seconds later and are not shown. */
  wasDeleted: boolean;
  /** The open filter. */
  filterForm?: Html;
};

/** Renders the page. */
function renderTablePage(context: PageContext, head: FormHead, data: ShownTable): Html {
  const review = getReviewTexts(context);
  const { structure, address, counts, highlight, facets, rows } = data;
  const isEmpty = counts.submittedCount === 0 && rows.length === 0 && data.matches === undefined;
  return reviewLayout(context, head, {
    current: 'table',
    isTab: true,
    title: review.title,
    width: 'wide',
    main: html`${
      isEmpty
        ? html`${noResponses(context, data)}
${noticesForm(context, address, data.notices)}`
        : html`<div class="list-tools">${viewMenu(context, data)}
${searchForm(context, data)}
${!facets && html`<a class="button secondary" href="${listHref(address, { isFiltering: true, page: undefined })}#filter">${review.filter.open}</a>`}
<p class="muted small">${!data.wasDeleted && countText(context, data)}</p></div>
${failedLink(context, data)}
${data.going && html`<p class="muted small">${review.going(data.going.count, formatDay(context, data.going.at), data.going.isMore)}</p>`}
${keepTools(context, data)}
${
  isFiltered(address) &&
  html`<div class="table-tools">${activeFilters(context, structure, address)}
<a class="button quiet" href="${listHref({ ...address, part: 'export' }, { isFiltering: false, page: undefined })}">${review.exports.export}</a>
<a class="button quiet" href="${listHref({ ...address, part: 'statistics' }, { isFiltering: false, page: undefined })}">${review.statistics}</a></div>`
}
${data.filterForm}
${matchCount(context, data)}
${rows.length === 0 ? noRows(context, data) : responseTable(context, data)}
${paging(context, data)}
${highlightChart(context, structure, highlight)}
${highlightForm(context, structure, address, highlight)}
${noticesForm(context, address, data.notices)}`
    }`,
  });
}

function countText(context: PageContext, { counts }: TablePage): string {
  const review = getReviewTexts(context);
  return (counts.counting ? review.countsAtLeast : review.counts)(counts.submittedCount, counts.draftCount);
}

/** Renders how many mails could not be sent, with the way to them. */
function failedLink(context: PageContext, { gate, failedCount }: TablePage): Html | undefined {
  if (failedCount === 0) return undefined;
  const { failed } = getReviewTexts(context);
  const text = (failedCount < MAX_FAILED_COUNTED ? failed.link : failed.linkAtLeast)(failedCount);
  return html`<p class="notice warning"><a href="/review/${gate.formId}/failed">${text}</a></p>`;
}

/** Renders how many responses match the filter and the search. */
function matchCount(context: PageContext, { matches }: TablePage): Html | undefined {
  if (!matches || matches.count === 0) return undefined;
  const { filter } = getReviewTexts(context);
  return html`<p class="muted match-count" role="status">${(matches.isComplete ? filter.matches : filter.matchesAtLeast)(matches.count)}</p>`;
}

/** The saved views, of which one is shown. The page of the views makes and changes them. */
function viewMenu(context: PageContext, { address, views, current }: TablePage): Html | undefined {
  const { table } = getReviewTexts(context);
  if (views.length === 0) return undefined;
  const link = (view: SavedView | undefined, name: string): Html =>
    html`<a href="${listHref(viewAddress(address, { left: current, view }, context.timeZone))}" dir="auto"${attribute('aria-current', view?.id === current?.id && 'page')}>${name}</a>`;
  return menu(
    html`<span class="visually-hidden">${table.views}: </span><span class="menu-name" dir="auto">${current?.title ?? table.standard}</span>`,
    [
      link(undefined, table.standard),
      ...views.map((view) => link(view, view.title)),
      html`<a href="/review/${address.formId}/views">${table.editViews}</a>`,
    ],
    'view-menu',
  );
}

/**
 * Renders how the filter, the search and the order of the table are kept: in the view that is shown, if it keeps others, or in a
 * new one; and the way back to what the view keeps.
 */
function keepTools(context: PageContext, { address, current }: TablePage): Html | undefined {
  const { table } = getReviewTexts(context);
  const kept = withKept(address, current?.query ?? null, context.timeZone);
  if (isSameList(address, kept)) return undefined;
  const viewsHref = `/review/${address.formId}/views`;
  return html`<div class="table-tools">${
    current &&
    html`<form method="post" action="${viewsHref}/${current.id}" data-once>${hiddenListFields(address, () => false)}<button class="quiet" name="do" value="keep">${table.keepIn(current.title)}</button></form>
${current.query && html`<a class="button quiet" href="${listHref(kept)}">${table.backTo(current.title)}</a>`}`
  }
<a class="button quiet" href="${viewsHref}${buildListQuery({ ...address, isFiltering: false, page: undefined })}#new">${table.keepAsNew}</a></div>`;
}

/** Renders what to do while nobody has submitted. */
function noResponses(context: PageContext, { gate, isOpen, counts }: TablePage): Html {
  const { table } = getReviewTexts(context);
  const closed = gate.status === 'DRAFT' ? table.emptyDraft : table.emptyClosed;
  return html`<div class="empty"><h2>${table.emptyTitle}</h2>
${isOpen ? html`<p>${table.emptyOpen}</p>${shareLink(context, gate.formId)}` : html`<p>${closed}</p>`}
${counts.draftCount > 0 && html`<p>${table.emptyDrafts(counts.draftCount)}</p>`}
</div>`;
}

/** Renders a page without rows: no response matches the filter, or none of those searched so far does. */
function noRows(context: PageContext, { address, next }: TablePage): Html {
  const { table, filter } = getReviewTexts(context);
  const hasFilter = isFiltered(address);
  return html`<div class="empty">${hasFilter && html`<h2>${table.noMatchTitle}</h2>`}
<p>${isMistypedReference(address.respondent) ? table.mistyped : next !== null ? table.noMatchYet : hasFilter ? table.noMatch : table.endOfPages}</p>
${hasFilter && html`<p><a class="button secondary" href="${listHref(address, UNFILTERED)}">${filter.clear}</a></p>`}
</div>`;
}

/** Columns of the table without a view. */
const STANDARD_COLUMNS = 20;

/** Rows of a page of a table with many columns, so that the page stays small. */
const ROWS_OF_WIDE_TABLES = 10;

const WIDE_COLUMNS = 60;

type Opened = {
  gate: Gate;
  structure: Structure;
  views: Views;
  highlight: Highlight | undefined;
  counters: Counters | undefined;
  address: ListAddress;
};

/** Loads the table at an address. A removed view or question is ignored. Throws 400 for a cursor of another list. */
async function loadTablePage(
  app: Pick<Ports, 'table' | 'now'>,
  opened: Opened,
): Promise<Omit<TablePage, 'mayDelete' | 'mayResend' | 'notices'>> {
  const { gate, structure, views, counters } = opened;
  const tableColumns = listColumns(structure);
  const current = views.views.find(({ id }) => id === opened.address.viewId);
  const knownIds = new Set(tableColumns.map(({ id }) => id));
  const filters = opened.address.filters.filter(({ questionId }) => knownIds.has(questionId));
  const sortedBy = tableColumns.find(({ id }) => id === opened.address.sort.questionId);
  const sort = sortedBy && isSortable(sortedBy) ? opened.address.sort : { descending: opened.address.sort.descending };
  const requested: ListAddress = { ...opened.address, viewId: current?.id, filters, sort };
  const columns = current
    ? listViewColumns(structure, current)
    : tableColumns.filter(({ question }) => question).slice(0, STANDARD_COLUMNS);
  const filterable = tableColumns.filter(
    (column) =>
      filters.some(({ questionId }) => questionId === column.id) ||
      (columns.includes(column) && !getTraits(column.type).isDistinct),
  );
  const query = toTableQuery(requested);
  // Few requests show the filter.
  const plan = requested.isFiltering
    ? (await import('#core/table/facets.ts')).planFacets(structure, {
        columns: filterable,
        query,
        counters,
        requested: requested.facetId,
      })
    : undefined;
  const matching = requested.page?.matches ? undefined : countMatching(app.table, structure, counters, query);
  const submitted = counters?.isComplete ? counters.submitted : undefined;
  const [rowBatch, counted, counts, highlight, failed, going] = await Promise.all([
    loadRows(app, structure, columns, { address: requested, submitted, matching, visit: plan?.visit }),
    listCountedValues(app.table, structure, counters, plan?.counted ?? []),
    countResponses(app.table, gate.formId, counters),
    loadHighlight(app, { structure, highlight: opened.highlight }, counters),
    countFailedMails(app.table, gate.formId, gate),
    loadGoing(app, gate.formId, gate),
  ]);
  const facets = plan?.build(counted, rowBatch.isWhole);
  const standardCount = tableColumns.filter(({ question }) => question).length;
  return {
    ...{ gate, structure, views: views.views, current, columns, counts, highlight, facets },
    ...rowBatch,
    failedCount: failed,
    going,
    isTooLargeToSort: rowBatch.isTooLargeToSort || counts.submittedCount > MAX_SEARCHED,
    isOpen: isOpen(gate, app.now()),
    allColumns: current ? columns.length : standardCount,
  };
}

type Rows = Pick<TablePage, 'address' | 'rows' | 'previous' | 'next' | 'matches' | 'isTooLargeToSort'> & {
  /** Whether all responses were read that match the search. */
  isWhole: boolean;
};

type RowRequest = {
  address: ListAddress;
  /** The number of submitted responses, if it is known. */
  submitted: number | undefined;
  /** How many responses match, if the counters know. */
  matching: Promise<number> | undefined;
  visit: Visit | undefined;
};

/**
 * Loads the rows of a page; the first one of a filtered table also counts how many match, in the same pass. A form that is
 * too large to be sorted by answers is shown from its newest response.
 */
async function loadRows(
  app: Pick<Ports, 'table' | 'now'>,
  structure: Structure,
  columns: readonly TableColumn[],
  { address, submitted = 0, matching, visit }: RowRequest,
): Promise<Rows> {
  const limit = columns.length > WIDE_COLUMNS ? ROWS_OF_WIDE_TABLES : address.rows;
  const { page } = address;
  const query = toTableQuery(address);
  const list = identifyTable(address);
  const counts = !isUnfiltered(query) && !matching;
  const request = {
    limit,
    after: page && 'after' in page ? decodeCursor(list, page.after) : undefined,
    before: page && 'before' in page ? decodeCursor(list, page.before) : undefined,
    countsAll: counts || visit !== undefined,
    visit,
  };
  const { questionId, descending } = address.sort;
  const maySort = questionId !== undefined && submitted <= MAX_SEARCHED;
  const found = maySort
    ? await listSortedResponses(app, structure, { ...query, sort: { questionId, descending } }, request)
    : questionId === undefined && (await listMatchingResponses(app, structure, query, request));
  if (!found) {
    const newest = { ...address, sort: { descending: true }, page: undefined };
    // The attempt to sort has visited the responses.
    const rest = { address: newest, submitted, matching, visit: maySort ? undefined : visit };
    return { ...(await loadRows(app, structure, columns, rest)), isTooLargeToSort: true };
  }
  const { responses, first, last } = found;
  const [findUser, exact] = await Promise.all([
    loadListedUsers(
      app,
      responses.map(({ userId }) => userId),
    ),
    matching,
  ]);
  const matches = exact === undefined ? (page?.matches ?? found.matches) : { count: exact, isComplete: true };
  const rows = responses.map((response) => ({
    id: response.id,
    respondent: findUser(response.userId),
    submittedAt: response.submittedAt,
    answers: answersInTable(response, structure, columns),
  }));
  return {
    address,
    rows,
    previous: first === null ? null : encodeCursor(list, first),
    next: last === null ? null : encodeCursor(list, last),
    matches: isUnfiltered(query) ? undefined : matches,
    isWhole: found.matches?.isComplete === true,
    isTooLargeToSort: false,
  };
}
