/**
 * Every change of an organization's units: the tree changes by a pure function and one conditional write, together
 * with the unit it concerns, and again from the newest tree when somebody else was faster (contract section 3).
 */
import { untilWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import type { App } from '#core/http/app.ts';
import { problems } from '#core/http/problems.ts';
import type { PageQuery } from '#core/schema/model.ts';
import {
  ancestorsOf,
  childrenOf,
  fellUnit,
  graftUnit,
  hasUnit,
  linkFault,
  MAX_UNITS,
  plantUnit,
  type Unit,
  type UnitInput,
  type UnitTree,
} from './model.ts';
import { createUnit, loadTree, loadUnits, removeUnit, replaceTree, replaceUnit, type StoredUnit } from './store.ts';

async function changeTree(
  app: App,
  orgId: string,
  change: (tree: UnitTree) => UnitTree,
  also: readonly Write[],
): Promise<void> {
  await untilWritten(async () => {
    const tree = await loadTree(app.table, orgId);
    const next = change(tree);
    if (next === tree) return;
    await app.table.write([replaceTree(orgId, tree, next), ...also]);
  });
}

/** Creates a unit at the root of an organization's tree. Throws 400 when it has too many. */
export async function addUnit(app: App, orgId: string, input: UnitInput): Promise<Unit> {
  const now = app.now().toISOString();
  const unit: StoredUnit = { id: app.uuid(), ...input, createdAt: now, updatedAt: now, orgId, version: 1 };
  const plant = (tree: UnitTree): UnitTree => {
    if (tree.units.length >= MAX_UNITS)
      throw problems.wrongState('too_many_units', `An organization may have ${MAX_UNITS} units`);
    return plantUnit(tree, unit.id);
  };
  await changeTree(app, orgId, plant, [createUnit(unit)]);
  return unit;
}

/** Replaces the fields of a unit. Throws 404 when it is gone meanwhile. */
export async function changeUnit(app: App, unit: StoredUnit, input: UnitInput): Promise<Unit> {
  return untilWritten(async (first) => {
    const [current] = first ? [unit] : await loadUnits(app.table, [unit.id]);
    if (!current) throw problems.notFound();
    const next = { ...current, ...input, updatedAt: app.now().toISOString(), version: current.version + 1 };
    await app.table.write([replaceUnit(next)]);
    return next;
  });
}

/** Deletes a unit; its children move to its parent. */
export async function deleteUnit(app: App, unit: StoredUnit): Promise<void> {
  const fell = (tree: UnitTree): UnitTree => (hasUnit(tree, unit.id) ? fellUnit(tree, unit.id) : tree);
  await changeTree(app, unit.orgId, fell, [removeUnit(unit.id)]);
}

/** Puts a unit under another one, or at the root. Throws 400 for a link that the tree cannot have. */
export async function linkUnit(app: App, orgId: string, childId: string, parentId: string | null): Promise<void> {
  const graft = (tree: UnitTree): UnitTree => {
    const fault = linkFault(tree, childId, parentId);
    if (fault) throw problems.invalid([{ pointer: `/body/${fault.member}`, detail: fault.detail }]);
    return graftUnit(tree, childId, parentId);
  };
  await changeTree(app, orgId, graft, []);
}

/** Whose children are asked for below a unit: its own, or those of its descendant. Throws 404 for another unit. */
export function withinUnit(tree: UnitTree, unitId: string, parentId: string | undefined): string {
  if (parentId === undefined || parentId === unitId) return unitId;
  if (!ancestorsOf(tree, parentId).includes(unitId)) throw problems.notFound();
  return parentId;
}

/** One page of the ids of a unit's children. Throws 404 when the parent is not in the tree. */
export function pageChildIds(app: App, orgId: string, tree: UnitTree, parentId: string | null, query: PageQuery) {
  if (parentId !== null && !hasUnit(tree, parentId)) throw problems.notFound();
  const list = `units ${orgId} ${parentId ?? ''}`;
  const after = app.cursors.open(list, query.cursor);
  const ids = childrenOf(tree, parentId);
  const start = after === undefined ? 0 : ids.indexOf(after) + 1;
  const shown = ids.slice(start, start + query.limit);
  const last = start + query.limit < ids.length ? (shown.at(-1) ?? null) : null;
  return { body: shown, next: app.cursors.seal(list, last) };
}

/** One page of a unit's children. */
export async function pageChildren(app: App, orgId: string, tree: UnitTree, parentId: string | null, query: PageQuery) {
  const page = pageChildIds(app, orgId, tree, parentId, query);
  return { body: await loadUnits(app.table, page.body), next: page.next };
}
