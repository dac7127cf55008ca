/**
 * Changes of an organization's units. A pure function changes the tree, and one conditional transaction writes it with
 * the unit; after a concurrent change both are repeated with the newest tree.
 */
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { type Write, WriteRefused } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import type { ListPage } from '#core/schema/page-size.ts';
import { checkOrganization, type PageStart } from './store.ts';
import type { Unit, UnitInput } from './unit-model.ts';
import {
  insertUnit,
  loadTree,
  loadUnits,
  removeUnit,
  replaceTree,
  replaceUnit,
  type StoredUnit,
} from './unit-store.ts';
import {
  addToTree,
  ancestorsOf,
  childrenOf,
  hasUnit,
  linkFaults,
  MAX_UNITS,
  moveInTree,
  removeFromTree,
  type UnitTree,
} from './unit-tree.ts';

/**
 * Applies `change` to a tree and stores the result together with the writes in `also`; writes nothing if the tree does
 * not change. Throws what `change` throws, 404 when a condition of `also` does not hold.
 */
const changeTree = <R>(
  app: ChangePorts,
  orgId: string,
  change: (tree: UnitTree) => UnitTree,
  { also = [], result }: { also?: readonly Write[]; result: R },
): Promise<R> =>
  untilWritten(async () => {
    const tree = await loadTree(app.table, orgId);
    const next = change(tree);
    if (next === tree) return result;
    try {
      return await app.commit([replaceTree(orgId, tree, next), checkOrganization(orgId), ...also], result);
    } catch (error) {
      throw error instanceof WriteRefused && error.index > 0 ? problems.notFound() : error;
    }
  });

/**
 * Creates a unit at the root. Throws 400 when the organization has the largest number of units, 404 when it is gone.
 */
export function createUnit(app: ChangePorts, orgId: string, input: UnitInput): Promise<{ body: Unit }> {
  const now = app.now().toISOString();
  const unit: StoredUnit = { id: app.uuid(), ...input, createdAt: now, updatedAt: now, orgId, version: 1 };
  const add = (tree: UnitTree): UnitTree => {
    if (tree.units.length < MAX_UNITS) return addToTree(tree, unit.id);
    throw problems.tooManyUnits(MAX_UNITS);
  };
  return changeTree(app, orgId, add, { also: [insertUnit(unit)], result: { body: unit } });
}

/** Replaces the fields of a unit. Throws 404 when it is gone. */
export const updateUnit = (ports: Pick<Ports, 'table' | 'now'>, unit: StoredUnit, input: UnitInput): Promise<Unit> =>
  untilWritten(async (first) => {
    const [current] = first ? [unit] : await loadUnits(ports.table, [unit.id]);
    if (!current) throw problems.notFound();
    const next = { ...current, ...input, updatedAt: ports.now().toISOString(), version: current.version + 1 };
    await ports.table.write([replaceUnit(next)]);
    return next;
  });

/** Deletes a unit; its children move to its parent. */
export const deleteUnit = (app: ChangePorts, { id, orgId }: StoredUnit): Promise<void> =>
  changeTree(app, orgId, (tree) => (hasUnit(tree, id) ? removeFromTree(tree, id) : tree), {
    also: [removeUnit(id)],
    result: undefined,
  });

/** Moves a unit under another one, or to the root for a null `parentId`. Throws 400 for a link that is not allowed. */
export function linkUnit<R>(
  app: ChangePorts,
  { orgId, childId, parentId }: { orgId: string; childId: string; parentId: string | null },
  result: R,
): Promise<R> {
  const move = (tree: UnitTree): UnitTree => {
    const faults = linkFaults(tree, childId, parentId);
    if (faults.length > 0)
      throw problems.invalid(faults.map(({ member, detail }) => ({ pointer: `/body/${member}`, detail })));
    const isLinked = tree.units.some((unit) => unit.id === childId && unit.parentId === parentId);
    return isLinked ? tree : moveInTree(tree, childId, parentId);
  };
  return changeTree(app, orgId, move, { result });
}

/** The parent for a list below a unit: the unit, or its descendant `parentId`. Throws 404 for any other unit. */
export function parentWithin(tree: UnitTree, unitId: string, parentId: string | undefined): string {
  if (parentId === undefined || parentId === unitId) return unitId;
  if (!ancestorsOf(tree, parentId).includes(unitId)) throw problems.notFound();
  return parentId;
}

/** One page of the ids of a parent's children, oldest first. Throws 404 when the parent is not in the tree. */
export function pageChildIds(
  tree: UnitTree,
  parentId: string | null,
  { limit, after }: PageStart,
): Pick<ListPage<string>, 'items' | 'last'> {
  if (parentId !== null && !hasUnit(tree, parentId)) throw problems.notFound();
  // If the unit at the position was deleted, the list starts again: duplicates are better than missing items.
  const units = tree.units.slice(tree.units.findIndex(({ id }) => id === after) + 1);
  const ids = childrenOf({ ...tree, units }, parentId);
  const items = ids.slice(0, limit);
  return { items, last: ids.length > limit ? (items.at(-1) ?? null) : null };
}

/** One page of a parent's children, oldest first. Throws 404 when the parent is not in the tree. */
export async function pageChildren(
  { table }: Pick<Ports, 'table'>,
  tree: UnitTree,
  parentId: string | null,
  start: PageStart,
): Promise<ListPage<Unit>> {
  const { items, last } = pageChildIds(tree, parentId, start);
  return { items: await loadUnits(table, items), last, positions: new Map(items.map((id) => [id, id])) };
}
