/**
 * Finds the faults that prevent publishing a form: the `info` of a workflow, and the `errors` of a refused publish.
 * Edits accept these faults, so that a workflow can be built in any order.
 */

import { problems } from '#core/problems/problems.ts';
import { type CompleteRule, completeRule, isValidFor, listChoiceIds, presentNode } from './condition-rule.ts';
import { byId, LINKS, listLinkTargets, reachableFrom, reachableInOrder } from './path.ts';
import { checkPattern } from './pattern.ts';
import { findQuestion, findSection, type Structure } from './structure.ts';
import { isChoiceType } from './types/traits.ts';
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
export function workflowInfo(structure: Structure): WorkflowInfo[] {
  const { nodes } = structure;
  const workflowFaults = endFaults(nodes);
  const ownFaults = nodes.map((node) => nodeFault(structure, node));
  const hasValidNodes = workflowFaults.length === 0 && ownFaults.every((fault) => fault === undefined);
  const graphFault = hasValidNodes ? graphFaults(nodes) : () => undefined;
  const nodesById = byId(nodes);
  const items = nodes.flatMap((node, index): WorkflowInfo[] => {
    const ownFault = ownFaults[index];
    const fault = ownFault ?? graphFault(node) ?? orderFault(structure, nodesById, node);
    if (fault === undefined) return [];
    const type = ownFault === undefined ? 'graph_validation_failed' : 'node_validation_failed';
    return [{ type, nodeId: node.id, message: `${describeNode(structure, node)} ${fault}` }];
  });
  return [...workflowFaults, ...items];
}

const KINDS: Record<NodeType, string> = { START: 'Start', SECTION: 'Section', CONDITION: 'Condition', END: 'End' };

const describeNode = (structure: Structure, node: WorkflowNode): string =>
  `${KINDS[node.type]} "${presentNode(structure, node).label}"`;

/** START and END are created with the form and cannot be deleted, so a fault means corrupted data. */
function endFaults(nodes: readonly WorkflowNode[]): WorkflowInfo[] {
  return (['START', 'END'] as const)
    .filter((type) => nodes.filter((node) => node.type === type).length !== 1)
    .map((type) => ({
      type: 'workflow_validation_failed' as const,
      message: `The workflow must have exactly one ${type} node.`,
    }));
}

const LINK_NAMES = { next: 'next node', nextTrue: 'node for when it is true', nextFalse: 'node for when it is false' };

/** The first fault of a node itself: its links, then its rule or the sources of its questions. */
function nodeFault(structure: Structure, node: WorkflowNode): string | undefined {
  for (const member of LINKS[node.type]) {
    const target = node[member];
    if (target === undefined) return `has no ${LINK_NAMES[member]} (${member}).`;
    const type = structure.nodes.find(({ id }) => id === target)?.type;
    if (type === undefined) return `leads to a node that does not exist (${member}).`;
    if (type === 'START') return `leads back to the start (${member}).`;
  }
  return node.type === 'CONDITION' ? ruleFault(structure, node) : sourceFault(structure, node);
}

function ruleFault(structure: Structure, node: WorkflowNode): string | undefined {
  const rule = completeRule(node);
  if (rule) return completeRuleFault(structure, rule);
  const { source, question, pattern } = node.conditionRule ?? {};
  if (!source && !question && !pattern) return 'has no rule (conditionRule).';
  if (!source) return 'has no source, CHOICE or NON_CHOICE (conditionRule.source).';
  return question ? 'has no pattern (conditionRule.pattern).' : 'has no question (conditionRule.question).';
}

const UUID_TEXT = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function completeRuleFault(structure: Structure, { source, question: id, pattern }: CompleteRule): string | undefined {
  const question = findQuestion(structure, id)?.question;
  if (!question) return 'has a question that this form does not have (conditionRule.question).';
  if (!isValidFor(source, question.type)) {
    return `has the source ${source}, but its question "${question.title}" is of type ${question.type}.`;
  }
  const fault = checkPattern(pattern);
  if (fault) return `has a faulty pattern (conditionRule.pattern). ${fault}`;
  if (source !== 'CHOICE') return undefined;
  const offered = listChoiceIds(structure, question);
  const unknownChoiceId = pattern.match(UUID_TEXT)?.find((choiceId) => !offered.has(choiceId));
  return (
    unknownChoiceId && `looks for the choice ${unknownChoiceId}, which its question "${question.title}" does not have.`
  );
}

function sourceFault(structure: Structure, node: WorkflowNode): string | undefined {
  for (const { sourceId, title } of findSection(structure, node.id)?.questions ?? []) {
    if (sourceId === undefined) continue;
    const source = findQuestion(structure, sourceId)?.question;
    if (!source) return `has the question "${title}", which takes its choices from a deleted question (sourceId).`;
    if (!isChoiceType(source.type)) {
      return `has the question "${title}", which takes its choices from "${source.title}", a question without choices (sourceId).`;
    }
  }
  return undefined;
}

/** Analyses the graph once and returns a function for the fault of each node. All links must have existing targets. */
function graphFaults(nodes: readonly WorkflowNode[]): (node: WorkflowNode) => string | undefined {
  const nodesById = byId(nodes);
  const positions = new Map(reachableInOrder(nodes).map((id, position) => [id, position]));
  const endingIds = leadingToEnd(nodes);
  const isAcyclic = nodes.every((node) => {
    const position = positions.get(node.id) ?? -1;
    return position < 0 || listLinkTargets(node).every((id) => (positions.get(id) ?? -1) > position);
  });
  return (node) => {
    if (!positions.has(node.id)) return 'cannot be reached from the start.';
    if (!isAcyclic && reachableFrom(nodesById, node.id).has(node.id))
      return 'lies on a cycle: its links lead back to it.';
    return endingIds.has(node.id) ? undefined : 'does not lead to the end.';
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
): string | undefined {
  const titleIfTooLate = (questionId: string): string | undefined => {
    const placed = findQuestion(structure, questionId);
    if (!placed || placed.section.id === node.id) return undefined;
    return reachableFrom(nodesById, placed.section.id).has(node.id) ? undefined : placed.question.title;
  };
  const rule = completeRule(node);
  const lateTitle = rule && titleIfTooLate(rule.question);
  if (lateTitle !== undefined) return `has the question "${lateTitle}", whose section comes before it on no path.`;
  for (const { sourceId, title } of findSection(structure, node.id)?.questions ?? []) {
    const lateSourceTitle = sourceId === undefined ? undefined : titleIfTooLate(sourceId);
    if (lateSourceTitle === undefined) continue;
    return `has the question "${title}", which takes its choices from "${lateSourceTitle}", whose section comes before it on no path.`;
  }
  return undefined;
}
