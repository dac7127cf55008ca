/** The most sections that can still follow on a path. */
import { expect, test } from 'vitest';
import { countMostSections, walk } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';

const node = (id: string, type: WorkflowNode['type'], links: Partial<WorkflowNode> = {}): WorkflowNode => ({
  ...{ id, type, label: id, payload: {} },
  ...links,
});
const condition = (id: string, question: string, nextTrue: string, nextFalse: string): WorkflowNode =>
  node(id, 'CONDITION', { conditionRule: { source: 'NON_CHOICE', question, pattern: '^yes' }, nextTrue, nextFalse });
const section = (id: string, questions: string[] = []): Structure['sections'][number] => ({
  ...{ id, description: null, createdAt: '', updatedAt: '' },
  questions: questions.map((each) => ({
    ...{ id: each, type: 'SHORT_TEXT' as const, required: true, title: each, description: null },
    ...{ createdAt: '', updatedAt: '' },
  })),
});
const structureOf = (nodes: WorkflowNode[], sections: Structure['sections']): Structure => ({
  ...{ formId: 'form', version: 1, removed: [] },
  nodes,
  sections,
});
const yes: AnswerContent = { type: 'SHORT_TEXT', value: 'yes' };
const no: AnswerContent = { type: 'SHORT_TEXT', value: 'no' };
const answers = (given: Record<string, AnswerContent>) => (id: string) => given[id];

/** A with questions p and q; "yes" to p leads over B, C and a condition on q to D, "no" leads to END. */
const FORM = structureOf(
  [
    node('start', 'START', { next: 'A' }),
    node('A', 'SECTION', { next: 'ifP' }),
    condition('ifP', 'p', 'B', 'end'),
    node('B', 'SECTION', { next: 'C' }),
    node('C', 'SECTION', { next: 'ifQ' }),
    condition('ifQ', 'q', 'D', 'end'),
    node('D', 'SECTION', { next: 'end' }),
    node('end', 'END'),
  ],
  [section('A', ['p', 'q', 'r']), section('B'), section('C'), section('D')],
);

test.for([
  ['nothing is answered', {}, 4],
  ['the answer leads on to another branch', { p: yes }, 4],
  ['the answer leads to the end', { p: no }, 1],
  ['everything is answered', { p: yes, q: no }, 3],
] as const)('%s', ([, given, mostSections]) => {
  expect(countMostSections(FORM, walk(FORM, answers(given)))).toBe(mostSections);
});

test('ends for a form whose conditions lead in a circle, and for one without links', () => {
  const circle = structureOf(
    [
      node('start', 'START', { next: 'A' }),
      node('A', 'SECTION', { next: 'ifP' }),
      condition('ifP', 'p', 'B', 'end'),
      node('B', 'SECTION', { next: 'A' }),
      node('end', 'END'),
    ],
    [section('A', ['p']), section('B')],
  );
  const mostSections = (form: Structure) => countMostSections(form, walk(form, answers({})));
  expect(mostSections(circle)).toBeGreaterThanOrEqual(2);
  expect(mostSections(structureOf([node('start', 'START')], []))).toBe(0);
});
