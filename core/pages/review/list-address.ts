/**
 * The address of the table of responses: which view, filters, respondents, order and page. Links between pages keep it. A
 * page is named by the position of a row, so it stays the same after a reload and when responses arrive meanwhile.
 */
import { encodeCursor } from '#core/http/cursors.ts';
import { problems } from '#core/problems/problems.ts';
import { isId, Moment } from '#core/schema/schema.ts';
import { hasConditions } from '#core/table/filter.ts';
import type { TableQuery } from '#core/table/matches.ts';
import { FilterEntry, FilterInput, MAX_SEARCH_TEXT, type ResponseQuery } from '#core/table/model.ts';
import type { MatchCount } from '#core/table/page.ts';
import type { SavedView } from '#core/views/model.ts';
import { type Html, html } from '../shell/html.ts';
import { startOfDay, toLocalTime } from '../shell/local-time.ts';

/** The parsed query of the address. */
export type ListAddress = {
  formId: string;
  /** The page that is about the responses; without it, the table of them. */
  part?: 'statistics' | 'export' | `q/${string}`;
  viewId: string | undefined;
  /** One for each question. */
  filters: FilterInput['filters'];
  /** Whether the filter is open. */
  isFiltering: boolean;
  /** The question whose answers are listed in the open filter although they have to be read. */
  facetId: string | undefined;
  /**
   * The days of submission, the first and the last one, as `2026-05-01`; or the moments between which it was, of a view that a
   * client made; undefined without a bound.
   */
  days: { from: string | undefined; to: string | undefined };
  /** When these days begin and end where the reader is. */
  range: Pick<TableQuery, 'from' | 'to'>;
  /** Whether only submissions are shown whose copy could not be sent. */
  copies: TableQuery['copies'];
  /** Text in the name, username or e-mail address of respondents; empty for all. */
  respondent: string;
  /** By submission without a question. */
  sort: { questionId?: string; descending: boolean };
  /** The responses that are selected, of an export; all without it. */
  selected?: readonly string[];
  /** The most rows of a page. */
  rows: number;
  /**
   * The cursor after or before which the page is; undefined for the first page. `matches`: how many responses matched when
   * the first page was read, so that they are not counted again for each page.
   */
  page: (({ after: string } | { before: string }) & { matches?: MatchCount | undefined }) | undefined;
};

/** The rows of a page to choose from. */
export const ROWS = [25, 50, 100] as const;
const DEFAULT_ROWS = 50;

const NEWEST_FIRST: ListAddress['sort'] = { descending: true };

/** Returns the query of the table at an address. */
export const toTableQuery = ({ filters, range, copies, respondent, sort }: ListAddress): TableQuery => ({
  ...{ filters, respondent, sort },
  ...range,
  ...(copies && { copies }),
});

/** Returns what a view keeps of an address: its filter, its search and its order; null if it has the standard ones. */
export const toKeptQuery = (address: ListAddress): ResponseQuery | null =>
  isFiltered(address) || sortField(address.sort) !== '' ? toTableQuery(address) : null;

/** Applies what a view keeps to an address; null is the standard. */
export function withKept(address: ListAddress, query: ResponseQuery | null, timeZone: string): ListAddress {
  const { filters = [], respondent = '', sort, from, to, copies } = query ?? {};
  const { questionId, descending = false } = sort ?? NEWEST_FIRST;
  return {
    ...address,
    ...{ filters, copies, respondent, days: daysOf({ from, to }, timeZone) },
    range: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
    sort: { ...(questionId !== undefined && { questionId }), descending },
    isFiltering: false,
    page: undefined,
  };
}

/**
 * Returns the address of the table as a view, or the standard one, shows it: with the filter, the search and the order that the
 * view keeps. One that keeps none shows what is shown now, unless the view that is left keeps just that.
 */
