/** The table of submitted responses: views as tabs, the highlight, the filter, and pages of rows. */
import { type PageContext, renderTime } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import { answerCell, columnTitle } from './columns.ts';
import { personName } from './header.ts';
import { hiddenListFields, type ListAddress, listHref, ROWS, responseHref } from './list-address.ts';
import { sortableHead } from './order.ts';
import type { TablePage, TableRow } from './table-data.ts';

/** Renders the responses of a page, each as a row or, on a small screen, as a card. */
export function responseTable(
  context: PageContext,
  data: Pick<
    TablePage,
    | 'mayDelete'
    | 'mayResend'
    | 'structure'
    | 'address'
    | 'columns'
    | 'allColumns'
    | 'rows'
    | 'current'
    | 'isTooLargeToSort'
  >,
): Html {
  const { table: text } = getReviewTexts(context);
  const { structure, address, columns, rows, current } = data;
  const caption = text.caption(current?.title ?? text.standard);
  const titles = columns.map((column) => columnTitle(context, structure, column));
  const cells = columns.map(({ question }, index) => ({ question, title: titles[index] ?? '' }));
  return html`<div class="table-scroll" role="region" aria-labelledby="table-caption" tabindex="0">
<table class="responses"><caption class="visually-hidden" id="table-caption">${caption}</caption>
<thead><tr><th scope="col">${text.respondent}</th>${sortableHead(data, undefined, html`${text.submitted}`)}${columns.map(
    (column, index) => sortableHead(data, column, html`<div class="cell" dir="auto">${titles[index]}</div>`),
  )}</tr></thead>
<tbody>${rows.map((row) => tableRow(context, row, cells, responseHref(address, row.id)))}</tbody>
</table></div>
${selectionForm(context, data)}
${columns.length < data.allColumns && html`<p class="muted small">${text.truncatedColumns(columns.length, data.allColumns)} <a href="/review/${address.formId}/views#new">${text.truncatedHint}</a></p>`}
${current && columns.length === 0 && html`<p class="muted small"><a href="/review/${address.formId}/views/${current.id}">${text.noColumns}</a></p>`}`;
}

const tableRow = (
  context: PageContext,
  { id, respondent, submittedAt, answers }: TableRow,
  cells: readonly Parameters<typeof answerCell>[2][],
  href: string,
): Html =>
  html`<tr><th scope="row"><label class="row-select"><input type="checkbox" form="selection" name="r" value="${id}" aria-label="${getReviewTexts(context).table.select(personName(context, respondent))}"></label><a href="${href}" dir="auto">${personName(context, respondent)}</a>${
    respondent.emails[0] !== undefined && html`<span class="muted row-note">${respondent.emails[0]}</span>`
  }</th><td class="when" data-label="${getReviewTexts(context).table.submitted}">${submittedAt !== null && renderTime(context, submittedAt)}</td>${cells.map((cell, index) => answerCell(context, answers[index], cell))}</tr>
`;

/**
 * Renders what can be done with the selected rows. Where styles are, it is shown when a row is selected. Enter in the box of a row
 * presses the first button, which does nothing outside a dialog; browsers pass over a disabled one.
 */
function selectionForm(
  context: PageContext,
  { address, mayDelete, mayResend }: Pick<TablePage, 'address' | 'mayDelete' | 'mayResend'>,
): Html {
  const { table } = getReviewTexts(context);
  const path = `/review/${address.formId}`;
  return html`<form id="selection" class="selection" method="get" action="${path}/export" aria-label="${table.selected}">
${hiddenListFields(address, () => false)}
<button formmethod="dialog" hidden></button><button class="secondary">${table.exportSelected}</button>
${mayResend && html`<button class="secondary" formmethod="post" formaction="${path}/failed" name="do" value="resend">${table.resendSelected}</button>`}
${mayDelete && html`<button class="secondary danger" formaction="${path}/delete-selected">${table.deleteSelected}</button>`}
</form>`;
}

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
