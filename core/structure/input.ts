/** What may be sent to change a section (contract section 5). */
import * as z from 'zod';
import { RichText } from '#core/rich-text/model.ts';
import { schema, text } from '#core/schema/model.ts';

export const SectionPatch = schema(() =>
  z
    .object({ title: text(0, 200).optional(), description: RichText().nullish() })
    .describe('A member that is absent is unchanged; a null description is an empty one.')
    .meta({ id: 'SectionPatch' }),
);