export function viewAddress(
  address: ListAddress,
  { left, view }: { left?: SavedView | undefined; view: SavedView | undefined },
  timeZone: string,
): ListAddress {
  const shown = { ...address, viewId: view?.id, isFiltering: false, page: undefined };
  if (view?.query) return withKept(shown, view.query, timeZone);
  const isOfLeft = left?.query !== undefined && isSameList(address, withKept(address, left.query, timeZone));
  return isOfLeft ? withKept(shown, null, timeZone) : shown;
}

/** Returns the address of the table of a form with the standard filter and order. */
export const standardAddress = (formId: string, timeZone: string): ListAddress =>
  parseListAddress(formId, new URLSearchParams(), timeZone);

/** Whether two addresses have the same filter, search and order. */
export const isSameList = (a: ListAddress, b: ListAddress): boolean => keptFields(a) === keptFields(b);

const keptFields = (address: ListAddress): string =>
  String(
    new URLSearchParams(
      listFields({ ...address, viewId: undefined, rows: DEFAULT_ROWS, isFiltering: false, page: undefined }),
    ),
  );

/** Returns what identifies the list at an address, for its cursors. */
export const identifyTable = (address: ListAddress): unknown => ({
  formId: address.formId,
  ...toTableQuery(address),
});

/** Writes an order as the value of a field; empty for newest first. */
export function sortField({ questionId, descending }: ListAddress['sort']): string {
  if (questionId === undefined) return descending ? '' : 'oldest';
  return descending ? `-${questionId}` : questionId;
}

/** Reads an order; anything unknown is newest first. */
function parseSort(text: string): ListAddress['sort'] {
  if (text === 'oldest') return { descending: false };
  const descending = text.startsWith('-');
  const questionId = descending ? text.slice(1) : text;
  return isId(questionId) ? { questionId, descending } : NEWEST_FIRST;
}

function parsePage(query: URLSearchParams): ListAddress['page'] {
  const [after, before] = [query.get('cursor'), query.get('before')];
  const [, count, more] = /^(\d{1,9})(\+?)$/.exec(query.get('of') ?? '') ?? [];
  const matches = count === undefined ? undefined : { count: Number(count), isComplete: more === '' };
  if (after !== null) return { after, matches };
  return before === null ? undefined : { before, matches };
}

const matchesField = ({ count, isComplete }: MatchCount): string => `${count}${isComplete ? '' : '+'}`;

/** The fields of a filter, before the id of their question, and the conditions that they are. */
const FILTER_FIELDS = { f: 'answers', empty: 'isEmpty', has: 'contains', min: 'min', max: 'max', not: 'not' } as const;
type FilterField = keyof typeof FILTER_FIELDS;

/** Builds the name of a filter field of a question; without a condition, that of its options. */
export const filterField = (questionId: string, field: FilterField = 'f'): string => `${field}-${questionId}`;

function parseFilterField(name: string): { field: FilterField; questionId: string } | undefined {
  const [, field = '', questionId = ''] = /^(\w+)-(.+)$/.exec(name) ?? [];
  return Object.hasOwn(FILTER_FIELDS, field) && isId(questionId)
    ? { field: field as FilterField, questionId }
    : undefined;
}

/** Whether a field belongs to the filter. */
export const isFilterField = (name: string): boolean =>
  ['from', 'to', 'copies'].includes(name) || parseFilterField(name) !== undefined;

