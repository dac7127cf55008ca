/** The deliveries of a submission: their targets, which every declaration knows, their data, and how members see them. */
import * as z from 'zod';
import type { Language } from '#core/schema/format.ts';
import { type Infer, schema, Timestamp } from '#core/schema/schema.ts';

/** Where a submission is delivered to. */
export const DeliveryTarget = schema(() => z.enum(['email', 'spreadsheet']).meta({ id: 'DeliveryTarget' }));
export type DeliveryTarget = Infer<typeof DeliveryTarget>;

/** The status of a delivery, as members see it. */
export const DeliveryStatus = schema(() =>
  z
    .object({
      state: z.enum(['QUEUED', 'SENT', 'FAILED']).describe('FAILED is final until it is repeated on request.'),
      reason: z
        .string()
        .optional()
        .describe('Why it failed, or was not sent yet, such as `no_address`, `bounced`, `complained`, `rejected`.'),
      updatedAt: Timestamp(),
      attempts: z.int().min(0).describe('How many attempts were begun since it was queued.'),
    })
    .meta({ id: 'DeliveryStatus' }),
);
export type DeliveryStatus = Infer<typeof DeliveryStatus>;

export const DeliveryStatuses = schema(() =>
  z
    .object({ email: DeliveryStatus().optional(), spreadsheet: DeliveryStatus().optional() })
    .meta({ id: 'DeliveryStatuses' }),
);
export type DeliveryStatuses = Infer<typeof DeliveryStatuses>;

/** The data of a mail with a copy of a submission. */
export type ResponseMail = {
  /** The submission that is copied: the mail is dropped when the response was cancelled since. */
  submittedAt: string;
  /** The language of the request that submitted it, if known. */
  language?: Language;
  /** The time zone of the browser that submitted it, if known. */
  timeZone?: string;
  /** When the job was queued that was counted for the limit of its address. */
  countedAt?: string;
  /** Set when a member has requested it: how often a copy that was sent was sent again, and when last. */
  resent?: { times: number; lastAt: string | null };
};
