/** The filter of the table: what is active, and a form with the answers to choose from. */

import { formatNumber } from '#core/schema/format.ts';
import { type Structure, sourceChain } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import { readableAnswer } from '#core/structure/types/types.ts';
import type { Facet, Facets } from '#core/table/facets.ts';
import { choiceNames, hasConditions, orderOf } from '#core/table/filter.ts';
import { type FilterEntry, MAX_SEARCH_TEXT } from '#core/table/model.ts';
import { listColumns, type TableColumn } from '#core/table/table.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { toLocalTime } from '../shell/local-time.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnTitle } from './columns.ts';
import {
  filterField,
  hiddenListFields,
  isDay,
  isFiltered,
  isFilterField,
  type ListAddress,
  listHref,
  listPath,
  UNFILTERED,
} from './list-address.ts';

/** A condition of a filter in words, and the address without it. */
type Condition = { name: string; value: string; rest: ListAddress };

/** Lists the conditions of the filter of an address, without its search. */
function listConditions(context: PageContext, structure: Structure, address: ListAddress): Condition[] {
  const { filter } = getReviewTexts(context);
  const columns = new Map(listColumns(structure).map((column) => [column.id, column]));
  const submitted = (name: 'from' | 'to', text: (day: string) => string): Condition[] => {
    const bound = address.days[name];
    if (bound === undefined) return [];
    return [{ name: filter.submitted, value: text(boundText(context, bound)), rest: withoutDay(address, name) }];
  };
  return [
    ...submitted('from', filter.fromDay),
    ...submitted('to', filter.toDay),
    ...(address.copies
      ? [{ name: filter.copies, value: filter.copiesFailed, rest: { ...address, copies: undefined } }]
      : []),
    ...address.filters.flatMap((entry) => {
      const { questionId, answers = [], not = false } = entry;
      const column = columns.get(questionId);
      const question = column ? columnTitle(context, structure, column) : '';
      const options = answers.map(({ option }): [string, FilterEntry] => {
        const displayValue = choiceNames(structure, questionId).get(option) ?? option;
        const rest = answers.filter((answer) => answer.option !== option);
        return [
          optionText(context, structure, column, { matchValue: option, displayValue }),
          { ...entry, answers: rest },
        ];
      });
      const conditions = describeConditions(context, entry);
      return [...options, ...conditions].map(([value, rest]) => ({
        name: question,
        value: not ? filter.not(value) : value,
        rest: replaceEntry(address, rest),
      }));
    }),
  ];
}

/** Describes the filter, the search and the order of an address in words, a line for each; none for the standard table. */
export function describeList(context: PageContext, structure: Structure, address: ListAddress): string[] {
  const { order } = getReviewTexts(context);
  const { respondent, sort } = address;
  const column = listColumns(structure).find(({ id }) => id === sort.questionId);
  const by = column && (sort.descending ? order.descending : order.ascending)(columnTitle(context, structure, column));
  const isStandard = sort.questionId === undefined && sort.descending;
  return [
    ...listConditions(context, structure, address).map(({ name, value }) => `${name}: ${value}`),
    ...(respondent === '' ? [] : [`${order.search}: ${respondent}`]),
    ...(isStandard ? [] : [`${order.label}: ${by ?? (sort.descending ? order.newest : order.oldest)}`]),
  ];
}

/** Renders the active filters, each with a link that removes it. */
export function activeFilters(context: PageContext, structure: Structure, address: ListAddress): Html | undefined {
  const { filter, order } = getReviewTexts(context);
  // The table has the search in a form of its own.
  const respondent = address.part === undefined ? '' : address.respondent;
  if (!isFiltered({ ...address, respondent })) return undefined;
  const chips = listConditions(context, structure, address).map(
    ({ name, value, rest }) =>
      html`<li><a class="chip" href="${listHref({ ...rest, page: undefined })}"><span class="chip-text" dir="auto">${name}</span> <b dir="auto">${value}</b>${icon('close')}<span class="visually-hidden">${filter.remove(name, value)}</span></a></li>`,
  );
  return html`<div class="active-filters"><p class="muted small" id="active-filters">${filter.active}</p>
<ul class="chips" aria-labelledby="active-filters">${chips}${
    respondent !== '' &&
    html`<li><a class="chip" href="${listHref(address, { respondent: '', page: undefined })}"><span class="chip-text" dir="auto">${order.search}</span> <b dir="auto">${respondent}</b><span aria-hidden="true">×</span><span class="visually-hidden">${filter.remove(order.search, respondent)}</span></a></li>`
  }<li><a class="clear" href="${listHref(address, { ...UNFILTERED, ...(respondent === '' && { respondent: address.respondent }) })}">${filter.clear}</a></li></ul></div>`;
}

/** Writes a bound of the time of submission: a day, or a moment in the zone of the reader. */
const boundText = ({ timeZone }: PageContext, bound: string): string =>
  isDay(bound) ? bound : toLocalTime(bound, timeZone).replace('T', ' ');

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

/** Lists the conditions of an entry apart from its options, in words, each with the entry without it. */
function describeConditions(context: PageContext, entry: FilterEntry): [string, FilterEntry][] {
  const { filter } = getReviewTexts(context);
  const { isEmpty, contains, min, max } = entry;
  const described: [string | undefined, FilterEntry][] = [
    [
      isEmpty === undefined ? undefined : filter.presence[isEmpty ? 'empty' : 'answered'],
      { ...entry, isEmpty: undefined },
    ],
    [contains === undefined ? undefined : filter.containing(contains), { ...entry, contains: undefined }],
    [min === undefined ? undefined : filter.atLeast(String(min)), { ...entry, min: undefined }],
    [max === undefined ? undefined : filter.atMost(String(max)), { ...entry, max: undefined }],
  ];
  return described.flatMap(([text, rest]): [string, FilterEntry][] => (text === undefined ? [] : [[text, rest]]));
}

const replaceEntry = (address: ListAddress, entry: FilterEntry): ListAddress => ({
  ...address,
  filters: address.filters.flatMap((filter) => {
    if (filter.questionId !== entry.questionId) return [filter];
    return hasConditions(entry) ? [entry] : [];
  }),
});

const withoutDay = (address: ListAddress, bound: 'from' | 'to'): ListAddress => ({
  ...address,
  days: { ...address.days, [bound]: undefined },
});

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
    html`<label class="column-option"><input type="checkbox" name="${filterField(id)}" value="${value.matchValue}"${attribute('checked', selected)}><span dir="auto">${optionText(context, structure, column, value)} <span class="muted">${formatNumber(context, count)}</span></span></label>`,
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
