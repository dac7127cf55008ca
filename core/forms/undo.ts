/** Undoes a deletion or move of a form: in its changes if it is edited in a copy, otherwise in its structure. */
import { change, type Decision } from '#core/db/change.ts';
import { keys, partitions } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import {
  buildEditWrites,
  type EditedForm,
  editedStructure,
  editsCopy,
  reloadEditedForm,
} from '#core/structure/changes.ts';
import type { Conflict } from '#core/structure/merge.ts';
import { applyChanges, requireFewEnough } from '#core/structure/publish.ts';
import { buildStructureWrites } from '#core/structure/service.ts';
import type { Structure } from '#core/structure/structure.ts';
import { listTakenNames, parseUndo, removeUndo, type StoredUndo, undoEdit } from '#core/structure/undo.ts';
import type { OpenedEditedForm } from './edited.ts';
import { hasSameContent } from './versions.ts';

/** Reads the last edit of a form that can be undone, of any kind, as the editor remembers them; undefined when there is none. */
export async function loadNewestUndo(table: Table, formId: string, now: Date): Promise<StoredUndo | undefined> {
  const { items } = await table.list({ ...partitions.undos(formId), descending: true, limit: 1 });
  return parseUndo(items[0], now);
}

/** How many of the newest kept edits are listed, and looked at for the one that is offered. */
const MAX_LISTED = 10;

/** Lists the last edits of a form that can be undone, newest first, at most ten. */
export async function listUndos(table: Table, formId: string, now: Date): Promise<StoredUndo[]> {
  const { items } = await table.list({ ...partitions.undos(formId), descending: true, limit: MAX_LISTED });
  return items.flatMap((item) => parseUndo(item, now) ?? []);
}

/**
 * Reads the last deletion or move of a form that can be undone; undefined when there is none. A change of rules that deletes nothing
 * does not hide it: that is undone by its id, where it was made.
 */
export async function loadUndo(table: Table, formId: string, now: Date): Promise<StoredUndo | undefined> {
  return (await listUndos(table, formId, now)).find((undo) => !isChangeOfRules(undo));
}

const isChangeOfRules = ({ kind, nodes }: StoredUndo): boolean =>
  kind === 'RULE' && nodes.every(({ after }) => after !== undefined);

/** Reads an edit that can be undone by its id; undefined when it was undone, or is too old. */
export async function findUndo(
  { table, now }: Pick<ChangePorts, 'table' | 'now'>,
  formId: string,
  id: string,
): Promise<StoredUndo | undefined> {
  const [item] = await table.read([keys.formUndo(formId, id.slice(0, MAX_ID_CHARACTERS))]);
  return parseUndo(item, now());
}

/** More than an id has, and fewer than a key may have. */
const MAX_ID_CHARACTERS = 100;

/**
 * The edit that can be undone; undefined also when undoing it would change nothing, because what it deleted was restored
 * since.
 */
export const offeredUndo = (current: Structure, undo: StoredUndo | undefined): StoredUndo | undefined => {
  if (!undo) return undefined;
  const { structure, conflicts } = undoEdit(current, undo);
  return conflicts.length === 0 && hasSameContent(structure, current) ? undefined : undo;
};

/**
 * `gone`: it was undone, or is too old. `refused`: the same was edited since; `now` and `before` have
 * both versions.
 */
export type UndoOutcome =
  | { outcome: 'undone'; undo: StoredUndo; takenNames: readonly string[] }
  | { outcome: 'gone' }
  | { outcome: 'refused'; undo: StoredUndo; conflicts: Conflict[]; now: Structure; before: Structure };

type Current = { edited: EditedForm; undo: StoredUndo | undefined };

/**
 * Undoes the edit with an id. Throws 400 when the form would have too many questions or nodes, 404 when it was deleted, 413
 * when it would become too large.
 */
export const undoStoredEdit = (
  app: ChangePorts,
  { gate, edited, caller }: Pick<OpenedEditedForm, 'gate' | 'edited' | 'caller'>,
  { id, loaded }: { id: string; loaded: StoredUndo | undefined },
): Promise<UndoOutcome> =>
  change<Current, UndoOutcome>(app, {
    loaded: { edited, undo: loaded },
    reload: async () => {
      const { formId } = gate;
      const [newest, undo] = await Promise.all([reloadEditedForm(app.table, formId), findUndo(app, formId, id)]);
      return { edited: newest, undo };
    },
    decide: async ({ edited: current, undo }): Promise<Decision<UndoOutcome>> => {
      if (!undo) return { writes: [], result: { outcome: 'gone' } };
      const { live } = current;
      const edited = editedStructure(current).structure;
      const { structure, conflicts, before } = undoEdit(edited, undo);
      if (conflicts.length > 0) {
        return { writes: [], result: { outcome: 'refused', undo, conflicts, now: edited, before } };
      }
      requireFewEnough(structure);
      const time = app.now().toISOString();
      const removal = removeUndo(gate.formId, undo);
      const result = { outcome: 'undone', undo, takenNames: listTakenNames(edited, undo) } as const;
      if (editsCopy(current)) {
        const { writes } = buildEditWrites(
          app,
          { edited: current, formId: gate.formId, editorId: caller.id },
          structure,
        );
        return { writes: [...writes, removal], result };
      }
      const { writes } = await buildStructureWrites(app, live, applyChanges(live, structure, time), current.gate);
      return { writes: [...writes, removal], result };
    },
  });
