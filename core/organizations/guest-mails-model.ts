/** The mails of an organization to guests, as they are returned. */
import * as z from 'zod';
import { type Infer, schema, Timestamp } from '#core/schema/schema.ts';

export const GuestMails = schema(() =>
  z
    .object({
      perDay: z
        .int()
        .describe('How many mails to guests the organization may send in a day, which begins at midnight UTC.'),
      today: z.int().describe('How many of them are sent or queued.'),
      since: Timestamp().nullable().describe('Since when `queued` and `bounced` are counted: at most seven days.'),
      queued: z.int(),
      bounced: z.int().describe('How many came back because there is no such address.'),
      pausedAt: Timestamp().nullable(),
      pausedReason: z
        .enum(['BOUNCES', 'COMPLAINT'])
        .nullable()
        .describe(
          'Why nothing is sent until an admin resumes: five mails or more came back, and more than 5 % of those in `queued`; or somebody has reported one as unwanted.',
        ),
    })
    .meta({ id: 'GuestMails' }),
);
export type GuestMails = Infer<typeof GuestMails>;
