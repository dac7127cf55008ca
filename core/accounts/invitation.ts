/**
 * Guests with an item: whom an organization has named before they respond to a form, and who have confirmed an address. An item holds
 * the number and the generation of the code, what is known of the guest, and what the guest has started. The number is 0 for those
 * who were not invited: they have no code, and a list of their own.
 */
import type { Invited } from '#core/access/access.ts';
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys } from '#core/db/keys.ts';
import type { Condition, Item, Table, Write } from '#core/db/table.ts';
import type { CodeKey } from './invitation-code.ts';

/** What the organization knows of a guest. `prefill`: the fields of a prefilled link. */
export type InvitationDetails = {
  email: string | null;
  label: string | null;
  prefill: Record<string, string>;
  createdAt: string;
};

/** When a guest got a mail with the invitation and a reminder last, and why one could not be delivered. */
export type MailState = { sentAt: string | null; remindedAt: string | null; mailFault: MailFault | null };

/** Why the last mail to a guest was not sent or came back, or none is sent. */
export type MailFault = 'bounced' | 'complained' | 'unsubscribed' | 'failed';

/** What is known of mails to a new guest. */
export const NO_MAILS: MailState = { sentAt: null, remindedAt: null, mailFault: null };

/**
 * An invitation. `responses`: by id, twice the version in which its progress was stored here, plus one if it was submitted
 * then, so that an older change is told from a newer one. `linksFrom`: the first generation that a link may name which was mailed to the
 * address before the guest was stored.
 */
export type Invitation = InvitationDetails &
  MailState & {
    id: string;
    number: number;
    generation: number;
    linksFrom: number;
    revokedAt: string | null;
    responses: Readonly<Record<string, number>>;
  };

/** How far a guest is with what they were invited to. */
export type InvitationState = 'NOT_STARTED' | 'DRAFT' | 'SUBMITTED' | 'REVOKED';

/** Parses the invitation of an item; undefined when there is none. */
export const parseInvitation = (item: Item | undefined): Invitation | undefined =>
  item && {
    ...decode<InvitationDetails>(item),
    id: item.sk.slice('GUEST#'.length),
    number: Number(item.number),
    generation: Number(item.generation),
    linksFrom: Number(item.linksFrom ?? item.generation),
    revokedAt: toTime(item.revokedAt),
    responses: (item.responses ?? {}) as Invitation['responses'],
    sentAt: toTime(item.sentAt),
    remindedAt: toTime(item.remindedAt),
    mailFault: (item.mailFault as MailFault | undefined) ?? null,
  };

/** Converts a stored time. */
const toTime = (value: unknown): string | null => (typeof value === 'number' ? new Date(value).toISOString() : null);

/** Reads an invitation; undefined when there is none. */
export const loadInvitation = async (table: Table, guestId: string): Promise<Invitation | undefined> =>
  parseInvitation((await table.read([keys.guest(guestId)]))[0]);

/** Returns how far the guest of an invitation is. */
export function getInvitationState({ revokedAt, responses }: Invitation): InvitationState {
  if (revokedAt !== null) return 'REVOKED';
  const progress = Object.values(responses);
  if (progress.length === 0) return 'NOT_STARTED';
  return progress.some((value) => value % 2 === 1) ? 'SUBMITTED' : 'DRAFT';
}

/** Returns what requests of a guest need; undefined when the invitation admits nobody with this generation of its code. */
export function toInvited(invitation: Invitation | undefined, generation: number): Invited | undefined {
  if (invitation?.generation !== generation || invitation.revokedAt !== null) return undefined;
  const { email, responses, prefill } = invitation;
  const audiences: Invited['audiences'] = [
    ...(isNumbered(invitation) ? (['INVITED'] as const) : []),
    ...(email === null ? [] : (['EMAIL'] as const)),
  ];
  return { generation, email, audiences, responseIds: Object.keys(responses), prefill };
}

/** Whether the organization has invited a guest, rather than that they have only confirmed an address. */
export const isNumbered = ({ number }: Pick<Invitation, 'number'>): boolean => number > 0;

