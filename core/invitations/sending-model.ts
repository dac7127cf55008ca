/** The sending of invitations, as it is requested and returned. */
import * as z from 'zod';
import { because } from '#core/schema/check-faults.ts';
import { MAX_MAIL_SUBJECT, MAX_MAIL_TEXT } from '#core/schema/limits.ts';
import { type Infer, schema, Timestamp, text } from '#core/schema/schema.ts';
import { isVisible, line } from '#core/schema/text.ts';

const Recipients = schema(() => z.enum(['ALL', 'NOT_ANSWERED']).meta({ id: 'Recipients' }));

export const SendingInput = schema(() =>
  z
    .object({
      to: Recipients().describe(
        'All guests with an address who are not revoked, or those of them who have not submitted a response.',
      ),
      subject: line(1, MAX_MAIL_SUBJECT),
      text: text(1, MAX_MAIL_TEXT)
        .refine((value) => value === '' || isVisible(value), because('must contain a visible character', 'not_visible'))
        .describe(
          'Plain text, sent as it is. The mail names the organization and the form before it, and has the link of the guest after it.',
        ),
    })
    .meta({ id: 'SendingInput' }),
);
export type SendingInput = Infer<typeof SendingInput>;

export const SendingDocument = schema(() =>
  z
    .object({
      to: Recipients(),
      subject: z.string(),
      text: z.string(),
      startedAt: Timestamp(),
      state: z
        .enum(['SENDING', 'DONE', 'STOPPED'])
        .describe('`DONE`: all mails are queued. Each invitation says whether its mail was sent.'),
      queued: z.int().describe('How many mails are queued or sent so far.'),
      continuesAt: Timestamp()
        .nullable()
        .describe(
          'When the next mails are queued, if the limit of the organization for this day is reached or its mails are paused.',
        ),
      stoppedAt: Timestamp().nullable(),
      nextAt: Timestamp().describe('When the invitations can be sent again.'),
    })
    .meta({ id: 'Sending' }),
);
export type SendingDocument = Infer<typeof SendingDocument>;
