/**
 * Edits of a form's workflow: the first structure, creating and deleting nodes, and PUT. Pure functions that return the
 * next structure or throw a Problem; `service.ts` stores it and increments `version`. `questions.ts` edits questions
 * and sections. Incomplete graphs are accepted here and reported by `workflow-check.ts`.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Fault, problems } from '#core/problems/problems.ts';
import { structureFault } from '#core/problems/structure-faults.ts';
import { MAX_SECTIONS } from '#core/schema/limits.ts';
import { countCharacters } from '#core/schema/schema.ts';
import { isLine } from '#core/schema/text.ts';
import { isValidFor, presentNode } from './condition-rule.ts';
import { editOutline, readOutline } from './gates.ts';
import { LINKS, listLinkTargets } from './path.ts';
import { patternSizeFault } from './pattern.ts';
import { conditionCost, MAX_PATTERN_COST } from './pattern-cost.ts';
import type { Question } from './question-model.ts';
import { findNode, findQuestion, findSection, type Section, type Structure } from './structure.ts';
import { MAX_CONDITIONS, MAX_LABEL_CHARACTERS, type WorkflowNode, type WorkflowNodeInput } from './workflow-model.ts';

/** Builds the structure of a new form: START linked to END, no sections, version 1. */
export const newStructure = (formId: string, ids: { start: string; end: string }): Structure => ({
  formId,
  version: 1,
  nodes: [
    { id: ids.start, type: 'START', label: '開始表單', payload: { x: 0, y: 0 }, next: ids.end },
    { id: ids.end, type: 'END', label: '確認/送出', payload: { x: 0, y: 240 } },
  ],
  sections: [],
  removed: [],
});

/** Returns the node with an id. Throws 404 when there is none. */
export function requireNode(structure: Structure, nodeId: string): WorkflowNode {
  const node = findNode(structure, nodeId);
  if (!node) throw problems.notFound();
  return node;
}

/** `after`: the node after which a section is inserted; without it the node is unlinked. */
export type NewNode = {
  id: string;
  type: 'SECTION' | 'CONDITION';
  payload: WorkflowNode['payload'];
  label?: string;
  now: string;
  after?: string | null | undefined;
};

/**
 * Adds a node, labelled `New Section` or `New Condition` by default; a SECTION comes with an empty section of the same id.
 * With `after`, a section is linked between that node and what followed it. Throws 400 when the form has the largest number
 * of nodes of the type, and for an `after` node that nothing can follow.
 */
export const createNode = (structure: Structure, node: NewNode): Structure =>
  // Without a place, nothing else changes.
  node.after ? editOutline(structure, (outline) => addNode(outline, node)) : addNode(structure, node);

function addNode(structure: Structure, node: NewNode): Structure {
  const { id, type, payload, now, after, label = type === 'SECTION' ? 'New Section' : 'New Condition' } = node;
  if (after && type === 'CONDITION') {
    throw refuseAfter('is for sections: a condition is linked by PUT, with both of its branches');
  }
  if (after) requireInsertable(structure, after);
  const max = type === 'SECTION' ? MAX_SECTIONS : MAX_CONDITIONS;
  if (structure.nodes.filter((node) => node.type === type).length >= max) {
    throw problems.tooManyNodes(max, type);
  }
  const following = after ? findNode(structure, after)?.next : undefined;
  const nodes = [
    ...structure.nodes.map((existing) => (existing.id === after ? { ...existing, next: id } : existing)),
    { id, type, label, payload, ...(following !== undefined && { next: following }) },
  ];
  if (type === 'CONDITION') return { ...structure, nodes };
  const section: Section = { id, description: null, questions: [], createdAt: now, updatedAt: now };
  return { ...structure, nodes, sections: [...structure.sections, section] };
}

const refuseAfter = (detail: string) => problems.invalid([{ pointer: '/body/after', detail }]);

/** Throws 400 for a node after which no section can be: END leads nowhere, and a condition leads to two nodes. */
export function requireInsertable(structure: Structure, after: string): void {
  const previous = findNode(structure, after)?.type;
  if (!previous) throw refuseAfter('must be the id of a node of this workflow');
  if (previous === 'END') throw refuseAfter('must not be the END node: nothing follows it');
  if (previous === 'CONDITION') throw refuseAfter('must be START or a section: a condition leads to two nodes');
}

/**
 * Removes a SECTION or CONDITION node and all links to it; with a SECTION also its section and questions. Throws 404
 * for an unknown node, 400 for START and END.
 */
export function deleteNode(
  structure: Structure,
  answered: ReadonlySet<string>,
  nodeId: string,
  now: string,
): Structure {
  const { type } = requireNode(structure, nodeId);
  if (type === 'START' || type === 'END') {
    throw problems.nodeNotDeletable(type);
  }
  const questions = findSection(structure, nodeId)?.questions ?? [];
  const rest = {
    ...structure,
    nodes: structure.nodes.filter(({ id }) => id !== nodeId).map((node) => withoutLinksTo(node, nodeId)),
    sections: structure.sections.filter(({ id }) => id !== nodeId),
  };
  return releaseQuestions(rest, { sectionId: nodeId, questions, answered, now });
}

