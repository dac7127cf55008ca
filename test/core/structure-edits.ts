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

const editQuestion = (structure: Structure, at: Question, ...edited: Question[]): Structure => ({
  ...structure,
  sections: structure.sections.map((each) => ({
    ...each,
    questions: each.questions.flatMap((one) => (one.id === at.id ? edited : [one])),
  })),
});
const editNode = (structure: Structure, edited: WorkflowNode): Structure => ({
  ...structure,
  nodes: structure.nodes.map((node) => (node.id === edited.id ? edited : node)),
});
const addTo = (structure: Structure, home: string, added: Question): Structure => ({
  ...structure,
  sections: structure.sections.map((each) =>
    each.id === home ? { ...each, questions: [...each.questions, added] } : each,
  ),
});
/** Adds a node behind another one, which leads to it. */
function insert(structure: Structure, after: WorkflowNode, { node, questions }: Part): Structure {
  if (after.next === undefined) return structure;
  const links = node.type === 'CONDITION' ? { nextFalse: after.next } : { next: after.next };
  const times = { createdAt: NOW, updatedAt: NOW };
  const added = questions ? [{ id: node.id, description: null, questions, ...times }] : [];
  const { nodes, sections } = editNode(structure, { ...after, next: node.id });
  return { ...structure, nodes: [...nodes, { ...node, ...links }], sections: [...sections, ...added] };
}
/** Removes a node; what led to it leads to what follows it. */
function withoutNode(structure: Structure, { id: gone, next, nextFalse = next }: WorkflowNode): Structure {
  const led = (node: WorkflowNode) => Object.entries(node).map(([key, to]) => [key, to === gone ? nextFalse : to]);
  const nodes = structure.nodes.filter((node) => node.id !== gone).map((node) => Object.fromEntries(led(node)));
  const sections = structure.sections.filter((each) => each.id !== gone);
  return { ...structure, nodes: nodes as WorkflowNode[], sections };
}
/** A rule on a question: one of its choices, or one of the texts that respondents type. */
const ruleOn = ({ id: asks, type, choices }: Question, nth: number) =>
  isChoiceType(type)
    ? { source: 'CHOICE' as const, question: asks, pattern: choices?.[nth]?.id ?? 'none' }
    : { source: 'NON_CHOICE' as const, question: asks, pattern: `^${'ab'[nth]}$` };

/** What is edited: questions, nodes and a section of the form. `name`: of what is added. */
type Chosen = {
  one: Question;
  source: Question;
  node: WorkflowNode;
  to: WorkflowNode;
  home: string;
  nth: number;
  name: string;
};

/** The structure after an edit; the same where it is not possible. */
const EDITS = {
  require: (form, { one }) => editQuestion(form, one, { ...one, required: !one.required }),
  retype: (form, { one: { choices: _own, sourceId: _source, ...one }, name }) => {
    const { type, choices = [] } = question(name, isChoiceType(one.type) ? 'SHORT_TEXT' : 'MULTIPLE_CHOICE');
    return editQuestion(form, one, { ...one, type, ...(isChoiceType(type) && { choices }) });
  },
  loseChoice: (form, { one, nth }) =>
    one.choices?.length === 2 ? editQuestion(form, one, { ...one, choices: one.choices.slice(nth, nth + 1) }) : form,
  takeChoices: (form, { one: { choices: _own, ...one }, source }) =>
    editQuestion(form, one, { ...one, type: 'MULTIPLE_CHOICE', sourceId: source.id }),
  move: (form, { one, home }) => addTo(editQuestion(form, one), home, one),
  delete: (form, { one }) => editQuestion(form, one),
  add: (form, { home, name, nth }) => addTo(form, home, question(name, nth ? 'SINGLE_CHOICE' : 'SHORT_TEXT')),
  lead: (form, { node, to, nth }) =>
    editNode(form, { ...node, [node.type !== 'CONDITION' ? 'next' : nth ? 'nextTrue' : 'nextFalse']: to.id }),
  branch: (form, { one, node, to, nth, name }) => {
    const added = condition(name, undefined).node;
    return insert(form, node, { node: { ...added, conditionRule: ruleOn(one, nth), nextTrue: to.id } });
  },
  swap: (form, { node: { nextTrue, nextFalse, ...node } }) =>
    nextTrue && nextFalse ? editNode(form, { ...node, nextTrue: nextFalse, nextFalse: nextTrue }) : form,
  ask: (form, { one, node, nth }) =>
    node.type === 'CONDITION' ? editNode(form, { ...node, conditionRule: ruleOn(one, nth) }) : form,
  insert: (form, { node, name }) => insert(form, node, section(name)),
  remove: (form, { node }) => (node.type === 'START' ? form : withoutNode(form, node)),
} satisfies Record<string, (form: Structure, chosen: Chosen) => Structure>;

/** What is edited is named by its place among the questions, sections and nodes that there are. */
export type Edit = { do: keyof typeof EDITS } & Record<'question' | 'source' | 'node' | 'to' | 'nth', number>;
const place = fc.nat(9);
export const anyEdits = fc.array(
  fc.record<Edit>({
    do: fc.constantFrom(...(Object.keys(EDITS) as (keyof typeof EDITS)[])),
    ...{ question: place, source: place, node: place, to: place },
    nth: fc.nat(1),
  }),
  { minLength: 10, maxLength: 10 },
);

/** The structure after an edit. */
function edited(structure: Structure, edit: Edit, name: string): Structure {
  const questions = structure.sections.flatMap((each) => each.questions);
  const { nodes, sections } = structure;
  const [one, source] = [edit.question, edit.source].map((at) => questions[at % questions.length]);
  const [node, to] = [edit.node, edit.to].map((at) => nodes[at % nodes.length]);
  const home = sections[edit.to % sections.length]?.id ?? '';
  if (!one || !source || !node || !to) return structure;
  return EDITS[edit.do](structure, { one, source, node, to, home, nth: edit.nth, name });
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
