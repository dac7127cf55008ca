/**
 * Changes of a published form that are not live yet: a copy of its structure, which is edited like the structure and
 * replaces it when it is published. Respondents never see it.
 */
import { isDeepStrictEqual } from 'node:util';
import { change } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { type Fault, problems, requireFound } from '#core/problems/problems.ts';
import type { ChangesDocument, Difference, DifferenceKind } from './changes-model.ts';
import { presentNode } from './condition-rule.ts';
import { presentSection } from './documents.ts';
import { sectionsInOrder } from './path.ts';
import type { Question } from './question-model.ts';
import { readRules } from './rules.ts';
import { buildStructureWrites, requireStructureFits } from './service.ts';
import { parseAnswered, parseStructure, type StoredStructure } from './store.ts';
import { findQuestion, type Structure, sectionTitle } from './structure.ts';
import { requirePublishable, workflowInfo } from './workflow-check.ts';

/** `basedOn`: the version of the live structure that was copied. `revision` counts the edits of the copy. */
export type Changes = {
  structure: Structure;
  basedOn: number;
  revision: number;
  editorId: string;
  updatedAt: string;
};

/** The structure that respondents use, and the changes of it, if there are any. */
export type Draft = { live: StoredStructure; changes: Changes | undefined };

/** Parses the changes of an item; undefined when there is none. */
export const parseChanges = (item: Item | undefined): Changes | undefined =>
  item && { ...decode<Omit<Changes, 'revision'>>(item), revision: Number(item.version) };

/**
 * What is edited: the changes if there are any, otherwise the live structure; with the questions that keep their type because
 * they were answered. One that got another type before it was answered may change again.
 */
export function draftStructure({ live, changes }: Draft): StoredStructure {
  if (!changes) return live;
  const typeOf = (structure: Structure, id: string) => findQuestion(structure, id)?.question.type;
  const ids = [...live.answered.ids].filter((id) => typeOf(changes.structure, id) === typeOf(live.structure, id));
  return { structure: changes.structure, answered: { ...live.answered, ids: new Set(ids) } };
}

/** Reads the structure of a form and its changes as they are stored now. Throws 404 when the form was deleted. */
export async function reloadDraft(table: Table, formId: string): Promise<Draft> {
  const read = [keys.formGate, keys.formStructure, keys.formAnswered, keys.formChanges].map((key) => key(formId));
  const [gateItem, item, answeredItem, changesItem] = await table.read(read);
  const structure = requireFound(gateItem && parseStructure(item));
  return { live: { structure, answered: parseAnswered(answeredItem) }, changes: parseChanges(changesItem) };
}

/** Builds the write that stores changes; refused after a concurrent edit, and when the form was deleted. */
function replaceChanges(formId: string, { revision, ...data }: Changes): Write[] {
  const put = { ...keys.formChanges(formId), ...encode(data), version: revision };
  if (revision > 1) return [{ put, when: { equals: { version: revision - 1 } } }];
  return [
    { put, when: { absent: true } },
    { check: keys.formGate(formId), when: { absent: false } },
  ];
}

/**
 * Applies `edit` to the changes of a form, which the first edit creates. Throws what `edit` throws, 404 when the form was
 * deleted, 413 when the structure would become too large.
 */
export const editChanges = (
  app: ChangePorts,
  { draft, formId, editorId }: { draft: Draft; formId: string; editorId: string },
  edit: (structure: Structure, answered: ReadonlySet<string>) => Structure,
): Promise<void> =>
  change(app, {
    loaded: draft,
    reload: () => reloadDraft(app.table, formId),
    decide: (current) => {
      const { structure, answered } = draftStructure(current);
      const next = edit(structure, answered.ids);
      if (next === structure) return { writes: [], result: undefined };
      requireStructureFits(next);
      const { basedOn = structure.version, revision = 0 } = current.changes ?? {};
      const updatedAt = app.now().toISOString();
      const changes = { structure: next, basedOn, revision: revision + 1, editorId, updatedAt };
      return { writes: replaceChanges(formId, changes), result: undefined };
    },
  });

/** Builds the write that removes changes if nobody has edited them meanwhile. */
const removeChanges = (formId: string, { revision }: Changes): Write => ({
  remove: keys.formChanges(formId),
  when: { equals: { version: revision } },
});

/** Discards the changes of a form, if there are any. Throws 409 for a stale `If-Match`. */
export const discardChanges = (app: ChangePorts, draft: Draft, formId: string): Promise<void> =>
  change(app, {
    loaded: draft,
    reload: () => reloadDraft(app.table, formId),
    decide: ({ changes }) => {
      if (!changes) return { writes: [], result: undefined };
      app.ifMatch(changes.revision);
      return { writes: [removeChanges(formId, changes)], result: undefined };
    },
  });

/**
 * Makes the changes of a form live; does nothing without any. Throws 409 for a stale `If-Match`, and unless `force` when the
 * live structure was changed meanwhile, which the changes replace; 400 for a workflow with faults, and for a new type of a
 * question that was answered meanwhile; 404 when the form was deleted.
 */
