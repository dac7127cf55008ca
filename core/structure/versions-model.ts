/** The versions of a form that are kept: the schemas of requests and responses. */
import * as z from 'zod';
import { ShortUser } from '#core/accounts/model.ts';
import { type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { Difference } from './changes-model.ts';
import { SectionDocument } from './section-model.ts';
import { WorkflowNode } from './workflow-model.ts';

/** The number of versions of a form that are kept. */
export const MAX_VERSIONS = 100;
/** The number of archived changes that are kept, and how long. */
export const MAX_ARCHIVED = 10;
export const ARCHIVED_DAYS = 30;

export const VersionKind = schema(() => z.enum(['PUBLISHED', 'REPLACED']));
export type VersionKind = Infer<typeof VersionKind>;

const listed = () => ({
  version: z.int().describe('Counts the edits of the live form.'),
  kind: VersionKind().describe(
    '`PUBLISHED`: it was published. `REPLACED`: edits of the live form that a publication or a restoration replaced.',
  ),
  publishedAt: Timestamp().describe('When it was published, or replaced.'),
  publishedBy: ShortUser(),
  differences: z.array(Difference()).describe('From the version before it that was kept; the first ones.'),
  moreDifferences: z.int().min(0).describe('How many there are beyond those listed.'),
});

export const FormVersion = schema(() => z.object(listed()).meta({ id: 'FormVersion' }));
export type FormVersion = Infer<typeof FormVersion>;

export const FormVersionContent = schema(() =>
  z
    .object({
      version: z.int().describe('Of what is returned.'),
      isExact: z
        .boolean()
        .describe('False when the requested version was not kept: this is the nearest earlier one that was.'),
      isLive: z.boolean().describe('Whether this is the structure that respondents use.'),
      sections: z.array(SectionDocument()),
      workflow: z.array(WorkflowNode()),
    })
    .meta({ id: 'FormVersionContent' }),
);
export type FormVersionContent = Infer<typeof FormVersionContent>;

export const RestoreInput = schema(() =>
  z
    .object({ force: z.boolean().optional().describe('Replaces changes that are not published yet.') })
    .meta({ id: 'RestoreInput' }),
);
