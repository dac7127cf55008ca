/**
 * Guests: respondents of one form without an account. A guest is an id within the form; the credential that names it is a signed
 * token, which the browser keeps in a cookie of the form. Of a guest for whom the form is open to anyone nothing is stored; one who is
 * invited, or has confirmed an address, has an item, which every request reads.
 */
import { decodeJwt } from 'jose';
import { type Opener, parsePathId } from '#core/access/access.ts';
import {
  createAddressed,
  type Invitation,
  keepUnused,
  loadInvitation,
  parseInvitation,
  parseNumbering,
} from '#core/accounts/invitation.ts';
import {
  type CodedInvitation,
  type CodeKey,
  deriveGuestId,
  firstGeneration,
  isCodeOf,
  readCode,
} from '#core/accounts/invitation-code.ts';
import { formKey, guestIdWithin, keys, lastPart, partitions } from '#core/db/keys.ts';
import { countUse, type RateLimit } from '#core/db/rate-limit.ts';
import { wasWritten } from '#core/db/retry.ts';
import { type Gate, parseGate, requireOpen } from '#core/forms/gate.ts';
import { queueGuestLink } from '#core/jobs/guest-link.ts';
import { problems, requireFound } from '#core/problems/problems.ts';
import { epochSeconds, type Language } from '#core/schema/format.ts';
import type { IdentityPorts } from './ports.ts';
import { guestCookie } from './redirects.ts';
import { setCookie } from './sessions.ts';
import { GUEST_SECONDS, type Guest, type GuestLink } from './tokens.ts';

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
  // Whoever was invited finishes what they have begun, also where the installation takes no guests any more.
  if (!takesGuests || !(app.config.guests || gate.audience === 'INVITED')) throw problems.unauthorized();
  return { resource: { gate, codeKey: parseNumbering(invitations)?.codeKey }, roles: [] };
};

/** How many wrong codes of a form are refused as wrong in a minute, before they are refused for being many. */
const WRONG_CODES: RateLimit = { name: 'wrong-codes', max: 20, seconds: 60 };

/**
 * Admits the guest who has the code of an invitation. Throws 400 for a code that is not one, or is that of an invitation which was
 * revoked or has a newer code; 429 for such a code after 20 of them in a minute; 401 for a guest who has begun nothing where the
 * installation takes none. A right code is always admitted otherwise.
 */
