/**
 * Undoes a deletion or reordering of a form. What it took away is kept with the ids that were there; to undo it, the
 * edit is taken back from the newest structure by a merge, so what was edited in other places since stays, and what was
 * edited in the same place is a conflict.
 */
import { isDeepStrictEqual } from 'node:util';
import { decode, encode, entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Write } from '#core/db/table.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { UNDO_DAYS } from '#core/schema/limits.ts';
import { type Conflict, mergeStructures } from './merge.ts';
import { questionsByName } from './names.ts';
import type { Question } from './question-model.ts';
import { isSectionMove } from './sections.ts';
import { findNode, findQuestion, findSection, type Section, type Structure, sectionTitle } from './structure.ts';
import type { WorkflowNode } from './workflow-model.ts';

type Side = 'before' | 'after';

/** What an edit did: `QUESTION` or `SECTION` was deleted; `RULE`: rules were changed; `ORDER`: questions were moved; `PATH`: a section was. */
export type UndoKind = 'QUESTION' | 'SECTION' | 'RULE' | 'ORDER' | 'PATH';

/** An edit that can be undone: everything in which the structures before and after it differ. */
export type UndoRecord = {
  kind: UndoKind;
  /** Of the first question or section that was deleted, or of the section whose questions were moved. */
  title: string;
  nodes: { id: string; before?: WorkflowNode; after?: WorkflowNode }[];
  /** The order of the questions of a section; absent where there is no such section. */
  orders: { sectionId: string; before?: string[]; after?: string[] }[];
  /** The sections and questions that were deleted; the questions of a section are in its order. */
  sections: Section[];
  questions: Question[];
};

/**
 * Records an edit that only deletes, only moves, also to a section that it adds for what is moved, or only changes rules; undefined for
 * any other edit.
 */
export function recordUndo(before: Structure, after: Structure): UndoRecord | undefined {
  const was = listQuestions(before);
  const questions = was.filter(({ id }) => !findQuestion(after, id));
  const sections = before.sections.filter(({ id }) => !findSection(after, id));
  const deletedNodes = before.nodes.filter(({ id }) => !findNode(after, id));
  const isAdding =
    listQuestions(after).some(({ id }) => !findQuestion(before, id)) ||
    after.nodes.some(
      ({ id, type }) => type !== 'CONDITION' && !findNode(before, id) && !listQuestionIds(after, id)?.length,
    );
  if (isAdding || was.some((question) => isChanged(question, findQuestion(after, question.id)?.question)))
    return undefined;
  const ids = [...new Set([...before.sections, ...after.sections].map(({ id }) => id))];
  const orders = ids.flatMap((sectionId) => {
    const [old, now] = [listQuestionIds(before, sectionId), listQuestionIds(after, sectionId)];
    return isDeepStrictEqual(old, now) ? [] : [{ sectionId, ...(old && { before: old }), ...(now && { after: now }) }];
  });
  const nodes = [...new Set([...before.nodes, ...after.nodes].map(({ id }) => id))].flatMap((id) => {
    const [old, now] = [findNode(before, id), findNode(after, id)];
    return isDeepStrictEqual(old, now) ? [] : [{ id, ...(old && { before: old }), ...(now && { after: now }) }];
  });
  const parts = { nodes, orders, sections: sections.map((section) => ({ ...section, questions: [] })), questions };
  const [section] = sections;
  if (section) return { kind: 'SECTION', title: sectionTitle(before, section.id), ...parts };
  const [question] = questions;
  if (question) return { kind: 'QUESTION', title: question.title, ...parts };
  if (deletedNodes.length > 0) return { kind: 'RULE', title: '', ...parts };
  if (orders.length === 0) {
    if (isSectionMove(before, after)) return { kind: 'PATH', title: '', ...parts };
    return nodes.some(isRuleChange) ? { kind: 'RULE', title: '', ...parts } : undefined;
  }
  if (nodes.length > 0 && !nodes.some(isAddedSection)) return undefined;
  return { kind: 'ORDER', title: movedTitle(before, after, orders), ...parts };
}

const isAddedSection = ({ before, after }: UndoRecord['nodes'][number]): boolean =>
  before === undefined && after?.type === 'SECTION';

/** Whether something else follows a node, or it asks for something else; not whether it has another title or place. */
const isRuleChange = ({ before, after }: UndoRecord['nodes'][number]): boolean =>
  !isDeepStrictEqual(listRules(before), listRules(after));

const listRules = (node: WorkflowNode | undefined): unknown => [
  node?.next,
  node?.nextTrue,
  node?.nextFalse,
  node?.conditionRule,
];

const listQuestions = ({ sections }: Structure): Question[] => sections.flatMap(({ questions }) => questions);

const listQuestionIds = (structure: Structure, sectionId: string): string[] | undefined =>
  findSection(structure, sectionId)?.questions.map(({ id }) => id);

const isChanged = (before: Question, after: Question | undefined): boolean =>
  after !== undefined && !isDeepStrictEqual(before, after);

/** The title of the section of which questions were moved. */
const movedTitle = (before: Structure, after: Structure, [first]: UndoRecord['orders']): string =>
  sectionTitle(after, first?.sectionId ?? '') || sectionTitle(before, first?.sectionId ?? '');

/**
 * Takes a recorded edit back from the newest structure. Returns the structure, in which questions that return are no longer
 * removed, and have no name that another question got meanwhile (`listTakenNames`), and what was edited in the same place
 * since, with what it was before the edit.
 */
