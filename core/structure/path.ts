/**
 * The path of a response through its form, and the order of the workflow's nodes. Saving, submitting and previewing all
 * use `walk` to find the path. `condition-rule.ts` interprets the rules of conditions; `workflow-check.ts` checks
 * whether every path reaches END.
 */

import { completeRule, isValidFor } from './condition-rule.ts';
import { matches, patternFault } from './pattern.ts';
import type { Question } from './question-model.ts';
import { findQuestion, findSection, type Section, type Structure } from './structure.ts';
import type { Choice } from './types/choices.ts';
import { type AnswerContent, isIds } from './types/content.ts';
import { isChoiceType } from './types/traits.ts';
import { answerSubjects } from './types/types.ts';
import type { NodeType, WorkflowNode } from './workflow-model.ts';

/**
 * Why a walk stopped before END: a condition needs an answer; the rule of a condition is incomplete or invalid; a link
 * is missing or its target does not exist; the walk returned to a node.
 */
type StopReason = 'unanswered' | 'faulty_rule' | 'unlinked' | 'cycle';

export type Path = {
  /** The ids of the sections reached, in order. */
  sections: string[];
  /** Whether END was reached. */
  complete: boolean;
  /** For an incomplete path: the node at which the walk stopped, and why. No node: the workflow has no START. */
  stoppedAt?: string;
  reason?: StopReason;
  /** The question that must be answered to continue, if `reason` is `unanswered`. */
  waitsFor?: string;
};

/** Look-up tables for `walk`, built once per structure, because an export walks it for many responses. */
type Plan = {
  start: WorkflowNode | undefined;
  nodes: ReadonlyMap<string, WorkflowNode>;
  questions: ReadonlyMap<string, { sectionId: string; question: Question }>;
};

const plans = new WeakMap<Structure, Plan>();

function getPlan(structure: Structure): Plan {
  const cached = plans.get(structure);
  if (cached) return cached;
  const plan: Plan = {
    start: structure.nodes.find(({ type }) => type === 'START'),
    nodes: byId(structure.nodes),
    questions: new Map(
      structure.sections.flatMap(({ id, questions }) =>
        questions.map((question) => [question.id, { sectionId: id, question }]),
      ),
    ),
  };
  plans.set(structure, plan);
  return plan;
}

/** Built once per list, because pages look at the nodes of a form for each section and each rule. */
const nodesById = new WeakMap<readonly WorkflowNode[], ReadonlyMap<string, WorkflowNode>>();

/** Indexes nodes by their id. */
export function byId(nodes: readonly WorkflowNode[]): ReadonlyMap<string, WorkflowNode> {
  const known = nodesById.get(nodes) ?? new Map(nodes.map((node) => [node.id, node]));
  nodesById.set(nodes, known);
  return known;
}

/** Whether a walk stops at a condition on a question, as long as that has no answer. */
export type WaitsFor = (question: Question) => boolean;

/** Only questions that must be answered keep a respondent from going on. */
const isRequired: WaitsFor = ({ required }) => required;

/**
 * Walks a form from START with the given answers. Terminates for every graph, and never throws.
 *
 * A condition considers only answers in sections that this walk has reached; if its question is in another section, or
 * can offer no choices, the condition is false. The walk stops at a condition on a question without an answer for which
 * it waits, by default a required one; another question without an answer counts as an empty text, of choices too. It
 * also stops at a rule that is incomplete, is not valid for the type of its question, or has an invalid pattern.
 */
export function walk(structure: Structure, answerTo: AnswerLookup, waitsFor: WaitsFor = isRequired): Path {
  const plan = getPlan(structure);
  const sections: string[] = [];
  const visited = new Set<string>();
  const isReached = (questionId: string): boolean => visited.has(plan.questions.get(questionId)?.sectionId ?? '');
  const answerOnPath: AnswerLookup = (questionId) => (isReached(questionId) ? answerTo(questionId) : undefined);
  const offered: Offered = new Map();
  const canBeAnswered = (question: Question): boolean =>
    !isChoiceType(question.type) || findOffered(structure, answerOnPath, question.id, offered).length > 0;
  const state: Walk = { plan, isReached, answerTo, waitsFor, canBeAnswered };
  let node = plan.start;
  if (!node) return { sections, complete: false, reason: 'unlinked' };
  while (node.type !== 'END') {
    if (visited.has(node.id)) return { sections, complete: false, stoppedAt: node.id, reason: 'cycle' };
    visited.add(node.id);
    if (node.type === 'SECTION') {
      sections.push(node.id);
      // A question that offered none may do so now; one that offered some will not offer others.
      for (const [id, choices] of offered) if (choices.length === 0) offered.delete(id);
    }
    const step: Step = node.type === 'CONDITION' ? evaluateCondition(node, state) : { to: node.next };
    if ('reason' in step) return { sections, complete: false, stoppedAt: node.id, ...step };
    const following: WorkflowNode | undefined = step.to === undefined ? undefined : plan.nodes.get(step.to);
    if (!following) return { sections, complete: false, stoppedAt: node.id, reason: 'unlinked' };
    node = following;
  }
  return { sections, complete: true };
}

