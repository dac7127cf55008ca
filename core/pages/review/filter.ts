/** The filter of the table: what is active, in words. */

import { type Structure, sourceChain } from '#core/structure/structure.ts';
import { readableAnswer } from '#core/structure/types/types.ts';
import { choiceNames, hasConditions } from '#core/table/filter.ts';
import type { FilterEntry } from '#core/table/model.ts';
import { listColumns, type TableColumn } from '#core/table/table.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { toLocalTime } from '../shell/local-time.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnTitle } from './columns.ts';
import { isDay, isFiltered, type ListAddress, listHref, UNFILTERED } from './list-address.ts';

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
export function optionText(
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
export function describeConditions(context: PageContext, entry: FilterEntry): [string, FilterEntry][] {
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
