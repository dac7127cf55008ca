/**
 * Invited guests as they are stored: whom an organization has named before they respond to a form. An item holds the number and
 * the generation of the code, what the organization knows of the guest, and what the guest has started.
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

/**
 * An invitation. `responses`: by id, twice the version in which its progress was stored here, plus one if it was submitted
 * then, so that an older change is told from a newer one.
 */
export type Invitation = InvitationDetails & {
  id: string;
  number: number;
  generation: number;
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
    revokedAt: typeof item.revokedAt === 'number' ? new Date(item.revokedAt).toISOString() : null,
    responses: (item.responses ?? {}) as Invitation['responses'],
  };

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
export const toInvited = (invitation: Invitation | undefined, generation: number): Invited | undefined =>
  invitation?.generation === generation && invitation.revokedAt === null
    ? { generation, responseIds: Object.keys(invitation.responses), prefill: invitation.prefill }
    : undefined;

/** Returns the attributes of an invitation that can change, apart from its responses. */
function toAttributes({ id: _id, number: _number, responses: _responses, generation, revokedAt, ...data }: Invitation) {
  return { generation, ...(revokedAt !== null && { revokedAt: Date.parse(revokedAt) }), ...encode(data) };
}

/** Builds the write that creates an invitation unless there is one with its id. */
export const createInvitation = (invitation: Invitation): Write => {
  const { id, number, responses } = invitation;
  const item = { ...keys.guest(id), ...indexKeys.guest(id, number), number, responses, ...toAttributes(invitation) };
  return { put: item, when: { absent: true } };
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

/** Builds the write that removes an invitation. */
export const removeInvitation = (id: string): Write => ({ remove: keys.guest(id), when: { absent: false } });

/** Builds the write that removes an invitation whose guest has started nothing, unless it has another code since. */
export const removeUnused = ({ id, generation }: Invitation): Write => ({
  remove: keys.guest(id),
  when: { equals: { generation }, smaller: { responses: 1 } },
});

/** Builds the write that notes a response that a guest starts, if they have fewer than `max` and are still invited. */
export const addToInvitation = (
  guestId: string,
  { generation }: Pick<Invited, 'generation'>,
  response: { id: string; version: number; progress: string },
  max: number,
): Write => ({
  update: keys.guest(guestId),
  set: { [`responses.${response.id}`]: progressValue(response) },
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