export async function admitInvited(
  app: IdentityPorts,
  { gate: { formId }, codeKey }: OpenToGuests,
  code: string,
): Promise<AdmittedGuest> {
  const coded = codeKey === undefined ? undefined : readCode(codeKey, code);
  const invitation = coded && codeKey !== undefined ? await findInvited(app, { formId, codeKey }, coded) : undefined;
  if (!coded || !invitation || !isCodeOf(coded, invitation) || invitation.revokedAt !== null) {
    await countUse(app, WRONG_CODES, formKey(formId));
    throw problems.invalid([{ pointer: '/body/code', detail: 'must be the code of an invitation to this form' }]);
  }
  if (!app.config.guests && Object.keys(invitation.responses).length === 0) throw problems.unauthorized();
  const guest = { id: invitation.id, roles: [], guestOf: formKey(formId), generation: invitation.generation };
  return renewGuest(app, { ...guest, codeAt: epochSeconds(app.now()) });
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

/** A guest of a form, with their credential. */
export type AdmittedGuest = { guest: Guest; token: string };

/** Makes somebody a new guest of a form. */
export const admitGuest = (app: IdentityPorts, formId: string): Promise<AdmittedGuest> =>
  renewGuest(app, { id: guestIdWithin(formId, app.uuid), roles: [], guestOf: formKey(formId) });

// Guests with an address. The link that is mailed to it proves that it is theirs, so nothing is stored before it is used, and opening it
// changes nothing: programs open links in mails.

/**
 * Throws 400 where somebody has no means by which the audience of a form becomes its guests, or has one of another audience: an address
 * is asked for only where the audience is EMAIL, and there nothing else makes a guest of somebody new.
 */
export function requireOwnMember(
  audience: Gate['audience'],
  {
    code,
    email,
    link,
  }: { code?: string | null | undefined; email?: string | null | undefined; link?: string | null | undefined },
): void {
  const isGiven = (value: unknown): boolean => typeof value === 'string';
  if (isGiven(email) && audience !== 'EMAIL') {
    const detail = 'must be absent: the form does not ask for an address';
    throw problems.invalid([{ pointer: '/body/email', detail }]);
  }
  if (audience === 'EMAIL' && ![code, email, link].some(isGiven))
    throw problems.invalid([{ pointer: '/body/email', detail: 'must be the address to which a link is mailed' }]);
}

/** Has a link to a form mailed to an address. What is done does not depend on whether the address is known. */
export const mailGuestLink = (
  app: Pick<IdentityPorts, 'table' | 'now'> & { language?: Language | undefined },
  formId: string,
  email: string,
): Promise<void> => app.table.write([queueGuestLink(app, formId, email)]);

/**
 * The guest of a link to a form, as they are stored. `unused`: they have started no response, or, if they are `isNew`, nothing of them is
 * stored.
 */
export type LinkedGuest = { guest: Guest; link: GuestLink; unused?: { email: string; isNew: boolean } };

/**
 * Returns the guest of a link as they are stored; undefined for a link that admits them no more. Two links that were mailed before the
 * first was used both admit; one that was mailed before an earlier guest with the address was deleted does not.
 */
function toLinked(stored: Invitation | undefined, { email, ...guest }: GuestLink): Guest | undefined {
  if (!stored || stored.revokedAt !== null || guest.generation === undefined) return undefined;
  const { generation, linksFrom } = stored;
  const isCurrent = guest.generation === generation || (email !== undefined && guest.generation >= linksFrom);
  return isCurrent ? { ...guest, generation } : undefined;
}

/**
 * Finds the guest of a link to a form. Throws 404 for a link that is not one, has expired, is to another form, or admits nobody any more;
 * 400 for somebody who has begun nothing while the form is closed.
 */
export async function openGuestLink(
  { tokens, now, table, config }: Pick<IdentityPorts, 'tokens' | 'now' | 'table' | 'config'>,
  formId: string,
  token: string,
): Promise<LinkedGuest> {
  const link: GuestLink | undefined = await tokens.verifyGuestLink(token, now());
  if (link?.guestOf !== formKey(formId)) throw problems.notFound();
  const { email, ...guest } = link;
  if (guest.generation === undefined) return { guest, link };
  const [item, gateItem] = await table.read([keys.guest(guest.id), keys.formGate(formId)]);
  const [stored, gate] = [parseInvitation(item), parseGate(gateItem)];
  if (gate?.formId !== formId) throw problems.notFound();
  if (stored) {
    const current = requireFound(toLinked(stored, link));
    const isUnused = stored.number === 0 && Object.keys(stored.responses).length === 0;
    if (isUnused) requireOpen(gate, now());
    return {
      guest: current,
      link,
      ...(isUnused && stored.email !== null && { unused: { email: stored.email, isNew: false } }),
    };
  }
  const isAdmitted = config.guests && gate.status === 'PUBLISHED' && gate.audience === 'EMAIL';
  if (email === undefined || !isAdmitted) throw problems.notFound();
  requireOpen(gate, now());
  return { guest, link, unused: { email, isNew: true } };
}

/**
 * Admits the guest of a link, and stores the address of one who comes for the first time. It can be repeated. Throws 404 when the guest
 * was revoked meanwhile.
 */
export async function admitLinked(app: IdentityPorts, { guest, link, unused }: LinkedGuest): Promise<AdmittedGuest> {
  if (!unused) return renewGuest(app, guest);
  const now = app.now();
  const expiresAt = epochSeconds(now) + GUEST_SECONDS;
  const { id, generation: linksFrom = 0 } = link;
  const created = { id, email: unused.email, generation: firstGeneration(now), linksFrom };
  if (unused.isNew && (await wasWritten(app.table, [createAddressed(created, { now, expiresAt })])))
    return renewGuest(app, { ...guest, generation: created.generation });
  await wasWritten(app.table, [keepUnused(id, expiresAt)]);
  return renewGuest(app, requireFound(toLinked(await loadInvitation(app.table, id), link)));
}

type Cookie = { name: string; value: string };

/** Signs the credential of a guest. */
export const renewGuest = async (
  { tokens, now }: Pick<IdentityPorts, 'tokens' | 'now'>,
  guest: Guest,
): Promise<AdmittedGuest> => ({ guest, token: await tokens.signGuest(guest, now()) });

/**
 * Builds the cookie with the credential of a guest, which ends with the session of the browser unless the guest wants to
 * `keep` it, and those that remove the oldest of `others`, the guest cookies that the browser has sent.
 */
export function guestCookies(
  { config }: Pick<IdentityPorts, 'config'>,
  { guest, token }: AdmittedGuest,
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
