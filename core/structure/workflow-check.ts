/**
 * Finds the faults that prevent publishing a form: the `info` of a workflow, and the `errors` of a refused publish.
 * Edits accept these faults, so that a workflow can be built in any order.
 */

import { problems } from '#core/problems/problems.ts';
import { type CompleteRule, completeRule, isValidFor, listChoiceIds, presentNode } from './condition-rule.ts';
import { byId, LINKS, listLinkTargets, reachableFrom, reachableInOrder } from './path.ts';
import { checkPattern } from './pattern.ts';
import { listCostlyConditions } from './pattern-cost.ts';
import { findNode, findQuestion, findSection, type Structure } from './structure.ts';
import { isChoiceType } from './types/traits.ts';
import { describeFault, type Fault, MESSAGES, type PlacedFault } from './workflow-faults.ts';
import type { NodeType, WorkflowInfo, WorkflowNode } from './workflow-model.ts';

/** Throws 400 with the `info` items of the workflow as `errors` unless the form may be published. */
export function requirePublishable(structure: Structure): void {
  const info = workflowInfo(structure);
  if (info.length === 0) return;
  const errors = info.map(({ nodeId, message }) => ({
    pointer: nodeId ? `/workflow/${nodeId}` : '/workflow',
    detail: message,
  }));
  throw problems.workflowInvalid(errors);
}

/**
 * Finds the faults that prevent publishing a form; empty if it can be published. One item per faulty node, with its first
 * fault: first those of the node itself, then those of its position in the graph. Unreachable nodes, cycles and dead
 * ends are reported only if no node is faulty itself, because one missing link makes all later nodes unreachable.
 */
export function listWorkflowFaults(structure: Structure): PlacedFault[] {
  const { nodes } = structure;
  const workflowFaults = endFaults(nodes);
  const costly = listCostlyConditions(structure);
  const ownFaults = nodes.map((node) => nodeFault(structure, node, costly));
  const hasValidNodes = workflowFaults.length === 0 && ownFaults.every((fault) => fault === undefined);
  const graphFault = hasValidNodes ? graphFaults(nodes) : () => undefined;
  const nodesById = byId(nodes);
  const items = nodes.flatMap((node, index): PlacedFault[] => {
    const ownFault = ownFaults[index];
    const fault = ownFault ?? graphFault(node) ?? orderFault(structure, nodesById, node);
    if (fault === undefined) return [];
    const type = ownFault === undefined ? 'graph_validation_failed' : 'node_validation_failed';
    return [{ type, fault, node: { id: node.id, type: node.type, label: presentNode(structure, node).label } }];
  });
  return [...workflowFaults, ...items];
}

/** Describes what prevents publishing a workflow as the API returns it. */
export const workflowInfo = (structure: Structure): WorkflowInfo[] => presentFaults(listWorkflowFaults(structure));

/** Describes faults as the API returns them. */
export const presentFaults = (faults: readonly PlacedFault[]): WorkflowInfo[] =>
  faults.map(({ type, node, fault }) => {
    const message = describeFault(MESSAGES, fault);
    return node
      ? { type, nodeId: node.id, message: `${KINDS[node.type]} "${node.label}" ${message}` }
      : { type, message };
  });

const KINDS: Record<NodeType, string> = { START: 'Start', SECTION: 'Section', CONDITION: 'Condition', END: 'End' };

/** START and END are created with the form and cannot be deleted, so a fault means corrupted data. */
function endFaults(nodes: readonly WorkflowNode[]): PlacedFault[] {
  return (['START', 'END'] as const)
    .filter((type) => nodes.filter((node) => node.type === type).length !== 1)
    .map((nodeType) => ({ type: 'workflow_validation_failed', fault: { code: 'ends', nodeType } }));
}

/** The first fault of a node itself: its links, then its rule or the sources of its questions. */
function nodeFault(structure: Structure, node: WorkflowNode, costly: ReadonlySet<string>): Fault | undefined {
  for (const member of LINKS[node.type]) {
    const target = node[member];
    if (target === undefined) return { code: 'noLink', member };
    const type = findNode(structure, target)?.type;
    if (type === undefined) return { code: 'brokenLink', member };
    if (type === 'START') return { code: 'linkToStart', member };
  }
  return node.type === 'CONDITION' ? ruleFault(structure, node, costly) : sourceFault(structure, node);
}

