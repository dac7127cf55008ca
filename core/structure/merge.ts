/**
 * Merges two structures that were made from the same one, by id: what only one side edited is taken from it, and what both
 * edited differently is a conflict that a person decides. Questions, sections, the links and rules of a node, and the order
 * of a section's questions are edited apart from each other. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ConflictKind } from './changes-model.ts';
import { LINKS, listLinkTargets } from './path.ts';
import type { Question } from './question-model.ts';
import { findNode, findSection, type Section, type Structure } from './structure.ts';
import { isSameName } from './types/members.ts';
import type { WorkflowNode } from './workflow-model.ts';

/** Whose edit stays: that of the live structure, or that of the changes. */
export type Keep = 'MINE' | 'THEIRS';

/** What both sides edited; `id` is that of the question, section or node. */
export type Conflict = { kind: ConflictKind; id: string; keep: Keep | undefined };

/** Decides a conflict; undefined leaves it open. */
export type Decide = (conflict: Pick<Conflict, 'kind' | 'id'>) => Keep | undefined;

export type Sides = { base: Structure; theirs: Structure; mine: Structure };

/** What the steps of a merge share. */
type Merging = {
  sides: Sides;
  /** Returns the side from which a unit is taken; a conflict is settled. */
  pick(kind: ConflictKind, id: string, unit: (structure: Structure) => unknown): Keep;
  /** Records a conflict. Returns the side that was decided, or mine while it is open. */
  settle(kind: ConflictKind, id: string): Keep;
  side(keep: Keep): Structure;
};

/** The sections that stay, and whose edit stays of those that one side deleted. */
type MergedSections = { sections: ReadonlyMap<string, Section>; deleted: ReadonlyMap<string, Keep> };

/** The questions that stay, each in the section in which it is. */
type Placed = ReadonlyMap<string, Unit>;

/**
 * Merges the edits that lead from `base` to `theirs` and to `mine`. Returns all conflicts; those left open have `mine` in
 * the structure. Version and removed questions are those of `theirs`.
 */
export function mergeStructures(sides: Sides, decide: Decide): { structure: Structure; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  const settle: Merging['settle'] = (kind, id) => {
    const keep = decide({ kind, id });
    if (!conflicts.some((conflict) => conflict.kind === kind && conflict.id === id)) conflicts.push({ kind, id, keep });
    return keep ?? 'MINE';
  };
  const pick: Merging['pick'] = (kind, id, unit) => {
    const { base, theirs, mine } = { base: unit(sides.base), theirs: unit(sides.theirs), mine: unit(sides.mine) };
    if (isDeepStrictEqual(mine, base) || isDeepStrictEqual(mine, theirs)) return 'THEIRS';
    return isDeepStrictEqual(theirs, base) ? 'MINE' : settle(kind, id);
  };
  const merging: Merging = { sides, pick, settle, side: (keep) => (keep === 'MINE' ? sides.mine : sides.theirs) };
  const kept = mergeSections(merging);
  const placed = placeQuestions(merging, kept);
  const nodes = mergeNodes(merging, kept, placed);
  const merged = { ...sides.theirs, sections: orderSections(merging, kept, placed), nodes };
  return { structure: { ...merged, nodes: withoutDangling(sides, merged) }, conflicts };
}

/** Merges titles and descriptions. A section that one side deleted and the other one edited is a conflict. */
function mergeSections({ sides, pick, settle, side }: Merging): MergedSections {
  const sections = new Map<string, Section>();
  const deleted = new Map<string, Keep>();
  for (const id of listIds(sides, ({ sections: all }) => all)) {
    const removedBy = removingSide(sides, id);
    const keep =
      removedBy === undefined
        ? pick('SECTION', id, (structure) => sectionContent(structure, id))
        : isEditedIn(side(opposite(removedBy)), sides.base, id)
          ? settle('SECTION', id)
          : removedBy;
    const section = findSection(side(keep), id);
    if (removedBy !== undefined) deleted.set(id, keep);
    if (section) sections.set(id, section);
  }
  return { sections, deleted };
}