type Step = { to: string | undefined } | { reason: StopReason; waitsFor?: string };

/** The state of a walk at a condition: what it has reached, and what questions offer. */
type Walk = {
  plan: Plan;
  /** Whether the section of a question was visited before. */
  isReached: (questionId: string) => boolean;
  answerTo: AnswerLookup;
  waitsFor: WaitsFor;
  canBeAnswered: (question: Question) => boolean;
};

function evaluateCondition(node: WorkflowNode, { plan, isReached, answerTo, waitsFor, canBeAnswered }: Walk): Step {
  const rule = completeRule(node);
  const { question } = (rule && plan.questions.get(rule.question)) ?? {};
  if (!rule || !question || !isValidFor(rule.source, question.type) || patternFault(rule.pattern, rule.source)) {
    return { reason: 'faulty_rule' };
  }
  // The path skipped the question, or the question offers no choices.
  if (!isReached(question.id) || !canBeAnswered(question)) return { to: node.nextFalse };
  const answer = answerTo(question.id);
  const subjects = answer ? answerSubjects(answer, question) : [];
  // Nobody is asked a hidden question.
  const mayStop = !question.hidden && waitsFor(question);
  if (subjects.length === 0 && mayStop) return { reason: 'unanswered', waitsFor: question.id };
  const texts = subjects.length === 0 ? [''] : subjects;
  return { to: texts.some((text) => matches(rule.pattern, text)) ? node.nextTrue : node.nextFalse };
}

/** The members of each node type that link to the next nodes, in display order. */
export const LINKS = {
  START: ['next'],
  SECTION: ['next'],
  CONDITION: ['nextTrue', 'nextFalse'],
  END: [],
} as const satisfies Record<NodeType, readonly ('next' | 'nextTrue' | 'nextFalse')[]>;

/** Lists the ids of the nodes that a node links to, the true branch first. */
export const listLinkTargets = (node: WorkflowNode): string[] =>
  LINKS[node.type].map((member) => node[member]).filter((id) => id !== undefined);

/**
 * Lists the ids of the nodes reachable from START in topological order, a true branch before the false one. A link that
 * closes a cycle is ignored.
 */
export function reachableInOrder(nodes: readonly WorkflowNode[]): string[] {
  const nodesById = byId(nodes);
  const visited = new Set<string>();
  const finished: string[] = [];
  // Depth first with an explicit stack, because a path may be too long for recursion.
  const open: { id: string; rest: string[] }[] = [];
  const enter = (id: string): void => {
    const node = nodesById.get(id);
    if (!node || visited.has(id)) return;
    visited.add(id);
    open.push({ id, rest: listLinkTargets(node) });
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

/** A link that leads from a node back to one before it, or to itself. */
export type ClosingLink = { from: WorkflowNode; member: 'next' | 'nextTrue' | 'nextFalse'; to: WorkflowNode };

/** Lists the links that close cycles, of the nodes reachable from START. Without them the workflow has no cycle. */
export function listClosingLinks(nodes: readonly WorkflowNode[]): ClosingLink[] {
  const nodesById = byId(nodes);
  const positions = new Map(reachableInOrder(nodes).map((id, position) => [id, position]));
  return nodes.flatMap((from) => {
    const position = positions.get(from.id);
    if (position === undefined) return [];
    return LINKS[from.type].flatMap((member): ClosingLink[] => {
      const to = nodesById.get(from[member] ?? '');
      return to && (positions.get(to.id) ?? Infinity) <= position ? [{ from, member, to }] : [];
    });
  });
}

/** Nodes that START does not reach: the first one, and the ids of all that follow it, its own too. */
export type UnreachedChain = { first: WorkflowNode; ids: ReadonlySet<string> };

/** Lists the nodes that START does not reach, as chains: a chain begins with a node to which no other one of them leads. */
export function listUnreachedChains(nodes: readonly WorkflowNode[]): UnreachedChain[] {
  const nodesById = byId(nodes);
  const reached = new Set(reachableInOrder(nodes));
  const unreached = nodes.filter(({ id }) => !reached.has(id));
  const following = new Set(unreached.flatMap((node) => listLinkTargets(node).filter((id) => id !== node.id)));
  const found = new Set<string>();
  // What is found last is in circles, where each node follows another one.
  return [...unreached.filter(({ id }) => !following.has(id)), ...unreached].flatMap((first) => {
    if (found.has(first.id)) return [];
    const ids = [first.id, ...reachableFrom(nodesById, first.id)].filter((id) => !reached.has(id) && !found.has(id));
    for (const id of ids) found.add(id);
    return { first, ids: new Set(ids) };
  });
}

/** Sorts the ids of the sections in workflow order, unreachable ones last in the structure's order. */
export function displayOrder(structure: Structure): string[] {
  const sections = new Set(structure.sections.map(({ id }) => id));
  const reached = reachableInOrder(structure.nodes).filter((id) => sections.has(id));
  return [...new Set([...reached, ...sections])];
}

/** Lists the sections in workflow order. */
export const sectionsInOrder = (structure: Structure): Section[] =>
  displayOrder(structure).flatMap((sectionId) => findSection(structure, sectionId) ?? []);

/** Finds the ids of all nodes reachable from a node; includes the node itself only if it is on a cycle. */
export function reachableFrom(nodes: ReadonlyMap<string, WorkflowNode>, from: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id);
    for (const following of node ? listLinkTargets(node) : []) {
      if (reached.has(following)) continue;
      reached.add(following);
      open.push(following);
    }
  }
  return reached;
}

