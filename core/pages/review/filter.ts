/** The filter of the table: what is active, and a form with the answers to choose from. */

import { formatNumber } from '#core/schema/format.ts';
import { type Structure, sourceChain } from '#core/structure/structure.ts';
import { readableAnswer } from '#core/structure/types/types.ts';
import { type Facet, type Facets, optionName } from '#core/table/facets.ts';
import { listColumns, type TableColumn } from '#core/table/table.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnTitle } from './columns.ts';
import { filterField, hiddenListFields, isFilterField, type ListAddress, listHref, listPath } from './list-address.ts';

/** Renders the active filters, each with a link that removes it. */
export function activeFilters(context: PageContext, structure: Structure, address: ListAddress): Html | undefined {
  const { filter, order } = getReviewTexts(context);
  // The table has the search in a form of its own.
  const respondent = address.part === 'statistics' ? address.respondent : '';
  if (address.filters.length === 0 && respondent === '') return undefined;
  const columns = new Map(listColumns(structure).map((column) => [column.id, column]));
  const chips = address.filters.flatMap(({ questionId, answers }) =>
    answers.map(({ option }) => {
      const column = columns.get(questionId);
      const question = column ? columnTitle(context, structure, column) : '';
      const value = optionText(context, structure, column, {
        matchValue: option,
        displayValue: optionName(structure, questionId, option),
      });
      return html`<li><a class="chip" href="${listHref(withoutOption(address, questionId, option))}"><span class="chip-text">${question}</span> <b>${value}</b>${icon('close')}<span class="visually-hidden">${filter.remove(question, value)}</span></a></li>`;
    }),
  );
  return html`<div class="active-filters"><p class="muted small" id="active-filters">${filter.active}</p>
<ul class="chips" aria-labelledby="active-filters">${chips}${
    respondent !== '' &&
    html`<li><a class="chip" href="${listHref(address, { respondent: '', page: undefined })}"><span class="chip-text">${order.search}</span> <b>${respondent}</b><span aria-hidden="true">×</span><span class="visually-hidden">${filter.remove(order.search, respondent)}</span></a></li>`
  }<li><a class="clear" href="${listHref(address, { filters: [], page: undefined, ...(respondent !== '' && { respondent: '' }) })}">${filter.clear}</a></li></ul></div>`;
}

/** Formats a value: dates in words; an other choice without a name as "Other", not by the text of one respondent. */
function optionText(
  context: PageContext,
  structure: Structure,
  column: TableColumn | undefined,
  { matchValue, displayValue }: { matchValue: string; displayValue: string },
): string {
  const choices = column ? sourceChain(structure, column.id).at(-1)?.choices : undefined;
  const isUnnamed = choices?.some(({ id, name }) => id === matchValue && name === '');
  if (isUnnamed) return context.t.section.other;
  const date = column?.question?.date;
  return column ? readableAnswer(context, { type: column.type, value: matchValue, displayValue, date }) : displayValue;
}

const withoutOption = (address: ListAddress, questionId: string, option: string): ListAddress => ({
  ...address,
  page: undefined,
  filters: address.filters.flatMap((filter) => {
    if (filter.questionId !== questionId) return [filter];
    const answers = filter.answers.filter((answer) => answer.option !== option);
    return answers.length === 0 ? [] : [{ ...filter, answers }];
  }),
});

/** Renders the form, which works without scripts: the chosen answers become the address of the table. */
export function filterForm(
  context: PageContext,
  structure: Structure,
  address: ListAddress,
  { facets, isComplete }: Facets,
): Html {
  const { filter, order } = getReviewTexts(context);
  const isSearching = address.part === 'statistics';
  const visibleFacets = facets.filter(
    ({ values, isTruncated, unlisted }) => values.length > 0 || isTruncated || unlisted,
  );
  return html`<form class="card filter-form" id="filter" method="get" action="${listPath(address)}" aria-labelledby="filter-title">
<h2 id="filter-title">${filter.title}</h2>
${
  visibleFacets.length === 0
    ? html`<p class="muted">${filter.nothing}</p>`
    : html`<p class="hint">${filter.hint}${!isComplete && ` ${filter.incomplete}`}</p>`
}
${hiddenListFields(address, (name) => isFilterField(name) || (isSearching && name === 'q'))}
${isSearching && html`<div class="field"><label for="q">${order.search}</label><input id="q" name="q" type="search" value="${address.respondent}" maxlength="200" autocomplete="off"></div>`}
<div class="facets">${visibleFacets.map((facet) => facetField(context, structure, facet, address.facetId))}</div>
<div class="actions">${(visibleFacets.length > 0 || isSearching) && html`<button>${filter.apply}</button>`}<a class="button secondary" href="${listHref(address, { isFiltering: false })}">${filter.close}</a></div>
</form>`;
}

/** Renders the values of a question; those that are not listed, with a button that asks for them and keeps what is chosen. */
function facetField(
  context: PageContext,
  structure: Structure,
  { column, values, isTruncated, unlisted }: Facet,
  requested: string | undefined,
): Html {
  const { filter } = getReviewTexts(context);
  const chosen = values.filter(({ selected }) => selected).length;
  const title = columnTitle(context, structure, column);
  return html`<details class="facet" id="facet-${column.id}"${attribute('open', chosen > 0 || column.id === requested)}>
<summary>${title}${chosen > 0 && html` <span class="tag active">${filter.chosen(chosen)}</span>`}</summary>
<fieldset><legend class="visually-hidden">${title}</legend>
${values.map(
  ({ count, selected, ...value }) =>
    html`<label class="column-option"><input type="checkbox" name="${filterField(column.id)}" value="${value.matchValue}"${attribute('checked', selected)}><span>${optionText(context, structure, column, value)} <span class="muted">${formatNumber(context, count)}</span></span></label>`,
)}
${isTruncated && html`<p class="muted small">${filter.truncatedAnswers}</p>`}
${unlisted && html`<p><button class="quiet" name="filter" value="${column.id}">${unlisted === 'all' ? filter.list : filter.listRemoved}</button></p>`}
</fieldset></details>`;
}
