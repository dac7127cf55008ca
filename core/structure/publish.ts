/**
 * Publishes changes: they replace the live structure, or are merged with what was changed there meanwhile, and everything
 * that depends on answers is judged again.
 */

import { change } from '#core/db/change.ts';
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { type Fault, problems, requireFound } from '#core/problems/problems.ts';
import { MAX_QUESTIONS, MAX_SECTIONS } from '#core/schema/limits.ts';
import {
  buildChangesWrites,
  type Changes,
  type EditedForm,
  isOutdated,
  type LiveAndChanges,
  loadBase,
  reloadEditedForm,
  removeChanges,
} from './changes.ts';
import type { ChangesConflict, ChangesDocument, PublishInput } from './changes-model.ts';
import { presentNode } from './condition-rule.ts';
import { listDifferences, listQuestions } from './differences.ts';
import { presentSection } from './documents.ts';
import { listEffects } from './effects.ts';
import { type Conflict, type Decide, mergeStructures } from './merge.ts';
import { sectionsInOrder } from './path.ts';
import { buildNextVersion, buildStructureWrites, requireStructureFits } from './service.ts';
import type { StoredStructure } from './store.ts';
import { findNode, findQuestion, type Structure, sectionTitle } from './structure.ts';
import { keepVersions, readVersions } from './versions.ts';
import { listWorkflowFaults, presentFaults, requirePublishable } from './workflow-check.ts';
import type { PlacedFault } from './workflow-faults.ts';
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
  { edited, formId, publisherId, force = false, ...decisions }: Publishing & PublishInput,
  present: () => Promise<R>,
): Promise<R> =>
  change(app, {
    loaded: edited,
    reload: () => reloadEditedForm(app.table, formId),
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
      const { next, writes } = await buildStructureWrites(app, live, publishable);
      const keeping = {
        ...{ as: 'REPLACED' as const, next, earlier: merged.base, by: publisherId, at: now },
        archive: merged.isOverruled ? { kind: 'OVERRULED' as const, ...changes } : undefined,
        formerBase: changes.basedOn,
      };
      const kept = await keepVersions(app.table, versions, live.structure, keeping);
      return { writes: [...writes, removeChanges(formId, changes), ...kept], result };
    },
  });

type Publishing = { edited: EditedForm; formId: string; publisherId: string };

/**
 * Merges edits of the published structure into the changes and rebases them on it; does nothing if there were none. Archives
 * changes that are overruled. Throws like `publishChanges`, except that faults are accepted, and 413.
 */
