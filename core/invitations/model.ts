/** Invitations as they are sent and returned. */
import * as z from 'zod';
import { because } from '#core/schema/check-faults.ts';
import { Id, type Infer, ListQuery, schema, Timestamp, text } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';

/** The most invitations of one request, which are one transaction. */
export const MAX_INVITED_AT_ONCE = 90;
const MAX_LABEL = 100;
const MAX_PREFILL_BYTES = 2_048;

export const InvitationState = schema(() =>
  z.enum(['NOT_STARTED', 'DRAFT', 'SUBMITTED', 'REVOKED']).meta({ id: 'InvitationState' }),
);

export const Email = schema(() => z.email('must be an e-mail address').max(254));
const Label = schema(() =>
  line(1, MAX_LABEL).describe('The name by which reviewers see the guest, in place of the address.'),
);
const Prefill = schema(() =>
  z
    .record(
      z.string().regex(/^[qo]\../, 'must be the name of a field of a prefilled link, such as q.name'),
      text(0, 2_000),
    )
    .refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_PREFILL_BYTES,
      because(`must be at most ${MAX_PREFILL_BYTES} bytes of JSON`, 'too_many_bytes', MAX_PREFILL_BYTES),
    )
    .describe('The answers with which the guest begins, as fields of a prefilled link.'),
);

/** Somebody who is invited. */
export const GuestInput = schema(() =>
  z
    .object({ email: Email().nullish(), label: Label().nullish(), prefill: Prefill().nullish() })
    .meta({ id: 'GuestInput' }),
);
export type GuestInput = Infer<typeof GuestInput>;

export const InvitationsInput = schema(() =>
  z
    .object({ guests: z.array(GuestInput()).min(1).max(MAX_INVITED_AT_ONCE) })
    .describe('An address that is given twice, or is invited already, has one invitation: the first one.')
    .meta({ id: 'InvitationsInput' }),
);

/** What is done, and cannot be undone. */
const OnlyTrue = schema(() => z.boolean().refine((value) => value, 'must be true, or absent'));

export const InvitationPatch = schema(() =>
  z
    .object({
      revoked: OnlyTrue().optional().describe('Revokes the invitation for good, with its code.'),
      newCode: OnlyTrue()
        .optional()
        .describe('Replaces the code: the earlier one, and the credentials that came from it, are no longer accepted.'),
      label: Label().nullish(),
      email: Email()
        .nullish()
        .describe('Replaces the address, with the id and the code. Only while the guest has started nothing.'),
    })
    .describe('A member that is absent is unchanged; null clears it.')
    .meta({ id: 'InvitationPatch' }),
);
export type InvitationPatch = Infer<typeof InvitationPatch>;

export const InvitationDocument = schema(() =>
  z
    .object({
      id: Id().describe('The id of the guest, as in `submittedBy` of responses.'),
      number: z.int().describe('From 1; 0 for a guest who was not invited, but has confirmed an address.'),
      code: z.string().describe('Empty for a guest with the number 0.'),
      link: z
        .string()
        .describe(
          'The page that takes the code; empty without one. Whoever has it can respond in the name of the guest.',
        ),
      email: z.string().nullable(),
      label: z.string().nullable(),
      prefill: z.record(z.string(), z.string()).nullable(),
      state: InvitationState().describe('Follows the responses within seconds.'),
      createdAt: Timestamp(),
      revokedAt: Timestamp().nullable(),
      sentAt: Timestamp().nullable().describe('When the invitation was sent last.'),
      remindedAt: Timestamp().nullable().describe('When the guest was reminded last.'),
      mailFault: z
        .enum(['BOUNCED', 'COMPLAINED', 'UNSUBSCRIBED', 'FAILED'])
        .nullable()
        .describe(
          'Why the last mail did not reach the guest, or none is sent: it came back, was reported as unwanted, the guest wants none from the organization, or it could not be sent.',
        ),
    })
    .meta({ id: 'Invitation' }),
);
export type InvitationDocument = Infer<typeof InvitationDocument>;

export const Invitations = schema(() =>
  z.object({ invitations: z.array(InvitationDocument()) }).meta({ id: 'Invitations' }),
);

export const InvitationList = schema(() =>
  z
    .object({ invitations: z.array(InvitationDocument()), nextCursor: z.string().nullable() })
    .meta({ id: 'InvitationList' }),
);

export const InvitationListQuery = schema(() =>
  ListQuery().extend({
    state: InvitationState()
      .optional()
      .describe('Only guests with this state; a page can then have few of them, or none, and `nextCursor`.'),
    email: Email().optional().describe('Only the guest with this address, in any case.'),
  }),
);
