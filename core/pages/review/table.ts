/** The table of submitted responses: views as tabs, the highlight, the filter, and pages of rows. */

import type { PageContext } from '../shell/context.ts';
import { renderTime } from '../shell/context.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import { answerCell, columnTitle } from './columns.ts';
import { activeFilters, filterForm } from './filter.ts';
import { personName, reviewLayout, shareLink } from './header.ts';
import { highlightChart, highlightForm } from './highlight.ts';
import { type ListAddress, listHref, ROWS, responseHref } from './list-address.ts';
import { searchForm, sortableHead } from './order.ts';
import type { TablePage, TableRow } from './table-data.ts';

/** Renders the page. `wasDeleted`: a response was just deleted; the counts follow seconds later and are not shown. */
export function renderTablePage(context: PageContext, head: FormHead, data: TablePage & { wasDeleted: boolean }): Html {
  const review = getReviewTexts(context);
  const { gate, structure, address, counts, highlight, facets, rows } = data;
  const isEmpty = counts.submittedCount === 0 && rows.length === 0 && data.matches === undefined;
  return reviewLayout(context, head, {
    current: 'responses',
    title: review.title,
    width: 'wide',
    main: html`<div class="review-title"><h1>${review.title}</h1><p class="muted">${data.wasDeleted ? '' : countText(context, data)}${
      counts.draftCount > 0 &&
      html`${!data.wasDeleted && ' · '}<a href="/review/${gate.formId}/drafts">${review.drafts.show}</a>`
    }</p></div>
${
  isEmpty
    ? noResponses(context, data)
    : html`${highlightChart(context, structure, highlight)}
${highlightForm(context, structure, address, highlight)}
${viewTabs(context, data)}
${searchForm(context, data)}
<div class="table-tools">${activeFilters(context, structure, address)}
${!facets && html`<a class="button secondary" href="${listHref(address, { isFiltering: true, page: undefined })}#filter">${review.filter.open}</a>`}
${(address.filters.length > 0 || address.respondent !== '') && html`<a class="button quiet" href="${listHref({ ...address, part: 'statistics' }, { isFiltering: false, page: undefined })}">${review.statistics}</a>`}</div>
${facets && filterForm(context, structure, address, facets)}
${matchCount(context, data)}
${rows.length === 0 ? noRows(context, data) : responseTable(context, data)}
${paging(context, data)}`
}`,
  });
}

function countText(context: PageContext, { counts }: TablePage): string {
  const review = getReviewTexts(context);
  return (counts.counting ? review.countsAtLeast : review.counts)(counts.submittedCount, counts.draftCount);
}

/** Renders how many responses match the filter and the search. */
function matchCount(context: PageContext, { matches }: TablePage): Html | undefined {
  if (!matches || matches.count === 0) return undefined;
  const { filter } = getReviewTexts(context);
  return html`<p class="muted match-count" role="status">${(matches.isComplete ? filter.matches : filter.matchesAtLeast)(matches.count)}</p>`;
}

function viewTabs(context: PageContext, { address, views, current }: TablePage): Html {
  const { table } = getReviewTexts(context);
  const tab = (href: string, name: string, isCurrent: boolean): Html =>
    html`<li><a href="${href}"${attribute('aria-current', isCurrent && 'page')}>${name}</a></li>`;
  const viewHref = (viewId: string | undefined) => listHref(address, { viewId, isFiltering: false, page: undefined });
  return html`<nav class="tabs" aria-label="${table.views}"><ul>
${tab(viewHref(undefined), table.standard, !current)}
${views.map(({ id, title }) => tab(viewHref(id), title, id === current?.id))}
<li class="tabs-edit"><a href="/review/${address.formId}/views">${table.editViews}</a></li>
</ul></nav>`;
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
  const isFiltered = address.filters.length > 0 || address.respondent !== '';
  return html`<div class="empty">${isFiltered && html`<h2>${table.noMatchTitle}</h2>`}
<p>${next !== null ? table.noMatchYet : isFiltered ? table.noMatch : table.endOfPages}</p>
${isFiltered && html`<p><a class="button secondary" href="${listHref(address, { filters: [], respondent: '', page: undefined })}">${filter.clear}</a></p>`}
</div>`;
}

