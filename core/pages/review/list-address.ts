/** The address of the table of responses: which view, which filters, which page. Links between pages keep it. */
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import { FilterInput } from '#core/table/model.ts';

/** The parsed query of the address. */
export type ListAddress = {
  formId: string;
  viewId: string | undefined;
  /** One for each question. */
  filters: FilterInput['filters'];
  /** Whether the filter is open. */
  isFiltering: boolean;
  cursor: string | undefined;
};

/** The name of the field of a filter, before the id of its question. */
const FILTER_PREFIX = 'f-';

/** Builds the name of the filter field of a question. */
export const filterField = (questionId: string): string => `${FILTER_PREFIX}${questionId}`;

/** Reads the query of an address. Throws 400 for filters that are too large. */
export function parseListAddress(formId: string, query: URLSearchParams): ListAddress {
  const names = [...new Set(query.keys())].filter(
    (name) => name.startsWith(FILTER_PREFIX) && isId(name.slice(FILTER_PREFIX.length)),
  );
  const parsed = FilterInput().safeParse({
    filters: names.map((name) => ({
      questionId: name.slice(FILTER_PREFIX.length),
      answers: query.getAll(name).map((option) => ({ option })),
    })),
  });
  if (!parsed.success) throw problems.invalid([{ pointer: '/query', detail: 'has filters that are too large' }]);
  return {
    formId,
    viewId: query.get('view') ?? undefined,
    filters: parsed.data.filters,
    isFiltering: query.get('filter') === 'open',
    cursor: query.get('cursor') ?? undefined,
  };
}

/** Builds the query of an address, with its question mark; empty for the standard table. */
export function buildListQuery({ viewId, filters, isFiltering, cursor }: ListAddress): string {
  const query = new URLSearchParams();
  if (viewId !== undefined) query.append('view', viewId);
  for (const { questionId, answers } of filters) {
    for (const { option } of answers) query.append(filterField(questionId), option);
  }
  if (isFiltering) query.append('filter', 'open');
  if (cursor !== undefined) query.append('cursor', cursor);
  return query.size === 0 ? '' : `?${query}`;
}

/** Builds the address of the table, with changes. */
export const listHref = (address: ListAddress, changes: Partial<ListAddress> = {}): string =>
  `/review/${address.formId}${buildListQuery({ ...address, ...changes })}`;

/** Builds the address of a response that leads back to the same view and filters. */
export const responseHref = (address: ListAddress, responseId: string): string =>
  `/review/${address.formId}/r/${responseId}${buildListQuery({ ...address, isFiltering: false, cursor: undefined })}`;
