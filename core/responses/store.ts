/**
 * Reads and writes responses. A response is one item; every change is one conditional write on its version. Only
 * the first answer that a question ever gets writes a second item, which notes that the question has answers now.
 */
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, partitions } from '#core/db/keys.ts';
import { pagesOf } from '#core/db/pages.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import type { Response, ResponseProgress } from './model.ts';

/** The response of an item; undefined when there is none, or it is being deleted. */
export function responseOf(item: Item | undefined): Response | undefined {
  const response = storedResponseOf(item);
  return response?.deleting ? undefined : response;
}

/** As `responseOf`, but answers responses in deletion too. */
export function storedResponseOf(item: Item | undefined): Response | undefined {
  return item ? { ...decode<Omit<Response, 'version'>>(item), version: Number(item.version) } : undefined;
}

function responseItem(response: Response): Item {
  const { version, ...data } = response;
  const place = response.deleting ? indexKeys.deletedResponse(response) : indexKeys.response(response);
  return { ...keys.response(response.id), ...place, ...encode(data), version };
}

/** The write that creates a response. */
export const createResponse = (response: Response): Write => ({ put: responseItem(response), when: { absent: true } });

/** The write that replaces a response of the version before it. */
export const replaceResponse = (next: Response): Write => ({
  put: responseItem(next),
  when: { equals: { version: next.version - 1 } },
});

/** The write that removes a response, once it is marked and nothing of it is left. */
export const removeResponse = (responseId: string): Write => ({ remove: keys.response(responseId) });

/** The condition that a response is there, to be written together with what belongs to it. */
export const stillThere = (responseId: string): Write => ({
  check: keys.response(responseId),
  when: { absent: false },
});

/** The responses of some ids (100 at most), in that order; absent ones are left out. */
export async function loadResponses(table: Table, ids: readonly string[]): Promise<Response[]> {
  const items = await table.read(ids.map(keys.response));
  return items.map(responseOf).filter((response) => response !== undefined);
}

/** As `loadResponses`, with those in deletion. */
export async function loadStoredResponses(table: Table, ids: readonly string[]): Promise<Response[]> {
  const items = await table.read(ids.map(keys.response));
  return items.map(storedResponseOf).filter((response) => response !== undefined);
}

/** Some ids (100 at most) of the responses of a form, whatever their progress, those in deletion too. */
export async function someResponseIds(table: Table, formId: string): Promise<string[]> {
  const shards = ['DRAFT', 'SUBMITTED', 'DELETING'].flatMap((each) => partitions.responsesOf(formId, each));
  const pages = await Promise.all(shards.map((shard) => table.page({ ...shard, limit: 100 })));
  return pages.flatMap((page) => page.items.map(responseIdOf)).slice(0, 100);
}

export type ListPage = { responses: Response[]; last: string | null };
type ListRequest = { limit: number; after?: string | undefined; descending?: boolean };

/**
 * One page of the responses of a form in some progress, by the time at which they came into it: one Query a shard,
 * in parallel, and one read of the items. `last` is a position that holds in every shard, and so is the one that
 * `positions` has for each response.
 */
export async function pageResponses(
  table: Table,
  formId: string,
  progress: readonly ResponseProgress[],
  { limit, after, descending = false }: ListRequest,
): Promise<ListPage & { positions: ReadonlyMap<string, string> }> {
  const shards = progress.flatMap((each) => partitions.responsesOf(formId, each));
  const range = { limit, descending, ...(after === undefined ? {} : { after }) };
  const pages = await Promise.all(shards.map((shard) => table.page({ ...shard, ...range })));
  const entries = pages
    .flatMap((page) => page.items)
    .map((item) => ({ id: item.pk.slice('RESPONSE#'.length), at: item.gsi2sk ?? '' }))
    .sort((a, b) => (a.at < b.at ? -1 : 1) * (descending ? -1 : 1));
  const taken = entries.slice(0, limit);
  const more = entries.length > limit || pages.some((page) => page.last !== null);
  const loaded = await loadResponses(
    table,
    taken.map((entry) => entry.id),
  );
  return {
    // An index lags: an item that meanwhile left this progress stands in another list.
    responses: loaded.filter((response) => response.formId === formId && progress.includes(response.progress)),
    last: more ? (taken.at(-1)?.at ?? null) : null,
    positions: new Map(taken.map(({ id, at }) => [id, at])),
  };
}

/** How many responses of a form are in a progress. */
export async function countResponses(table: Table, formId: string, progress: ResponseProgress): Promise<number> {
  const counts = await Promise.all(partitions.responsesOf(formId, progress).map((shard) => table.count(shard)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** All of a user's own responses, to one form or to all. Bounded by what one person fills in. */
export async function loadOwnResponses(table: Table, userId: string, formId?: string): Promise<Response[]> {
  const partition = formId ? partitions.responsesOfUserTo(userId, formId) : partitions.responsesOfUser(userId);
  const responses: Response[] = [];
  for await (const items of pagesOf(table, { ...partition, limit: 100 })) {
    responses.push(...(await loadResponses(table, items.map(responseIdOf))));
  }
  return responses;
}

/** The keys of the forms that a user has started a response to, from the index alone. */
export async function startedForms(table: Table, userId: string): Promise<ReadonlySet<string>> {
  const started = new Set<string>();
  for await (const items of pagesOf(table, { ...partitions.responsesOfUser(userId), limit: 1_000 })) {
    for (const { gsi1sk = '' } of items) started.add(gsi1sk.slice(0, gsi1sk.indexOf('#')));
  }
  return started;
}

const responseIdOf = (item: Item): string => item.pk.slice('RESPONSE#'.length);

/** Every response of a form in some progress, oldest first, page by page. */
export async function* allResponses(
  table: Table,
  formId: string,
  progress: readonly ResponseProgress[],
): AsyncGenerator<Response[]> {
  let after: string | undefined;
  do {
    const page = await pageResponses(table, formId, progress, { limit: 100, after });
    yield page.responses;
    after = page.last ?? undefined;
  } while (after !== undefined);
}
