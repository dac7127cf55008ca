/**
 * The definition of a form as a file: its settings and content, without responses, people, cover, spreadsheet and dates.
 * The key of its form is zeros in every id, so that the file does not reveal where it comes from.
 */
import * as z from 'zod';
import { copiedShape } from '#core/forms/settings.ts';
import { Slug } from '#core/organizations/model.ts';
import type { ValueFault } from '#core/problems/problems.ts';
import { structureFault } from '#core/problems/structure-faults.ts';
import { RichText } from '#core/rich-text/model.ts';
import { because } from '#core/schema/check-faults.ts';
import { MAX_CHOICES, MAX_QUESTIONS, MAX_SECTIONS, MAX_VIEWS } from '#core/schema/limits.ts';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { QuestionInput } from '#core/structure/question-model.ts';
import { ChoiceInput } from '#core/structure/types/choices.ts';
import { MAX_NODES, NodeType, WorkflowNodeInput } from '#core/structure/workflow-model.ts';

/** The form key in the ids of a definition. */
export const NEUTRAL_KEY = '00000000-0000-8000';

const FORMAT = 'form-service';
const VERSION = 1;
/** What says that a file is a definition. */
export const MARKS = { format: FORMAT, version: VERSION } as const;

const NeutralId = schema(() =>
  Id()
    .refine(
      (id) => id.startsWith(`${NEUTRAL_KEY}-`),
      because(`must begin with ${NEUTRAL_KEY}`, 'other_beginning', NEUTRAL_KEY),
    )
    .meta({ id: 'NeutralId', format: 'uuid' }),
);

const DefinitionQuestion = schema(() =>
  QuestionInput()
    .omit({ order: true, choices: true, sourceId: true })
    .extend({
      id: NeutralId(),
      choices: z
        .array(ChoiceInput().safeExtend({ id: NeutralId() }))
        .max(MAX_CHOICES)
        .nullish(),
      sourceId: NeutralId().nullish(),
    })
    .meta({ id: 'DefinitionQuestion' }),
);
export type DefinitionQuestion = Infer<typeof DefinitionQuestion>;

const DefinitionForm = schema(() =>
  z.object({
    ...copiedShape(),
    nodes: z.array(WorkflowNodeInput().extend({ id: NeutralId(), type: NodeType() })).max(MAX_NODES),
    sections: z
      .array(
        z.object({
          id: NeutralId().describe('The id of its SECTION node, whose label is the title.'),
          description: RichText().nullable(),
          questions: z.array(DefinitionQuestion()).max(MAX_QUESTIONS).describe('In order.'),
        }),
      )
      .max(MAX_SECTIONS),
    highlight: z.object({ questionId: NeutralId(), displayTitle: line(0, 200).nullable() }).nullish(),
    views: z
      .array(
        z.object({
          id: NeutralId(),
          title: line(1, 200),
          locked: z.boolean(),
          columns: z.array(NeutralId()).max(MAX_QUESTIONS),
        }),
      )
      .max(MAX_VIEWS)
      .nullish(),
  }),
);
export type DefinitionForm = Infer<typeof DefinitionForm>;

export const FormDefinition = schema(() =>
  z
    .object({
      format: z.literal(FORMAT, { error: structureFault('', 'other_format', FORMAT).detail }),
      version: z.literal(VERSION, { error: structureFault('', 'other_definition_version', VERSION).detail }),
      form: DefinitionForm(),
    })
    .meta({ id: 'FormDefinition' }),
);
export type FormDefinition = Infer<typeof FormDefinition>;

/** Names the fault of what says that a file is a definition; returns any other fault as it is. */
export function nameMarkFault(fault: ValueFault): ValueFault {
  const [member, ...below] = fault.path;
  if (below.length > 0) return fault;
  const { path, pointer } = fault;
  if (member === 'format') return { path, ...structureFault(pointer, 'other_format', FORMAT) };
  return member === 'version' ? { path, ...structureFault(pointer, 'other_definition_version', VERSION) } : fault;
}

/** Builds a definition from settings and content. */
export const buildDefinition = (form: DefinitionForm): FormDefinition => ({ ...MARKS, form });

export const DuplicateInput = schema(() =>
  z
    .object({
      title: line(1, 200).nullish().describe('By default the title of the form, followed by `的副本`.'),
      slug: Slug().nullish().describe('The organization of the copy; by default that of the form.'),
    })
    .meta({ id: 'DuplicateInput' }),
);
