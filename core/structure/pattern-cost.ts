/**
 * What the patterns of a form may cost together: a walk evaluates every condition at most once, so this bounds the time of a
 * walk (0.5 s at worst) and the memory of the compiled patterns. Pure; compiles nothing.
 */
import { isValidFor } from './condition-rule.ts';
import { MAX_PATTERN_STEPS, patternSteps, toWholePattern } from './pattern.ts';
import { readLiteral } from './pattern-literal.ts';
import type { Question, QuestionType } from './question-model.ts';
import { findQuestion, listChoices, type Structure } from './structure.ts';
import { MAX_LONG_TEXT } from './types/formats.ts';
import { largestSubject } from './types/types.ts';
import type { WorkflowNode } from './workflow-model.ts';

/** As much as one pattern of the most steps on a long text: steps times the characters that they may search. */
export const MAX_PATTERN_COST = MAX_PATTERN_STEPS * MAX_LONG_TEXT;

/** Patterns of so few steps have so few states that RE2 takes one step for a character: 0.3 ms for 10,000. */
const FEW_STEPS = 8;
/** Classes of Unicode lead to a state for each character. */
const UNICODE_CLASS = /\\p/i;
/** What compiling costs, as characters that are searched. */
const COMPILED_CHARACTERS = 500;

/**
 * Computes the cost of a pattern on answers to a type of question: its steps times the most characters of an answer. Patterns
 * that only compare texts, as pages write them, cost nothing. `choices`: how many choices the question offers.
 */
export function patternCost(pattern: string, type: QuestionType, choices: number): number {
  if (readLiteral(pattern)) return 0;
  const steps = patternSteps(pattern);
  const counted = steps <= FEW_STEPS && !UNICODE_CLASS.test(pattern) ? 1 : steps;
  return counted * Math.max(COMPILED_CHARACTERS, largestSubject(type, choices));
}

/** Computes the cost of a condition; one whose rule cannot be evaluated has none. */
export function conditionCost(structure: Structure, { conditionRule: rule }: WorkflowNode): number {
  if (!rule?.question || !rule.pattern || !rule.source || readLiteral(rule.pattern)) return 0;
  const type = findQuestion(structure, rule.question)?.question.type;
  if (!type || !isValidFor(rule.source, type)) return 0;
  return patternCost(rule.pattern, type, listChoices(structure, rule.question).length);
}

/** Computes the cost of the pattern that an answer to a question has to match, if it has one. */
const questionCost = ({ type, text }: Question): number =>
  text?.pattern ? patternCost(toWholePattern(text.pattern), type, 0) : 0;

/** Computes the cost of all conditions and of all patterns of answers of a form. */
export const totalCost = (structure: Structure): number =>
  structure.nodes.reduce((sum, node) => sum + conditionCost(structure, node), answersCost(structure.sections));

const answersCost = (sections: Structure['sections']): number =>
  sections.reduce((sum, { questions }) => questions.reduce((part, question) => part + questionCost(question), sum), 0);

/** Finds the conditions with which the patterns cost more than a form may have, in the order of the nodes; those of answers come first. */
export function listCostlyConditions(structure: Structure): ReadonlySet<string> {
  let sum = answersCost(structure.sections);
  return new Set(
    structure.nodes.flatMap((node) => {
      const cost = conditionCost(structure, node);
      if (cost > 0 && sum + cost > MAX_PATTERN_COST) return [node.id];
      sum += cost;
      return [];
    }),
  );
}
