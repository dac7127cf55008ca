/**
 * The rules of a section: what follows it depends on answers. In the workflow they are a chain of conditions, each with a
 * pattern; `otherwise` follows when none is true. Pure. A chain that other nodes share, or that branches again, is no list
 * of rules: its conditions are read and written one by one.
 */

import { requireFound } from '#core/problems/problems.ts';
import { editOutline, readOutline, toConditionRule } from './gates.ts';
import { byId, listLinkTargets, reachableFrom, reachableInOrder } from './path.ts';
import { placeBelow } from './places.ts';
import type { Question } from './question-model.ts';
import { parseTest, type Test } from './rule-tests.ts';
import { findNode, findQuestion, findSection, type Structure } from './structure.ts';
import { createNode, deleteNode, replaceWorkflow, requireNode } from './workflow-edits.ts';
import type { WorkflowNode } from './workflow-model.ts';

/**
 * A rule: if the answer passes the test, the path goes to `target`. `nodeId`: its condition, none for a new rule.
 * `questionId` is empty when the question was deleted; links that lead nowhere are undefined.
 */
export type Rule = { nodeId?: string | undefined; questionId: string; test: Test; target: string | undefined };
export type SectionRules = { rules: readonly Rule[]; otherwise: string | undefined };

/** Reads the rules of a section; undefined if its conditions are more than a list of rules. */
export function readRules(form: Structure, sectionId: string): SectionRules | undefined {
  const { structure } = readOutline(form);
  const rules: Rule[] = [];
  const nodes = byId(structure.nodes);
  const linked = countLinks(structure);
  const listed = new Set<string>();
  let following = nodes.get(sectionId)?.next;
  for (let node = nodes.get(following ?? ''); node?.type === 'CONDITION'; node = nodes.get(following ?? '')) {
    const { id, nextTrue, nextFalse } = node;
    const isShared = (linked.get(id) ?? 0) > 1;
    if (isShared || listed.has(id) || nodes.get(nextTrue ?? '')?.type === 'CONDITION') return undefined;
    listed.add(id);
    rules.push(toRule(structure, node));
    following = nextFalse;
  }
  return { rules, otherwise: following };
}

/** Counted once per structure, because the rules of each section are read. */
const linkCounts = new WeakMap<Structure, ReadonlyMap<string, number>>();

/** Counts the links that lead to each node. */
function countLinks(structure: Structure): ReadonlyMap<string, number> {
  const known = linkCounts.get(structure);
  if (known) return known;
  const counts = new Map<string, number>();
  for (const target of structure.nodes.flatMap(listLinkTargets)) counts.set(target, (counts.get(target) ?? 0) + 1);
  linkCounts.set(structure, counts);
  return counts;
}

function toRule(structure: Structure, { id, conditionRule, nextTrue }: WorkflowNode): Rule {
  const question = findQuestion(structure, conditionRule?.question ?? '')?.question;
  const test = parseTest(question, conditionRule?.pattern ?? '', conditionRule?.test);
  return { nodeId: id, questionId: question?.id ?? '', test, target: nextTrue };
}

/**
 * Reads what follows one node, whatever follows after that: a condition as its only rule, a section or the start as a link.
 * Returns undefined for other nodes.
 */
export function readNode(form: Structure, nodeId: string): SectionRules | undefined {
  const { structure } = readOutline(form);
  const node = findNode(structure, nodeId);
  if (node?.type === 'SECTION' || node?.type === 'START') return { rules: [], otherwise: node.next };
  return node?.type === 'CONDITION' ? { rules: [toRule(structure, node)], otherwise: node.nextFalse } : undefined;
}

/** Replaces what follows one node, as `readNode` reads it; no other node changes. Throws like `writeRules`. */
export const writeNode = (form: Structure, nodeId: string, rules: SectionRules, now: string): Structure =>
  editOutline(form, (outline) => writeOutlineNode(outline, nodeId, rules, now));

function writeOutlineNode(
  structure: Structure,
  nodeId: string,
  { rules: [rule], otherwise }: SectionRules,
  now: string,
): Structure {
  const { type } = requireNode(structure, nodeId);
  const nodes = structure.nodes.map((node): WorkflowNode => {
    if (node.id !== nodeId) return node;
    if (type === 'SECTION' || type === 'START') return withLinks(node, { next: otherwise });
    if (!rule || type !== 'CONDITION') return node;
    const links = { nextTrue: rule.target, nextFalse: otherwise };
    return withLinks({ ...node, conditionRule: toConditionRule(structure, node, rule) }, links);
  });
  return replaceWorkflow(structure, nodes, now);
}

