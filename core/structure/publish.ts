/**
 * Publishes changes: they replace the live structure, or are merged with what was changed there meanwhile, and everything
 * that depends on answers is judged again.
 */
import { change } from '#core/db/change.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { type Fault, problems, requireFound } from '#core/problems/problems.ts';
import {
  archiveChanges,
  buildChangesWrites,
  type Changes,
  type Draft,
  type EditedDraft,
  isOutdated,
  loadBase,
  reloadDraft,
  removeChanges,
} from './changes.ts';
import type { ChangesConflict, ChangesDocument, PublishInput } from './changes-model.ts';
import { presentNode } from './condition-rule.ts';
import { listDifferences, listQuestions } from './differences.ts';
import { presentSection } from './documents.ts';
import { listEffects } from './effects.ts';
import { type Conflict, type Decide, mergeStructures } from './merge.ts';
import { sectionsInOrder } from './path.ts';
import type { Question } from './question-model.ts';
import { buildStructureWrites, requireStructureFits } from './service.ts';
import type { StoredStructure } from './store.ts';
import { findNode, findQuestion, MAX_QUESTIONS, MAX_SECTIONS, type Structure } from './structure.ts';
import { keepVersions, readVersions } from './versions.ts';
import { requirePublishable, workflowInfo } from './workflow-check.ts';
import { MAX_CONDITIONS } from './workflow-model.ts';

/** Whose edits stay where changes and live form were edited in the same place, as it was decided for a live version. */
export type Decisions = Omit<PublishInput, 'force'>;

/**
 * Publishes the changes of a form and keeps them as a version, with the published structure if that is not kept yet, and
 * archives changes that are overruled; does nothing without any. Edits of the published structure since then are merged,
 * with `force` replaced. Returns what `present` returns, which is recorded with the `Idempotency-Key`. Throws 409 for a stale
 * `If-Match`, which any is without changes, for conflicts that are not decided, and when they were decided for another version
 * of the live form; 400 for a workflow with faults, and for a new type of a question that was answered meanwhile; 404 when the
 * form was deleted; 413.
 */
export const publishChanges = <R>(
  app: ChangePorts,
  { draft, formId, publisherId, force = false, ...decisions }: Publishing & PublishInput,
  present: () => Promise<R>,
): Promise<R> =>
  change(app, {
    loaded: draft,
    reload: () => reloadDraft(app.table, formId),
    decide: async ({ live, changes }) => {
      app.ifMatch(changes?.revision);
      if (!changes) return { writes: [], result: await present() };
      const merging = { live, changes, formId, decisions };
      const [merged, versions, result] = await Promise.all([
        force ? onlyMine(changes) : mergeDecided(app, merging),
        readVersions(app.table, formId),
        present(),
      ]);
      const now = app.now().toISOString();
      const publishable = applyChanges(live, merged.structure, now);
      requirePublishable(publishable);
      const { next, writes } = buildStructureWrites(live, publishable);
      const keeping = {
        ...{ as: 'REPLACED' as const, next, earlier: merged.base, by: publisherId, at: now },
        ...(merged.isOverruled && archiveChanges(app, 'OVERRULED', changes)),
      };
      const kept = await keepVersions(app.table, versions, live.structure, keeping);
      return { writes: [...writes, ...removeChanges(formId, changes), ...kept], result };
    },
  });

type Publishing = { draft: EditedDraft; formId: string; publisherId: string };

/**
 * Merges edits of the published structure into the changes and rebases them on it; does nothing if there were none. Archives
 * changes that are overruled. Throws like `publishChanges`, except that faults are accepted, and 413.
 */
export const updateChanges = (
  app: ChangePorts,
  { draft, formId, editorId, ...decisions }: { draft: EditedDraft; formId: string; editorId: string } & Decisions,
): Promise<void> =>
  change(app, {
    loaded: draft,
    reload: () => reloadDraft(app.table, formId),
    decide: async ({ live, changes, gate }) => {
      if (changes && !isOutdated({ live, changes })) return { writes: [], result: undefined };
      app.ifMatch(changes?.revision);
      if (!changes) return { writes: [], result: undefined };
      const [{ structure, isOverruled }, versions] = await Promise.all([
        mergeDecided(app, { live, changes, formId, decisions }),
        readVersions(app.table, formId),
      ]);
      requireStructureFits(structure, changes.structure);
      const basedOn = live.structure.version;
      const at = app.now().toISOString();
      const archived = isOverruled ? archiveChanges(app, 'OVERRULED', changes) : {};
      const kept = await keepVersions(app.table, versions, live.structure, { ...archived, by: editorId, at });
      const next = { structure, basedOn, editorId, updatedAt: at, before: changes, base: live.structure, gate };
      return { writes: [...buildChangesWrites(formId, next).writes, ...kept], result: undefined };
    },
  });

/**
 * The merged structure; `base`: from where it was merged, if the live structure was changed. `isOverruled`: whether an edit
 * of the changes does not stay.
 */
type Merged = { structure: Structure; base?: Structure; isOverruled?: boolean };
const onlyMine = ({ structure }: Changes): Merged => ({ structure });

type Merging = { live: StoredStructure; changes: Changes; formId: string; decisions: Decisions };

