/** Changes of a published form that are not live yet: the schemas of requests and responses. */
import * as z from 'zod';
import { type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { SectionDocument } from './section-model.ts';
import { WorkflowInfo, WorkflowNode } from './workflow-model.ts';

const KINDS = [
  'questionAdded',
  'questionRemoved',
  'questionChanged',
  'questionMoved',
  'nowRequired',
  'choicesRemoved',
  'sectionAdded',
  'sectionRemoved',
  'sectionChanged',
  'rulesChanged',
] as const;
export type DifferenceKind = (typeof KINDS)[number];

/** What is different in a question, a section or its rules. */
export const Difference = schema(() =>
  z
    .object({
      kind: z.enum(KINDS).describe('`nowRequired` is also a new question that is required.'),
      title: z.string().describe('Of the question or the section.'),
      isAnswered: z.boolean().describe('Whether the question has ever been answered.'),
    })
    .meta({ id: 'Difference' }),
);
export type Difference = Infer<typeof Difference>;

export const ChangesDocument = schema(() =>
  z
    .object({
      sections: z.array(SectionDocument()),
      workflow: z.array(WorkflowNode()),
      info: z.array(WorkflowInfo()).describe('What keeps the changes from being published.'),
      differences: z.array(Difference()).describe('From the live form.'),
      isOutdated: z.boolean().describe('Whether the live form was changed since the changes were begun.'),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'FormChanges' }),
);
export type ChangesDocument = Infer<typeof ChangesDocument>;

export const PublishInput = schema(() =>
  z
    .object({
      force: z
        .boolean()
        .optional()
        .describe('Replaces what was changed in the live form since the changes were begun.'),
    })
    .meta({ id: 'PublishInput' }),
);
