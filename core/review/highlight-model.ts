/** The highlighted question of a form: the schemas of requests and responses. */
import * as z from 'zod';
import { Id, type Infer, schema, text } from '#core/schema/schema.ts';

export const HighlightInput = schema(() =>
  z.object({ questionId: Id(), displayTitle: text(0, 200).nullish() }).meta({ id: 'HighlightInput' }),
);
export const HighlightPatch = schema(() =>
  z.object({ displayTitle: text(0, 200).nullish() }).meta({ id: 'HighlightPatch' }),
);

export const HighlightView = schema(() =>
  z
    .object({
      questionId: Id().nullable(),
      questionTitle: z.string(),
      displayTitle: z.string(),
      choices: z.array(z.object({ choiceId: Id(), name: z.string(), count: z.int() })),
      counting: z
        .boolean()
        .optional()
        .describe('True while the choices of this question are being counted; the counts are not complete yet.'),
    })
    .meta({ id: 'Highlight' }),
);
export type HighlightView = Infer<typeof HighlightView>;
