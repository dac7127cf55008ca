/**
 * What the rule of a condition means: when it is complete, which questions it can ask, which texts of an answer its
 * pattern is searched in, and how a condition is shown (contract section 6). `path.ts` decides by it, `check.ts`
 * and `edits.ts` judge it.
 */

import { type AnswerContent, displayValue } from '#core/responses/model.ts';
import { isChoiceType, type Question, type QuestionType } from '#core/structure/question-model.ts';
import { findQuestion, type Structure, sourceChain } from '#core/structure/structure.ts';
import type { ConditionRule, WorkflowNode } from '#core/structure/workflow-model.ts';

/** A rule that says everything a condition needs to be decided. */
export type CompleteRule = { source: RuleSource; question: string; pattern: string };
export type RuleSource = NonNullable<ConditionRule['source']>;

/** The rule of a condition, or undefined while its source, question or pattern is empty, null or missing. */
export function completeRule(node: WorkflowNode): CompleteRule | undefined {
  const { source, question, pattern } = node.conditionRule ?? {};
  return source && question && pattern ? { source, question, pattern } : undefined;
}

/** Whether a rule of this source can ask a question of this type: CHOICE the five choice types, NON_CHOICE the others. */
export const suits = (source: RuleSource, type: QuestionType): boolean => (source === 'CHOICE') === isChoiceType(type);

/**
 * The texts that a pattern is searched in, one by one: the id of each selected choice, the text as typed, a number as
 * digits, a date in its display form, the name of each file, the connected username. It goes by the type that was
 * answered. Empty for an answer that says nothing.
 */
export function subjects(answer: AnswerContent): string[] {
  const { type, value } = answer;
  if (value === '') return [];
  if (type === 'DATE') return [displayValue(answer)];
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? each : each.originalFilename));
  return [value.username];
}

/**
 * A node as it is shown: the label of a condition whose rule is complete tells the rule. The stored label stays what
 * it is, and shows again when the rule loses its question.
 */
export function shownNode(structure: Structure, node: WorkflowNode): WorkflowNode {
  const rule = node.type === 'CONDITION' ? completeRule(node) : undefined;
  const question = rule && findQuestion(structure, rule.question)?.question;
  return question ? { ...node, label: `When ${question.title} matches ${rule.pattern}` } : node;
}

/** The ids of the choices that a question offers: its own, or those of the question at the root of its sources. */
export const choiceIds = (structure: Structure, question: Question): ReadonlySet<string> =>
  new Set(
    sourceChain(structure, question.id)
      .at(-1)
      ?.choices?.map(({ id }) => id),
  );
