/** Gives somebody without an account the credential of a guest of a form. */
import { guests } from '#core/api/guests.ts';
import { operation } from '#core/http/operation.ts';
import { requireNewGuest } from '#core/identity/guest-limits.ts';
import { admitGuest, guestCookies, openToGuests } from '#core/identity/guests.ts';

export const handler = operation(guests.admitGuest, openToGuests, async ({ formId, body, app, readGuestCookies }) => {
  await requireNewGuest(app, formId, body?.proof ?? undefined);
  const admitted = await admitGuest(app, formId);
  const { token, expiresAt } = admitted;
  return { body: { token, expiresAt }, cookies: guestCookies(app, admitted, readGuestCookies()) };
});
