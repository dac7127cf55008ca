/**
 * Edits of a form's workflow, each a pure function from one structure to the next (contract section 6). Deleting a node
 * stands in `remove.ts`, questions and sections are edited in `core/structure/edits.ts`; the store counts `version`
 * when it writes.
 */
import { characters } from '#core/schema/schema.ts';
import { shownNode, suits } from '#core/structure/condition-rule.ts';
import { LINKS, mayComeBefore } from '#core/structure/path.ts';
import { patternFault, patternSteps } from '#core/structure/pattern.ts';
import { findNode, findQuestion, type Section, type Structure } from '#core/structure/structure.ts';
import {
  type ConditionRule,
  MAX_LABEL_CHARACTERS,
  type WorkflowNode,
  type WorkflowNodeInput,
} from '#core/structure/workflow-model.ts';

/** The most steps that all patterns on the text of answers may take at a character: about a quarter of a second a walk. */
export const MAX_STEPS_OF_ALL = 1_500;

/** What is wrong with a workflow that was sent; `pointer` is a JSON pointer such as `/body/3/next`. */
export type WorkflowFault = { pointer: string; detail: string };

/** The structure of a new form: START linked to END, no section, version 1. */
export const newStructure = (formId: string, ids: { start: string; end: string }): Structure => ({
  formId,
  version: 1,
  nodes: [
    { id: ids.start, type: 'START', label: '開始表單', payload: { x: 0, y: 0 }, next: ids.end },
    { id: ids.end, type: 'END', label: '確認/送出', payload: { x: 0, y: 1 } },
  ],
  sections: [],
  removed: [],
});

/** A node to be added; its id is handed in. */
export type NewNode = { id: string; type: 'SECTION' | 'CONDITION'; payload: WorkflowNode['payload']; now: string };

/**
 * Adds an unlinked node, labelled `New Section` or `New Condition`; with a SECTION comes its empty section of the same
 * id. Whether the form may have one more section (MAX_SECTIONS) is for the caller to ask.
 */
export function addNode(structure: Structure, { id, type, payload, now }: NewNode): Structure {
  const label = type === 'SECTION' ? 'New Section' : 'New Condition';
  const nodes = [...structure.nodes, { id, type, label, payload }];
  if (type === 'CONDITION') return { ...structure, nodes };
  const section: Section = { id, description: null, questions: [], createdAt: now, updatedAt: now };
  return { ...structure, nodes, sections: [...structure.sections, section] };
}

/**
 * Takes the question out of every rule that asks one of `questionIds`; the rule keeps its pattern and whatever else it
 * holds. For whenever questions are deleted, alone or with their section.
 */
export function dropRulesOn(structure: Structure, questionIds: ReadonlySet<string>): Structure {
  const nodes = structure.nodes.map((node) =>
    node.conditionRule?.question && questionIds.has(node.conditionRule.question)
      ? { ...node, conditionRule: { ...node.conditionRule, question: null } }
      : node,
  );
  return { ...structure, nodes };
}

/**
 * Replaces links, labels, payloads and rules of exactly the existing nodes; what a node does not name it loses. Answers
 * the next structure, with the nodes in the order sent, or everything that is wrong with what was sent.
 *
 * Members that do not belong to the type of a node are dropped unread: a rule or branches on a SECTION, `next` on a
 * CONDITION, any link on END. Incomplete graphs and rules are accepted; `check.ts` reports them.
 */
export function replaceWorkflow(
  structure: Structure,
  inputs: readonly WorkflowNodeInput[],
  now: string,
): { structure: Structure } | { faults: WorkflowFault[] } {
  const sent = inputs.map((input, index) => ({ input, index, stored: findNode(structure, input.id) }));
  const matched = sent.filter((each): each is Replacement => each.stored !== undefined);
  const nodes = matched.map((replacement) => replaced(structure, replacement));
  const graphFaults = [...judgeIds(structure, sent), ...matched.flatMap((each) => judgeLinks(structure, each))];
  const faults = [
    ...graphFaults,
    ...matched.flatMap(judgeLabel),
    ...judgePatterns(matched),
    // What comes before what cannot be told of a graph that is not whole.
    ...matched.flatMap((each) => judgeRule(structure, graphFaults.length > 0 ? undefined : nodes, each)),
  ];
  return faults.length > 0
    ? { faults }
    : { structure: { ...structure, nodes, sections: retitled(structure, nodes, now) } };
}

type Sent = { input: WorkflowNodeInput; index: number; stored: WorkflowNode | undefined };
type Replacement = Sent & { stored: WorkflowNode };

function replaced(structure: Structure, { input, stored }: Replacement): WorkflowNode {
  const { id, type } = stored;
  const links = LINKS[type].flatMap((member) => (input[member] ? [[member, input[member]] as const] : []));
  return {
    id,
    type,
    label: keptLabel(structure, stored, input.label),
    payload: input.payload,
    ...(type === 'CONDITION' && input.conditionRule && { conditionRule: input.conditionRule }),
    ...Object.fromEntries(links),
  };
}

