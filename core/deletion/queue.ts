/** Queued deletions: what is removed by the worker after the request that deleted a resource. */
import { type Key, keys } from '#core/db/keys.ts';
import type { Write } from '#core/db/table.ts';
import { queueDelivery } from '#core/outbox/delivery.ts';

/** What is deleted. */
export type DeletedResource =
  /** `fileIds`: the files of its answers, which are removed with it. */
  { type: 'response'; id: string; fileIds: readonly string[] } | { type: 'form' | 'organization'; id: string };

/** How much was removed. */
export type Removed = {
  responses: number;
  files: number;
  objects: number;
  items: number;
  forms: number;
  members: number;
};

/**
 * The data of a deletion. The second pass begins when upload URLs have expired and indexes have settled, and removes what
 * was written or not listed during the first. `after`: where the pass continues in the list of responses of a form.
 */
export type Deletion = DeletedResource & { pass: 1 | 2; removed: Removed; after?: string | undefined };

const NOTHING: Removed = { responses: 0, files: 0, objects: 0, items: 0, forms: 0, members: 0 };

/** The key whose partition holds the items of a resource. */
export function ownerKey({ type, id }: Pick<DeletedResource, 'type' | 'id'>): Key {
  if (type === 'response') return keys.response(id);
  return type === 'form' ? keys.formHead(id) : keys.organization(id);
}

/** The write that queues a deletion. */
export function queueDeletion(resource: DeletedResource, now: Date): Write {
  const fileIds = resource.type === 'response' ? resource.fileIds : [];
  return queueDelivery<Deletion>(
    {
      key: keys.deletion(ownerKey(resource)),
      kind: 'deletion',
      data: { ...resource, pass: 1, removed: { ...NOTHING, files: fileIds.length } },
    },
    now,
  );
}
