/**
 * Changes of a published form that are not live yet: a copy of its structure, which is edited like the structure and
 * replaces it when it is published. Respondents never see it. The live structure from which it was started is kept with it.
 */
import { change, type Edit } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { keys, olderKeys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { requireFound } from '#core/problems/problems.ts';
import { listDifferences } from './differences.ts';
import { buildStructureWrites, keepRemovedChoices, requireStructureFits } from './service.ts';
import { parseAnswered, parseStructure, type StoredStructure } from './store.ts';
import { findNode, findQuestion, type Structure } from './structure.ts';
import { keepUndo } from './undo.ts';
import { keepBase, keepVersions, readVersions } from './versions.ts';

/**
 * `basedOn`: the version of the live structure that was copied. `revision`: the time of the first edit in milliseconds, plus
 * one for each further edit, so that a revision of changes that were discarded is never one of later changes, or a version.
 */
export type Changes = {
  structure: Structure;
  basedOn: number;
  revision: number;
  editorId: string;
  updatedAt: string;
};

/** The structure that respondents use, and the changes of it, if there are any. */
export type LiveAndChanges = { live: StoredStructure; changes: Changes | undefined };

/**
 * A form as its authors edit it, with what decides where it is edited; `data` is stored with the gate and changes with the
 * status of the form.
 */
export type EditedForm = LiveAndChanges & { gate: { isPublished: boolean; data: string } };

/** Whether the questions are edited in a copy: while the form is published, and as long as there is one. */
export const editsCopy = ({ gate, changes }: EditedForm): boolean => gate.isPublished || changes !== undefined;

/** Parses what `EditedForm` has of the gate of a form. */
export const parseEditedGate = (item: Item): EditedForm['gate'] => ({
  isPublished: decode<{ status: string }>(item).status === 'PUBLISHED',
  data: String(item.data),
});

/** Parses the changes of an item; undefined when there is none. */
export const parseChanges = (item: Item | undefined): Changes | undefined =>
  item && { ...decode<Omit<Changes, 'revision'>>(item), revision: Number(item.version) };

/**
 * What is edited: the changes if there are any, otherwise the live structure; with the questions that keep their type
 * because they were answered. One that got another type before it was answered may change again.
 */
export function editedStructure({ live, changes }: LiveAndChanges): StoredStructure {
  if (!changes) return live;
  const findType = (structure: Structure, id: string) =>
    findQuestion(structure, id)?.question.type ?? structure.removed.find((question) => question.id === id)?.type;
  const ids = [...live.answered.ids].filter((id) => findType(changes.structure, id) === findType(live.structure, id));
  return { structure: changes.structure, answered: { ...live.answered, ids: new Set(ids) } };
}

/** Reads the structure of a form and its changes as they are stored now. Throws 404 when the form was deleted. */
export async function reloadEditedForm(table: Table, formId: string): Promise<EditedForm> {
  const read = [keys.formGate, keys.formStructure, keys.formAnswered, keys.formChanges].map((key) => key(formId));
  const [gateItem, item, answeredItem, changesItem] = await table.read(read);
  const gate = parseEditedGate(requireFound(gateItem));
  const structure = requireFound(parseStructure(item));
  return { gate, live: { structure, answered: parseAnswered(answeredItem) }, changes: parseChanges(changesItem) };
}

/** Of whom a structure is stored as changes of a form; `edited`: the form before that. */
type Editing = { edited: EditedForm; formId: string; editorId: string };

/**
 * Builds the writes that store a structure as changes in place of those of `edited`, or as the first ones; refused after a
 * concurrent edit, and, for the first ones, when the form was deleted or has another status than in the gate. The live
 * structure from which they are begun is kept for merges; with `rebase` that is the one of now.
 */
export function buildChangesWrites(
  { edited: { live, changes, gate }, formId, editorId }: Editing,
  structure: Structure,
  { at, rebase = false }: { at: string; rebase?: boolean },
): { next: Changes; writes: Write[] } {
  const basedOn = changes && !rebase ? changes.basedOn : live.structure.version;
  const data = { structure, basedOn, editorId, updatedAt: at };
  const revision = changes ? changes.revision + 1 : Date.parse(at);
  const differing = countDifferent(live, structure);
  const put = { ...keys.formChanges(formId), ...encode(data), version: revision, differing };
  const writes: Write[] = changes
    ? [{ put, when: { equals: { version: changes.revision } } }]
    : [
        { put, when: { absent: true } },
        { check: keys.formGate(formId), when: { equals: { data: gate.data } } },
      ];
  const base = basedOn === changes?.basedOn ? [] : [keepBase(live.structure)];
  return { next: { ...data, revision }, writes: [...writes, ...base] };
}

/** Counts the questions and sections that differ. */
const countDifferent = (live: StoredStructure, structure: Structure): number =>
  new Set(listDifferences(live, structure).map(({ questionId, nodeId }) => questionId ?? nodeId)).size;

/**
 * Reads from the item of changes how many questions and sections differed at their last edit; undefined if there is nothing to
 * publish: no changes, or none that differ. 0 for changes that older code stored, which may differ.
 */
export const readDifferenceCount = (item: Item | undefined): number | undefined =>
  item && item.differing !== 0 ? Number(item.differing ?? 0) : undefined;

/** Reads the live structure from which changes were started; undefined when it is not kept. */
export async function loadBase(table: Table, formId: string, { basedOn }: Changes): Promise<Structure | undefined> {
  // Older code kept it next to the changes.
  const items = await table.read([keys.formVersion(formId, basedOn), olderKeys.formChangesBase(formId)]);
  return items.map(parseStructure).find((base) => base?.version === basedOn);
}

/**
 * An edit of the questions of a form. `isUsedId`: whether a new question or section cannot have an id, because what is
 * edited or the live structure has it, or had it for a question that was answered.
 */
export type QuestionsEdit<B> = (
  structure: Structure,
  answered: ReadonlySet<string>,
  isUsedId: (id: string) => boolean,
) => Edit<Structure, B>;

/** Whether something has, or had, an id in some structures of a form with these answered questions. */
export const isIdUsed = (structures: readonly Structure[], answered: ReadonlySet<string>, id: string): boolean =>
  answered.has(id) ||
  structures.some(
    (structure) =>
      findNode(structure, id) !== undefined ||
      findQuestion(structure, id) !== undefined ||
      structure.removed.some(
        ({ id: removedId, sectionId, moves = [] }) =>
          removedId === id || sectionId === id || moves.some(({ from }) => from === id),
      ),
  );

/**
 * Applies `edit` to the questions of a form: to its changes, which the first edit creates, or to its structure, as its status
 * is when the edit is stored; a deletion or move can be undone. Returns the body of the edit. Throws what `edit` throws, 404 when the form was deleted, 413 when the structure would become too large.
 */
export const editQuestions = <B>(
  app: ChangePorts,
  { edited, formId, editorId }: Editing,
  edit: QuestionsEdit<B>,
): Promise<B> =>
  change(app, {
    loaded: edited,
    reload: () => reloadEditedForm(app.table, formId),
    decide: async (current) => {
      const { structure, answered } = editedStructure(current);
      const { live, gate } = current;
      const isUsedId = (id: string) => isIdUsed([structure, live.structure], live.answered.ids, id);
      const { next, body, alsoWrites = [] } = edit(structure, answered.ids, isUsedId);
      if (next === structure) return { writes: [], result: body };
      const undo = keepUndo(app, editorId, { before: structure, after: next });
      const { writes } = editsCopy(current)
        ? buildEditWrites(app, { edited: current, formId, editorId }, next)
        : await buildStructureWrites(app, live, next, gate);
      return { writes: [...writes, ...undo, ...alsoWrites], result: body };
    },
  });

/** Builds the writes that store an edited structure as the changes of a form. Throws 413 when it is too large. */
export function buildEditWrites(
  app: Pick<ChangePorts, 'now'>,
  editing: Editing,
  structure: Structure,
): { next: Changes; writes: Write[] } {
  const { edited } = editing;
  const before = editedStructure(edited).structure;
  const next = keepRemovedChoices({ structure: before, answered: edited.live.answered.ids }, structure);
  requireStructureFits(next, before);
  return buildChangesWrites(editing, next, { at: app.now().toISOString() });
}

/** Builds the write that removes changes if nobody has edited them meanwhile. */
export const removeChanges = (formId: string, { revision }: Changes): Write => ({
  remove: keys.formChanges(formId),
  when: { equals: { version: revision } },
});

/**
 * Discards the changes of a form, if there are any, and archives them. Throws 409 for a stale `If-Match`, which any is when
 * there are none.
 */
export const discardChanges = (app: ChangePorts, { edited, formId, editorId }: Editing): Promise<void> =>
  change(app, {
    loaded: edited,
    reload: () => reloadEditedForm(app.table, formId),
    decide: async ({ live, changes }) => {
      app.ifMatch(changes?.revision);
      if (!changes) return { writes: [], result: undefined };
      const kept = await keepVersions(app.table, await readVersions(app.table, formId), live.structure, {
        archive: { kind: 'DISCARDED', ...changes },
        formerBase: changes.basedOn,
        by: editorId,
        at: app.now().toISOString(),
      });
      return { writes: [removeChanges(formId, changes), ...kept], result: undefined };
    },
  });

/** Whether the live structure was changed since the changes were started. */
export const isOutdated = ({ live, changes }: LiveAndChanges): boolean =>
  changes !== undefined && changes.basedOn !== live.structure.version;