/** Renders the responses of a page, each as a row or, on a small screen, as a card. */
export function responseTable(
  context: PageContext,
  data: Pick<TablePage, 'structure' | 'address' | 'columns' | 'allColumns' | 'rows' | 'current' | 'isTooLargeToSort'>,
): Html {
  const { table: text } = getReviewTexts(context);
  const { structure, address, columns, rows, current } = data;
  const caption = text.caption(current?.title ?? text.standard);
  const titles = columns.map((column) => columnTitle(context, structure, column));
  const cells = columns.map(({ question }, index) => ({ question, title: titles[index] ?? '' }));
  return html`<div class="table-scroll" role="region" aria-labelledby="table-caption" tabindex="0">
<table class="responses"><caption class="visually-hidden" id="table-caption">${caption}</caption>
<thead><tr><th scope="col">${text.respondent}</th>${sortableHead(data, undefined, html`${text.submitted}`)}${columns.map(
    (column, index) => sortableHead(data, column, html`<div class="cell">${titles[index]}</div>`),
  )}</tr></thead>
<tbody>${rows.map((row) => tableRow(context, row, cells, responseHref(address, row.id)))}</tbody>
</table></div>
${columns.length < data.allColumns && html`<p class="muted small">${text.truncatedColumns(columns.length, data.allColumns)} <a href="/review/${address.formId}/views#new">${text.truncatedHint}</a></p>`}
${current && columns.length === 0 && html`<p class="muted small"><a href="/review/${address.formId}/views/${current.id}">${text.noColumns}</a></p>`}`;
}

const tableRow = (
  context: PageContext,
  { respondent, submittedAt, answers }: TableRow,
  cells: readonly Parameters<typeof answerCell>[2][],
  href: string,
): Html =>
  html`<tr><th scope="row"><a href="${href}">${personName(context, respondent)}</a>${
    respondent.emails[0] !== undefined && html`<span class="muted row-note">${respondent.emails[0]}</span>`
  }</th><td class="when" data-label="${getReviewTexts(context).table.submitted}">${submittedAt !== null && renderTime(context, submittedAt)}</td>${cells.map((cell, index) => answerCell(context, answers[index], cell))}</tr>
`;

/** Renders the links between pages, and how many rows a page has. */
export function paging(
  context: PageContext,
  {
    address,
    previous,
    next,
    rows,
    matches,
    counts,
  }: Pick<TablePage, 'address' | 'previous' | 'next' | 'rows' | 'matches' | 'counts'>,
): Html | undefined {
  const { table } = getReviewTexts(context);
  const { page } = address;
  const total = matches?.count ?? counts.submittedCount;
  const link = (to: ListAddress['page'], name: string): Html =>
    html`<a class="button secondary" href="${listHref(address, { page: to && { ...to, matches }, isFiltering: false })}">${name}</a>`;
  const isPaged = next !== null || page !== undefined;
  if (!isPaged && total <= ROWS[0]) return undefined;
  return html`<div class="actions paging">
${page !== undefined && link(undefined, table.first)}
${previous !== null && link({ before: previous }, table.previous)}
${
  next === null
    ? page !== undefined && html`<p class="muted">${table.end}</p>`
    : link({ after: next }, rows.length === 0 ? table.searchOn : table.next)
}
<nav class="page-size" aria-label="${table.rows}"><span class="muted small" aria-hidden="true">${table.rows}</span>${ROWS.map(
    (size) =>
      html`<a href="${listHref(address, { rows: size, page: undefined })}"${attribute('aria-current', size === address.rows && 'true')}>${size}</a>`,
  )}</nav>
</div>`;
}
