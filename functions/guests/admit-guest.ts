/** Gives somebody without an account the credential of a guest of a form. */
import { guests } from '#core/api/guests.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { requireNewGuest, takesFiles } from '#core/identity/guest-limits.ts';
import { admitGuest, guestCookies, openToGuests } from '#core/identity/guests.ts';

export const handler = operation(guests.admitGuest, openToGuests, async ({ gate, body, app, readGuestCookies }) => {
  const { structure } = await loadStructureFor(app.table, gate);
  await requireNewGuest(app, gate.formId, { proof: body?.proof ?? undefined, needsProof: takesFiles(structure) });
  const admitted = await admitGuest(app, gate.formId);
  const { token, expiresAt } = admitted;
  return { body: { token, expiresAt }, cookies: guestCookies(app, admitted, readGuestCookies()) };
});
