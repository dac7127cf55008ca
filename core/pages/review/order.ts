/** The order of the table and the search for respondents: a form that works on every device, and links in the header. */

import { isSortable } from '#core/structure/types/formats.ts';
import type { TableColumn } from '#core/table/table.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnTitle } from './columns.ts';
import { hiddenListFields, type ListAddress, listHref, sortField } from './list-address.ts';
import type { TablePage } from './table-data.ts';

type SortedTable = Pick<TablePage, 'structure' | 'address' | 'columns' | 'isTooLargeToSort'>;

/** Renders the form: who is searched, and in which order. It keeps the filter. */
export function searchForm(context: PageContext, { structure, address, columns, isTooLargeToSort }: SortedTable): Html {
  const { order } = getReviewTexts(context);
  const current = sortField(address.sort);
  const option = (sort: ListAddress['sort'], label: string): Html =>
    html`<option dir="auto" value="${sortField(sort)}"${attribute('selected', sortField(sort) === current)}>${label}</option>`;
  const sortable = columns.filter((column) => column.id === address.sort.questionId || isSortable(column));
  const isChanged = (name: string) => name === 'q' || name === 'sort';
  return html`<form method="get" action="/review/${address.formId}" class="list-form" role="search">
${hiddenListFields(address, isChanged)}
<div><label for="q" class="visually-hidden">${order.search}</label><input dir="auto" id="q" name="q" type="search" placeholder="${order.search}" title="${order.searchHint}" value="${address.respondent}" maxlength="200" autocomplete="off" aria-describedby="q-hint"></div>
<div><label for="sort" class="visually-hidden">${order.label}</label><select id="sort" name="sort"${attribute('aria-describedby', isTooLargeToSort && 'sort-hint')}>
${option({ descending: true }, order.newest)}${option({ descending: false }, order.oldest)}${
  !isTooLargeToSort &&
  sortable.map((column) => {
    const title = columnTitle(context, structure, column);
    const by = (descending: boolean) => ({ questionId: column.id, descending });
    return html`${option(by(false), order.ascending(title))}${option(by(true), order.descending(title))}`;
  })
}</select></div>
<button class="secondary">${order.apply}</button>
<p class="visually-hidden" id="q-hint">${order.searchHint}</p>
${isTooLargeToSort && html`<p class="hint" id="sort-hint">${order.tooLarge}</p>`}
</form>`;
}

/** Renders the header of a column, or of the time of submission; a link sorts by it, and turns the order around. */
export function sortableHead(
  { address, isTooLargeToSort }: Pick<SortedTable, 'address' | 'isTooLargeToSort'>,
  column: TableColumn | undefined,
  title: Html,
): Html {
  if (column && (isTooLargeToSort || !isSortable(column))) return html`<th scope="col">${title}</th>`;
  const { questionId, descending } = address.sort;
  const isCurrent = questionId === column?.id;
  const sort = { ...(column && { questionId: column.id }), descending: isCurrent ? !descending : column === undefined };
  return html`<th scope="col"${attribute('aria-sort', isCurrent && (descending ? 'descending' : 'ascending'))}><a class="sort" href="${listHref(address, { sort, page: undefined })}">${title}</a></th>`;
}
