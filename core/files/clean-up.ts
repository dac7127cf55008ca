/**
 * Removes stored objects whose clean-up is due, unless they are referenced. This covers uploads that were never
 * attached, late uploads, and crashes between a write and the removal of an object.
 */
import { type Key, keys } from '#core/db/keys.ts';
import type { Item } from '#core/db/table.ts';
import { parseCoverFormId } from '#core/forms/cover.ts';
import { parseForm } from '#core/forms/store.ts';
import { DONE, type JobHandler } from '#core/jobs/attempt.ts';
import type { CleanUp } from '#core/jobs/clean-up.ts';

export const cleanUps: JobHandler = {
  claimSeconds: 60,
  async attempt(app, jobs) {
    const objectKeys = jobs.map(({ data }) => (data as CleanUp).object);
    const referrers = await app.table.read(objectKeys.map(referrerKey));
    await app.bucket.remove(objectKeys.filter((object, index) => !isReferenced(object, referrers[index])));
    return jobs.map(() => DONE);
  },
};

/**
 * The key of the item that refers to an object if it is used: an attached file, or the form of a cover. Nothing refers to
 * the file of an export, whose clean-up is due when it has expired.
 */
function referrerKey(object: string): Key {
  const formId = parseCoverFormId(object);
  return formId === undefined ? keys.file(object.slice(object.lastIndexOf('/') + 1)) : keys.formHead(formId);
}

function isReferenced(object: string, referrer: Item | undefined): boolean {
  const formId = parseCoverFormId(object);
  return formId === undefined ? referrer !== undefined : parseForm(referrer, formId)?.coverImage === object;
}
