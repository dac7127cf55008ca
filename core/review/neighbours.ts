/** The responses before and after one in the order of submission. */
import { indexKeys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Response } from '#core/responses/model.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { pageEntries, pageResponses } from '#core/responses/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { matchesFilter } from './filter.ts';
import type { FilterInput } from './filter-model.ts';

/** How many responses in each direction are compared with a filter. */
const MAX_LOOKED_AT = 100;

export type Neighbours = { previous: string | undefined; next: string | undefined };

/**
 * The ids of the submitted responses next to one, of those that match a filter; none for a draft. With a filter, only
 * the nearest 100 responses are looked at.
 */
export async function neighboursOf(
  { table }: Pick<Ports, 'table'>,
  { response, structure }: { response: Response; structure: Structure },
  filters: FilterInput['filters'],
): Promise<Neighbours> {
  if (response.progress !== 'SUBMITTED') return { previous: undefined, next: undefined };
  const after = indexKeys.response(response).gsi2sk;
  const nearest = async (descending: boolean): Promise<string | undefined> => {
    const isOther = ({ id }: { id: string }): boolean => id !== response.id;
    if (filters.length === 0) {
      const range = { limit: 2, after, descending };
      return (await pageEntries(table, response.formId, ['SUBMITTED'], range)).entries.find(isOther)?.id;
    }
    const range = { limit: MAX_LOOKED_AT, after, descending };
    const { responses } = await pageResponses(table, response.formId, ['SUBMITTED'], range);
    const matches = (each: Response) => matchesFilter(filters, countedAnswers({ response: each, structure }));
    return responses.find((each) => isOther(each) && matches(each))?.id;
  };
  const [previous, next] = await Promise.all([nearest(true), nearest(false)]);
  return { previous, next };
}
