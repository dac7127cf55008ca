/**
 * Removes stored objects whose clean-up is due, unless they are referenced. This covers uploads that were never
 * attached, late uploads, and crashes between a write and the removal of an object.
 */
import { type Key, keys } from '#core/db/keys.ts';
import type { Item } from '#core/db/table.ts';
import { formOfCover } from '#core/forms/cover.ts';
import { formOf } from '#core/forms/store.ts';
import { type DeliveryHandler, DONE } from '#core/jobs/attempt.ts';
import type { CleanUp } from '#core/jobs/job.ts';

export const cleanUps: DeliveryHandler = {
  claimSeconds: 60,
  async attempt(app, deliveries) {
    const all = deliveries.map(({ data }) => (data as CleanUp).object);
    const owners = await app.table.read(all.map(ownerKey));
    await app.bucket.remove(all.filter((object, index) => !isReferenced(object, owners[index])));
    return deliveries.map(() => DONE);
  },
};

/**
 * The key of the item that refers to an object if it is used: an attached file, or the form of a cover. Nothing refers to
 * the file of an export, whose clean-up is due when it has expired.
 */
function ownerKey(object: string): Key {
  const formId = formOfCover(object);
  return formId === undefined ? keys.file(object.slice(object.lastIndexOf('/') + 1)) : keys.formHead(formId);
}

function isReferenced(object: string, owner: Item | undefined): boolean {
  const formId = formOfCover(object);
  return formId === undefined ? owner !== undefined : formOf(owner, formId)?.coverImage === object;
}
