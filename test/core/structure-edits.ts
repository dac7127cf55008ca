/** Any edits of a form that branches, for property tests: those that are possible and leave the form without faults. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import { listWorkflowFaults } from '#core/structure/workflow-check.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import { condition, NOW, type Part, question, section } from '#test/support/workflow.ts';
import { anyForm, structureOf } from './response-model.ts';

/** What is edited is named by its place among the questions, sections and nodes that there are. */
export type Edit = {
  do: (typeof EDITS)[number];
  question: number;
  source: number;
  node: number;
  to: number;
  nth: number;
};
const EDITS = [
  ...['require', 'retype', 'loseChoice', 'takeChoices', 'move', 'delete', 'add'],
  ...['lead', 'branch', 'swap', 'ask', 'insert', 'remove'],
] as const;
const place = fc.nat(9);
export const anyEdits = fc.array(
  fc.record<Edit>({
    do: fc.constantFrom(...EDITS),
    ...{ question: place, source: place, node: place, to: place },
    nth: fc.nat(1),
  }),
  { minLength: 10, maxLength: 10 },
);

const editQuestion = (structure: Structure, at: string, edit: (question: Question) => Question[]): Structure => ({
  ...structure,
  sections: structure.sections.map((each) => ({
    ...each,
    questions: each.questions.flatMap((one) => (one.id === at ? edit(one) : [one])),
  })),
});
const editNode = (structure: Structure, at: string, edit: (node: WorkflowNode) => WorkflowNode): Structure => ({
  ...structure,
  nodes: structure.nodes.map((node) => (node.id === at ? edit(node) : node)),
});
const addTo = (structure: Structure, at: string, added: Question): Structure => ({
  ...structure,
  sections: structure.sections.map((each) =>
    each.id === at ? { ...each, questions: [...each.questions, added] } : each,
  ),
});
/** Adds a node behind another one, which leads to it. */
function insert(structure: Structure, after: WorkflowNode, { node, questions }: Part): Structure {
  if (after.next === undefined) return structure;
  const links = node.type === 'CONDITION' ? { nextFalse: after.next } : { next: after.next };
  const times = { createdAt: NOW, updatedAt: NOW };
  const added = questions ? [{ id: node.id, description: null, questions, ...times }] : [];
  const { nodes, sections } = editNode(structure, after.id, (one) => ({ ...one, next: node.id }));
  return { ...structure, nodes: [...nodes, { ...node, ...links }], sections: [...sections, ...added] };
}
/** Removes a node; what led to it leads to what follows it. */
function withoutNode(structure: Structure, { id: gone, next, nextFalse = next }: WorkflowNode): Structure {
  const nodes = structure.nodes
    .filter((node) => node.id !== gone)
    .map((node) =>
      Object.fromEntries(Object.entries(node).map(([key, value]) => [key, value === gone ? nextFalse : value])),
    );
  return {
    ...structure,
    nodes: nodes as WorkflowNode[],
    sections: structure.sections.filter((each) => each.id !== gone),
  };
}
/** A rule on a question: one of its choices, or one of the texts that respondents type. */
const ruleOn = ({ id: asks, type, choices }: Question, nth: number) =>
  isChoiceType(type)
    ? { source: 'CHOICE' as const, question: asks, pattern: choices?.[nth]?.id ?? 'none' }
    : { source: 'NON_CHOICE' as const, question: asks, pattern: `^${'ab'[nth]}$` };

/** The structure after an edit; the same where it is not possible. `name`: of what is added. */
function edited(structure: Structure, edit: Edit, name: string): Structure {
  const questions = structure.sections.flatMap((each) => each.questions);
  const { nodes, sections } = structure;
  const [one, source] = [edit.question, edit.source].map((at) => questions[at % questions.length]);
  const [node, to] = [edit.node, edit.to].map((at) => nodes[at % nodes.length]);
  const home = sections[edit.to % sections.length]?.id ?? '';
  const { nth } = edit;
  if (!one || !source || !node || !to) return structure;
  switch (edit.do) {
    case 'require':
      return editQuestion(structure, one.id, () => [{ ...one, required: !one.required }]);
    case 'retype': {
      const { choices: _own, sourceId: _source, ...rest } = one;
      const { type, choices = [] } = question(name, isChoiceType(one.type) ? 'SHORT_TEXT' : 'MULTIPLE_CHOICE');
      return editQuestion(structure, one.id, () => [{ ...rest, type, ...(isChoiceType(type) && { choices }) }]);
    }
    case 'loseChoice':
      return editQuestion(structure, one.id, () => [
        one.choices?.length === 2 ? { ...one, choices: one.choices.slice(nth, nth + 1) } : one,
      ]);
    case 'takeChoices': {
      const { choices: _own, ...rest } = one;
      return editQuestion(structure, one.id, () => [{ ...rest, type: 'MULTIPLE_CHOICE', sourceId: source.id }]);
    }
    case 'move':
      return addTo(
        editQuestion(structure, one.id, () => []),
        home,
        one,
      );
    case 'delete':
      return editQuestion(structure, one.id, () => []);
    case 'add':
      return addTo(structure, home, question(name, nth ? 'SINGLE_CHOICE' : 'SHORT_TEXT'));
    case 'lead':
      return editNode(structure, node.id, (was) => ({
        ...was,
        [was.type === 'CONDITION' ? (nth ? 'nextTrue' : 'nextFalse') : 'next']: to.id,
      }));
    case 'branch': {
      const added = condition(name, undefined).node;
      return insert(structure, node, { node: { ...added, conditionRule: ruleOn(one, nth), nextTrue: to.id } });
    }
    case 'swap':
      return editNode(structure, node.id, ({ nextTrue, nextFalse, ...was }) => ({
        ...was,
        ...(nextTrue && nextFalse && { nextTrue: nextFalse, nextFalse: nextTrue }),
      }));
    case 'ask':
      return editNode(structure, node.id, (was) => ({
        ...was,
        ...(was.type === 'CONDITION' && { conditionRule: ruleOn(one, nth) }),
      }));
    case 'insert':
      return insert(structure, node, section(name));
    case 'remove':
      return node.type === 'START' ? structure : withoutNode(structure, node);
  }
}

const isPublishable = (structure: Structure): boolean => listWorkflowFaults(structure).length === 0;
/** The structure after the first edits that are possible and leave the form without faults, `most` of them. */
export function applied(structure: Structure, edits: readonly Edit[], most: number, name: string): Structure {
  let [current, made] = [structure, 0];
  for (const [index, edit] of edits.entries()) {
    const next = edited(current, edit, `${name}${index}`);
    if (made === most || isDeepStrictEqual(next, current) || !isPublishable(next)) continue;
    [current, made] = [next, made + 1];
  }
  return current;
}

/** Forms that can be published. */
export const anyPublished = fc
  .tuple(anyForm.map(structureOf).filter(isPublishable), anyEdits)
  .map(([structure, edits]) => applied(structure, edits, 5, 'a'));
