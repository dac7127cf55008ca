/** How often a member gets mails about new responses to a form, as the API takes and returns it. */
import * as z from 'zod';
import { type Infer, schema } from '#core/schema/schema.ts';

export const NoticesDocument = schema(() =>
  z
    .object({
      frequency: z
        .enum(['SOON', 'DAILY', 'OFF'])
        .describe(
          'SOON: within minutes of a response, in one mail for all of them. DAILY: in the morning. OFF: never.',
        ),
    })
    .meta({ id: 'Notices' }),
);
export type NoticesDocument = Infer<typeof NoticesDocument>;