/**
 * Removes a section, with its gate, or a condition like `deleteNode`, and redirects the links to it to its successor, or to where the
 * condition leads otherwise, so that the path stays whole. Throws 404 for an unknown node, 400 for START and END.
 */
export function removeNode(
  structure: Structure,
  answered: ReadonlySet<string>,
  nodeId: string,
  now: string,
): Structure {
  const isGated = readOutline(structure).gates.has(nodeId);
  return editOutline(structure, (outline) => {
    const { type, next, nextFalse } = requireNode(outline, nodeId);
    const { ids, otherwise } = isGated ? listOwnConditions(outline, nodeId) : { ids: [], otherwise: next };
    const nodes = linkPast(outline.nodes, { id: nodeId, next: type === 'CONDITION' ? nextFalse : otherwise });
    const rest = ids.reduce((form, id) => deleteNode(form, answered, id, now), { ...outline, nodes });
    return deleteNode(rest, answered, nodeId, now);
  });
}

/**
 * Lists the conditions after a section to which only it leads, and what follows when none of them applies. Who is not shown a
 * section with a gate goes past them, and so does everybody once the section is deleted.
 */
function listOwnConditions(structure: Structure, sectionId: string): { ids: string[]; otherwise: string | undefined } {
  const ids: string[] = [];
  let otherwise = findNode(structure, sectionId)?.next;
  for (;;) {
    const node = findNode(structure, otherwise ?? '');
    const leading = structure.nodes.filter((other) => listLinkTargets(other).includes(otherwise ?? ''));
    if (node?.type !== 'CONDITION' || leading.length > 1 || ids.includes(node.id)) return { ids, otherwise };
    ids.push(node.id);
    otherwise = node.nextFalse;
  }
}

/** Links what leads to a node to what follows it; where nothing else follows, the links to it are removed. */
export function linkPast(
  nodes: readonly WorkflowNode[],
  { id, next }: Pick<WorkflowNode, 'id' | 'next'>,
): WorkflowNode[] {
  return nodes.map((node) => {
    const members = LINKS[node.type].filter((member) => node[member] === id);
    if (members.length === 0) return node;
    if (next === undefined || next === id) return withoutLinksTo(node, id);
    return { ...node, ...Object.fromEntries(members.map((member) => [member, next])) };
  });
}

function withoutLinksTo(node: WorkflowNode, targetId: string): WorkflowNode {
  const copy = { ...node };
  for (const member of LINKS[node.type]) if (copy[member] === targetId) delete copy[member];
  return copy;
}

/**
 * Updates the rest of a structure after questions were deleted: rules on them lose `question` and keep other members,
 * and answered questions are added to `removed` for the columns of tables and exports. Questions with a deleted source
 * keep their `sourceId`, which `info` reports until an editor changes it.
 */
export function releaseQuestions(
  structure: Structure,
  deleted: { sectionId: string; questions: readonly Question[]; answered: ReadonlySet<string>; now: string },
): Structure {
  const { sectionId, questions, answered, now } = deleted;
  const ids: ReadonlySet<unknown> = new Set(questions.map(({ id }) => id));
  const nodes = structure.nodes.map((node) =>
    ids.has(node.conditionRule?.question)
      ? { ...node, conditionRule: { ...node.conditionRule, question: null } }
      : node,
  );
  const removed = questions
    .filter(({ id }) => answered.has(id))
    .map(({ id, type, title }) => ({ id, sectionId, type, title, removedAt: now }));
  return { ...structure, nodes, removed: [...structure.removed, ...removed] };
}

/** A node before and after a PUT, and its JSON pointer in the request. */
type NodeChange = { before: WorkflowNode; after: WorkflowNode; pointer: string };

/**
 * Replaces links, labels, payloads and rules of exactly the existing nodes, in the order of the request; absent members
 * are removed. Members that do not belong to the type of a node are ignored. Returns the same structure if nothing
 * changes.
 *
 * Throws 400 with all faults of the changes: missing, unknown or duplicate node ids, links to unknown nodes or to
 * START, labels over the limit or of several lines, invalid rules. Existing faults are accepted, so that the result of a
 * GET can be sent back. `pointer`: where the nodes are in the request.
 */