/**
 * Counts the sections on the longest path that can follow from where a path waits for an answer, with those before. A path
 * that reaches END, or that no answer can continue, has nothing ahead.
 */
export function countMostSections(structure: Structure, { sections, stoppedAt, waitsFor }: Path): number {
  if (stoppedAt === undefined || waitsFor === undefined) return sections.length;
  const nodes = byId(structure.nodes);
  const most = new Map<string, number>();
  const mostFrom = (ids: readonly string[]): number => Math.max(0, ...ids.map((id) => most.get(id) ?? 0));
  for (const id of reachableInOrder(structure.nodes).reverse()) {
    const node = nodes.get(id);
    if (node) most.set(id, mostFrom(listLinkTargets(node)) + (node.type === 'SECTION' ? 1 : 0));
  }
  return sections.length + (most.get(stoppedAt) ?? 0);
}

// The choices that a question offers to one respondent, and whether the respondent can answer it at all. `walk`, submit,
// previews and pages all decide with `canBeAnswered`. Pure.

/** The answer to a question, or undefined while there is none. */
export type AnswerLookup<A extends AnswerContent = AnswerContent> = (questionId: string) => A | undefined;

/**
 * Lists the choices that a question offers to a respondent. A question with a source offers the choices that the respondent
 * selected there, in the order of the source and only if the source still offers them; none before the source is
 * answered, and none in a cycle of sources. The other choice of a source has the respondent's text as its name and is
 * an ordinary choice here. `answerTo` looks up the respondent's answers to questions on the path, always the same ones.
 */
export function offeredChoices(structure: Structure, answerTo: AnswerLookup, questionId: string): readonly Choice[] {
  const known = offers.get(answerTo);
  const offer = known?.structure === structure ? known : { structure, choices: new Map() };
  if (offer !== known) offers.set(answerTo, offer);
  return findOffered(structure, answerTo, questionId, offer.choices);
}

/** What questions offer, by their id. */
type Offered = Map<string, readonly Choice[]>;

/** Kept per look-up, so that questions that take their choices from one another are not followed for each of them. */
const offers = new WeakMap<AnswerLookup, { structure: Structure; choices: Offered }>();

/** `known`: what questions offer with these answers; each chain of sources ends where one is known. */
function findOffered(
  structure: Structure,
  answerTo: AnswerLookup,
  questionId: string,
  known: Offered,
): readonly Choice[] {
  const offered = known.get(questionId);
  if (offered) return offered;
  // What a cycle of sources offers.
  known.set(questionId, []);
  const question = findQuestion(structure, questionId)?.question;
  const answer = question?.sourceId === undefined ? undefined : answerTo(question.sourceId);
  const choices =
    question?.sourceId === undefined
      ? (question?.choices ?? [])
      : answer && isIds(answer.value)
        ? keepSelected(findOffered(structure, answerTo, question.sourceId, known), { ...answer, value: answer.value })
        : [];
  known.set(questionId, choices);
  return choices;
}

/** Lists the choices that an answer selects; the other choice has the text of the respondent as its name. */
function keepSelected(choices: readonly Choice[], answer: { value: readonly string[]; otherText?: string }): Choice[] {
  const selected = new Set(answer.value);
  return choices
    .filter((choice) => selected.has(choice.id))
    .map(({ isOther, ...choice }) => ({ ...choice, name: (isOther && answer.otherText) || choice.name }));
}

/**
 * Whether a question on the path can be answered: it takes no choices, or offers at least one. It offers none if its
 * source, or a source of that, was deleted, is off the path or is not answered. Such a question is never required, and
 * a condition on it is false.
 */
export const canBeAnswered = (structure: Structure, answerTo: AnswerLookup, question: Question): boolean =>
  !isChoiceType(question.type) || offeredChoices(structure, answerTo, question.id).length > 0;
