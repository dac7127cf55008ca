/** The guest whom a press of *Start* makes of somebody without a credential. */
import { formKey, guestIdWithin, idWithin, keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Guest } from '#core/identity/tokens.ts';
import { parseResponse } from '#core/responses/store.ts';
import { isId } from '#core/schema/schema.ts';
import { readNewId } from '../shell/new-id.ts';

/**
 * How long a page stays one from which a second press makes the same guest. Shorter than the mark of a deleted response
 * stays, so that a press never makes a guest of somebody who has deleted what it began.
 */
const MAX_AGE_MS = 30 * 60_000;

/**
 * Finds whom a posted form makes a guest, and the response that it starts. The second press of a button, before the browser
 * has the credential, makes the same guest with the same response, but only while nobody has changed that: a page that is
 * found later in the history of a browser opens nobody's answers.
 */
export async function findNewGuest(
  app: Pick<Ports, 'table' | 'uuid' | 'now'>,
  formId: string,
  fields: URLSearchParams,
  content: unknown,
): Promise<{ guest: Guest; responseId: string }> {
  const { derive } = readNewId(fields, { id: formId, roles: [] }, app);
  const toGuest = (uuid: () => string): Guest => ({
    id: guestIdWithin(formId, uuid),
    roles: [],
    guestOf: formKey(formId),
  });
  let tries = 0;
  const same = {
    // Of ids that say that there is an item of the guest, another one is derived.
    guest: toGuest(() => derive(['guest', content, ...(tries++ === 0 ? [] : [tries])])),
    responseId: idWithin(formId, derive(['response', content])),
  };
  if (isRecent(fields.get('id') ?? '', app.now())) {
    const [item] = await app.table.read([keys.response(same.responseId)]);
    const response = parseResponse(item);
    if (!item || (response?.version === 1 && response.userId === same.guest.id)) return same;
  }
  return { guest: toGuest(app.uuid), responseId: idWithin(formId, app.uuid()) };
}

/** Whether the field of a page, which begins with the time at which it was shown, is new. */
function isRecent(field: string, now: Date): boolean {
  const age = now.getTime() - Number.parseInt(field.slice(0, 8) + field.slice(9, 13), 16);
  return isId(field) && age >= 0 && age < MAX_AGE_MS;
}