export function replaceWorkflow(
  structure: Structure,
  inputs: readonly WorkflowNodeInput[],
  now: string,
  pointer = '/body',
): Structure {
  const changes = inputs.flatMap((input, index): NodeChange[] => {
    const before = findNode(structure, input.id);
    return before ? [{ before, after: replaceNode(structure, before, input), pointer: `${pointer}/${index}` }] : [];
  });
  const faults = [
    ...idFaults(structure, inputs, pointer),
    ...changes.flatMap((change) => [
      ...linkFaults(structure, change),
      ...labelFaults(change),
      ...ruleFaults(structure, change),
    ]),
    ...costFaults(structure, changes),
  ];
  if (faults.length > 0) throw problems.invalid(faults);
  const nodes = changes.map(({ after }) => after);
  if (isDeepStrictEqual(nodes, structure.nodes)) return structure;
  const retitled = new Set(
    changes.filter(({ before, after }) => before.label !== after.label).map(({ after }) => after.id),
  );
  const sections = structure.sections.map((section) =>
    retitled.has(section.id) ? { ...section, updatedAt: now } : section,
  );
  return { ...structure, nodes, sections };
}

function replaceNode(structure: Structure, before: WorkflowNode, input: WorkflowNodeInput): WorkflowNode {
  const { id, type } = before;
  const links = LINKS[type].flatMap((member) => (input[member] ? [[member, input[member]] as const] : []));
  return {
    id,
    type,
    label: labelToStore(structure, before, input.label),
    payload: input.payload,
    ...(type === 'CONDITION' && input.conditionRule && { conditionRule: input.conditionRule }),
    ...Object.fromEntries(links),
  };
}

/**
 * The label to store. The label of a condition is generated from its rule on reads; when it is sent back, the stored
 * label is kept. A label that is too long to be stored can only be a generated one.
 */
function labelToStore(structure: Structure, before: WorkflowNode, label: string): string {
  if (before.type !== 'CONDITION') return label;
  const isGenerated = label === presentNode(structure, before).label || countCharacters(label) > MAX_LABEL_CHARACTERS;
  return isGenerated ? before.label : label;
}

function idFaults(structure: Structure, inputs: readonly WorkflowNodeInput[], at: string): Fault[] {
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, { id }] of inputs.entries()) {
    const pointer = `${at}/${index}/id`;
    if (!findNode(structure, id)) {
      faults.push(structureFault(pointer, 'new_node'));
    } else if (seen.has(id)) faults.push(structureFault(pointer, 'node_repeated'));
    seen.add(id);
  }
  for (const { id, label } of structure.nodes) {
    if (!seen.has(id)) faults.push(structureFault(at, 'node_missing', id, label));
  }
  return faults;
}

function linkFaults(structure: Structure, { before, after, pointer: at }: NodeChange): Fault[] {
  return LINKS[after.type].flatMap((member) => {
    const target = after[member];
    if (target === undefined || target === before[member]) return [];
    const pointer = `${at}/${member}`;
    const type = findNode(structure, target)?.type;
    if (!type) return [structureFault(pointer, 'no_node')];
    return type === 'START' ? [structureFault(pointer, 'back_to_start')] : [];
  });
}

function labelFaults({ before, after, pointer: at }: NodeChange): Fault[] {
  if (after.label === before.label) return [];
  const pointer = `${at}/label`;
  if (!isLine(after.label)) return [structureFault(pointer, 'label_not_line')];
  if (countCharacters(after.label) <= MAX_LABEL_CHARACTERS) return [];
  return [structureFault(pointer, 'label_too_long', MAX_LABEL_CHARACTERS)];
}

function ruleFaults(structure: Structure, { before, after, pointer: at }: NodeChange): Fault[] {
  const { source, question: questionId, pattern } = after.conditionRule ?? {};
  const previous = before.conditionRule;
  const pointer = `${at}/conditionRule`;
  const faults: Fault[] = [];
  if (questionId && (questionId !== previous?.question || source !== previous.source)) {
    const question = findQuestion(structure, questionId)?.question;
    if (!question) faults.push(structureFault(`${pointer}/question`, 'no_question'));
    else if (source && !isValidFor(source, question.type)) {
      const other = source === 'CHOICE' ? 'NON_CHOICE' : 'CHOICE';
      faults.push(structureFault(`${pointer}/source`, 'other_rule_source', other, question.type));
    }
  }
  if (pattern && (pattern !== previous?.pattern || source !== previous.source)) {
    const fault = patternSizeFault(pattern, source ?? undefined);
    if (fault !== null) faults.push(structureFault(`${pointer}/pattern`, 'pattern_too_big', fault));
  }
  return faults;
}

/** Refuses the last change that makes the patterns of all conditions cost more than they may; what they cost before is accepted. */
function costFaults(structure: Structure, changes: readonly NodeChange[]): Fault[] {
  const costs = changes.map((change) => ({
    ...change,
    was: conditionCost(structure, change.before),
    is: conditionCost(structure, change.after),
  }));
  const total = (member: 'was' | 'is'): number => costs.reduce((sum, cost) => sum + cost[member], 0);
  if (total('is') <= Math.max(total('was'), MAX_PATTERN_COST)) return [];
  const { pointer = '' } = costs.findLast(({ was, is }) => is > was) ?? {};
  return [structureFault(`${pointer}/conditionRule/pattern`, 'patterns_too_costly', MAX_PATTERN_COST)];
}
