/**
 * Every change of an organization's units: the tree changes by a pure function and one conditional write, together
 * with the unit it concerns, and again from the newest tree when somebody else was faster (contract section 3).
 */
import { untilWritten } from '#core/db/retry.ts';
import { type Write, WriteRefused } from '#core/db/table.ts';
import type { App } from '#core/http/app.ts';
import { stillThere } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import type { PageQuery } from '#core/schema/schema.ts';
import {
  createUnit,
  loadTree,
  loadUnits,
  removeUnit,
  replaceTree,
  replaceUnit,
  type StoredUnit,
} from './unit-store.ts';
import {
  ancestorsOf,
  childrenOf,
  fellUnit,
  graftUnit,
  hasUnit,
  linkFaults,
  MAX_UNITS,
  plantUnit,
  type Unit,
  type UnitInput,
  type UnitTree,
} from './unit-tree.ts';

/** Changes a tree by a pure function; answers whether there was anything to write. Throws 404 when a check fails. */
async function changeTree(
  app: App,
  orgId: string,
  change: (tree: UnitTree) => UnitTree,
  also: readonly Write[],
): Promise<boolean> {
  return untilWritten(async () => {
    const tree = await loadTree(app.table, orgId);
    const next = change(tree);
    if (next === tree) return false;
    await app.table.write([replaceTree(orgId, tree, next), ...also]).catch(goneBy(also));
    return true;
  });
}

/** A check that does not hold says that the organization is gone; trying again would not help. */
const goneBy =
  (also: readonly Write[]) =>
  (error: unknown): never => {
    const refused = error instanceof WriteRefused ? also[error.index - 1] : undefined;
    throw refused && 'check' in refused ? problems.notFound() : error;
  };

/**
 * Creates a unit at the root of an organization's tree; a unit that an earlier run of the same request has made is
 * answered as it is. Throws 400 when there are too many, 404 when the organization is gone meanwhile.
 */
export async function addUnit(app: App, orgId: string, input: UnitInput): Promise<Unit> {
  const now = app.now().toISOString();
  const unit: StoredUnit = { id: app.uuid(), ...input, createdAt: now, updatedAt: now, orgId, version: 1 };
  const plant = (tree: UnitTree): UnitTree => {
    if (hasUnit(tree, unit.id)) return tree;
    if (tree.units.length >= MAX_UNITS)
      throw problems.wrongState('too_many_units', `An organization may have ${MAX_UNITS} units`);
    return plantUnit(tree, unit.id);
  };
  const planted = await changeTree(app, orgId, plant, [createUnit(unit), stillThere(orgId)]);
  const [earlier] = planted ? [unit] : await loadUnits(app.table, [unit.id]);
  return earlier ?? unit;
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
    const faults = linkFaults(tree, childId, parentId);
    if (faults.length > 0)
      throw problems.invalid(faults.map(({ member, detail }) => ({ pointer: `/body/${member}`, detail })));
    const stands = tree.units.some((unit) => unit.id === childId && unit.parentId === parentId);
    return stands ? tree : graftUnit(tree, childId, parentId);
  };
  await changeTree(app, orgId, graft, []);
}

/** Whose children are asked for below a unit: its own, or those of its descendant. Throws 404 for another unit. */
export function withinUnit(tree: UnitTree, unitId: string, parentId: string | undefined): string {
  if (parentId === undefined || parentId === unitId) return unitId;
  if (!ancestorsOf(tree, parentId).includes(unitId)) throw problems.notFound();
  return parentId;
}

/** The part of a tree behind a unit in the order of creation; all of it behind one that is gone, to leave none out. */
const behindUnit = (tree: UnitTree, unitId: string | undefined): UnitTree => ({
  ...tree,
  units: tree.units.slice(tree.units.findIndex(({ id }) => id === unitId) + 1),
});

/** One page of the ids of a unit's children. Throws 404 when the parent is not in the tree. */
export function pageChildIds(app: App, orgId: string, tree: UnitTree, parentId: string | null, query: PageQuery) {
  if (parentId !== null && !hasUnit(tree, parentId)) throw problems.notFound();
  const list = `units ${orgId} ${parentId ?? ''}`;
  const after = app.cursors.open(list, query.cursor);
  const ids = childrenOf(behindUnit(tree, after), parentId);
  const shown = ids.slice(0, query.limit);
  const last = ids.length > query.limit ? (shown.at(-1) ?? null) : null;
  return { body: shown, next: app.cursors.seal(list, last) };
}

/** One page of a unit's children. */
export async function pageChildren(app: App, orgId: string, tree: UnitTree, parentId: string | null, query: PageQuery) {
  const page = pageChildIds(app, orgId, tree, parentId, query);
  return { body: await loadUnits(app.table, page.body), next: page.next };
}
