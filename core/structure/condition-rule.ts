/**
 * The rule of a condition: when it is complete, which question types it can use, and how a condition is shown.
 */

import type { Question, QuestionType } from './question-model.ts';
import { findQuestion, listChoices, type Structure } from './structure.ts';
import { isChoiceType } from './types/traits.ts';
import type { ConditionRule, WorkflowNode } from './workflow-model.ts';

/** A rule with all members that are needed to evaluate a condition. */
export type CompleteRule = { source: RuleSource; question: string; pattern: string };
type RuleSource = NonNullable<ConditionRule['source']>;

/** Returns the rule of a condition, or undefined while its source, question or pattern is empty, null or missing. */
export function completeRule(node: WorkflowNode): CompleteRule | undefined {
  const { source, question, pattern } = node.conditionRule ?? {};
  return source && question && pattern ? { source, question, pattern } : undefined;
}

/** Whether a source is valid for a question type: CHOICE for the five choice types, NON_CHOICE for the others. */
export const isValidFor = (source: RuleSource, type: QuestionType): boolean =>
  (source === 'CHOICE') === isChoiceType(type);

/**
 * Presents a node as the API returns it: a condition with a complete rule has a label generated from the rule. The stored
 * label is kept and returned again when the rule becomes incomplete.
 */
export function presentNode(structure: Structure, node: WorkflowNode): WorkflowNode {
  const rule = node.type === 'CONDITION' ? completeRule(node) : undefined;
  const question = rule && findQuestion(structure, rule.question)?.question;
  return question ? { ...node, label: `When ${question.title} matches ${rule.pattern}` } : node;
}

/** Lists the ids of the choices that a question can offer. */
export const listChoiceIds = (structure: Structure, question: Question): ReadonlySet<string> =>
  new Set(listChoices(structure, question.id).map(({ id }) => id));
