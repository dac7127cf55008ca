/** The filter of the table: what is active, and a form with the answers to choose from. */
import { type Facet, type Facets, optionName } from '#core/review/facets.ts';
import { allColumns } from '#core/review/table.ts';
import type { Structure } from '#core/structure/structure.ts';
import { number } from '../format.ts';
import { attribute, type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { columnTitle } from './columns.ts';
import { filterField, type ListAddress, listHref } from './list-address.ts';

/** The active filters, each with a link that removes it. */
export function activeFilters(view: View, structure: Structure, address: ListAddress): Html | undefined {
  const { filter } = view.t.review;
  if (address.filters.length === 0) return undefined;
  const titles = new Map(allColumns(structure).map((column) => [column.id, columnTitle(view, structure, column)]));
  const chips = address.filters.flatMap(({ questionId, answers }) =>
    answers.map(({ option }) => {
      const question = titles.get(questionId) ?? '';
      const value = optionName(structure, questionId, option);
      return html`<li><a class="chip" href="${listHref(without(address, questionId, option))}"><span class="chip-text">${question}</span> <b>${value}</b><span aria-hidden="true">×</span><span class="visually-hidden">${filter.remove(question, value)}</span></a></li>`;
    }),
  );
  return html`<div class="active-filters"><p class="muted small" id="active-filters">${filter.active}</p>
<ul class="chips" aria-labelledby="active-filters">${chips}<li><a class="clear" href="${listHref(address, { filters: [], cursor: undefined })}">${filter.clear}</a></li></ul></div>`;
}

const without = (address: ListAddress, questionId: string, option: string): ListAddress => ({
  ...address,
  cursor: undefined,
  filters: address.filters.flatMap((each) => {
    if (each.questionId !== questionId) return [each];
    const answers = each.answers.filter((answer) => answer.option !== option);
    return answers.length === 0 ? [] : [{ ...each, answers }];
  }),
});

/** The form; it works without scripts: the chosen answers become the address of the table. */
export function filterForm(
  view: View,
  structure: Structure,
  address: ListAddress,
  { facets, isComplete }: Facets,
): Html {
  const { filter } = view.t.review;
  const shown = facets.filter(({ values, isCut }) => values.length > 0 || isCut);
  return html`<form class="card filter-form" id="filter" method="get" action="/review/${address.formId}" aria-labelledby="filter-title">
<h2 id="filter-title">${filter.title}</h2>
${
  shown.length === 0
    ? html`<p class="muted">${filter.nothing}</p>`
    : html`<p class="hint">${filter.hint}${!isComplete && ` ${filter.incomplete}`}</p>`
}
${address.viewId !== undefined && html`<input type="hidden" name="view" value="${address.viewId}">`}
<div class="facets">${shown.map((facet) => facetField(view, structure, facet))}</div>
<div class="actions">${shown.length > 0 && html`<button>${filter.apply}</button>`}<a class="button secondary" href="${listHref(address, { isFiltering: false })}">${filter.close}</a></div>
</form>`;
}

function facetField(view: View, structure: Structure, { column, values, isCut }: Facet): Html {
  const { filter } = view.t.review;
  const chosen = values.filter(({ selected }) => selected).length;
  const title = columnTitle(view, structure, column);
  return html`<details class="facet"${attribute('open', chosen > 0)}>
<summary>${title}${chosen > 0 && html` <span class="tag active">${filter.chosen(chosen)}</span>`}</summary>
<fieldset><legend class="visually-hidden">${title}</legend>
${values.map(
  ({ matchValue, displayValue, count, selected }) =>
    html`<label class="column-option"><input type="checkbox" name="${filterField(column.id)}" value="${matchValue}"${attribute('checked', selected)}><span>${displayValue} <span class="muted">${number(view, count)}</span></span></label>`,
)}
${isCut && html`<p class="muted small">${filter.cut}</p>`}
</fieldset></details>`;
}
