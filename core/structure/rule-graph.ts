/** The ways through a form as a graph to draw: sections, the conditions that are in no list of rules, and links. Pure. */
import { readOutline } from './gates.ts';
import { byId, reachableInOrder } from './path.ts';
import { listOtherConditions, type Rule, readNode, readRules } from './rules.ts';
import type { Structure } from './structure.ts';
import type { WorkflowNode } from './workflow-model.ts';

/**
 * `isOtherwise`: taken when no rule applies; `rules`: those that lead there, none where the same follows anyway. At most one link
 * leads from a node to another.
 */
export type GraphLink = { from: string; to: string; isOtherwise: boolean; rules: readonly Rule[] };
/** `isPart`: whether other nodes were left out. */
export type RuleGraph = { nodes: readonly WorkflowNode[]; links: readonly GraphLink[]; isPart: boolean };

/** The most nodes of a graph, and fewer for a graph with more links than can be drawn in a fraction of a second. */
const NODE_LIMITS = [40, 30, 20, 10] as const;
const MAX_LINKS = 150;

/**
 * Builds the graph of a form: a list of rules is links of its section. Of a form with more than 40 nodes or 150 links, it is
 * the part around a node: those that the fewest links part from it. Without a node, or with an unknown one, it is the part
 * around the start.
 */
export function buildRuleGraph(form: Structure, around?: string): RuleGraph {
  // Who is not shown a section goes where it leads otherwise, so a gate needs no links of its own: it is written in its node.
  const { structure } = readOutline(form);
  const other = new Set(listOtherConditions(structure).map(({ id }) => id));
  const order = new Map(reachableInOrder(structure.nodes).map((id, index) => [id, index]));
  const position = ({ id }: WorkflowNode): number => order.get(id) ?? Number.MAX_SAFE_INTEGER;
  const nodes = structure.nodes
    .filter(({ id, type }) => type !== 'CONDITION' || other.has(id))
    .sort((a, b) => position(a) - position(b));
  const known = byId(nodes);
  const links = nodes.flatMap((node) => listLinks(structure, node)).filter(({ to }) => known.has(to));
  if (nodes.length <= NODE_LIMITS[0] && links.length <= MAX_LINKS) return { nodes, links, isPart: false };
  const start = known.has(around ?? '') ? around : nodes.find(({ type }) => type === 'START')?.id;
  const byDistance = sortByDistance(links, start ?? '');
  const parts = NODE_LIMITS.map((limit): RuleGraph => {
    const near = new Set(byDistance.slice(0, limit));
    return {
      nodes: nodes.filter(({ id }) => near.has(id)),
      links: links.filter(({ from, to }) => near.has(from) && near.has(to)),
      isPart: true,
    };
  });
  return parts.find((part) => part.links.length <= MAX_LINKS) ?? { nodes: [], links: [], isPart: true };
}

/** Lists a node and all that hang together with it, those first that the fewest links part from it. */
function sortByDistance(links: readonly GraphLink[], start: string): string[] {
  const neighbours = new Map<string, string[]>();
  const join = (from: string, to: string): void => {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
  };
  for (const { from, to } of links) {
    join(from, to);
    join(to, from);
  }
  const sorted = new Set([start]);
  for (const id of sorted) for (const next of neighbours.get(id) ?? []) sorted.add(next); // the loop also visits added ids
  return [...sorted];
}

function listLinks(structure: Structure, { id: from, type, next }: WorkflowNode): GraphLink[] {
  const list = type === 'SECTION' ? readRules(structure, from) : undefined;
  const { rules, otherwise } = list ?? readNode(structure, from) ?? { rules: [], otherwise: next };
  const links = new Map<string, GraphLink>();
  for (const [target, leading] of Map.groupBy(rules, (rule) => rule.target)) {
    if (target !== undefined) links.set(target, { from, to: target, isOtherwise: false, rules: leading });
  }
  if (otherwise !== undefined) links.set(otherwise, { from, to: otherwise, isOtherwise: rules.length > 0, rules: [] });
  return [...links.values()];
}