/** Reads the conditions on a question; an empty field is none, and so is a bound that is neither a number nor a date. */
function parseEntry(questionId: string, query: URLSearchParams): FilterEntry | undefined {
  const read = (field: FilterField): string => (query.get(filterField(questionId, field)) ?? '').trim();
  const bound = (field: 'min' | 'max') => {
    const typed = read(field);
    // A year may be a number too: what could be a date stays a text, which is compared with both.
    const parsed = [typed, ...(isNumberText(typed) ? [Number(typed)] : [])]
      .map((value) => FilterEntry().shape[field].safeParse(value))
      .find(({ success }) => success);
    return parsed?.success ? { [field]: parsed.data } : {};
  };
  const contains = read('has').slice(0, MAX_SEARCH_TEXT);
  const entry: FilterEntry = {
    questionId,
    answers: query.getAll(filterField(questionId)).map((option) => ({ option })),
    ...(['1', '0'].includes(read('empty')) && { isEmpty: read('empty') === '1' }),
    ...(contains !== '' && { contains }),
    ...bound('min'),
    ...bound('max'),
    ...(read('not') === '1' && { not: true }),
  };
  return hasConditions(entry) ? entry : undefined;
}

const isNumberText = (text: string): boolean => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text);

/** Lists the fields of the conditions on a question. */
const entryFields = ({
  questionId,
  answers = [],
  isEmpty,
  contains,
  min,
  max,
  not,
}: FilterEntry): [string, string][] => {
  const fields: [FilterField, string | undefined][] = [
    ...answers.map(({ option }): [FilterField, string] => ['f', option]),
    ['empty', isEmpty === undefined ? undefined : isEmpty ? '1' : '0'],
    ['has', contains],
    ['min', min?.toString()],
    ['max', max?.toString()],
    ['not', not ? '1' : undefined],
  ];
  return fields.flatMap(([field, value]) => (value === undefined ? [] : [[filterField(questionId, field), value]]));
};

/** Whether a bound is a day, not a moment. */
export const isDay = (bound: string): boolean => /^\d{4}-\d\d-\d\d$/.test(bound) && !Number.isNaN(Date.parse(bound));

const parseDay = (text: string | null): string | undefined =>
  text !== null && isDay(text) ? text : Moment().safeParse(text).data;

/** Finds when some days begin and end in a time zone. */
const rangeOf = ({ from, to }: ListAddress['days'], timeZone: string): ListAddress['range'] => ({
  ...(from !== undefined && { from: isDay(from) ? startOfDay(from, timeZone) : from }),
  ...(to !== undefined && { to: isDay(to) ? startOfDay(nextDay(to), timeZone) : to }),
});

/** Finds the days in a time zone that begin and end at some moments; a moment within a day stays one. */
function daysOf({ from, to }: ListAddress['range'], timeZone: string): ListAddress['days'] {
  const toDay = (moment: string | undefined, before: number): string | undefined => {
    if (moment === undefined) return undefined;
    const day = toLocalTime(new Date(Date.parse(moment) - before).toISOString(), timeZone).slice(0, 10);
    return startOfDay(before === 0 ? day : nextDay(day), timeZone) === moment ? day : moment;
  };
  return { from: toDay(from, 0), to: toDay(to, 1) };
}

const nextDay = (day: string): string => new Date(Date.parse(day) + 24 * 3_600_000).toISOString().slice(0, 10);

/** Reads the query of an address. `timeZone`: where its days begin. Throws 400 for filters that are too large. */
export function parseListAddress(formId: string, query: URLSearchParams, timeZone: string): ListAddress {
  const questionIds = new Set([...query.keys()].flatMap((name) => parseFilterField(name)?.questionId ?? []));
  const entries = [...questionIds].flatMap((questionId) => parseEntry(questionId, query) ?? []);
  const parsed = FilterInput().safeParse({ filters: entries });
  if (!parsed.success) throw problems.invalid([{ pointer: '/query', detail: 'has filters that are too large' }]);
  const days = { from: parseDay(query.get('from')), to: parseDay(query.get('to')) };
  const filter = query.get('filter') ?? '';
  const isFiltering = filter === 'open' || isId(filter);
  return {
    formId,
    viewId: query.get('view') ?? undefined,
    filters: parsed.data.filters,
    days,
    range: rangeOf(days, timeZone),
    isFiltering,
    facetId: isId(filter) ? filter : undefined,
    copies: query.get('copies') === 'failed' ? 'FAILED' : undefined,
    respondent: (query.get('q') ?? '').trim().slice(0, MAX_SEARCH_TEXT),
    sort: parseSort(query.get('sort') ?? ''),
    rows: ROWS.find((rows) => String(rows) === query.get('rows')) ?? DEFAULT_ROWS,
    // The open filter counts what the first page reads.
    page: isFiltering ? undefined : parsePage(query),
  };
}

