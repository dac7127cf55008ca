/** Changes of a published form that are not live yet: the schemas of requests and responses. */
import * as z from 'zod';
import { Id, type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { SectionDocument } from './section-model.ts';
import { WorkflowInfo, WorkflowNode } from './workflow-model.ts';

const KINDS = [
  'startChanged',
  'questionAdded',
  'questionRemoved',
  'questionChanged',
  'questionMoved',
  'nowRequired',
  'choicesRemoved',
  'sectionAdded',
  'sectionRemoved',
  'sectionChanged',
  'orderChanged',
  'rulesChanged',
  'mayBeAsked',
  'mayBeSkipped',
  'sourceChanged',
] as const;
export type DifferenceKind = (typeof KINDS)[number];

const DETAIL_KINDS = ['required', 'title', 'description', 'type', 'choice', 'choiceOrder', 'options'] as const;

/** What is different within a question. */
export const DifferenceDetail = schema(() =>
  z
    .object({
      kind: z.enum(DETAIL_KINDS).describe('`required`: an answer is no longer required.'),
      before: z.string().optional().describe('The title, the type or the name of a choice; missing for a new choice.'),
      after: z.string().optional().describe('The same now; missing for a removed choice.'),
      choiceId: Id().optional().describe('Of `choice`.'),
    })
    .meta({ id: 'DifferenceDetail' }),
);
export type DifferenceDetail = Infer<typeof DifferenceDetail>;

/** What is different in a question, a section or what follows it. */
export const Difference = schema(() =>
  z
    .object({
      kind: z
        .enum(KINDS)
        .describe(
          '`startChanged`: another section can come first. `rulesChanged`: another section can follow. `nowRequired` is also a new question that is required; `orderChanged` is about the questions of a section. What somebody who has begun a response may meet: `mayBeAsked`, a question that rules now lead to or depend on; `mayBeSkipped`, a section that they may no longer lead to; `sourceChanged`, a question that takes its choices from one whose answers may not stay.',
        ),
      title: z.string().describe('Of the question or the section; the label of another node.'),
      questionId: Id().optional().describe('Of the question that it is about. Missing in versions.'),
      nodeId: Id()
        .optional()
        .describe(
          'Of the section, the start or the condition that it is about, if it is no question. Missing in versions.',
        ),
      isAnswered: z.boolean().describe('Whether the question has ever been answered.'),
      details: z
        .array(DifferenceDetail())
        .optional()
        .describe('Of `questionChanged`, for changes that are not published yet.'),
    })
    .meta({ id: 'Difference' }),
);
export type Difference = Infer<typeof Difference>;

/**
 * `QUESTION`: a question and its section. `SECTION`: title and description, or everything in a section that one side
 * deleted. `WORKFLOW`: what follows a node. `ORDER`: the order of a section's questions.
 */
const CONFLICT_KINDS = ['QUESTION', 'SECTION', 'WORKFLOW', 'ORDER'] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

const Place = {
  kind: () =>
    z
      .enum(CONFLICT_KINDS)
      .describe(
        '`QUESTION`: a question and its section. `SECTION`: title and description, or a section that one side deleted. `WORKFLOW`: what follows a node. `ORDER`: the order of a section.',
      ),
  id: () => Id().describe('Of the question, section or node.'),
};

/** What was edited in the changes and in the live form, differently. */
export const ChangesConflict = schema(() =>
  z
    .object({ kind: Place.kind(), id: Place.id(), title: z.string().describe('Of the question, section or node.') })
    .meta({ id: 'ChangesConflict' }),
);
export type ChangesConflict = Infer<typeof ChangesConflict>;

const Keep = schema(() =>
  z.enum(['MINE', 'THEIRS']).describe('`MINE`: the edit of the changes stays. `THEIRS`: that of the live form.'),
);

export const ChangesDocument = schema(() =>
  z
    .object({
      sections: z.array(SectionDocument()),
      workflow: z.array(WorkflowNode()),
      info: z.array(WorkflowInfo()).describe('What keeps the changes from being published.'),
      differences: z.array(Difference()).describe('From the live form.'),
      isOutdated: z.boolean().describe('Whether the live form was changed since the changes were begun.'),
      liveVersion: z.int().describe('The version of the live form.'),
      conflicts: z.array(ChangesConflict()).describe('What has to be decided to publish the changes.'),
      updatedAt: Timestamp()
        .nullable()
        .describe('Null for a form without changes, after a version was restored in its place.'),
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
        .describe('Replaces what was changed in the live form since the changes were begun, wherever that was.'),
      keep: Keep().optional().describe('Whose edit stays in all conflicts that `decisions` does not name.'),
      decisions: z
        .array(z.object({ kind: Place.kind(), id: Place.id(), keep: Keep() }))
        .max(1_000)
        .optional(),
      liveVersion: z
        .int()
        .optional()
        .describe('The version of the live form for which the conflicts were decided; 409 when it has another one.'),
    })
    .meta({ id: 'PublishInput' }),
);
export type PublishInput = Infer<typeof PublishInput>;