/** Merges the questions, each with the section in which it is; of two with the same name, one keeps it. */
function placeQuestions({ sides, pick, settle, side }: Merging, { sections, deleted }: MergedSections): Placed {
  const placed = new Map<string, Unit>();
  for (const id of listIds(sides, listQuestions)) {
    const keep = followedSide(sides, deleted, id) ?? pick('QUESTION', id, (structure) => questionUnit(structure, id));
    const unit = findUnit(side(keep), id);
    if (!unit) continue;
    // If that section was deleted, the question stays in the section of the other side.
    const otherSectionId = findUnit(side(opposite(keep)), id)?.sectionId;
    const sectionId = [unit.sectionId, otherSectionId, ...sections.keys()].find((candidate) =>
      sections.has(candidate ?? ''),
    );
    if (sectionId !== undefined) placed.set(id, { question: unit.question, sectionId });
  }
  settleNames(sides, placed, (id) => settle('QUESTION', id));
  return placed;
}

/** Merges what follows each node; its title is that of its section. */
function mergeNodes({ sides, pick, side }: Merging, { sections, deleted }: MergedSections, placed: Placed) {
  const nodes = new Map<string, WorkflowNode>();
  const nodeIds = [...listIds(sides, (structure) => structure.nodes)];
  const isDeleted = (id: string) =>
    findNode(sides.base, id) && !(findNode(sides.theirs, id) && findNode(sides.mine, id));
  // Conditions that one side deleted come first: if they stay, so do the links to them.
  for (const id of [...nodeIds.filter(isDeleted), ...nodeIds.filter((nodeId) => !isDeleted(nodeId))]) {
    const isKept = (target: string) => nodes.has(target) || placed.has(target);
    const keep =
      deleted.get(id) ??
      restoringSide(sides, id, isKept) ??
      pick('WORKFLOW', id, (structure) => followUnit(structure, id));
    const node = findNode(side(keep), id);
    if (!node) continue;
    const title = sections.get(id) && findNode(findSide(sides, sections.get(id)), id)?.label;
    nodes.set(id, { ...node, label: title ?? node.label, payload: mergePayload(sides, id) ?? node.payload });
  }
  const order = mergeOrder(sides, [...nodes.keys()], (structure) => structure.nodes);
  return order.flatMap((id) => nodes.get(id) ?? []);
}

/** Merges the order of the sections and of the questions in each; the latter can be a conflict. */
function orderSections({ sides, settle }: Merging, { sections }: MergedSections, placed: Placed): Section[] {
  const order = mergeOrder(sides, [...sections.keys()], ({ sections: all }) => all);
  return order.flatMap((id) => {
    const section = sections.get(id);
    if (!section) return [];
    const ids = [...placed].filter(([, { sectionId }]) => sectionId === id).map(([questionId]) => questionId);
    const list = (structure: Structure) => findSection(structure, id)?.questions ?? [];
    const questionIds = mergeOrder(sides, ids, list, () => settle('ORDER', id));
    return [{ ...section, questions: questionIds.flatMap((questionId) => placed.get(questionId)?.question ?? []) }];
  });
}

const opposite = (keep: Keep): Keep => (keep === 'MINE' ? 'THEIRS' : 'MINE');

/** The structure that has exactly this section. */
const findSide = ({ theirs, mine }: Sides, section: Section | undefined): Structure =>
  theirs.sections.some((candidate) => candidate === section) ? theirs : mine;

/** The ids of all three structures without duplicates. */
function listIds(
  { base, theirs, mine }: Sides,
  list: (structure: Structure) => readonly { id: string }[],
): Set<string> {
  return new Set([theirs, mine, base].flatMap((structure) => list(structure).map(({ id }) => id)));
}

const listQuestions = ({ sections }: Structure): Question[] => sections.flatMap(({ questions }) => questions);

