/** The places that a form has left, as the API returns them. */
import * as z from 'zod';
import { Id, type Infer, schema } from '#core/schema/schema.ts';

export const PlacesDocument = schema(() =>
  z
    .object({
      left: z.int().nullable().describe('How many responses can still be submitted; null without a limit.'),
      choices: z
        .array(z.object({ choiceId: Id(), left: z.int().nullable() }))
        .describe('The choices that are limited: how many responses can still select each.'),
      counting: z
        .boolean()
        .optional()
        .describe(
          'True while the places of a limit are being counted that is younger than responses: `left` is null, and there are as many as anybody needs.',
        ),
    })
    .meta({ id: 'Places' }),
);
export type PlacesDocument = Infer<typeof PlacesDocument>;
