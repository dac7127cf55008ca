/** The members that a question may have, whatever its option is: its name, and how it is shown. */
import * as z from 'zod';
import { because } from '#core/schema/check-faults.ts';
import { schema } from '#core/schema/schema.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;

/** The name of a question, for texts, links and files: unique in its form, whatever the case of its letters. */
export const QuestionName = schema(() =>
  z
    .string()
    .refine(
      (name) => NAME.test(name),
      because('must be a letter followed by at most 31 letters, digits or underscores', 'wrong_name'),
    )
    .describe('Unique in the form, whatever the case of its letters.')
    .meta({ id: 'QuestionName', pattern: NAME.source }),
);

/** Whether two questions with these names would be confused. */
export const isSameName = (name: string | undefined, other: string | undefined): boolean =>
  name !== undefined && name.toLowerCase() === other?.toLowerCase();

export const Shuffle = schema(() =>
  z.boolean().describe('Each response has the choices in an order of its own, the other choice last.'),
);
export const Hidden = schema(() =>
  z
    .boolean()
    .describe(
      'Never shown and never required: its answer is set when a response is started, and stays. It is not secret.',
    ),
);
export const Grid = schema(() =>
  z.boolean().describe('Shown as a row of one table with the question above, when both offer the same.'),
);