type Unit = { question: Question; sectionId: string };
const units = new WeakMap<Structure, ReadonlyMap<string, Unit>>();

/** Finds a question with its section. */
function findUnit(structure: Structure, questionId: string): Unit | undefined {
  const known = units.get(structure);
  if (known) return known.get(questionId);
  const all = structure.sections.flatMap(({ id: sectionId, questions }) =>
    questions.map((question): [string, Unit] => [question.id, { question, sectionId }]),
  );
  units.set(structure, new Map(all));
  return findUnit(structure, questionId);
}

/** What is compared of a question: its content and its section, not its times and moves. */
function questionUnit(structure: Structure, questionId: string): unknown {
  const unit = findUnit(structure, questionId);
  if (!unit) return undefined;
  const { createdAt: _created, updatedAt: _updated, moves: _moves, ...content } = unit.question;
  return { content, sectionId: unit.sectionId };
}

/**
 * Drops names of questions so that each name is of one: both sides may have given the same name to different questions.
 * `settle` chooses for the question that got it in `mine`.
 */
function settleNames({ theirs }: Sides, placed: Map<string, Unit>, settle: (questionId: string) => Keep): void {
  const owners = new Map<string, string>();
  for (const [id, { question }] of placed) {
    const name = question.name?.toLowerCase();
    if (name === undefined) continue;
    const other = owners.get(name) ?? id;
    const isTheirs = isSameName(findUnit(theirs, id)?.question.name, name);
    const [mineId, theirsId] = isTheirs ? [other, id] : [id, other];
    const owner = mineId === theirsId || settle(mineId) === 'MINE' ? mineId : theirsId;
    owners.set(name, owner);
    const loser = placed.get(owner === mineId ? theirsId : mineId);
    if (loser && loser.question.id !== owner) {
      const { name: _taken, ...unnamed } = loser.question;
      placed.set(unnamed.id, { ...loser, question: unnamed });
    }
  }
}

/** What is compared of a section: its title and description. */
function sectionContent(structure: Structure, sectionId: string): unknown {
  const section = findSection(structure, sectionId);
  return section && { description: section.description, title: findNode(structure, sectionId)?.label };
}

/** What is compared of a node: its links and its rule; a condition also has a label of its own. */
function followUnit(structure: Structure, nodeId: string): unknown {
  const node = findNode(structure, nodeId);
  if (!node) return undefined;
  const links = LINKS[node.type].map((member) => node[member]);
  return node.type === 'SECTION' ? { links } : { links, rule: node.conditionRule, label: node.label };
}

/** The side that deleted a section, which the other one still has. */
function removingSide({ base, theirs, mine }: Sides, sectionId: string): Keep | undefined {
  if (!findSection(base, sectionId)) return undefined;
  const [isTheirs, isMine] = [findSection(theirs, sectionId), findSection(mine, sectionId)].map(Boolean);
  return isTheirs === isMine ? undefined : isMine ? 'THEIRS' : 'MINE';
}

/** Whether a structure has changed anything in a section: title, description, what follows, or a question in it. */
function isEditedIn(structure: Structure, base: Structure, sectionId: string): boolean {
  return (
    [sectionContent, followUnit].some(
      (unit) => !isDeepStrictEqual(unit(structure, sectionId), unit(base, sectionId)),
    ) ||
    (findSection(structure, sectionId)?.questions ?? []).some(
      ({ id }) => !isDeepStrictEqual(questionUnit(structure, id), questionUnit(base, id)),
    )
  );
}

/** Returns the side to use for a question that one side deleted together with its section; undefined if neither did. */
function followedSide({ theirs, mine }: Sides, deleted: ReadonlyMap<string, Keep>, id: string): Keep | undefined {
  const [inTheirs, inMine] = [findUnit(theirs, id), findUnit(mine, id)];
  const only = inTheirs && !inMine ? inTheirs : inMine && !inTheirs ? inMine : undefined;
  return only && deleted.get(only.sectionId);
}

