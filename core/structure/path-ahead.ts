/** What can still come on the path of a draft, as far as its answers have decided. Pure. */
import { completeRule } from './condition-rule.ts';
import type { AnswerLookup } from './offered-choices.ts';
import { byId, linksOf, reachableFrom, reachableInOrder, walk } from './path.ts';
import type { Structure } from './structure.ts';

export type PathAhead = {
  /** The number of sections on the longest path that can follow from these answers. */
  mostSections: number;
  /** The questions on which the rest of the path can depend. */
  questions: ReadonlySet<string>;
};

/** Looks ahead from where the path stops. A path that reaches END, or that no answer can continue, has nothing ahead. */
export function pathAhead(structure: Structure, answerOf: AnswerLookup): PathAhead {
  const { sections, stoppedAt, waitsFor } = walk(structure, answerOf);
  if (stoppedAt === undefined || waitsFor === undefined) {
    return { mostSections: sections.length, questions: new Set() };
  }
  const nodes = byId(structure.nodes);
  const most = new Map<string, number>();
  const mostFrom = (ids: readonly string[]): number => Math.max(0, ...ids.map((id) => most.get(id) ?? 0));
  for (const id of reachableInOrder(structure.nodes).reverse()) {
    const node = nodes.get(id);
    if (node) most.set(id, mostFrom(linksOf(node)) + (node.type === 'SECTION' ? 1 : 0));
  }
  const following = [stoppedAt, ...reachableFrom(nodes, stoppedAt)].flatMap((id) => nodes.get(id) ?? []);
  return {
    mostSections: sections.length + (most.get(stoppedAt) ?? 0),
    questions: new Set(following.flatMap((node) => completeRule(node)?.question ?? [])),
  };
}
