/**
 * Gates: what answers must be for a section to be shown. In the workflow a gate is a chain of conditions before its section,
 * marked with the id of the section (`conditionRule.gate`): whatever leads to the section leads to the first of them, and the
 * branch that passes the section by leads to what follows it. Only a chain that would be written so again is a gate; any other
 * one is conditions like those that other clients draw. Pure.
 *
 * The outline of a form is the form without the conditions of its gates. Edits of pages are made in it.
 */
import { isDeepStrictEqual } from 'node:util';
import { problems } from '#core/problems/problems.ts';
import { LINKS, listLinkTargets } from './path.ts';
import { placeBelow } from './places.ts';
import { isRange, parseTest, type Test, toPattern } from './rule-tests.ts';
import { findNode, findQuestion, findSection, type Structure } from './structure.ts';
import { isChoiceType } from './types/traits.ts';
import { type ConditionRule, MAX_CONDITIONS, type WorkflowNode } from './workflow-model.ts';

/** The most comparisons of a gate. */
export const MAX_COMPARISONS = 8;

/**
 * An answer passes a test, or with `isNot` does not. `nodeId`: its condition, none for a new comparison. `questionId` is empty
 * when the question was deleted.
 */
export type Comparison = { nodeId?: string | undefined; questionId: string; test: Test; isNot: boolean };

/** A section is shown if all, or any, of its comparisons are true. One comparison needs all. */
export type SectionGate = { needs: 'all' | 'any'; comparisons: readonly Comparison[] };

type Gates = ReadonlyMap<string, SectionGate>;

/** `broken`: sections of which some conditions are marked that are no gate. */
export type Outline = { structure: Structure; gates: Gates; broken: readonly string[] };

/** Built once per structure, because pages read it for each section. */
const outlines = new WeakMap<Structure, Outline>();

/** Reads the outline of a form and the gates of its sections. The outline of a form without gates is the form. */
export function readOutline(structure: Structure): Outline {
  const known = outlines.get(structure);
  if (known) return known;
  const marked = structure.nodes.filter((node) => findMark(node) !== undefined);
  const groups = [...Map.groupBy(marked, (node) => findMark(node) ?? '')];
  const chains = groups.map(([sectionId, nodes]) => ({ sectionId, chain: readChain(structure, sectionId, nodes) }));
  const gates = new Map(chains.flatMap(({ sectionId, chain }) => (chain ? [[sectionId, chain.gate] as const] : [])));
  const removed = new Set(chains.flatMap(({ chain }) => chain?.ids ?? []));
  const heads = new Map(chains.flatMap(({ sectionId, chain }) => (chain ? [[chain.ids[0], sectionId] as const] : [])));
  const nodes = structure.nodes.flatMap((node) => (removed.has(node.id) ? [] : relink(node, (id) => heads.get(id))));
  const outline: Outline = {
    structure: gates.size > 0 ? { ...structure, nodes } : structure,
    gates,
    broken: chains.flatMap(({ sectionId, chain }) => (!chain && findSection(structure, sectionId) ? [sectionId] : [])),
  };
  outlines.set(structure, outline);
  return outline;
}

/** Returns the section of whose gate a condition is marked to be a part. */
function findMark({ conditionRule }: WorkflowNode): string | undefined {
  const gate = conditionRule?.gate;
  return typeof gate === 'string' ? gate : undefined;
}

/** Replaces the targets of a node for which there is another one. */
function relink(node: WorkflowNode, findOther: (id: string) => string | undefined): WorkflowNode {
  const links = LINKS[node.type].flatMap((member) => {
    const other = findOther(node[member] ?? '');
    return other === undefined ? [] : [[member, other] as const];
  });
  return links.length === 0 ? node : { ...node, ...Object.fromEntries(links) };
}

type Chain = { ids: string[]; gate: SectionGate };