export const publishChanges = (
  app: ChangePorts,
  { draft, formId, force }: { draft: Draft; formId: string; force: boolean },
): Promise<void> =>
  change(app, {
    loaded: draft,
    reload: () => reloadDraft(app.table, formId),
    decide: ({ live, changes }) => {
      if (!changes) return { writes: [], result: undefined };
      app.ifMatch(changes.revision);
      if (isOutdated({ live, changes }) && !force) throw problems.stale();
      const next = applyChanges(live, changes.structure, app.now().toISOString());
      requirePublishable(next);
      const { writes } = buildStructureWrites(live, next);
      return { writes: [...writes, removeChanges(formId, changes)], result: undefined };
    },
  });

/** Whether the live structure was changed since the changes were begun. */
export const isOutdated = ({ live, changes }: Draft): boolean =>
  changes !== undefined && changes.basedOn !== live.structure.version;

/** Presents the changes of a form as the API returns them. Throws 404 when there are none. */
export function presentChanges(draft: Draft): { body: ChangesDocument; etag: number } {
  const { structure, updatedAt, revision } = requireFound(draft.changes);
  return {
    body: {
      sections: sectionsInOrder(structure).map((section) => presentSection(structure, section)),
      workflow: structure.nodes.map((node) => presentNode(structure, node)),
      info: workflowInfo(structure),
      differences: listDifferences(draft.live, structure),
      isOutdated: isOutdated(draft),
      updatedAt,
    },
    etag: revision,
  };
}

/** Returns the live structure with the changes. Throws 400 for a new type of a question that was answered. */
export function applyChanges({ structure, answered }: StoredStructure, changed: Structure, now: string): Structure {
  const faults: Fault[] = [];
  const removed = [...structure.removed];
  for (const { question, sectionId } of listQuestions(structure)) {
    const after = findQuestion(changed, question.id)?.question;
    if (!answered.ids.has(question.id)) continue;
    const { id, type, title } = question;
    if (!after) removed.push({ id, sectionId, type, title, removedAt: now });
    else if (after.type !== type) {
      faults.push({ pointer: `/questions/${id}/type`, detail: `must stay ${type}: "${title}" has been answered` });
    }
  }
  if (faults.length > 0) throw problems.invalid(faults);
  const { highlight: _copied, ...rest } = changed;
  return {
    ...rest,
    removed,
    version: structure.version,
    ...(structure.highlight && { highlight: structure.highlight }),
  };
}

const listQuestions = ({ sections }: Structure): { question: Question; sectionId: string }[] =>
  sections.flatMap(({ id: sectionId, questions }) => questions.map((question) => ({ question, sectionId })));

/** Lists what changes make different, in the order of the sections. */
export function listDifferences({ structure, answered }: StoredStructure, changed: Structure): Difference[] {
  const before = new Map(listQuestions(structure).map((placed) => [placed.question.id, placed]));
  const after = new Map(listQuestions(changed).map((placed) => [placed.question.id, placed]));
  const differences: Difference[] = [];
  const add = (kind: DifferenceKind, title: string, questionId?: string): void => {
    differences.push({ kind, title, isAnswered: questionId !== undefined && answered.ids.has(questionId) });
  };
  for (const { id, description } of changed.sections) {
    const old = structure.sections.find((section) => section.id === id);
    const title = sectionTitle(changed, id);
    if (!old) add('sectionAdded', title);
    else if (sectionTitle(structure, id) !== title || !isDeepStrictEqual(old.description, description)) {
      add('sectionChanged', title);
    }
    if (old && !isDeepStrictEqual(whatFollows(structure, id), whatFollows(changed, id))) add('rulesChanged', title);
  }
  for (const { id } of structure.sections) {
    if (!changed.sections.some((section) => section.id === id)) add('sectionRemoved', sectionTitle(structure, id));
  }
  for (const [id, { question, sectionId }] of after) {
    const old = before.get(id);
    if (!old) add(question.required ? 'nowRequired' : 'questionAdded', question.title);
    else {
      if (old.sectionId !== sectionId) add('questionMoved', question.title, id);
      if (question.required && !old.question.required) add('nowRequired', question.title, id);
      const ids = new Set(question.choices?.map((choice) => choice.id));
      const losesChoices = old.question.choices?.some((choice) => !ids.has(choice.id));
      if (losesChoices) add('choicesRemoved', question.title, id);
      if (!isDeepStrictEqual(content(old.question), content(question))) add('questionChanged', question.title, id);
    }
  }
  for (const [id, { question }] of before) if (!after.has(id)) add('questionRemoved', question.title, id);
  return differences;
}

const content = ({ updatedAt: _updated, required: _required, moves: _moves, ...rest }: Question) => rest;

/** What follows a section: its rules, or the nodes and links from it on if these are more than rules. */
const whatFollows = (structure: Structure, sectionId: string) =>
  readRules(structure, sectionId) ?? structure.nodes.map(({ payload: _payload, label: _label, ...node }) => node);
