/** The responses before and after one, in the order of the table. */
import { indexKeys } from '#core/db/keys.ts';
import type { Response } from '#core/responses/model.ts';
import { listEntries } from '#core/responses/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isUnfiltered, readMatches, type SearchPorts, type TableQuery } from './matches.ts';
import { sortMatches } from './sorted-list.ts';

/** How many responses in each direction are compared with a filter or a search. */
const MAX_COMPARED = 100;

/** The nearest response that matches, or the position from which to search on if none of the compared ones does. */
export type Neighbour = { id: string } | { continueAt: string } | undefined;
export type Neighbours = { previous: Neighbour; next: Neighbour };

/**
 * Finds the submitted responses next to one in the order of the table, of those that match; none for a draft. With a
 * filter or a search, the nearest 100 responses are compared, in the order of answers the first 1,000.
 */
export async function findNeighbours(
  app: SearchPorts,
  { response, structure }: { response: Response; structure: Structure },
  query: TableQuery,
): Promise<Neighbours> {
  const { questionId, descending = false } = query.sort ?? {};
  if (response.progress !== 'SUBMITTED') return { previous: undefined, next: undefined };
  if (questionId !== undefined) {
    const sorted = await sortMatches(app, structure, { ...query, sort: { questionId, descending } });
    const index = sorted?.findIndex(({ id }) => id === response.id) ?? -1;
    if (sorted && index === -1) return { previous: undefined, next: undefined };
    if (sorted) return { previous: sorted[index - 1], next: sorted[index + 1] };
  }
  // A form with too many responses to be sorted by answers has the order of submission, newest first.
  const isReversed = questionId !== undefined || descending;
  const after = indexKeys.response(response).gsi2sk;
  const isAll = isUnfiltered(query);
  const isOther = ({ id }: { id: string }): boolean => id !== response.id;
  const findNearest = async (towards: boolean): Promise<Neighbour> => {
    if (isAll) {
      const range = { limit: 2, after, descending: towards };
      return (await listEntries(app.table, response.formId, ['SUBMITTED'], range)).entries.find(isOther);
    }
    const reading = { after, descending: towards, first: MAX_COMPARED, most: MAX_COMPARED };
    for await (const { responses, last } of readMatches(app, structure, query, reading)) {
      return responses.find(isOther) ?? (last === null ? undefined : { continueAt: last });
    }
    return undefined;
  };
  const [previous, next] = await Promise.all([findNearest(!isReversed), findNearest(isReversed)]);
  return { previous, next };
}
