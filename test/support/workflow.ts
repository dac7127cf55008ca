/**
 * Small forms for tests of the workflow engine, written in the order of their links: `form('a', [section('a', 'if'), …])`.
 * Names stand for ids: `id('a')` is the same UUID everywhere. `answers` makes the look-up that `walk` takes.
 */

import { Problem } from '#core/problems/problems.ts';
import type { AnswerLookup } from '#core/structure/path.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import type { Section, Structure } from '#core/structure/structure.ts';
import type { AnswerContent, AnswerValue } from '#core/structure/types/content.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import type { ConditionRule, WorkflowNode } from '#core/structure/workflow-model.ts';

export const NOW = '2026-05-01T12:00:00.000Z';
export const LATER = '2026-05-02T12:00:00.000Z';

/** The UUID that stands for a short name, of at most six characters. */
export const id = (name: string): string =>
  `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0')}`;

/** A question; choice questions have the choices `<name>1` and `<name>2`. */
export function question(name: string, type: QuestionType = 'SHORT_TEXT', rest: Partial<Question> = {}): Question {
  const choices = isChoiceType(type) ? { choices: [1, 2].map((n) => ({ id: id(name + n), name: name + n })) } : {};
  const times = { createdAt: NOW, updatedAt: NOW };
  return { id: id(name), type, required: true, title: name, description: null, ...choices, ...times, ...rest };
}

/** A SECTION node and the questions of its section. */
export type Part = { node: WorkflowNode; questions?: Question[] };

const links = (record: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(record).flatMap(([member, name]) => (name ? [[member, id(name)]] : [])));

export const section = (name: string, next?: string, questions: Question[] = []): Part => ({
  node: { id: id(name), type: 'SECTION', label: name, payload: {}, ...links({ next }) },
  questions,
});

/** A condition; `asks` is the name of a question. */
export const condition = (
  name: string,
  rule: { asks?: string | null; pattern?: string | null; source?: ConditionRule['source'] } | undefined,
  yes?: string,
  no?: string,
): Part => {
  const question = rule?.asks ? id(rule.asks) : (rule?.asks ?? null);
  const conditionRule = rule && { source: rule.source ?? 'NON_CHOICE', question, pattern: rule.pattern ?? null };
  return {
    node: {
      id: id(name),
      type: 'CONDITION',
      label: name,
      payload: {},
      ...(conditionRule && { conditionRule }),
      ...links({ nextTrue: yes, nextFalse: no }),
    },
  };
};

/** A form whose START leads to `first`; its END has the name `end`. */
export function form(first: string | undefined, parts: readonly Part[]): Structure {
  const sections: Section[] = parts.flatMap(({ node, questions }) =>
    questions ? [{ id: node.id, description: null, questions, createdAt: NOW, updatedAt: NOW }] : [],
  );
  return {
    formId: id('form'),
    version: 1,
    nodes: [
      { id: id('start'), type: 'START', label: '開始表單', payload: {}, ...links({ next: first }) },
      ...parts.map(({ node }) => node),
      { id: id('end'), type: 'END', label: '確認/送出', payload: {} },
    ],
    sections,
    removed: [],
  };
}

/** An answer's content; a plain value is an answer to a SHORT_TEXT question. */
export const content = (value: AnswerValue, type: QuestionType = 'SHORT_TEXT', display?: string): AnswerContent => ({
  type,
  value,
  ...(display !== undefined && { display }),
});

/** The value that a rule returns, or the status and faults of the problem that it throws. */
export function outcomeOf<T>(rule: () => T): { value: T } | { status: Problem['status']; errors: Problem['errors'] } {
  try {
    return { value: rule() };
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, errors: error.errors };
    throw error;
  }
}

/** The pointers of the Problem with which an edit refuses; none when it does not. */
export function faultsOf(edit: () => unknown): string[] {
  const outcome = outcomeOf(edit);
  return 'errors' in outcome ? outcome.errors.map(({ pointer }) => pointer) : [];
}

/** The look-up of answers by the names of their questions. */
export function answers(byName: Record<string, AnswerContent | string>): AnswerLookup {
  const known = new Map(
    Object.entries(byName).map(([name, answer]) => [id(name), typeof answer === 'string' ? content(answer) : answer]),
  );
  return (questionId) => known.get(questionId);
}