/** Lists the conditions that are in no list of rules, in the order of the path, unreachable ones last. */
export function listOtherConditions(form: Structure): WorkflowNode[] {
  const { structure } = readOutline(form);
  const listed = new Set(
    structure.sections.flatMap(({ id }) => readRules(structure, id)?.rules.map(({ nodeId }) => nodeId) ?? []),
  );
  const otherConditions = structure.nodes.filter(({ id, type }) => type === 'CONDITION' && !listed.has(id));
  const order = new Map(reachableInOrder(structure.nodes).map((id, index) => [id, index]));
  const position = ({ id }: WorkflowNode): number => order.get(id) ?? Number.MAX_SAFE_INTEGER;
  return otherConditions.sort((a, b) => position(a) - position(b));
}

/** Built once per structure, because every link to a condition is named by it. */
const numbers = new WeakMap<Structure, ReadonlyMap<string, number>>();

/** Returns the numbers, from 1, by which conditions are named that are in no list of rules. */
export function conditionNumbers(structure: Structure): ReadonlyMap<string, number> {
  const known =
    numbers.get(structure) ?? new Map(listOtherConditions(structure).map(({ id }, index) => [id, index + 1]));
  numbers.set(structure, known);
  return known;
}

/**
 * Replaces the rules of a section. Conditions are reused by their id, others are added or removed. Throws 400 for targets
 * that do not exist, patterns that are too large and too many conditions, 404 for an unknown section.
 */
export const writeRules = (form: Structure, sectionId: string, rules: SectionRules, ids: NewRules): Structure =>
  editOutline(form, (outline) => writeOutlineRules(outline, sectionId, rules, ids));

type NewRules = { now: string; newId: () => string };

function writeOutlineRules(
  structure: Structure,
  sectionId: string,
  { rules, otherwise }: SectionRules,
  { now, newId }: NewRules,
): Structure {
  const section = requireNode(structure, sectionId);
  const before = readRules(structure, sectionId)?.rules.flatMap(({ nodeId }) => nodeId ?? []) ?? [];
  const ids = rules.map(({ nodeId }) => (nodeId !== undefined && before.includes(nodeId) ? nodeId : newId()));
  // Next to what follows the section, for clients that draw the workflow.
  const added = ids.reduce((next, id, index) => {
    if (findNode(next, id)) return next;
    return createNode(next, { id, type: 'CONDITION', payload: placeBelow(next, section, index + 1), now });
  }, structure);
  const kept = before
    .filter((id) => !ids.includes(id))
    .reduce((next, id) => deleteNode(next, new Set(), id, now), added);
  const nodes = kept.nodes.map((node): WorkflowNode => {
    if (node.id === sectionId) return withLinks(node, { next: ids[0] ?? otherwise });
    const rule = rules[ids.indexOf(node.id)];
    if (!rule) return node;
    const links = { nextTrue: rule.target, nextFalse: ids[ids.indexOf(node.id) + 1] ?? otherwise };
    return withLinks({ ...node, conditionRule: toConditionRule(kept, node, rule) }, links);
  });
  return replaceWorkflow(kept, nodes, now);
}

type Links = Partial<Record<'next' | 'nextTrue' | 'nextFalse', string | undefined>>;

function withLinks(
  { next: _next, nextTrue: _true, nextFalse: _false, ...node }: WorkflowNode,
  links: Links,
): WorkflowNode {
  const defined = Object.entries(links).filter(([, target]) => target !== undefined);
  return { ...node, ...Object.fromEntries(defined) };
}

/** Lists the questions that the gate of a section can use: those of sections before it. */
export const listGateQuestions = (structure: Structure, sectionId: string): Question[] => {
  const own = new Set(findSection(structure, sectionId)?.questions);
  return listRuleQuestions(structure, sectionId).filter((question) => !own.has(question));
};

/**
 * Lists the questions by whose answers one can be shown alone (`showAlone`): those before it. None for a question that is alone in its
 * section already, and in a section that is shown if any of several comparisons is true, to which nothing can be added.
 */
export function listAloneQuestions(structure: Structure, questionId: string): Question[] {
  const { section, order } = requireFound(findQuestion(structure, questionId));
  const { needs = 'all', comparisons = [] } = readOutline(structure).gates.get(section.id) ?? {};
  if (section.questions.length === 1 || (needs === 'any' && comparisons.length > 1)) return [];
  return [...listGateQuestions(structure, section.id), ...section.questions.slice(0, order - 1)];
}

/** Lists the questions that the rules of a section, or a condition, can use: its own, and those of sections before it. */
export function listRuleQuestions(structure: Structure, sectionId: string): Question[] {
  const nodes = byId(structure.nodes);
  return structure.sections
    .filter(({ id }) => id === sectionId || reachableFrom(nodes, id).has(sectionId))
    .flatMap(({ questions }) => questions);
}
