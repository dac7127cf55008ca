/**
 * The path of a response through its form, and what the graph alone says about order (contract section 6, "Path of a
 * response"). `walk` is the one function that save, submit, preview, table and export go by; `rule.ts` says what
 * a condition finds in an answer, `check.ts` whether every walk can end.
 */

import type { AnswerContent } from '#core/responses/model.ts';
import { completeRule, subjects, suits } from '#core/structure/condition-rule.ts';
import { matches, patternFault } from '#core/structure/pattern.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { NodeType, WorkflowNode } from '#core/structure/workflow-model.ts';

/** The answer to a question, or undefined while there is none. */
export type AnswerLookup = (questionId: string) => AnswerContent | undefined;

/**
 * Why a walk ended before END: a condition waits for an answer; a condition's rule cannot be decided by; a link is
 * missing or leads nowhere; the walk came back to a node.
 */
export type StopReason = 'unanswered' | 'faulty_rule' | 'unlinked' | 'cycle';

export type Path = {
  /** The ids of the sections reached, in order. */
  sections: string[];
  /** Whether END was reached. */
  complete: boolean;
  /** Of an incomplete path: the node that the walk stopped at, and why. Absent node: the workflow has no START. */
  stoppedAt?: string;
  reason?: StopReason;
  /** The question whose answer the walk waits for, when `reason` is `unanswered`. */
  waitsFor?: string;
};

/** What `walk` needs to know of a structure, made once per structure: an export walks it for every response. */
type Plan = {
  start: WorkflowNode | undefined;
  nodes: ReadonlyMap<string, WorkflowNode>;
  questions: ReadonlyMap<string, { sectionId: string; type: Question['type'] }>;
};

const plans = new WeakMap<Structure, Plan>();

function planOf(structure: Structure): Plan {
  const known = plans.get(structure);
  if (known) return known;
  const plan: Plan = {
    start: structure.nodes.find(({ type }) => type === 'START'),
    nodes: byId(structure.nodes),
    questions: new Map(
      structure.sections.flatMap(({ id, questions }) =>
        questions.map((question) => [question.id, { sectionId: id, type: question.type }]),
      ),
    ),
  };
  plans.set(structure, plan);
  return plan;
}

/** Nodes by their id. */
export const byId = (nodes: readonly WorkflowNode[]): ReadonlyMap<string, WorkflowNode> =>
  new Map(nodes.map((node) => [node.id, node]));

/**
 * Walks a form from START with the answers at hand (contract section 6). Always ends, whatever the graph.
 *
 * A condition looks only at answers in sections that this walk has reached, so an answer that is kept but fell off the
 * path decides nothing, and changing an answer is the same as answering afresh. A question in a reached section without
 * an answer stops the walk, as does a rule that is incomplete or at odds with its question, and a pattern with a fault.
 */
export function walk(structure: Structure, answerOf: AnswerLookup): Path {
  const plan = planOf(structure);
  const sections: string[] = [];
  const visited = new Set<string>();
  let node = plan.start;
  if (!node) return { sections, complete: false, reason: 'unlinked' };
  while (node.type !== 'END') {
    if (visited.has(node.id)) return { sections, complete: false, stoppedAt: node.id, reason: 'cycle' };
    visited.add(node.id);
    if (node.type === 'SECTION') sections.push(node.id);
    const step: Step = node.type === 'CONDITION' ? decide(node, plan, visited, answerOf) : { to: node.next };
    if ('reason' in step) return { sections, complete: false, stoppedAt: node.id, ...step };
    const following: WorkflowNode | undefined = step.to === undefined ? undefined : plan.nodes.get(step.to);
    if (!following) return { sections, complete: false, stoppedAt: node.id, reason: 'unlinked' };
    node = following;
  }
  return { sections, complete: true };
}

type Step = { to: string | undefined } | { reason: StopReason; waitsFor?: string };

function decide(node: WorkflowNode, plan: Plan, visited: ReadonlySet<string>, answerOf: AnswerLookup): Step {
  const rule = completeRule(node);
  const asked = rule && plan.questions.get(rule.question);
  if (!asked || !suits(rule.source, asked.type) || patternFault(rule.pattern)) return { reason: 'faulty_rule' };
  // This path has passed the question by and never comes to it, so waiting for its answer would wait for ever.
  if (!visited.has(asked.sectionId)) return { to: node.nextFalse };
  const answer = answerOf(rule.question);
  const texts = answer ? subjects(answer) : [];
  if (texts.length === 0) return { reason: 'unanswered', waitsFor: rule.question };
  return { to: texts.some((text) => matches(rule.pattern, text)) ? node.nextTrue : node.nextFalse };
}

/** The members that link a node of each type to the next ones, the preferred one first. */
export const LINKS = {
  START: ['next'],
  SECTION: ['next'],
  CONDITION: ['nextTrue', 'nextFalse'],
  END: [],
} as const satisfies Record<NodeType, readonly ('next' | 'nextTrue' | 'nextFalse')[]>;

/** The ids of the nodes that a node leads to, the true branch first. */
export const linksOf = (node: WorkflowNode): string[] =>
  LINKS[node.type].map((member) => node[member]).filter((id) => id !== undefined);

/**
 * The ids of the nodes that START leads to, each before all that it leads to and a true branch before the false one.
 * Where the graph goes round in a cycle, the link that closes it is overlooked.
 */
export function reachableInOrder(nodes: readonly WorkflowNode[]): string[] {
  const all = byId(nodes);
  const visited = new Set<string>();
  const finished: string[] = [];
  // Walked with a stack of its own rather than by recursion: a path may be as long as a structure is large.
  const open: { id: string; rest: string[] }[] = [];
  const enter = (id: string): void => {
    const node = all.get(id);
    if (!node || visited.has(id)) return;
    visited.add(id);
    open.push({ id, rest: linksOf(node) });
  };
  enter(nodes.find(({ type }) => type === 'START')?.id ?? '');
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const following = top.rest.pop();
    if (following !== undefined) {
      enter(following);
      continue;
    }
    finished.push(top.id);
    open.pop();
  }
  return finished.reverse();
}

/** The ids of the sections in workflow order, unreachable ones last in the structure's order (contract section 5). */
export function displayOrder(structure: Structure): string[] {
  const sections = new Set(structure.sections.map(({ id }) => id));
  const reached = reachableInOrder(structure.nodes).filter((id) => sections.has(id));
  return [...new Set([...reached, ...sections])];
}

/**
 * Whether the node of a section can come before another node on some path, that is whether links lead from the one to
 * the other. Never true of a node and itself. Conditions may only ask, and questions only take choices from, what
 * can come before them.
 */
export function mayComeBefore(nodes: readonly WorkflowNode[], sectionId: string, nodeId: string): boolean {
  return sectionId !== nodeId && reachableFrom(byId(nodes), sectionId).has(nodeId);
}

/** The ids of all nodes that links lead to from a node; the node itself only if a cycle leads back to it. */
export function reachableFrom(nodes: ReadonlyMap<string, WorkflowNode>, from: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id);
    for (const following of node ? linksOf(node) : []) {
      if (reached.has(following)) continue;
      reached.add(following);
      open.push(following);
    }
  }
  return reached;
}