/**
 * Returns the side that still has the links and the rule of the base, when the other side lost some of them by deleting what
 * they name, and that is kept: the deletion must not take them either. Undefined for all other nodes.
 */
function restoringSide({ base, theirs, mine }: Sides, id: string, isKept: (id: string) => boolean): Keep | undefined {
  const unit = followUnit(base, id);
  const uses = listReferences(base, id).filter(isKept);
  for (const [keep, other, structure] of [
    ['THEIRS', mine, theirs],
    ['MINE', theirs, mine],
  ] as const) {
    const wasDeleted = uses.some((target) => !exists(other, target) && exists(structure, target));
    if (wasDeleted && isDeepStrictEqual(followUnit(structure, id), unit)) return keep;
  }
  return undefined;
}

const exists = (structure: Structure, id: string): boolean =>
  findNode(structure, id) !== undefined || findUnit(structure, id) !== undefined;

/** The nodes to which a node leads, and the question of its rule. */
function listReferences(structure: Structure, nodeId: string): string[] {
  const node = findNode(structure, nodeId);
  return node ? [...listLinkTargets(node), ...(node.conditionRule?.question ? [node.conditionRule.question] : [])] : [];
}

/** Merges the position of a node without a conflict: mine if I moved the node. */
function mergePayload({ base, theirs, mine }: Sides, nodeId: string): WorkflowNode['payload'] | undefined {
  const [before, their, my] = [base, theirs, mine].map((structure) => findNode(structure, nodeId)?.payload);
  return my === undefined || isDeepStrictEqual(my, before) ? (their ?? my) : my;
}

/**
 * Merges two orders. If both sides reordered the ids that all three versions share, `settle` chooses (default: mine). An id
 * that only the other side added keeps its predecessor from there.
 */
function mergeOrder(
  { base, theirs, mine }: Sides,
  present: readonly string[],
  list: (structure: Structure) => readonly { id: string }[],
  settle: () => Keep = () => 'MINE',
): string[] {
  const isPresent = new Set(present);
  const listPresent = (structure: Structure) => list(structure).flatMap(({ id }) => (isPresent.has(id) ? [id] : []));
  const [before, their, my] = [listPresent(base), listPresent(theirs), listPresent(mine)];
  const common = new Set(before.filter((id) => their.includes(id) && my.includes(id)));
  const [was, theirCommon, myCommon] = [before, their, my].map((ids) => ids.filter((id) => common.has(id)));
  const isSame = isDeepStrictEqual(myCommon, was) || isDeepStrictEqual(myCommon, theirCommon);
  const keep = isSame ? 'THEIRS' : isDeepStrictEqual(theirCommon, was) ? 'MINE' : settle();
  const [first, second] = keep === 'MINE' ? [my, their] : [their, my];
  const merged = [...first];
  for (const [index, id] of second.entries()) {
    if (merged.includes(id)) continue;
    merged.splice(merged.indexOf(second[index - 1] ?? '') + 1, 0, id);
  }
  return [...merged, ...present.filter((id) => !merged.includes(id))];
}

/** The nodes without links to nodes that one side deleted; rules on deleted questions lose them, as in a deletion. */
function withoutDangling(sides: Sides, merged: Structure): WorkflowNode[] {
  const all = [sides.base, sides.theirs, sides.mine];
  return merged.nodes.map((node) => {
    const copy = { ...node };
    for (const member of LINKS[node.type]) {
      const target = copy[member];
      if (target !== undefined && !findNode(merged, target)) delete copy[member];
    }
    const questionId = node.conditionRule?.question;
    const wasDeleted =
      questionId && !findUnit(merged, questionId) && all.some((structure) => findUnit(structure, questionId));
    return wasDeleted ? { ...copy, conditionRule: { ...node.conditionRule, question: null } } : copy;
  });
}
