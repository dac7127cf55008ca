/**
 * Guests: respondents of one form without an account. A guest is an id within the form; the credential that names it is a signed
 * token, which the browser keeps in a cookie of the form. Of a guest for whom the form is open to anyone nothing is stored; an
 * invited one has an item, which every request reads.
 */
import { decodeJwt } from 'jose';
import { type Opener, parsePathId } from '#core/access/access.ts';
import { type Invitation, loadInvitation, parseNumbering, toInvited } from '#core/accounts/invitation.ts';
import { type CodedInvitation, type CodeKey, deriveGuestId, readCode } from '#core/accounts/invitation-code.ts';
import { formKey, guestIdWithin, keys, lastPart, partitions } from '#core/db/keys.ts';
import { countUse, type RateLimit } from '#core/db/rate-limit.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { problems } from '#core/problems/problems.ts';
import { epochSeconds, timeAfter } from '#core/schema/format.ts';
import type { IdentityPorts } from './ports.ts';
import { guestCookie } from './redirects.ts';
import { setCookie } from './sessions.ts';
import { GUEST_SECONDS, type Guest } from './tokens.ts';

/** The most forms of which a browser is a guest; of more, the oldest credential is dropped. */
const MAX_GUEST_COOKIES = 5;

/** A form that takes guests, and the key of its codes, if it has invitations. */
export type OpenToGuests = { gate: Gate; codeKey: CodeKey | undefined };

/**
 * Opens the form of `{formId}` for somebody without a credential. Throws 401 unless it is published for guests, whether it
 * exists or not.
 */
export const openToGuests: Opener<OpenToGuests, IdentityPorts> = async ({ params, app }) => {
  const formId = parsePathId(params, 'formId');
  const [item, invitations] = await app.table.read([keys.formGate(formId), keys.invitations(formId)]);
  const gate = parseGate(item);
  const takesGuests = gate?.formId === formId && gate.status === 'PUBLISHED' && gate.audience !== 'ACCOUNT';
  if (!takesGuests || !app.config.guests) throw problems.unauthorized();
  return { resource: { gate, codeKey: parseNumbering(invitations)?.codeKey }, roles: [] };
};

/** How many wrong codes of a form are refused as wrong in a minute, before they are refused for being many. */
const WRONG_CODES: RateLimit = { name: 'wrong-codes', max: 20, seconds: 60 };

/**
 * Admits the guest who has the code of an invitation. Throws 400 for a code that is not one, or is that of an invitation which was
 * revoked or has a newer code; 429 for such a code after 20 of them in a minute. A right code is always admitted.
 */
export async function admitInvited(
  app: IdentityPorts,
  { gate: { formId }, codeKey }: OpenToGuests,
  code: string,
): Promise<AdmittedGuest> {
  const coded = codeKey === undefined ? undefined : readCode(codeKey, code);
  const invitation = coded && codeKey !== undefined ? await findInvited(app, { formId, codeKey }, coded) : undefined;
  if (!coded || !toInvited(invitation, coded.generation) || !invitation) {
    await countUse(app, WRONG_CODES, formKey(formId));
    throw problems.invalid([{ pointer: '/body/code', detail: 'must be the code of an invitation to this form' }]);
  }
  const guest = { id: invitation.id, roles: [], guestOf: formKey(formId), generation: coded.generation };
  return admit(app, { ...guest, codeAt: epochSeconds(app.now()) });
}

/** Finds the invitation with a number: its id follows from the number, or, if it has an address, is in an index. */
async function findInvited(
  { table }: Pick<IdentityPorts, 'table'>,
  { formId, codeKey }: { formId: string; codeKey: CodeKey },
  { number }: CodedInvitation,
): Promise<Invitation | undefined> {
  const invitation = await loadInvitation(table, deriveGuestId(codeKey, formId, { email: null, number }));
  if (invitation) return invitation;
  const { items } = await table.list({ ...partitions.guestsOf(formId, number), limit: 1 });
  const [entry] = items;
  return entry && loadInvitation(table, lastPart(entry.gsi2sk ?? ''));
}

/** A new guest of a form, with their credential and when it expires. */
export type AdmittedGuest = { guest: Guest; token: string; expiresAt: string };

/** Makes somebody a new guest of a form. */
export const admitGuest = (app: IdentityPorts, formId: string): Promise<AdmittedGuest> =>
  admit(app, { id: guestIdWithin(formId, app.uuid), roles: [], guestOf: formKey(formId) });

async function admit({ tokens, now }: Pick<IdentityPorts, 'tokens' | 'now'>, guest: Guest): Promise<AdmittedGuest> {
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