export const updateChanges = (
  app: ChangePorts,
  { edited, formId, editorId, ...decisions }: { edited: EditedForm; formId: string; editorId: string } & Decisions,
): Promise<void> =>
  change(app, {
    loaded: edited,
    reload: () => reloadEditedForm(app.table, formId),
    decide: async (current) => {
      const { live, changes } = current;
      if (changes && !isOutdated({ live, changes })) return { writes: [], result: undefined };
      app.ifMatch(changes?.revision);
      if (!changes) return { writes: [], result: undefined };
      const [{ structure, isOverruled }, versions] = await Promise.all([
        mergeDecided(app, { live, changes, formId, decisions }),
        readVersions(app.table, formId),
      ]);
      requireStructureFits(structure, changes.structure);
      const at = app.now().toISOString();
      const { writes } = buildChangesWrites({ edited: current, formId, editorId }, structure, { at, rebase: true });
      const kept = await keepVersions(app.table, versions, live.structure, {
        archive: isOverruled ? { kind: 'OVERRULED', ...changes } : undefined,
        formerBase: changes.basedOn,
        by: editorId,
        at,
      });
      return { writes: [...writes, ...kept], result: undefined };
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
export function requireFewEnough(structure: Structure): void {
  for (const { parts, max } of listTooMany(structure)) {
    throw parts === 'QUESTION' ? problems.tooManyQuestions(max) : problems.tooManyNodes(max, parts);
  }
}

const listTooMany = ({ sections, nodes }: Structure) =>
  (
    [
      ['QUESTION', MAX_QUESTIONS, sections.flatMap(({ questions }) => questions).length],
      ['SECTION', MAX_SECTIONS, sections.length],
      ['CONDITION', MAX_CONDITIONS, nodes.filter(({ type }) => type === 'CONDITION').length],
    ] as const
  ).flatMap(([parts, max, count]) => (count > max ? [{ parts, max }] : []));

/**
 * Lists what was edited in changes and in the live structure, differently; `base`: the structure from which the changes were
 * started.
 */
export function listConflicts(edited: LiveAndChanges, base: Structure | undefined): ChangesConflict[] {
  const merged = mergeUndecided(edited, base);
  return merged ? presentConflicts(merged.conflicts, merged.sides) : [];
}

/** Merges changes with edits of the live structure since they were started; undefined without any. */
export function mergeUndecided({ live, changes }: LiveAndChanges, base: Structure | undefined) {
  if (!changes || !base || !isOutdated({ live, changes })) return undefined;
  const sides = { base, theirs: live.structure, mine: changes.structure };
  return { ...mergeStructures(sides, () => undefined), sides };
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
export const loadBaseIfOutdated = async (
  table: Table,
  formId: string,
  edited: LiveAndChanges,
): Promise<Structure | undefined> =>
  edited.changes && isOutdated(edited) ? loadBase(table, formId, edited.changes) : undefined;

/** Presents the changes of a form as the API returns them. Throws 404 when there are none. */
export function presentChanges(edited: LiveAndChanges, base: Structure | undefined): PresentedChanges {
  requireFound(edited.changes);
  return presentEdited(edited, base);
}

type PresentedChanges = { body: ChangesDocument; etag: number };

/** Presents what is edited of a form: its changes, or without any its structure. */
export function presentEdited(edited: LiveAndChanges, base?: Structure): PresentedChanges {
  const { live, changes } = edited;
  const { structure } = changes ?? live;
  const merged = mergeUndecided(edited, base);
  const publishable = merged?.conflicts.length === 0 ? merged.structure : structure;
  return {
    body: {
      sections: sectionsInOrder(structure).map((section) => presentSection(structure, section)),
      workflow: structure.nodes.map((node) => presentNode(structure, node)),
      info: presentFaults(changes ? listPublishFaults(live, publishable) : listWorkflowFaults(structure)),
      differences: [...listDifferences(live, structure), ...listEffects(live, structure)],
      isOutdated: isOutdated(edited),
      liveVersion: live.structure.version,
      conflicts: merged ? presentConflicts(merged.conflicts, merged.sides) : [],
      updatedAt: changes?.updatedAt ?? null,
    },
    etag: changes?.revision ?? live.structure.version,
  };
}

/** Lists all that prevents publishing a structure in place of the live one; empty if it can be published. */
export function listPublishFaults(live: StoredStructure, changed: Structure): PlacedFault[] {
  const next = buildNextVersion(live, withRemoved(live, changed, LONGEST_TIME));
  const bytes = entityBytes(next);
  const ofTypes = listOtherTypes(live, changed).map(({ id, type, title }): PlacedFault => {
    const sectionId = findQuestion(changed, id)?.section.id ?? '';
    const node = { id: sectionId, type: 'SECTION', label: sectionTitle(changed, sectionId) } as const;
    return {
      type: 'node_validation_failed',
      node,
      fault: { code: 'typeAnswered', question: title, questionId: id, type },
    };
  });
  const ofWhole = [
    ...listTooMany(next).map((tooMany) => ({ code: 'tooMany', ...tooMany }) as const),
    ...(bytes > MAX_ENTITY_BYTES ? [{ code: 'tooLarge', bytes, max: MAX_ENTITY_BYTES } as const] : []),
  ].map((fault): PlacedFault => ({ type: 'workflow_validation_failed', fault }));
  return [...ofWhole, ...listWorkflowFaults(changed), ...ofTypes];
}

/** Has as many characters as any time. */
const LONGEST_TIME = new Date(0).toISOString();

/**
 * Returns the live structure with the changes; questions that return are no longer removed. Throws 400 for a new type of a
 * question that was answered.
 */
export function applyChanges(live: StoredStructure, changed: Structure, now: string): Structure {
  const faults = listOtherTypes(live, changed).map(
    ({ id, type, title }): Fault => ({
      pointer: `/questions/${id}/type`,
      detail: `must stay ${type}: "${title}" has been answered`,
    }),
  );
  if (faults.length > 0) throw problems.invalid(faults);
  return withRemoved(live, changed, now);
}

/** Adds to changes the questions that are removed, or were and do not return. */
function withRemoved({ structure, answered }: StoredStructure, changed: Structure, removedAt: string): Structure {
  const isGone = ({ id }: { id: string }): boolean => findQuestion(changed, id) === undefined;
  const removed = listQuestions(structure)
    .filter(({ question }) => answered.ids.has(question.id) && isGone(question))
    .map(({ question: { id, type, title }, sectionId }) => ({ id, sectionId, type, title, removedAt }));
  return { ...changed, removed: [...structure.removed.filter(isGone), ...removed], version: structure.version };
}

/** Lists the answered questions, removed ones too, that have another type in changes; each with the type of its answers. */
function listOtherTypes({ structure, answered }: StoredStructure, changed: Structure) {
  const asked = listQuestions(structure).map(({ question }) => question);
  return [...structure.removed, ...asked.filter(({ id }) => answered.ids.has(id))].filter(({ id, type }) => {
    const after = findQuestion(changed, id)?.question;
    return after !== undefined && after.type !== type;
  });
}