/** Merges changes with the live structure as it was decided. Throws 409 for conflicts that are not decided. */
async function mergeDecided({ table }: ChangePorts, { live, changes, formId, decisions }: Merging): Promise<Merged> {
  const { keep, decisions: list = [], liveVersion } = decisions;
  if (liveVersion !== undefined && liveVersion !== live.structure.version) throw problems.stale();
  if (!isOutdated({ live, changes })) return onlyMine(changes);
  const base = await loadBase(table, formId, changes);
  if (!base) throw problems.stale();
  const decided = new Map(list.map((decision) => [`${decision.kind}/${decision.id}`, decision.keep]));
  const decide: Decide = ({ kind, id }) => decided.get(`${kind}/${id}`) ?? keep;
  const { structure, conflicts } = mergeStructures({ base, theirs: live.structure, mine: changes.structure }, decide);
  const open = conflicts.filter((conflict) => conflict.keep === undefined);
  if (open.length > 0) {
    const detail = 'was edited in the changes and in the live form';
    throw problems.changesConflict(open.map(({ kind, id }) => ({ pointer: `/changes/${kind}/${id}`, detail })));
  }
  requireFewEnough(structure);
  return { structure, base, isOverruled: conflicts.some(({ keep: kept }) => kept === 'THEIRS') };
}

/** Throws 400 for more than a form may have: two structures within the limits can exceed them together. */
export function requireFewEnough({ sections, nodes }: Structure): void {
  if (sections.flatMap(({ questions }) => questions).length > MAX_QUESTIONS) {
    throw problems.tooManyQuestions(MAX_QUESTIONS);
  }
  for (const [max, type] of [
    [MAX_SECTIONS, 'SECTION'],
    [MAX_CONDITIONS, 'CONDITION'],
  ] as const) {
    if (nodes.filter((node) => node.type === type).length > max) throw problems.tooManyNodes(max, type);
  }
}

/**
 * Lists what was edited in changes and in the live structure, differently; `base`: the structure from which the changes were
 * started.
 */
export function listConflicts({ live, changes }: Draft, base: Structure | undefined): ChangesConflict[] {
  if (!changes || !base || !isOutdated({ live, changes })) return [];
  const sides = { base, theirs: live.structure, mine: changes.structure };
  return presentConflicts(mergeStructures(sides, () => undefined).conflicts, sides);
}

/** Presents conflicts with the titles of what they are about, those of `mine` first. */
export const presentConflicts = (
  conflicts: readonly Conflict[],
  { theirs, mine }: { theirs: Structure; mine: Structure },
): ChangesConflict[] => {
  const titleIn = (structure: Structure, id: string): string | undefined =>
    findQuestion(structure, id)?.question.title ?? findNode(structure, id)?.label;
  return conflicts.map(({ kind, id }) => ({ kind, id, title: titleIn(mine, id) ?? titleIn(theirs, id) ?? '' }));
};

/** Reads the structure from which the changes of a form were started, if the live structure was changed since. */
export const loadBaseIfOutdated = async (table: Table, formId: string, draft: Draft): Promise<Structure | undefined> =>
  draft.changes && isOutdated(draft) ? loadBase(table, formId, draft.changes) : undefined;

/** Presents the changes of a form as the API returns them. Throws 404 when there are none. */
export function presentChanges(draft: Draft, base: Structure | undefined): PresentedChanges {
  requireFound(draft.changes);
  return presentDraft(draft, base);
}

type PresentedChanges = { body: ChangesDocument; etag: number };

/** Presents what is edited of a form: its changes, or without any its structure. */
export function presentDraft(draft: Draft, base?: Structure): PresentedChanges {
  const { live, changes } = draft;
  const { structure } = changes ?? live;
  return {
    body: {
      sections: sectionsInOrder(structure).map((section) => presentSection(structure, section)),
      workflow: structure.nodes.map((node) => presentNode(structure, node)),
      info: workflowInfo(structure),
      differences: [...listDifferences(live, structure), ...listEffects(live, structure)],
      isOutdated: isOutdated(draft),
      liveVersion: live.structure.version,
      conflicts: listConflicts(draft, base),
      updatedAt: changes?.updatedAt ?? null,
    },
    etag: changes?.revision ?? live.structure.version,
  };
}

/**
 * Returns the live structure with the changes; questions that return are no longer removed. Throws 400 for a new type of a
 * question that was answered.
 */
export function applyChanges({ structure, answered }: StoredStructure, changed: Structure, now: string): Structure {
  const faults: Fault[] = [];
  const refuseType = ({ id, type, title }: Pick<Question, 'id' | 'type' | 'title'>): void => {
    faults.push({ pointer: `/questions/${id}/type`, detail: `must stay ${type}: "${title}" has been answered` });
  };
  const removed = structure.removed.filter((question) => {
    const returned = findQuestion(changed, question.id)?.question;
    if (returned && returned.type !== question.type) refuseType(question);
    return !returned;
  });
  for (const { question, sectionId } of listQuestions(structure)) {
    const after = findQuestion(changed, question.id)?.question;
    if (!answered.ids.has(question.id)) continue;
    const { id, type, title } = question;
    if (!after) removed.push({ id, sectionId, type, title, removedAt: now });
    else if (after.type !== type) refuseType({ id, type, title });
  }
  if (faults.length > 0) throw problems.invalid(faults);
  return { ...changed, removed, version: structure.version };
}