/** Returns the attributes of an invitation that can change, apart from its responses and mails. */
function toAttributes({ generation, linksFrom, revokedAt, email, label, prefill, createdAt }: Invitation) {
  const data: InvitationDetails = { email, label, prefill, createdAt };
  return { generation, linksFrom, ...(revokedAt !== null && { revokedAt: Date.parse(revokedAt) }), ...encode(data) };
}

/** Builds the write that creates an invitation unless there is one with its id. */
export const createInvitation = (invitation: Invitation): Write => {
  const { id, number, responses } = invitation;
  const item = { ...keys.guest(id), ...indexKeys.guest(id, number), number, responses, ...toAttributes(invitation) };
  return { put: item, when: { absent: true } };
};

/**
 * Builds the write that stores a guest who has confirmed an address, unless there is one with its id. `expiresAt`: when what is stored
 * goes, in epoch seconds, unless they start a response.
 */
export const createAddressed = (
  { id, email, generation, linksFrom }: Pick<Invitation, 'id' | 'generation' | 'linksFrom'> & { email: string },
  { now, expiresAt }: { now: Date; expiresAt: number },
): Write => {
  const createdAt = now.toISOString();
  const item = { ...keys.guest(id), ...indexKeys.addressed(id, createdAt), number: 0, responses: {} };
  const data: InvitationDetails = { email, label: null, prefill: {}, createdAt };
  return { put: { ...item, generation, linksFrom, expiresAt, ...encode(data) }, when: { absent: true } };
};

/** Builds the write by which a guest who was not invited and has nothing, or nothing any more, is kept until `expiresAt`. */
export const keepUnused = (id: string, expiresAt: number): Write => ({
  update: keys.guest(id),
  set: { expiresAt },
  when: { equals: { number: 0 }, smaller: { responses: 1 } },
});

/** Builds the write that invites a guest who has confirmed an address before, unless somebody else does. */
export const inviteAddressed = (invitation: Invitation): Write => {
  const { id, number, generation } = invitation;
  const set = { ...indexKeys.guest(id, number), number, ...toAttributes(invitation) };
  return { update: keys.guest(id), set, unset: ['expiresAt'], when: { equals: { number: 0, generation } } };
};

/** The condition that an invitation still admits guests with a generation of its code. */
const admits = (generation: number): Condition => ({ equals: { generation }, below: { revokedAt: 1 } });

/** Builds the write that changes an invitation with an id, unless it has another code since. */
export const updateInvitation = (next: Invitation, { id, generation }: Invitation): Write => ({
  update: keys.guest(id),
  set: toAttributes(next),
  when: { equals: { generation } },
});

/** Builds the write that revokes an invitation for good. */
export const revokeInvitation = (id: string, now: Date): Write => ({
  update: keys.guest(id),
  set: { revokedAt: now.getTime() },
  when: { absent: false },
});

/** Builds the writes that remove an invitation, with the mail to its guest. */
export const removeInvitation = (id: string): Write[] => [
  { remove: keys.guest(id), when: { absent: false } },
  { remove: keys.guestMail(id) },
];

/**
 * Builds the writes that remove an invitation whose guest has started nothing, unless it has another code since, with the mail to its
 * guest.
 */
export const removeUnused = ({ id, generation }: Invitation): Write[] => [
  { remove: keys.guest(id), when: { equals: { generation }, smaller: { responses: 1 } } },
  { remove: keys.guestMail(id) },
];

/** Builds the write that notes a response that a guest starts, if they have fewer than `max` and are still invited. */
export const addToInvitation = (
  guestId: string,
  { generation }: Pick<Invited, 'generation'>,
  response: { id: string; version: number; progress: string },
  max: number,
): Write => ({
  update: keys.guest(guestId),
  set: { [`responses.${response.id}`]: progressValue(response) },
  unset: ['expiresAt'],
  when: { ...admits(generation), smaller: { responses: max } },
});

/** Builds the write that forgets a response that is deleted, if the guest is still there. */
export const removeFromInvitation = (guestId: string, responseId: string): Write => ({
  update: keys.guest(guestId),
  unset: [`responses.${responseId}`],
  when: { absent: false },
});

