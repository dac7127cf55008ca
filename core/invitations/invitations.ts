/**
 * Invites guests to a form, lists them with their codes, and changes and removes invitations. A code is not stored: it follows from
 * the number of the invitation and the key of the form.
 */
import { randomBytes } from 'node:crypto';
import {
  countRemoved,
  createInvitation,
  getInvitationState,
  type Invitation,
  type InvitationState,
  inviteAddressed,
  isNumbered,
  loadInvitation,
  MAX_INVITATIONS,
  type MailFault,
  NO_MAILS,
  type Numbering,
  parseInvitation,
  parseNumbering,
  removeInvitation,
  removeUnused,
  revokeInvitation,
  takeNumbers,
  updateInvitation,
} from '#core/accounts/invitation.ts';
import {
  type CodeKey,
  codeLink,
  deriveGuestId,
  firstGeneration,
  MAX_GENERATIONS,
  nextGeneration,
  writeCode,
} from '#core/accounts/invitation-code.ts';
import { change } from '#core/db/change.ts';
import { type Key, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { deleteResponse } from '#core/deletion/marks.ts';
import type { Gate } from '#core/forms/gate.ts';
import { Problem, problems, requireFound } from '#core/problems/problems.ts';
import { loadResponses } from '#core/responses/store.ts';
import { epochSeconds } from '#core/schema/format.ts';
import type { GuestInput, InvitationDocument, InvitationPatch } from './model.ts';

type LinkSettings = { config: { publicUrl: string } };

const MAIL_FAULTS = {
  bounced: 'BOUNCED',
  complained: 'COMPLAINED',
  unsubscribed: 'UNSUBSCRIBED',
  failed: 'FAILED',
} as const satisfies Record<MailFault, InvitationDocument['mailFault']>;

function presentInvitation(
  app: LinkSettings,
  formId: string,
  codeKey: CodeKey,
  invitation: Invitation,
): InvitationDocument {
  const { id, number, email, label, prefill, createdAt, revokedAt, sentAt, remindedAt, mailFault } = invitation;
  // A guest who has only confirmed an address comes by a mailed link.
  const code = isNumbered(invitation) ? writeCode(codeKey, invitation) : '';
  const link = code === '' ? '' : codeLink(app.config.publicUrl, formId, code);
  return {
    ...{ id, number, code, link, email, label },
    prefill: Object.keys(prefill).length > 0 ? prefill : null,
    ...{ state: getInvitationState(invitation), createdAt, revokedAt, sentAt, remindedAt },
    mailFault: mailFault === null ? null : MAIL_FAULTS[mailFault],
  };
}

/** How long a page is known to have invited its guests. */
const TOGETHER_SECONDS = 86_400;

/**
 * Invites guests, at most 90 and 10,000 of a form. An address that is invited already, or is given twice, has its first invitation; a
 * guest who has confirmed it stays the same guest, and now has a code.
 * Returns an invitation for each, in order. `togetherId`: of a request that can come twice without a key; the second one returns what
 * the first has made. Throws 400 when there would be too many, 404 when the form was deleted.
 */
export async function createInvitations(
  app: ChangePorts & LinkSettings,
  formId: string,
  guests: readonly GuestInput[],
  togetherId?: string,
): Promise<{ body: { invitations: InvitationDocument[] } }> {
  return change(app, {
    reload: async () => {
      const togetherKeys = togetherId === undefined ? [] : [keys.invitedTogether(formId, togetherId)];
      const [item, gate, together] = await app.table.read([
        keys.invitations(formId),
        keys.formGate(formId),
        ...togetherKeys,
      ]);
      requireFound(gate);
      const before = parseNumbering(item);
      const codeKey = before?.codeKey ?? randomBytes(32).toString('base64url');
      const made = (together?.guestIds ?? []) as string[];
      const addressed = guests.flatMap(({ email }) =>
        email ? [deriveGuestId(codeKey, formId, { email, number: 0 })] : [],
      );
      const existing = await loadInvitations(app.table, [...made, ...addressed]);
      // Of those that were made, some may be deleted: the others stay, and a second press invites all again.
      const isMade = together !== undefined && made.every((id) => existing.some((invitation) => invitation.id === id));
      return { before, codeKey, together, isMade, existing };
    },
    decide: ({ before, codeKey, together, isMade, existing }) => {
      const present = (invitations: readonly Invitation[]) => ({
        body: { invitations: invitations.map((each) => presentInvitation(app, formId, codeKey, each)) },
      });
      if (isMade) return { writes: [], result: present(existing) };
      const now = app.now();
      const byId = new Map(existing.map((invitation) => [invitation.id, invitation]));
      const added: Invitation[] = [];
      let lastNumber = before?.lastNumber ?? 0;
      const invitations = guests.map(({ email = null, label = null, prefill }) => {
        const id = deriveGuestId(codeKey, formId, { email, number: lastNumber + 1 });
        const known = byId.get(id);
        if (known && isNumbered(known)) return known;
        lastNumber += 1;
        const details = { email, label, prefill: prefill ?? {}, createdAt: now.toISOString() };
        const { generation, linksFrom, revokedAt, responses } = known ?? newInvitation(now);
        const code = { number: lastNumber, generation, linksFrom };
        const invitation = { ...details, id, ...code, revokedAt, responses, ...NO_MAILS };
        byId.set(id, invitation);
        added.push(invitation);
        return invitation;
      });
      const count = (before?.count ?? 0) + added.length;
      if (count > MAX_INVITATIONS) throw tooManyInvitations();
      const numbering: Numbering = { codeKey, lastNumber, count };
      const guestIds = invitations.map(({ id }) => id);
      const mark: Write[] =
        togetherId === undefined
          ? []
          : [markTogether(keys.invitedTogether(formId, togetherId), together, { lastNumber, guestIds, now })];
      const writes =
        added.length === 0
          ? []
          : [
              { check: keys.formGate(formId), when: { absent: false } },
              takeNumbers(formId, numbering, before),
              ...added.map((each) =>
                existing.some(({ id }) => id === each.id) ? inviteAddressed(each) : createInvitation(each),
              ),
              ...mark,
            ];
      return { writes, result: present(invitations) };
    },
  });
}

function newInvitation(now: Date): Pick<Invitation, 'generation' | 'linksFrom' | 'revokedAt' | 'responses'> {
  const generation = firstGeneration(now);
  return { generation, linksFrom: generation, revokedAt: null, responses: {} };
}

/** Builds the write that remembers the guests whom a request has invited, if it has not invited others meanwhile. */
const markTogether = (
  key: Key,
  before: Item | undefined,
  { lastNumber, guestIds, now }: { lastNumber: number; guestIds: readonly string[]; now: Date },
): Write => ({
  put: { ...key, guestIds, lastNumber, expiresAt: epochSeconds(now) + TOGETHER_SECONDS },
  when: before ? { equals: { lastNumber: Number(before.lastNumber) } } : { absent: true },
});

const tooManyInvitations = (): Problem =>
  problems.invalid([
    { pointer: '/body/guests', detail: `must leave at most ${MAX_INVITATIONS} invitations to the form` },
  ]);

async function loadInvitations(table: Table, ids: readonly string[]): Promise<Invitation[]> {
  const items = await table.read([...new Set(ids)].map(keys.guest));
  return items.map(parseInvitation).filter((invitation) => invitation !== undefined);
}

/** The most guests that a list of one state examines. */
const EXAMINED = 300;

type ListRequest = { limit: number; after?: string | undefined };
type ListPorts = Pick<Ports, 'table'> & LinkSettings;
type InvitationBatch = { body: { invitations: InvitationDocument[] }; next: string | null };

/** Lists the invitations to a form by their numbers, with their codes. */
export async function listInvitations(app: ListPorts, formId: string, request: ListRequest): Promise<InvitationBatch> {
  const [item] = await app.table.read([keys.invitations(formId)]);
  const codeKey = parseNumbering(item)?.codeKey;
  if (codeKey === undefined) return { body: { invitations: [] }, next: null };
  const { found, next } = await readBatch(app.table, formId, 'invited', request);
  return { body: { invitations: found.map((each) => presentInvitation(app, formId, codeKey, each)) }, next };
}

/** The lists of the guests of a form that a list of all of them joins, in its order. */
const LISTS = ['invited', 'addressed'] as const;
type ListName = (typeof LISTS)[number];

/** Reads a batch of one list: the invited by their numbers, those who have only confirmed an address newest first. */
async function readBatch(table: Table, formId: string, list: ListName, { limit, after }: ListRequest) {
  const partition =
    list === 'invited' ? partitions.guestsOf(formId) : { ...partitions.addressedOf(formId), descending: true };
  const batch = await table.list({ ...partition, limit, after });
  const guests = await loadInvitations(
    table,
    batch.items.map(({ gsi2sk = '' }) => lastPart(gsi2sk)),
  );
  // The index names somebody who was invited meanwhile for a moment.
  const found = guests.filter((guest) => isNumbered(guest) === (list === 'invited'));
  return { found, examined: batch.items.length, next: batch.last };
}

/**
 * Lists the guests of a form of whom there is an item: the invitations by their numbers, with their codes, then those who have only
 * confirmed an address, newest first. `state`: only those that are so; `email`: only the guest with this address.
 */
export async function listGuests(
  app: ListPorts,
  formId: string,
  { limit, after, state, email }: ListRequest & { state?: InvitationState | undefined; email?: string | undefined },
): Promise<InvitationBatch> {
  const [item] = await app.table.read([keys.invitations(formId)]);
  const codeKey = parseNumbering(item)?.codeKey;
  if (codeKey === undefined) return { body: { invitations: [] }, next: null };
  const present = (guests: readonly Invitation[]): InvitationDocument[] =>
    guests
      .map((each) => presentInvitation(app, formId, codeKey, each))
      .filter((each) => state === undefined || each.state === state);
  if (email !== undefined) {
    const guests = await loadInvitations(app.table, [deriveGuestId(codeKey, formId, { email, number: 0 })]);
    return { body: { invitations: present(guests) }, next: null };
  }
  let position = after === undefined ? { list: LISTS[0] } : readPosition(after);
  let examined = 0;
  for (;;) {
    const { list }: Position = position;
    const batch = await readBatch(app.table, formId, list, { limit, after: position.after });
    const invitations = present(batch.found);
    examined += batch.examined;
    const following = await findFollowing(app.table, formId, list, batch.next);
    if (following === undefined) return { body: { invitations }, next: null };
    if (invitations.length > 0 || examined >= EXAMINED)
      return { body: { invitations }, next: writePosition(following) };
    position = following;
  }
}

/** Where a list of all guests continues: in one of the lists, after a sort key, or at its beginning. */
type Position = { list: ListName; after?: string | undefined };

const writePosition = ({ list, after = '' }: Position): string => `${list} ${after}`;

function readPosition(text: string): Position {
  const list = LISTS.find((each) => text.startsWith(`${each} `)) ?? LISTS[0];
  return { list, after: text.slice(list.length + 1) || undefined };
}

/** Finds where a list of all guests continues after a batch, which ended at `last`; undefined at its end. */
async function findFollowing(
  table: Table,
  formId: string,
  list: ListName,
  last: string | null,
): Promise<Position | undefined> {
  if (last !== null) return { list, after: last };
  if (list === 'addressed') return undefined;
  const { items } = await table.list({ ...partitions.addressedOf(formId), limit: 1 });
  return items.length > 0 ? { list: 'addressed' } : undefined;
}

/** Presents an invitation to a form with its code. Throws 404 when there is none. */
export async function showInvitation(
  app: Pick<Ports, 'table'> & LinkSettings,
  formId: string,
  guestId: string,
): Promise<InvitationDocument> {
  const { invitation, codeKey } = await openInvitation(app.table, formId, guestId);
  return presentInvitation(app, formId, codeKey, invitation);
}

/**
 * Changes an invitation, or what is stored of a guest who has confirmed an address. Throws 404 when there is none, 400 for a new code of one that was revoked or has had 32, and for the address of
 * a guest who has started a response or of somebody who is invited already.
 */
export async function changeInvitation(
  app: ChangePorts & LinkSettings,
  formId: string,
  guestId: string,
  patch: InvitationPatch,
): Promise<{ body: InvitationDocument }> {
  return change(app, {
    reload: () => openInvitation(app.table, formId, guestId),
    decide: async ({ invitation, codeKey }) => {
      const now = app.now();
      const { email = invitation.email, label = invitation.label } = patch;
      if (email !== invitation.email) requireInvited(invitation);
      const isMoved = email !== invitation.email;
      const hasNewCode = patch.newCode === true || isMoved;
      const generation = hasNewCode
        ? requireNewCode(invitation, { now, pointer: isMoved ? '/body/email' : '/body/newCode' })
        : invitation.generation;
      const next: Invitation = {
        ...{ ...invitation, email, label, generation },
        ...(hasNewCode && { linksFrom: generation }),
        // Nothing was sent to another address.
        ...(isMoved && NO_MAILS),
        id: isMoved ? deriveGuestId(codeKey, formId, { email, number: invitation.number }) : guestId,
        revokedAt: invitation.revokedAt ?? (patch.revoked ? now.toISOString() : null),
      };
      if (next.id !== guestId) await requireMovable(app.table, invitation, next.id);
      const writes =
        next.id === guestId
          ? [updateInvitation(next, invitation)]
          : [createInvitation(next), ...removeUnused(invitation)];
      return { writes, result: { body: presentInvitation(app, formId, codeKey, next) } };
    },
  });
}

/** Throws 400 for another address of a guest who has confirmed theirs. */
function requireInvited(invitation: Invitation): void {
  const detail = 'must be unchanged: the guest has confirmed it';
  if (!isNumbered(invitation)) throw problems.invalid([{ pointer: '/body/email', detail }]);
}

/** Returns the generation of another code of an invitation. Throws 400 when it can have none. */
function requireNewCode(
  { revokedAt, generation }: Invitation,
  { now, pointer }: { now: Date; pointer: string },
): number {
  if (revokedAt !== null) throw problems.invalid([{ pointer, detail: 'must be absent: the invitation is revoked' }]);
  const next = nextGeneration(generation, now);
  if (next !== undefined) return next;
  const detail = `must be absent: the invitation has had ${MAX_GENERATIONS} codes; delete it and invite again`;
  throw problems.invalid([{ pointer, detail }]);
}

/** Throws 400 when an invitation cannot get another address, by which its guest is another one. */
async function requireMovable(table: Table, { responses }: Invitation, id: string): Promise<void> {
  const refuse = (detail: string) => problems.invalid([{ pointer: '/body/email', detail }]);
  if (Object.keys(responses).length > 0) throw refuse('must be unchanged: the guest has started a response');
  if (await loadInvitation(table, id)) throw refuse('must not be the address of another invitation');
}

/**
 * Deletes an invitation with the responses of its guest. Nothing can be started any more once it is revoked, which comes first. Throws
 * 404 when there is none. It can be repeated after an interruption.
 */
export async function deleteInvitation(
  app: ChangePorts,
  { formId, spreadsheetId }: Pick<Gate, 'formId' | 'spreadsheetId'>,
  guestId: string,
): Promise<void> {
  const { invitation } = await openInvitation(app.table, formId, guestId);
  if (!(await wasWritten(app.table, [revokeInvitation(guestId, app.now())]))) return;
  // Nothing is added any more to what is read now.
  const { responses = {} } = (await loadInvitation(app.table, guestId)) ?? {};
  // One after the other: each changes the invitation.
  for (const response of await loadResponses(app.table, Object.keys(responses))) {
    await deleteResponse(app, response, { spreadsheetId, roles: ['admin'] }).catch(ignoreNotFound);
  }
  const counted = isNumbered(invitation) ? [countRemoved(formId)] : [];
  await wasWritten(app.table, [...removeInvitation(guestId), ...counted]);
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Problem && error.status === 404)) throw error;
}

async function openInvitation(
  table: Table,
  formId: string,
  guestId: string,
): Promise<{ invitation: Invitation; codeKey: CodeKey }> {
  const [item, invitations] = await table.read([keys.guest(guestId), keys.invitations(formId)]);
  const invitation = requireFound(keys.guest(guestId).pk === keys.guest(formId).pk ? parseInvitation(item) : undefined);
  return { invitation, codeKey: requireFound(parseNumbering(invitations)).codeKey };
}