/**
 * A condition is shown with a label that tells its rule. Sent back, that must not become the stored one: it would stay
 * when the rule changes. One that is too long to be stored can only be such a label, of a rule that changed since.
 */
function keptLabel(structure: Structure, stored: WorkflowNode, label: string): string {
  if (stored.type !== 'CONDITION') return label;
  const isShown = label === shownNode(structure, stored).label;
  return isShown || characters(label) > MAX_LABEL_CHARACTERS ? stored.label : label;
}

/** A section's title is the label of its node, so a new label is a change of the section. */
function retitled(structure: Structure, nodes: readonly WorkflowNode[], now: string): Section[] {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  return structure.sections.map((section) =>
    labels.get(section.id) === findNode(structure, section.id)?.label ? section : { ...section, updatedAt: now },
  );
}

function judgeIds(structure: Structure, sent: readonly Sent[]): WorkflowFault[] {
  const ids = new Set<string>();
  const faults: WorkflowFault[] = [];
  for (const { input, index, stored } of sent) {
    const pointer = `/body/${index}/id`;
    if (!stored) faults.push({ pointer, detail: 'must be a node of this workflow; nodes are added by POST' });
    else if (ids.has(input.id)) faults.push({ pointer, detail: 'is the id of a node before it' });
    ids.add(input.id);
  }
  for (const { id, label } of structure.nodes) {
    if (!ids.has(id)) faults.push({ pointer: '/body', detail: `must hold the node ${id} ("${label}") too` });
  }
  return faults;
}

function judgeLinks(structure: Structure, { input, index, stored }: Replacement): WorkflowFault[] {
  return LINKS[stored.type].flatMap((member) => {
    const target = input[member];
    if (!target) return [];
    const pointer = `/body/${index}/${member}`;
    const type = findNode(structure, target)?.type;
    if (!type) return [{ pointer, detail: 'must be the id of a node of this workflow' }];
    return type === 'START' ? [{ pointer, detail: 'must not lead back to the start' }] : [];
  });
}

/** A response is walked through every condition: searching a long answer must stay short for all of them together. */
function judgePatterns(matched: readonly Replacement[]): WorkflowFault[] {
  let steps = 0;
  const beyond = matched.find(({ input: { conditionRule: rule }, stored }) => {
    if (stored.type !== 'CONDITION' || rule?.source !== 'NON_CHOICE' || !rule.pattern) return false;
    steps += patternSteps(rule.pattern);
    return steps > MAX_STEPS_OF_ALL;
  });
  if (!beyond) return [];
  const detail = `is too much with the patterns before it: those on answers as text may have ${MAX_STEPS_OF_ALL} steps together; shorten some`;
  return [{ pointer: `/body/${beyond.index}/conditionRule/pattern`, detail }];
}

function judgeLabel({ input, index, stored }: Replacement): WorkflowFault[] {
  if (stored.type === 'CONDITION' || characters(input.label) <= MAX_LABEL_CHARACTERS) return [];
  return [{ pointer: `/body/${index}/label`, detail: `must be at most ${MAX_LABEL_CHARACTERS} characters` }];
}

/** Judges as much of a rule as there is; `nodes` is the new graph, where that is whole. */
function judgeRule(
  structure: Structure,
  nodes: readonly WorkflowNode[] | undefined,
  { input, index, stored }: Replacement,
): WorkflowFault[] {
  const rule = input.conditionRule;
  if (stored.type !== 'CONDITION' || !rule) return [];
  const pointer = `/body/${index}/conditionRule`;
  const size = rule.pattern ? patternFault(rule.pattern) : null;
  return [
    ...judgeQuestion(structure, nodes, stored.id, rule).map((fault) => ({
      ...fault,
      pointer: pointer + fault.pointer,
    })),
    ...(size?.kind === 'size' ? [{ pointer: `${pointer}/pattern`, detail: size.message }] : []),
  ];
}

function judgeQuestion(
  structure: Structure,
  nodes: readonly WorkflowNode[] | undefined,
  nodeId: string,
  { source, question: questionId }: ConditionRule,
): WorkflowFault[] {
  if (!questionId) return [];
  const pointer = '/question';
  const asked = findQuestion(structure, questionId);
  if (!asked) return [{ pointer, detail: 'must be a question of this form' }];
  const { question, section } = asked;
  const faults: WorkflowFault[] = [];
  if (source && !suits(source, question.type)) {
    faults.push({ pointer: '/source', detail: `must be ${other(source)} for a question of type ${question.type}` });
  }
  if (nodes && !mayComeBefore(nodes, section.id, nodeId)) {
    faults.push({ pointer, detail: 'must be a question of a section that can come before this condition' });
  }
  return faults;
}

const other = (source: NonNullable<ConditionRule['source']>): string => (source === 'CHOICE' ? 'NON_CHOICE' : 'CHOICE');