/** Builds the write that notes the progress of a response, unless it was deleted or a later change was noted. */
export const noteProgress = (guestId: string, response: { id: string; version: number; progress: string }): Write => {
  const path = `responses.${response.id}`;
  const value = progressValue(response);
  return {
    update: keys.guest(guestId),
    set: { [path]: value },
    when: { above: { [path]: 0 }, below: { [path]: value } },
  };
};

// What is known of the mails to a guest: attributes of their own, because changes of the invitation replace its data.

/** Whom a sending of invitations reaches: all who are invited, or those who have not submitted a response. */
export type Recipients = 'ALL' | 'NOT_ANSWERED';

/** Whether a sending that began at a time reaches a guest: one with an address, who is invited since before. */
export const isRecipient = (
  invitation: Invitation,
  { to, startedAt }: { to: Recipients; startedAt: string },
): boolean =>
  invitation.email !== null &&
  invitation.revokedAt === null &&
  invitation.createdAt <= startedAt &&
  (to === 'ALL' || getInvitationState(invitation) !== 'SUBMITTED');

/** Whether a sending, by when it began in milliseconds, has queued the mail to a guest before. */
export const wasQueued = (item: Item | undefined, sendingMs: number): boolean =>
  Number(item?.mailing ?? 0) >= sendingMs;

/**
 * Builds the write that notes that a sending has queued the mail to a guest, or leaves it out because the address gets none; refused if
 * it has before, or the invitation was revoked or deleted.
 */
export const noteQueued = (guestId: string, sendingMs: number, mailFault?: MailFault): Write => ({
  update: keys.guest(guestId),
  set: { mailing: sendingMs, ...(mailFault !== undefined && { mailFault }) },
  when: { absent: false, below: { mailing: sendingMs, revokedAt: 1 } },
});

/** Builds the write that notes that a mail was sent to a guest who is still there. */
export const noteSent = (guestId: string, kind: 'sentAt' | 'remindedAt', now: Date): Write => ({
  update: keys.guest(guestId),
  set: { [kind]: now.getTime() },
  unset: ['mailFault'],
  when: { absent: false },
});

/** Builds the write that notes why a mail did not reach a guest who is still there. */
export const noteMailFault = (guestId: string, mailFault: MailFault): Write => ({
  update: keys.guest(guestId),
  set: { mailFault },
  when: { absent: false },
});

const progressValue = ({ version, progress }: { version: number; progress: string }): number =>
  2 * version + (progress === 'SUBMITTED' ? 1 : 0);

// The invitations of a form together: the key of their codes, which no operation returns and no copy takes over, the last number, and
// how many there are.

/** The largest number of invitations to a form. */
export const MAX_INVITATIONS = 10_000;

export type Numbering = { codeKey: CodeKey; lastNumber: number; count: number };

/** Parses the key and numbers of the invitations to a form; undefined when it has never had any. */
export const parseNumbering = (item: Item | undefined): Numbering | undefined =>
  item && { codeKey: String(item.codeKey), lastNumber: Number(item.lastNumber), count: Number(item.count) };

/** Builds the writes that give a form without invitations the key of its guests, unless it has one or was deleted. */
export const createNumbering = (formId: string, codeKey: CodeKey): Write[] => [
  { check: keys.formGate(formId), when: { absent: false } },
  { put: { ...keys.invitations(formId), codeKey, lastNumber: 0, count: 0 }, when: { absent: true } },
];

/** Builds the write that takes numbers for new invitations, if no other request has taken any since. */
export const takeNumbers = (formId: string, numbering: Numbering, before: Numbering | undefined): Write =>
  before
    ? {
        update: keys.invitations(formId),
        set: { lastNumber: numbering.lastNumber },
        add: { count: numbering.count - before.count },
        when: { equals: { lastNumber: before.lastNumber, count: before.count } },
      }
    : { put: { ...keys.invitations(formId), ...numbering }, when: { absent: true } };

/** Builds the write that counts an invitation less. */
export const countRemoved = (formId: string): Write => ({
  update: keys.invitations(formId),
  add: { count: -1 },
  when: { absent: false },
});
