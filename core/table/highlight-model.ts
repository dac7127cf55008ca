/** The highlighted question of a form: the schemas of requests and responses. */
import * as z from 'zod';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import { isVisible, line } from '#core/schema/text.ts';

/** A title without visible characters means no title. */
const DisplayTitle = schema(() =>
  z
    .string()
    .overwrite((title) => (isVisible(title) ? title : ''))
    .pipe(line(0, 200))
    .meta({ maxLength: 200, description: 'One line. If it is blank or null, the title of the question is shown.' }),
);

export const HighlightInput = schema(() =>
  z.object({ questionId: Id(), displayTitle: DisplayTitle().nullish() }).meta({ id: 'HighlightInput' }),
);
export const HighlightPatch = schema(() =>
  z.object({ displayTitle: DisplayTitle().nullish() }).meta({ id: 'HighlightPatch' }),
);

export const HighlightDocument = schema(() =>
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
export type HighlightDocument = Infer<typeof HighlightDocument>;
