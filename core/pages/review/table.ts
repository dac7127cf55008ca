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
import { listHref, responseHref } from './list-address.ts';
import type { TablePage, TableRow } from './table-data.ts';

/** Renders the page. `wasDeleted`: a response was just deleted; the counts follow seconds later and are not shown. */
export function renderTablePage(context: PageContext, head: FormHead, data: TablePage & { wasDeleted: boolean }): Html {
  const review = getReviewTexts(context);
  const { gate, structure, address, counts, highlight, facets, rows } = data;
  const isEmpty = counts.submittedCount === 0 && rows.length === 0;
  return reviewLayout(context, head, {
    current: 'responses',
    title: review.title,
    width: 'wide',
    showsTimes: rows.length > 0,
    main: html`<div class="review-title"><h1>${review.title}</h1><p class="muted">${data.wasDeleted ? '' : countText(context, data)}${
      counts.draftCount > 0 &&
      html`${!data.wasDeleted && ' · '}<a href="/review/${gate.formId}/drafts">${review.drafts.show}</a>`
    }</p></div>
${
  isEmpty
    ? noResponses(context, data)
    : html`${highlightChart(context, highlight, counts.submittedCount)}
${highlightForm(context, structure, address, highlight)}
${viewTabs(context, data)}
<div class="table-tools">${activeFilters(context, structure, address)}
${!facets && html`<a class="button secondary" href="${listHref(address, { isFiltering: true })}#filter">${review.filter.open}</a>`}</div>
${facets && filterForm(context, structure, address, facets)}
${matchCount(context, data)}
${rows.length === 0 ? noRows(context, data) : table(context, data)}
${paging(context, data)}`
}`,
  });
}

function countText(context: PageContext, { counts }: TablePage): string {
  const review = getReviewTexts(context);
  return (counts.counting ? review.countsAtLeast : review.counts)(counts.submittedCount, counts.draftCount);
}

/** Renders how many responses on this page match the filter; those of other pages are not counted. */
function matchCount(context: PageContext, { address, rows, next }: TablePage): Html | undefined {
  if (address.filters.length === 0 || address.cursor !== undefined || rows.length === 0) return undefined;
  const { matches, matchesAtLeast } = getReviewTexts(context).filter;
  return html`<p class="muted match-count" role="status">${(next === null ? matches : matchesAtLeast)(rows.length)}</p>`;
}

function viewTabs(context: PageContext, { address, views, current }: TablePage): Html {
  const { table } = getReviewTexts(context);
  const tab = (href: string, name: string, isCurrent: boolean): Html =>
    html`<li><a href="${href}"${attribute('aria-current', isCurrent && 'page')}>${name}</a></li>`;
  const viewHref = (viewId: string | undefined) => listHref(address, { viewId, isFiltering: false, cursor: undefined });
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
  const isFiltered = address.filters.length > 0;
  return html`<div class="empty">${isFiltered && html`<h2>${table.noMatchTitle}</h2>`}
<p>${next !== null ? table.noMatchYet : isFiltered ? table.noMatch : table.endOfPages}</p>
${isFiltered && html`<p><a class="button secondary" href="${listHref(address, { filters: [], cursor: undefined })}">${filter.clear}</a></p>`}
</div>`;
}

function table(context: PageContext, data: TablePage): Html {
  const { table: text } = getReviewTexts(context);
  const { structure, address, columns, rows, current } = data;
  const caption = text.caption(current?.title ?? text.standard);
  return html`<div class="table-scroll" role="region" aria-labelledby="table-caption" tabindex="0">
<table class="responses"><caption class="visually-hidden" id="table-caption">${caption}</caption>
<thead><tr><th scope="col">${text.respondent}</th><th scope="col">${text.submitted}</th>${columns.map(
    (column) => html`<th scope="col"><div class="cell">${columnTitle(context, structure, column)}</div></th>`,
  )}</tr></thead>
<tbody>${rows.map((row) => tableRow(context, row, columns, responseHref(address, row.id)))}</tbody>
</table></div>
${columns.length < data.allColumns && html`<p class="muted small">${text.truncatedColumns(columns.length, data.allColumns)} <a href="/review/${address.formId}/views#new">${text.truncatedHint}</a></p>`}
${current && columns.length === 0 && html`<p class="muted small"><a href="/review/${address.formId}/views/${current.id}">${text.noColumns}</a></p>`}`;
}

const tableRow = (
  context: PageContext,
  { respondent, submittedAt, answers }: TableRow,
  columns: TablePage['columns'],
  href: string,
): Html =>
  html`<tr><th scope="row"><a href="${href}">${personName(context, respondent)}</a>${
    respondent.emails[0] !== undefined && html`<span class="muted row-note">${respondent.emails[0]}</span>`
  }</th><td class="when">${submittedAt !== null && renderTime(context, submittedAt)}</td>${answers.map((answer, index) => answerCell(context, answer, columns[index]?.question))}</tr>
`;

function paging(context: PageContext, { address, next, rows }: TablePage): Html | undefined {
  const { table } = getReviewTexts(context);
  if (next === null && address.cursor === undefined) return undefined;
  return html`<div class="actions paging">
${address.cursor !== undefined && html`<a class="button secondary" href="${listHref(address, { cursor: undefined })}">${table.first}</a>`}
${
  next === null
    ? html`<p class="muted">${table.end}</p>`
    : html`<a class="button secondary" href="${listHref(address, { cursor: next })}">${rows.length === 0 ? table.searchOn : table.next}</a>`
}</div>`;
}