/** Lists the fields of the query of an address. */
export function listFields({
  viewId,
  filters,
  days,
  copies,
  respondent,
  sort,
  rows,
  isFiltering,
  facetId,
  selected = [],
  page,
}: ListAddress): [string, string][] {
  return [
    ...(viewId === undefined ? [] : [['view', viewId] as [string, string]]),
    ...filters.flatMap(entryFields),
    ...selected.map((id): [string, string] => ['r', id]),
    ...Object.entries({
      from: days.from ?? '',
      to: days.to ?? '',
      copies: copies ? 'failed' : '',
      q: respondent,
      sort: sortField(sort),
      rows: rows === DEFAULT_ROWS ? '' : String(rows),
      filter: isFiltering ? (facetId ?? 'open') : '',
      cursor: page && 'after' in page ? page.after : '',
      before: page && 'before' in page ? page.before : '',
      of: page?.matches ? matchesField(page.matches) : '',
    }).filter(([, value]) => value !== ''),
  ];
}

/** Whether an address has a filter or a search. */
export const isFiltered = ({ filters, days, copies, respondent }: ListAddress): boolean =>
  filters.length > 0 || copies !== undefined || days.from !== undefined || days.to !== undefined || respondent !== '';

/** What an address has without its filter and its search. */
export const UNFILTERED = {
  filters: [],
  days: { from: undefined, to: undefined },
  range: {},
  copies: undefined,
  respondent: '',
  page: undefined,
} satisfies Partial<ListAddress>;

/** Renders hidden fields for a form that changes some fields of an address; it leads to the first page. */
export const hiddenListFields = (address: ListAddress, changed: (name: string) => boolean): Html =>
  html`${listFields({ ...address, isFiltering: false, page: undefined })
    .filter(([name]) => !changed(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/** Builds the query of an address, with its question mark; empty for the standard table. */
export function buildListQuery(address: ListAddress): string {
  const query = new URLSearchParams(listFields(address));
  return query.size === 0 ? '' : `?${query}`;
}

/** Returns the path of the page at an address, without its query. */
export const listPath = ({ formId, part }: Pick<ListAddress, 'formId' | 'part'>): string =>
  `/review/${formId}${part === undefined ? '' : `/${part}`}`;

/** Builds the address of the table, with changes. */
export const listHref = (address: ListAddress, changes: Partial<ListAddress> = {}): string =>
  `${listPath({ ...address, ...changes })}${buildListQuery({ ...address, ...changes })}`;

/** Returns the address of the answers to a question in the responses of a list, newest first. */
export const answersAddress = (address: ListAddress, questionId: string): ListAddress => ({
  ...address,
  part: `q/${questionId}`,
  sort: { descending: true },
  isFiltering: false,
});

/** Builds the address of the page of the table after or before a position, in the order of submission. */
export function continuedHref(address: ListAddress, position: string, towards: 'prev' | 'next'): string {
  const { sort } = address;
  const list = sort.questionId === undefined ? address : { ...address, sort: NEWEST_FIRST };
  const cursor = encodeCursor(identifyTable(list), position);
  return listHref(list, { isFiltering: false, page: towards === 'next' ? { after: cursor } : { before: cursor } });
}

/** Builds the address of a response that leads back to the same view and filters. */
export const responseHref = (address: ListAddress, responseId: string): string =>
  `/review/${address.formId}/r/${responseId}${buildListQuery({ ...address, isFiltering: false, page: undefined })}`;
