/** The table of a form's submitted responses: the schemas of its request and its preview. */
import * as z from 'zod';
import { StoredAnswer } from '#core/responses/model.ts';
import { Id, type Infer, schema } from '#core/schema/schema.ts';

export const TableInput = schema(() =>
  z
    .object({ questionIds: z.array(Id()).min(1, 'must contain at least one question').max(2_000) })
    .meta({ id: 'TableInput' }),
);

export const TablePreview = schema(() =>
  z
    .object({
      headers: z.array(z.object({ id: Id(), title: z.string() })),
      rows: z.array(
        z.object({
          id: Id(),
          answers: z
            .record(z.string(), StoredAnswer().nullable())
            .describe('By question id; null where there is no answer.'),
        }),
      ),
      nextCursor: z.string().nullable(),
    })
    .meta({ id: 'TablePreview' }),
);
export type TablePreview = Infer<typeof TablePreview>;
