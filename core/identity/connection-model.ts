/** Connecting an account as the answer to a question (contract section 10). */
import * as z from 'zod';
import { schema } from '#core/schema/schema.ts';

export const ConnectQuery = schema(() =>
  z.object({
    r: z
      .string()
      .min(1)
      .max(2_048)
      .optional()
      .describe(
        'Where the browser goes in the end: a path of this service, or a URL of an allowed origin. Without it a small page says how it went.',
      ),
  }),
);