/** `costly`: the conditions whose patterns cost too much together, which are not compiled. */
function ruleFault(structure: Structure, node: WorkflowNode, costly: ReadonlySet<string>): Fault | undefined {
  const rule = completeRule(node);
  if (rule) return costly.has(node.id) ? { code: 'costlyPattern' } : completeRuleFault(structure, rule);
  const { source, question, pattern } = node.conditionRule ?? {};
  if (!source && !question && !pattern) return { code: 'noRule' };
  if (!source) return { code: 'noSource' };
  return { code: question ? 'noPattern' : 'noQuestion' };
}

const UUID_TEXT = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function completeRuleFault(structure: Structure, { source, question: id, pattern }: CompleteRule): Fault | undefined {
  const question = findQuestion(structure, id)?.question;
  if (!question) return { code: 'unknownQuestion' };
  if (!isValidFor(source, question.type)) {
    return { code: 'wrongSource', source, question: question.title, type: question.type };
  }
  const fault = checkPattern(pattern, source);
  if (fault) return { code: 'faultyPattern', fault };
  if (source !== 'CHOICE') return undefined;
  const offered = listChoiceIds(structure, question);
  const unknownChoiceId = pattern.match(UUID_TEXT)?.find((choiceId) => !offered.has(choiceId));
  return unknownChoiceId === undefined
    ? undefined
    : { code: 'unknownChoice', choiceId: unknownChoiceId, question: question.title };
}

function sourceFault(structure: Structure, node: WorkflowNode): Fault | undefined {
  for (const { id: questionId, sourceId, title } of findSection(structure, node.id)?.questions ?? []) {
    if (sourceId === undefined) continue;
    const source = findQuestion(structure, sourceId)?.question;
    if (!source) return { code: 'sourceDeleted', question: title, questionId };
    if (!isChoiceType(source.type)) {
      return { code: 'sourceWithoutChoices', question: title, questionId, source: source.title };
    }
  }
  return undefined;
}

/** Analyses the graph once and returns a function for the fault of each node. All links must have existing targets. */
function graphFaults(nodes: readonly WorkflowNode[]): (node: WorkflowNode) => Fault | undefined {
  const nodesById = byId(nodes);
  const positions = new Map(reachableInOrder(nodes).map((id, position) => [id, position]));
  const endingIds = leadingToEnd(nodes);
  const isAcyclic = nodes.every((node) => {
    const position = positions.get(node.id) ?? -1;
    return position < 0 || listLinkTargets(node).every((id) => (positions.get(id) ?? -1) > position);
  });
  return (node) => {
    if (!positions.has(node.id)) return { code: 'unreachable' };
    if (!isAcyclic && reachableFrom(nodesById, node.id).has(node.id)) return { code: 'cycle' };
    return endingIds.has(node.id) ? undefined : { code: 'deadEnd' };
  };
}

/** Finds the ids of END and of all nodes from which it is reachable. */
function leadingToEnd(nodes: readonly WorkflowNode[]): ReadonlySet<string> {
  const links = nodes.flatMap((node) => listLinkTargets(node).map((to) => ({ from: node.id, to })));
  const linksTo = Map.groupBy(links, ({ to }) => to);
  const leading = new Set(nodes.filter(({ type }) => type === 'END').map(({ id }) => id));
  for (const id of leading) for (const { from } of linksTo.get(id) ?? []) leading.add(from); // the loop also visits added ids
  return leading;
}

/**
 * The section of a condition's question, and of the source of a question's choices, must come before it on some path.
 */
function orderFault(
  structure: Structure,
  nodesById: ReadonlyMap<string, WorkflowNode>,
  node: WorkflowNode,
): Fault | undefined {
  const titleIfTooLate = (questionId: string): string | undefined => {
    const placed = findQuestion(structure, questionId);
    if (!placed || placed.section.id === node.id) return undefined;
    return reachableFrom(nodesById, placed.section.id).has(node.id) ? undefined : placed.question.title;
  };
  const rule = completeRule(node);
  const lateTitle = rule && titleIfTooLate(rule.question);
  if (lateTitle !== undefined) return { code: 'questionTooLate', question: lateTitle };
  for (const { id: questionId, sourceId, title } of findSection(structure, node.id)?.questions ?? []) {
    const lateSourceTitle = sourceId === undefined ? undefined : titleIfTooLate(sourceId);
    if (lateSourceTitle === undefined) continue;
    return { code: 'sourceTooLate', question: title, questionId, source: lateSourceTitle };
  }
  return undefined;
}
