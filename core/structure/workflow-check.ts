/**
 * What keeps a form's workflow from being published: the `info` of GET workflow, and the `errors` of a refused publish
 * (contract section 6). First each node by itself, then, when no node is at fault, the graph that they make.
 */

import { type CompleteRule, choiceIds, completeRule, shownNode, suits } from '#core/structure/condition-rule.ts';
import { byId, LINKS, linksOf, reachableFrom, reachableInOrder } from '#core/structure/path.ts';
import { checkPattern } from '#core/structure/pattern.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import type { NodeType, WorkflowInfo, WorkflowNode } from '#core/structure/workflow-model.ts';

/**
 * Everything that keeps a form from being published; empty exactly when it may be. One item per faulty node, its first
 * fault. What depends on other nodes' links (reachability, cycles, what comes before a condition) is reported
 * only when no node is faulty in itself, so that one missing link does not condemn all behind it.
 */
export function workflowInfo(structure: Structure): WorkflowInfo[] {
  const workflow = workflowFaults(structure.nodes);
  const nodes = structure.nodes.flatMap((node) => item('node_validation_failed', structure, node, nodeFault));
  if (workflow.length > 0 || nodes.length > 0) return [...workflow, ...nodes];
  const fault = graphFaults(structure);
  return structure.nodes.flatMap((node) => item('graph_validation_failed', structure, node, fault));
}

type Judge = (structure: Structure, node: WorkflowNode) => string | undefined;

/** `says` completes a sentence that begins with the name of the node. */
function item(type: WorkflowInfo['type'], structure: Structure, node: WorkflowNode, says: Judge): WorkflowInfo[] {
  const fault = says(structure, node);
  return fault ? [{ type, nodeId: node.id, message: `${nameOf(structure, node)} ${fault}` }] : [];
}

const KINDS: Record<NodeType, string> = { START: 'Start', SECTION: 'Section', CONDITION: 'Condition', END: 'End' };

const nameOf = (structure: Structure, node: WorkflowNode): string =>
  `${KINDS[node.type]} "${shownNode(structure, node).label}"`;

/** A workflow is made with its START and END and they cannot be deleted, so this speaks of a damaged one. */
function workflowFaults(nodes: readonly WorkflowNode[]): WorkflowInfo[] {
  return (['START', 'END'] as const)
    .filter((type) => nodes.filter((node) => node.type === type).length !== 1)
    .map((type) => ({
      type: 'workflow_validation_failed' as const,
      message: `The workflow must have exactly one ${type} node.`,
    }));
}

const LINK_NAMES = { next: 'next node', nextTrue: 'node for when it is true', nextFalse: 'node for when it is false' };

/** The first fault of a node in itself: its links, then its rule. */
function nodeFault(structure: Structure, node: WorkflowNode): string | undefined {
  for (const member of LINKS[node.type]) {
    const target = node[member];
    if (target === undefined) return `has no ${LINK_NAMES[member]} (${member}).`;
    const type = structure.nodes.find(({ id }) => id === target)?.type;
    if (type === undefined) return `leads to a node that does not exist (${member}).`;
    if (type === 'START') return `leads back to the start (${member}).`;
  }
  return node.type === 'CONDITION' ? ruleFault(structure, node) : undefined;
}

function ruleFault(structure: Structure, node: WorkflowNode): string | undefined {
  const rule = completeRule(node);
  if (rule) return completeRuleFault(structure, rule);
  const { source, question, pattern } = node.conditionRule ?? {};
  if (!source && !question && !pattern) return 'has no rule (conditionRule).';
  if (!source) return 'does not say whether it asks a choice question (conditionRule.source).';
  return question ? 'has no pattern (conditionRule.pattern).' : 'asks no question (conditionRule.question).';
}

const UUID_TEXT = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function completeRuleFault(structure: Structure, { source, question: id, pattern }: CompleteRule): string | undefined {
  const question = findQuestion(structure, id)?.question;
  if (!question) return 'asks a question that this form does not have (conditionRule.question).';
  if (!suits(source, question.type)) {
    return `has the source ${source}, but its question "${question.title}" is of type ${question.type}.`;
  }
  const fault = checkPattern(pattern);
  if (fault) return `has a faulty pattern (conditionRule.pattern). ${fault}`;
  if (source !== 'CHOICE') return undefined;
  const offered = choiceIds(structure, question);
  const foreign = pattern.match(UUID_TEXT)?.find((choiceId) => !offered.has(choiceId));
  return foreign && `looks for the choice ${foreign}, which its question "${question.title}" does not have.`;
}

/** Judges the graph once, then answers for each node; all links lead to nodes that exist by then. */
function graphFaults({ nodes }: Structure): Judge {
  const all = byId(nodes);
  const order = reachableInOrder(nodes);
  const places = new Map(order.map((id, place) => [id, place]));
  const ending = leadingToEnd(nodes);
  const isAcyclic = nodes.every((node) => {
    const place = places.get(node.id) ?? -1;
    return place < 0 || linksOf(node).every((id) => (places.get(id) ?? -1) > place);
  });
  return (structure, node) => {
    if (!places.has(node.id)) return 'cannot be reached from the start.';
    if (!isAcyclic && reachableFrom(all, node.id).has(node.id)) return 'lies on a cycle: its links lead back to it.';
    if (!ending.has(node.id)) return 'does not lead to the end.';
    return orderFault(structure, node, all);
  };
}

/** The ids of END and of all nodes from which it can be reached. */
function leadingToEnd(nodes: readonly WorkflowNode[]): ReadonlySet<string> {
  const links = nodes.flatMap((node) => linksOf(node).map((to) => ({ from: node.id, to })));
  const before = Map.groupBy(links, ({ to }) => to);
  const leading = new Set(nodes.filter(({ type }) => type === 'END').map(({ id }) => id));
  for (const id of leading) for (const { from } of before.get(id) ?? []) leading.add(from); // visits what it adds
  return leading;
}

/** A PUT refuses such a rule, but a node that is deleted later can take away the way between the two. */
function orderFault(
  structure: Structure,
  node: WorkflowNode,
  all: ReadonlyMap<string, WorkflowNode>,
): string | undefined {
  const rule = completeRule(node);
  const asked = rule && findQuestion(structure, rule.question);
  if (!asked || reachableFrom(all, asked.section.id).has(node.id)) return undefined;
  return `asks the question "${asked.question.title}", whose section comes before it on no path.`;
}
