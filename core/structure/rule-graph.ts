/** The ways through a form as a graph to draw: sections, the conditions that are in no list of rules, and links. Pure. */
import { byId, reachableInOrder } from './path.ts';
import { listOtherConditions, readNode, readRules } from './rules.ts';
import type { Structure } from './structure.ts';
import type { WorkflowNode } from './workflow-model.ts';

/** `isOtherwise`: taken when no rule applies. At most one link leads from a node to another. */
export type GraphLink = { from: string; to: string; isOtherwise: boolean };
/** `isPart`: whether other nodes were left out. */
export type RuleGraph = { nodes: readonly WorkflowNode[]; links: readonly GraphLink[]; isPart: boolean };

/** The most nodes of a graph. */
export const MAX_GRAPH_NODES = 40;

/**
 * Builds the graph of a form: a list of rules is links of its section. Of a form with more than `MAX_GRAPH_NODES` nodes, it
 * is the part around a node: those that the fewest links part from it. Without a node, or with an unknown one, it is the
 * part around the start.
 */
export function buildRuleGraph(structure: Structure, around?: string): RuleGraph {
  const other = new Set(listOtherConditions(structure).map(({ id }) => id));
  const order = new Map(reachableInOrder(structure.nodes).map((id, index) => [id, index]));
  const position = ({ id }: WorkflowNode): number => order.get(id) ?? Number.MAX_SAFE_INTEGER;
  const nodes = structure.nodes
    .filter(({ id, type }) => type !== 'CONDITION' || other.has(id))
    .sort((a, b) => position(a) - position(b));
  const known = byId(nodes);
  const links = nodes.flatMap((node) => listLinks(structure, node)).filter(({ to }) => known.has(to));
  if (nodes.length <= MAX_GRAPH_NODES) return { nodes, links, isPart: false };
  const start = known.has(around ?? '') ? around : nodes.find(({ type }) => type === 'START')?.id;
  const near = new Set(start === undefined ? [] : [start]);
  const neighbours = new Map<string, string[]>();
  for (const { from, to } of links) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
    neighbours.set(to, [...(neighbours.get(to) ?? []), from]);
  }
  for (const id of near) {
    for (const next of neighbours.get(id) ?? []) if (near.size < MAX_GRAPH_NODES) near.add(next); // also visits added ids
  }
  return {
    nodes: nodes.filter(({ id }) => near.has(id)),
    links: links.filter(({ from, to }) => near.has(from) && near.has(to)),
    isPart: true,
  };
}

function listLinks(structure: Structure, { id: from, type, next }: WorkflowNode): GraphLink[] {
  const list = type === 'SECTION' ? readRules(structure, from) : undefined;
  const { rules, otherwise } = list ?? readNode(structure, from) ?? { rules: [], otherwise: next };
  const links = new Map<string, GraphLink>();
  for (const { target } of rules) if (target !== undefined) links.set(target, { from, to: target, isOtherwise: false });
  if (otherwise !== undefined) links.set(otherwise, { from, to: otherwise, isOtherwise: rules.length > 0 });
  return [...links.values()];
}
