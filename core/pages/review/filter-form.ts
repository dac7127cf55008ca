/** The form of the filter, with the answers to choose from. It is loaded when the filter is open, which few requests ask for. */

import { formatNumber } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import type { Facet, Facets } from '#core/table/facets.ts';
import { orderOf } from '#core/table/filter.ts';
import { type FilterEntry, MAX_SEARCH_TEXT } from '#core/table/model.ts';
import type { TableColumn } from '#core/table/table.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnTitle } from './columns.ts';
import { describeConditions, optionText } from './filter.ts';
import { filterField, hiddenListFields, isFilterField, type ListAddress, listHref, listPath } from './list-address.ts';

/**
 * Renders the form, which works without scripts: what is chosen becomes the address of the table. `columns`: the questions that
 * can be filtered although their answers are not listed; `sendsMails`: the form can have copies that could not be sent.
 */
export function filterForm(
  context: PageContext,
  structure: Structure,
  address: ListAddress,
  options: Facets & { columns: readonly TableColumn[]; sendsMails?: boolean },
): Html {
  const { facets, isComplete, columns, sendsMails = false } = options;
  const { filter, order } = getReviewTexts(context);
  const isSearching = address.part === 'statistics';
  const facetsById = new Map(facets.map((facet) => [facet.column.id, facet]));
  const filterable = [...facets.map(({ column }) => column), ...columns.filter(({ id }) => !facetsById.has(id))];
  const day = (name: 'from' | 'to', label: string): Html =>
    html`<div class="field"><label for="filter-${name}">${label}</label><input id="filter-${name}" name="${name}" type="date" value="${address.days[name]?.slice(0, 10) ?? ''}"></div>`;
  return html`<form class="card filter-form" id="filter" method="get" action="${listPath(address)}" aria-labelledby="filter-title">
<h2 id="filter-title">${filter.title}</h2>
<p class="hint">${filter.hint}${!isComplete && ` ${filter.incomplete}`}</p>
${hiddenListFields(address, (name) => isFilterField(name) || (isSearching && name === 'q'))}
${isSearching && html`<div class="field"><label for="q">${order.search}</label><input dir="auto" id="q" name="q" type="search" value="${address.respondent}" maxlength="200" autocomplete="off"></div>`}
<fieldset class="days"><legend>${filter.submitted}</legend><div class="bounds">${day('from', filter.from)}${day('to', filter.to)}</div><p class="hint">${filter.zone(context.timeZone)}</p></fieldset>
${
  (sendsMails || address.copies) &&
  html`<fieldset><legend>${filter.copies}</legend><label class="column-option"><input type="checkbox" name="copies" value="failed"${attribute('checked', address.copies !== undefined)}><span>${filter.copiesFailed}</span></label></fieldset>`
}
<div class="facets">${filterable.map((column) => facetField(context, structure, { column, facet: facetsById.get(column.id) }, address))}</div>
<div class="actions"><button>${filter.apply}</button><a class="button secondary" href="${listHref(address, { isFiltering: false })}">${filter.close}</a></div>
</form>`;
}

type Filtered = { column: TableColumn; facet: Facet | undefined };

/**
 * Renders the conditions on a question: its values, those that are not listed with a button that asks for them and keeps what
 * is chosen, and what else its answers can be compared with.
 */
function facetField(
  context: PageContext,
  structure: Structure,
  { column, facet }: Filtered,
  address: ListAddress,
): Html {
  const { filter } = getReviewTexts(context);
  const { id } = column;
  const entry = address.filters.find(({ questionId }) => questionId === id);
  const chosen = (entry ? describeConditions(context, entry).length : 0) + (entry?.answers?.length ?? 0);
  const title = columnTitle(context, structure, column);
  return html`<details class="facet" id="facet-${id}"${attribute('open', chosen > 0 || id === address.facetId)}>
<summary dir="auto">${title}${chosen > 0 && html` <span class="tag active">${filter.chosen(chosen)}</span>`}</summary>
<fieldset><legend class="visually-hidden">${title}</legend>
${facet?.values.map(
  ({ count, selected, ...value }) =>
    html`<label class="column-option"><input type="checkbox" name="${filterField(id)}" value="${value.matchValue}"${attribute('checked', selected)}><span dir="auto">${optionText(context, structure, column, value)} <span class="muted">${formatNumber(count)}</span></span></label>`,
)}
${facet?.isTruncated && html`<p class="muted small">${filter.truncatedAnswers}</p>`}
${facet?.unlisted && html`<p><button class="quiet" name="filter" value="${id}">${facet.unlisted === 'all' ? filter.list : filter.listRemoved}</button></p>`}
${conditionFields(context, column, entry)}
</fieldset></details>`;
}

/** Renders the conditions on a question apart from its values: bounds, a text, whether there is an answer, and all others. */
function conditionFields(
  context: PageContext,
  { id, type, question }: TableColumn,
  entry: FilterEntry | undefined,
): Html {
  const { filter } = getReviewTexts(context);
  const order = orderOf(type, question);
  const input = (field: 'min' | 'max' | 'has', label: string, value: string, attributes: Html): Html =>
    html`<div class="field"><label for="${field}-${id}">${label}</label><input dir="auto" id="${field}-${id}" name="${filterField(id, field)}" value="${value}" autocomplete="off" ${attributes}></div>`;
  const bound = (field: 'min' | 'max', label: string): Html =>
    input(
      field,
      label,
      String(entry?.[field] ?? ''),
      order === 'number' ? html`inputmode="decimal" maxlength="32"` : html`placeholder="2026-06-15" maxlength="10"`,
    );
  const presence = (value: string, label: string, isSelected: boolean): Html =>
    html`<option value="${value}"${attribute('selected', isSelected)}>${label}</option>`;
  return html`${order && html`<div class="bounds">${bound('min', filter.min)}${bound('max', filter.max)}</div>`}
${!order && !isChoiceType(type) && input('has', filter.contains, entry?.contains ?? '', html`maxlength="${MAX_SEARCH_TEXT}"`)}
<div class="field"><label for="empty-${id}">${filter.answer}</label><select id="empty-${id}" name="${filterField(id, 'empty')}">${presence('', filter.presence.any, entry?.isEmpty === undefined)}${presence('0', filter.presence.answered, entry?.isEmpty === false)}${presence('1', filter.presence.empty, entry?.isEmpty === true)}</select></div>
<label class="column-option"><input type="checkbox" name="${filterField(id, 'not')}" value="1"${attribute('checked', entry?.not === true)}><span>${filter.others}</span></label>`;
}
