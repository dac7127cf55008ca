/**
 * Guests: respondents of one form without an account. A guest is an id within the form and has no item of its own; the
 * credential that names it is a signed token, which the browser keeps in a cookie of the form.
 */
import { decodeJwt } from 'jose';
import { type Opener, parsePathId } from '#core/access/access.ts';
import { formKey, idWithin, keys } from '#core/db/keys.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { problems } from '#core/problems/problems.ts';
import { timeAfter } from '#core/schema/format.ts';
import type { IdentityPorts } from './ports.ts';
import { guestCookie } from './redirects.ts';
import { setCookie } from './sessions.ts';
import { GUEST_SECONDS, type Guest } from './tokens.ts';

/** The most forms of which a browser is a guest; of more, the oldest credential is dropped. */
const MAX_GUEST_COOKIES = 5;

/**
 * Opens the form of `{formId}` for somebody without a credential. Throws 401 unless it is published for guests, whether it
 * exists or not.
 */
export const openToGuests: Opener<{ gate: Gate }, IdentityPorts> = async ({ params, app }) => {
  const formId = parsePathId(params, 'formId');
  const [item] = await app.table.read([keys.formGate(formId)]);
  const gate = parseGate(item);
  const takesGuests = gate?.formId === formId && gate.status === 'PUBLISHED' && gate.audience === 'ANYONE';
  if (!takesGuests || !app.config.guests) throw problems.unauthorized();
  return { resource: { gate }, roles: [] };
};

/** A new guest of a form, with their credential and when it expires. */
export type AdmittedGuest = { guest: Guest; token: string; expiresAt: string };

/** Makes somebody a new guest of a form. */
export async function admitGuest({ tokens, now, uuid }: IdentityPorts, formId: string): Promise<AdmittedGuest> {
  const guest = { id: idWithin(formId, uuid()), roles: [], guestOf: formKey(formId) };
  const time = now();
  return { guest, token: await tokens.signGuest(guest, time), expiresAt: timeAfter(time, GUEST_SECONDS) };
}

type Cookie = { name: string; value: string };

/** Signs the credential of a guest. */
export const renewGuest = async ({ tokens, now }: Pick<IdentityPorts, 'tokens' | 'now'>, guest: Guest) => ({
  guest,
  token: await tokens.signGuest(guest, now()),
});

/**
 * Builds the cookie with the credential of a guest, which ends with the session of the browser unless the guest wants to
 * `keep` it, and those that remove the oldest of `others`, the guest cookies that the browser has sent.
 */
export function guestCookies(
  { config }: Pick<IdentityPorts, 'config'>,
  { guest, token }: Pick<AdmittedGuest, 'guest' | 'token'>,
  others: readonly Cookie[],
  keep = false,
): string[] {
  const name = guestCookie(guest.guestOf);
  const newestFirst = others
    .filter((cookie) => cookie.name !== name)
    .map((cookie) => ({ ...cookie, issuedAt: readIssueTime(cookie.value) }))
    .sort((a, b) => b.issuedAt - a.issuedAt);
  return [
    setCookie(config.cookies, { name, value: token, sameSite: 'lax', ...(keep && { maxAgeSeconds: GUEST_SECONDS }) }),
    ...newestFirst.slice(MAX_GUEST_COOKIES - 1).map((cookie) => clearGuestCookie({ config }, cookie.name)),
  ];
}

/** Builds the cookie that removes a guest cookie from the browser. */
export const clearGuestCookie = ({ config }: Pick<IdentityPorts, 'config'>, name: string): string =>
  setCookie(config.cookies, { name, value: '', maxAgeSeconds: 0, sameSite: 'lax' });

/** Reads when a credential was issued, without verifying it; 0 for any other text. */
function readIssueTime(token: string): number {
  try {
    return decodeJwt(token).iat ?? 0;
  } catch {
    return 0;
  }
}
