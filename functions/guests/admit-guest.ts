/** Gives somebody without an account the credential of a guest of a form. */
import { guests } from '#core/api/guests.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { requireNewGuest, takesFiles } from '#core/identity/guest-limits.ts';
import { admitGuest, admitInvited, guestCookies, openToGuests } from '#core/identity/guests.ts';

export const handler = operation(guests.admitGuest, openToGuests, async (request) => {
  const { gate, codeKey, body, app, readGuestCookies } = request;
  const { code, proof } = body ?? {};
  const isInvited = gate.audience === 'INVITED' || typeof code === 'string';
  if (!isInvited) {
    const { structure } = await loadStructureFor(app.table, gate);
    await requireNewGuest(app, gate.formId, { proof: proof ?? undefined, needsProof: takesFiles(structure) });
  }
  const admitted = isInvited
    ? await admitInvited(app, { gate, codeKey }, code ?? '')
    : await admitGuest(app, gate.formId);
  const { token, expiresAt } = admitted;
  return { body: { token, expiresAt }, cookies: guestCookies(app, admitted, readGuestCookies()) };
});