/** Reads the conditions that are marked for a section; undefined unless they are what its gate would be written as. */
function readChain(structure: Structure, sectionId: string, marked: readonly WorkflowNode[]): Chain | undefined {
  if (!findSection(structure, sectionId) || marked.length > MAX_COMPARISONS) return undefined;
  const chain = sortChain(marked);
  const ids = chain.map(({ id }) => id);
  const inside = new Set([sectionId, ...ids.slice(1)]);
  const isEntered = structure.nodes.some(
    (node) => !marked.includes(node) && listLinkTargets(node).some((id) => inside.has(id)),
  );
  const past = findPast(structure, sectionId);
  if (chain.length < marked.length || isEntered || past === sectionId) return undefined;
  for (const needs of ['all', 'any'] as const) {
    const comparisons = chain.flatMap((node, index) => {
      const { passes, fails } = linksAt(needs, { ids, sectionId, past }, index);
      const isNot = node.nextTrue === fails;
      const [nextTrue, nextFalse] = isNot ? [fails, passes] : [passes, fails];
      return node.nextTrue === nextTrue && node.nextFalse === nextFalse ? readComparison(structure, node, isNot) : [];
    });
    if (comparisons.length === chain.length) return { ids, gate: { needs, comparisons } };
  }
  return undefined;
}

/** Sorts conditions from the one to which none of the others leads; those that are in no such chain are left out. */
function sortChain(nodes: readonly WorkflowNode[]): WorkflowNode[] {
  const led = new Set(nodes.flatMap(listLinkTargets));
  const sorted: WorkflowNode[] = [];
  let next = nodes.find(({ id }) => !led.has(id));
  while (next && !sorted.includes(next)) {
    sorted.push(next);
    const targets = listLinkTargets(next);
    next = nodes.find(({ id }) => targets.includes(id));
  }
  return sorted;
}

type Way = { ids: readonly string[]; sectionId: string; past: string | undefined };

/** Where a comparison of a gate leads when it is true and when it is not. */
function linksAt(needs: SectionGate['needs'], { ids, sectionId, past }: Way, index: number) {
  const next = ids[index + 1];
  return needs === 'all' ? { passes: next ?? sectionId, fails: past } : { passes: sectionId, fails: next ?? past };
}

/** Finds what follows a section when none of its rules applies: a section, the end, or the first condition of a gate. */
function findPast(structure: Structure, sectionId: string): string | undefined {
  const visited = new Set<string>();
  let id = findNode(structure, sectionId)?.next;
  for (let node = findNode(structure, id ?? ''); node?.type === 'CONDITION'; node = findNode(structure, id ?? '')) {
    if (findMark(node) !== undefined || visited.has(node.id)) return id;
    visited.add(node.id);
    id = node.nextFalse;
  }
  return id;
}

function readComparison(structure: Structure, { id, conditionRule }: WorkflowNode, isNot: boolean): Comparison {
  const question = findQuestion(structure, conditionRule?.question ?? '')?.question;
  const test = parseTest(question, conditionRule?.pattern ?? '', conditionRule?.test);
  return { nodeId: id, questionId: question?.id ?? '', test, isNot };
}

/** Builds the rule of a condition; members of other clients are kept, and so is a rule whose question was deleted. */
export function toConditionRule(
  structure: Structure,
  { conditionRule: before = {} }: Pick<WorkflowNode, 'conditionRule'>,
  { questionId, test }: Pick<Comparison, 'questionId' | 'test'>,
): ConditionRule {
  const { test: _test, gate: _gate, ...members } = before;
  const question = findQuestion(structure, questionId)?.question;
  if (!question) return before;
  const source = isChoiceType(question.type) ? ('CHOICE' as const) : ('NON_CHOICE' as const);
  return { ...members, source, question: questionId, pattern: toPattern(test), ...(isRange(test) && { test }) };
}

/**
 * Edits the outline of a form; gates of sections that remain are written again around what the edit made of it. Returns the
 * same structure if nothing changes. Throws what `edit` throws, and 400 for too many conditions.
 */
export function editOutline(structure: Structure, edit: (outline: Structure) => Structure): Structure {
  const { structure: outline, gates } = readOutline(structure);
  const next = edit(outline);
  if (next === outline) return structure;
  return gates.size === 0 ? next : writeOutline(structure, next, gates);
}

/** How new conditions get their ids. */
type NewIds = { newId: () => string };
const NO_NEW: NewIds = {
  newId: () => {
    throw new Error('a gate that was read has the ids of its conditions');
  },
};

