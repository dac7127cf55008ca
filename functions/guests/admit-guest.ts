/** Gives somebody without an account the credential of a guest of a form, or mails the link to it. */
import { guests } from '#core/api/guests.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { requireNewGuest, takesFiles } from '#core/identity/guest-limits.ts';
import {
  admitGuest,
  admitInvited,
  admitLinked,
  guestCookies,
  mailGuestLink,
  openGuestLink,
  openToGuests,
  requireOwnMember,
} from '#core/identity/guests.ts';
import { GUEST_SECONDS } from '#core/identity/tokens.ts';
import { timeAfter } from '#core/schema/format.ts';

export const handler = operation(guests.admitGuest, openToGuests, async (request) => {
  const { gate, codeKey, body, app, readGuestCookies } = request;
  const { formId, audience } = gate;
  const { code, email, link, proof } = body ?? {};
  requireOwnMember(audience, body ?? {});
  if (typeof email === 'string') {
    await requireNewGuest(app, formId, { proof: proof ?? undefined, needsProof: true });
    await mailGuestLink(app, formId, email);
    return { body: { message: 'A link is mailed to this address, if it may have one.' }, isAlternative: true };
  }
  const admit = async () => {
    if (typeof link === 'string') return admitLinked(app, await openGuestLink(app, formId, link));
    if (audience === 'INVITED' || typeof code === 'string') return admitInvited(app, { gate, codeKey }, code ?? '');
    const { structure } = await loadStructureFor(app.table, gate);
    await requireNewGuest(app, formId, { proof: proof ?? undefined, needsProof: takesFiles(structure) });
    return admitGuest(app, formId);
  };
  const now = app.now();
  const admitted = await admit();
  return {
    body: { token: admitted.token, expiresAt: timeAfter(now, GUEST_SECONDS) },
    cookies: guestCookies(app, admitted, readGuestCookies()),
  };
});