export function undoEdit(
  current: Structure,
  record: UndoRecord,
): { structure: Structure; conflicts: Conflict[]; before: Structure } {
  const before = withSide(current, withFreeNames(current, record), 'before');
  const sides = { base: withSide(current, record, 'after'), theirs: current, mine: before };
  const { structure, conflicts } = mergeStructures(sides, () => undefined);
  const removed = current.removed.filter(({ id }) => !findQuestion(structure, id));
  // A question cannot return to a section that was deleted since.
  const orphaned = record.questions.filter(({ id }) => !findQuestion(before, id) && !findQuestion(current, id));
  return {
    structure: { ...structure, removed },
    conflicts: [...conflicts, ...orphaned.map(({ id }) => ({ kind: 'QUESTION' as const, id, keep: undefined }))],
    before: orphaned.length > 0 ? withDeletedSections(before, record, orphaned) : before,
  };
}

/** Lists the names of deleted questions that another question of a structure has now. */
export const listTakenNames = (current: Structure, { questions }: Pick<UndoRecord, 'questions'>): string[] =>
  questions.flatMap(({ id, name }) => {
    const owner = questionsByName(current).get(name?.toLowerCase() ?? '');
    return name === undefined || owner === undefined || owner.id === id ? [] : [name];
  });

/** The record without the names of its questions that are taken. */
function withFreeNames(current: Structure, record: UndoRecord): UndoRecord {
  const taken = new Set(listTakenNames(current, record));
  const questions = record.questions.map(
    ({ name, ...question }): Question => (name === undefined || taken.has(name) ? question : { ...question, name }),
  );
  return { ...record, questions };
}

/** A structure with the sections in which deleted questions were, to show them. */
function withDeletedSections(structure: Structure, { orders }: UndoRecord, questions: readonly Question[]): Structure {
  const deletedSections = orders.flatMap(({ sectionId, before = [] }): Section[] => {
    const sectionQuestions = questions.filter(({ id }) => before.includes(id));
    if (sectionQuestions.length === 0) return [];
    return [{ id: sectionId, description: null, questions: sectionQuestions, createdAt: '', updatedAt: '' }];
  });
  return { ...structure, sections: [...structure.sections, ...deletedSections] };
}

/** The newest structure, as if what the edit touched were as it was before or after it. */
function withSide(current: Structure, record: UndoRecord, side: Side): Structure {
  const touched = new Set(record.nodes.map(({ id }) => id));
  const nodes = [
    ...current.nodes.flatMap((node) =>
      touched.has(node.id) ? (record.nodes.find(({ id }) => id === node.id)?.[side] ?? []) : node,
    ),
    ...record.nodes.flatMap((node) => (findNode(current, node.id) ? [] : (node[side] ?? []))),
  ];
  const deleted = new Set(record.sections.map(({ id }) => id));
  const added = new Set(side === 'before' ? record.nodes.filter(isAddedSection).map(({ id }) => id) : []);
  const sections = [
    ...current.sections.filter(({ id }) => !deleted.has(id) && !added.has(id)),
    ...(side === 'before' ? record.sections : []),
  ];
  const orders = new Map(
    record.orders.flatMap(({ sectionId, [side]: order }) =>
      order && sections.some(({ id }) => id === sectionId) ? [[sectionId, order] as const] : [],
    ),
  );
  const deletedQuestions = new Map(record.questions.map((question) => [question.id, question]));
  const listed = new Set([...deletedQuestions.keys(), ...[...orders.values()].flat()]);
  const find = (id: string): Question | undefined =>
    deletedQuestions.has(id)
      ? side === 'before'
        ? deletedQuestions.get(id)
        : undefined
      : findQuestion(current, id)?.question;
  return {
    ...current,
    nodes,
    sections: sections.map((section) => {
      const order = orders.get(section.id);
      const questions = order
        ? order.flatMap((id) => find(id) ?? [])
        : section.questions.filter(({ id }) => !listed.has(id));
      return { ...section, questions };
    }),
  };
}

// Keeps edits that can be undone: an item each for `UNDO_DAYS` days, written in the transaction of the edit.

/** A kept edit: who made it and when; `id` begins with the time, so that the newest one is found without the others. */
export type StoredUndo = UndoRecord & { id: string; editorId: string; at: string };

/** Parses the kept edit of an item; undefined when there is none, it was too large, or its time has passed: the TTL is late. */
export function parseUndo(item: Item | undefined, now: Date): StoredUndo | undefined {
  return item && item.undoId !== undefined && Number(item.expiresAt) > epochSeconds(now)
    ? decode<StoredUndo>(item)
    : undefined;
}

/**
 * Builds the write that keeps an edit from one structure to the next, if it only deletes or moves; none for other edits. One that
 * is too large is kept without what it did, so that nothing older is offered in its place.
 */
export function keepUndo(
  { now, uuid }: Pick<Ports, 'now' | 'uuid'>,
  editorId: string,
  { before, after }: { before: Structure; after: Structure },
): Write[] {
  const record = recordUndo(before, after);
  if (!record) return [];
  const id = `${String(now().getTime()).padStart(15, '0')}-${uuid()}`;
  const undo: StoredUndo = { ...record, id, editorId, at: now().toISOString() };
  const expiresAt = epochSeconds(now()) + UNDO_DAYS * 24 * 3_600;
  const kept = entityBytes(undo) > MAX_ENTITY_BYTES ? {} : { ...encode(undo), undoId: id };
  return [{ put: { ...keys.formUndo(before.formId, id), ...kept, expiresAt } }];
}

/** Builds the write that removes a kept edit; refused when it was removed meanwhile. */
export const removeUndo = (formId: string, { id }: StoredUndo): Write => ({
  remove: keys.formUndo(formId, id),
  when: { absent: false },
});
