/**
 * The workflow of a form: the graph that links its sections through conditions. Schemas only; `path.ts` walks the
 * graph, `workflow-check.ts` checks it, `pattern.ts` matches the patterns of conditions.
 */

import * as z from 'zod';
import { MAX_SECTIONS } from '#core/schema/limits.ts';
import { Id, type Infer, jsonObject, schema, text } from '#core/schema/schema.ts';

export const NodeType = schema(() => z.enum(['START', 'SECTION', 'CONDITION', 'END']).meta({ id: 'NodeType' }));
export type NodeType = Infer<typeof NodeType>;

/** The longest pattern: one of a rule on choices may list many of their ids. */
export const MAX_PATTERN_CHARACTERS = { CHOICE: 2_000, NON_CHOICE: 500 } as const;

/** The largest number of CONDITION nodes of a form. */
export const MAX_CONDITIONS = 300;
/** The largest number of nodes: these, the sections, START and END. */
export const MAX_NODES = MAX_CONDITIONS + MAX_SECTIONS + 2;

/** The rule of a condition. Unknown members are kept for the front end that sent them. */
export const ConditionRule = schema(() =>
  z
    .looseObject({
      source: z.enum(['CHOICE', 'NON_CHOICE']).nullish(),
      question: Id().or(z.literal('')).nullish(),
      pattern: text(0, MAX_PATTERN_CHARACTERS.CHOICE)
        .nullish()
        .describe(
          `An RE2 pattern that is searched for anywhere in the text; with the source NON_CHOICE at most ${MAX_PATTERN_CHARACTERS.NON_CHOICE} characters.`,
        ),
      test: z
        .unknown()
        .optional()
        .describe(
          'The comparison that the pages of authors show for the pattern, such as `{"kind": "atLeast", "from": "18"}`. It counts only while it gives this very pattern; another client may leave it out.',
        ),
      gate: z
        .unknown()
        .optional()
        .describe(
          'The id of the section that the pages of authors show only if its conditions are met. All conditions between what leads to the section and the section carry it.',
        ),
    })
    .meta({ id: 'ConditionRule' }),
);
export type ConditionRule = Infer<typeof ConditionRule>;

const Payload = schema(() =>
  jsonObject(4_096).describe('Layout settings of the front end, kept as sent; at most 4,096 bytes of JSON.'),
);

/** A node as it is stored and returned. */
export const WorkflowNode = schema(() =>
  z
    .object({
      id: Id(),
      type: NodeType(),
      label: z.string(),
      payload: Payload(),
      conditionRule: ConditionRule().optional(),
      next: Id().optional(),
      nextTrue: Id().optional(),
      nextFalse: Id().optional(),
    })
    .meta({ id: 'WorkflowNode' }),
);
export type WorkflowNode = Infer<typeof WorkflowNode>;

/** The longest stored label in characters. */
export const MAX_LABEL_CHARACTERS = 200;

/**
 * A node as it is sent by PUT; its `type` is ignored. A label may be as long as the longest generated one,
 * `When … matches …`, so that the result of a GET can be sent back.
 */
export const WorkflowNodeInput = schema(() =>
  z
    .object({
      id: Id(),
      label: text(0, 2_600).describe(
        `One line of at most ${MAX_LABEL_CHARACTERS} characters; the generated label of a condition is accepted as it was returned.`,
      ),
      payload: Payload(),
      conditionRule: ConditionRule().nullish(),
      next: Id().nullish(),
      nextTrue: Id().nullish(),
      nextFalse: Id().nullish(),
    })
    .meta({ id: 'WorkflowNodeInput' }),
);
export type WorkflowNodeInput = Infer<typeof WorkflowNodeInput>;

/** A fault that prevents publishing a form. */
export const WorkflowInfo = schema(() =>
  z
    .object({
      type: z.enum(['workflow_validation_failed', 'graph_validation_failed', 'node_validation_failed']),
      nodeId: Id().optional(),
      message: z.string(),
    })
    .meta({ id: 'WorkflowInfo' }),
);
export type WorkflowInfo = Infer<typeof WorkflowInfo>;