/**
 * Replaces the gate of a section; without comparisons it has none. Conditions are reused by their id. Throws 400 for too many
 * conditions, and if more than `MAX_COMPARISONS` are compared.
 */
export function writeGate(structure: Structure, sectionId: string, gate: SectionGate, ids: NewIds): Structure {
  if (gate.comparisons.length > MAX_COMPARISONS) throw problems.tooManyNodes(MAX_COMPARISONS, 'CONDITION');
  const { structure: outline, gates } = readOutline(structure);
  const known = new Set(gates.get(sectionId)?.comparisons.map(({ nodeId }) => nodeId));
  const comparisons = gate.comparisons.map((comparison) => ({
    ...comparison,
    nodeId: known.has(comparison.nodeId) ? comparison.nodeId : undefined,
  }));
  const others = [...gates].filter(([id]) => id !== sectionId);
  const own: [string, SectionGate][] = comparisons.length > 0 ? [[sectionId, { ...gate, comparisons }]] : [];
  // Marked conditions that were no gate are ordinary ones from now on.
  const nodes = outline.nodes.map((node) => {
    if (findMark(node) !== sectionId) return node;
    const { gate: _gate, ...rule } = node.conditionRule ?? {};
    return { ...node, conditionRule: rule };
  });
  return writeOutline(structure, { ...outline, nodes }, new Map([...others, ...own]), ids);
}

/** Writes gates into an outline. `before`: the form of which it is the outline, whose conditions are reused. */
export function writeOutline(before: Structure, outline: Structure, gates: Gates, { newId } = NO_NEW): Structure {
  const { gates: known } = readOutline(before);
  const written = [...gates]
    .filter(([sectionId]) => findSection(outline, sectionId))
    .map(([sectionId, gate]) => ({
      sectionId,
      ...gate,
      ids: gate.comparisons.map(({ nodeId }) => nodeId ?? newId()),
    }));
  const heads = new Map(written.map(({ sectionId, ids }) => [sectionId, ids[0] ?? sectionId]));
  const linked = outline.nodes.map((node) => relink(node, (id) => heads.get(id)));
  const placed = { ...before, nodes: [...linked] };
  const chains = written.flatMap(({ sectionId, needs, comparisons, ids }) => {
    const past = findPast(outline, sectionId);
    const way: Way = { ids, sectionId, past: heads.get(past ?? '') ?? past };
    const section = findNode(outline, sectionId) ?? { payload: {} };
    return comparisons.map((comparison, index): WorkflowNode => {
      const id = ids[index] ?? '';
      const existing = findNode(before, id);
      const { passes, fails } = linksAt(needs, way, index);
      const [nextTrue, nextFalse] = comparison.isNot ? [fails, passes] : [passes, fails];
      const same = known.get(sectionId)?.comparisons.find(({ nodeId }) => nodeId === id);
      const isSame = same && isDeepStrictEqual([same.questionId, same.test], [comparison.questionId, comparison.test]);
      const isAsked = findQuestion(outline, comparison.questionId) !== undefined;
      const rule = isSame
        ? { ...existing?.conditionRule, ...(!isAsked && { question: null }) }
        : toConditionRule(outline, existing ?? {}, comparison);
      const node: WorkflowNode = {
        id,
        type: 'CONDITION',
        label: existing?.label ?? 'New Condition',
        // To the left of its section, for clients that draw the workflow.
        payload: existing?.payload ?? placeBelow(placed, section, -1 - index),
        conditionRule: { ...rule, gate: sectionId },
        ...(nextTrue !== undefined && { nextTrue }),
        ...(nextFalse !== undefined && { nextFalse }),
      };
      placed.nodes.push(node);
      return node;
    });
  });
  const positions = new Map(before.nodes.map(({ id }, index) => [id, index]));
  const position = ({ id }: WorkflowNode): number => positions.get(id) ?? Number.MAX_SAFE_INTEGER;
  const nodes = [...linked, ...chains].sort((a, b) => position(a) - position(b));
  if (nodes.filter(({ type }) => type === 'CONDITION').length > MAX_CONDITIONS && chains.length > 0) {
    throw problems.tooManyNodes(MAX_CONDITIONS, 'CONDITION');
  }
  const next = { ...outline, nodes };
  return isDeepStrictEqual(next, before) ? before : next;
}
