/** Reads and writes units: each unit is an item, and their tree is one item of the organization. */

import { type Opener, parsePathId, requireCaller } from '#core/access/access.ts';
import { parseAccount } from '#core/accounts/accounts.ts';
import { change, type Edit } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Item, Table, Write, WriteRefused } from '#core/db/table.ts';
import { problems, requireFound } from '#core/problems/problems.ts';
import type { ListBatch } from '#core/schema/page-size.ts';
import type { Unit, UnitInput } from './model.ts';
import { type OpenedOrganization, openOrganization, openOrganizationReading, rolesIn } from './service.ts';
import { checkOrganization, type ListStart, loadOrganization } from './store.ts';
import {
  addToTree,
  EMPTY_TREE,
  findAncestorIds,
  findChildIds,
  findLinkFaults,
  hasUnit,
  MAX_UNITS,
  moveInTree,
  removeFromTree,
  type UnitTree,
} from './unit-tree.ts';

/** A unit as it is stored, with the organization it belongs to. */
export type StoredUnit = Unit & { orgId: string; version: number };

/** Parses the unit of an item; undefined when there is none. */
export const parseUnit = (item: Item | undefined): StoredUnit | undefined =>
  item ? { ...decode<Omit<StoredUnit, 'version'>>(item), version: Number(item.version) } : undefined;

/** Parses the tree of an item; empty when there is none. */
export const parseTree = (item: Item | undefined): UnitTree =>
  item ? { ...decode<Omit<UnitTree, 'version'>>(item), version: Number(item.version) } : EMPTY_TREE;

/** Reads the tree of an organization's units. */
export async function loadTree(table: Table, orgId: string): Promise<UnitTree> {
  const [item] = await table.read([keys.unitTree(orgId)]);
  return parseTree(item);
}

/** Reads the units with the given ids, in this order; absent ones are left out. */
export async function loadUnits(table: Table, unitIds: readonly string[]): Promise<StoredUnit[]> {
  const items = await table.read(unitIds.map(keys.unit));
  return items.map(parseUnit).filter((unit) => unit !== undefined);
}

/** Builds the write that replaces a tree; refused unless the stored version is that of `previous`. */
export function replaceTree(orgId: string, previous: UnitTree, next: UnitTree): Write {
  const item = { ...keys.unitTree(orgId), ...encode({ units: next.units }), version: previous.version + 1 };
  return { put: item, when: previous.version === 0 ? { absent: true } : { equals: { version: previous.version } } };
}

const toUnitItem = ({ version, ...data }: StoredUnit): Item => ({ ...keys.unit(data.id), ...encode(data), version });

/** Builds the write that creates a unit. */
export const insertUnit = (unit: StoredUnit): Write => ({ put: toUnitItem(unit), when: { absent: true } });

/** Builds the write that replaces a unit; refused unless the stored version is the previous one. */
export const replaceUnit = (unit: StoredUnit): Write => ({
  put: toUnitItem(unit),
  when: { equals: { version: unit.version - 1 } },
});

/** Builds the write that removes a unit. */
export const removeUnit = (unitId: string): Write => ({ remove: keys.unit(unitId) });

// Openers of units, by the slug of the organization and the unit id or by the id alone.

type OpenedTree = OpenedOrganization & { tree: UnitTree };
type OpenedUnit = OpenedTree & { unit: StoredUnit };

/** Opens the organization of `{slug}` with its tree of units. */
export const openOrganizationWithUnits: Opener<OpenedTree> = async (call) => {
  const opened = await openOrganization(call);
  const tree = await loadTree(call.app.table, opened.resource.orgId);
  return { ...opened, resource: { ...opened.resource, tree } };
};

/** Opens the unit of `{slug}` and `{unitId}` with the tree. Throws 403 unless the caller is a member of the organization. */
export const openUnit: Opener<OpenedUnit> = async (call) => {
  const { unitId = '' } = call.params;
  const read = (table: Table, orgId: string) => table.read([keys.unit(unitId), keys.unitTree(orgId)]);
  const { resource, ...opened } = await openOrganizationReading(read)(call);
  const { readAhead, ...organization } = resource;
  // Checked before the unit, so that other callers cannot find out whether it exists.
  if (!opened.roles.includes('member')) throw problems.forbidden('Only members of the organization can see its units.');
  parsePathId(call.params, 'unitId');
  const [unitItem, treeItem] = await readAhead();
  const unit = parseUnit(unitItem);
  if (!unit || unit.orgId !== organization.orgId) throw problems.notFound();
  return { ...opened, resource: { ...organization, unit, tree: parseTree(treeItem) } };
};

/** Opens the unit of `{childId}` with its organization; visible to the members of the organization. */
export const openUnitById: Opener<Omit<OpenedUnit, 'tree'>> = async ({ params, user, app }) => {
  const caller = requireCaller(user);
  const [unitItem, accountItem] = await app.table.read([
    keys.unit(parsePathId(params, 'childId')),
    keys.account(caller.id),
  ]);
  const unit = parseUnit(unitItem);
  const account = parseAccount(accountItem);
  const roles = unit ? rolesIn(account, unit.orgId, caller) : [];
  if (!unit || !roles.includes('member')) throw problems.notFound();
  // Units and memberships are removed some time after their organization.
  if (!(await loadOrganization(app.table, unit.orgId))) throw problems.notFound();
  return { resource: { caller, account, orgId: unit.orgId, unit }, roles };
};

// Changes of an organization's units. A pure function changes the tree, and one conditional transaction writes it with
// the unit; after a concurrent change both are repeated with the newest tree.

/**
 * Applies `edit` to the tree of an organization and stores it together with `alsoWrites`; writes nothing if the tree does
 * not change. `tree`: the one that was read before, for the first attempt. Throws what `edit` throws, 404 when the
 * organization was deleted or a condition of `alsoWrites` does not hold.
 */
const changeTree = <R>(
  app: ChangePorts,
  { orgId, tree: loaded }: { orgId: string; tree?: UnitTree | undefined },
  edit: (tree: UnitTree) => Edit<UnitTree, R>,
): Promise<R> =>
  change(app, {
    ...(loaded && { loaded }),
    reload: () => loadTree(app.table, orgId),
    decide: (current) => {
      const { next: tree, body: result, alsoWrites = [] } = edit(current);
      if (tree === current) return { writes: [], result };
      const writes = [replaceTree(orgId, current, tree), checkOrganization(orgId), ...alsoWrites];
      return { writes, result, onRefused: requireParts };
    },
  });

/** Throws 404 when another condition than that on the tree was refused. */
function requireParts({ index }: WriteRefused): void {
  if (index > 0) throw problems.notFound();
}

/**
 * Creates a unit at the root, or below a parent; does nothing if the unit exists. Throws 400 when the organization has the
 * largest number of units and for a parent that is not allowed, 404 when the organization was deleted.
 */
export function createUnit(
  app: ChangePorts,
  orgId: string,
  input: UnitInput,
  { id = app.uuid(), parentId = null, tree: loaded }: { id?: string; parentId?: string | null; tree?: UnitTree } = {},
): Promise<{ body: Unit }> {
  const now = app.now().toISOString();
  const unit: StoredUnit = { id, ...input, createdAt: now, updatedAt: now, orgId, version: 1 };
  return changeTree(app, { orgId, tree: loaded }, (tree) => {
    if (hasUnit(tree, unit.id)) return { next: tree, body: { body: unit } };
    if (tree.units.length >= MAX_UNITS) throw problems.tooManyUnits(MAX_UNITS);
    const next = moveWithin(addToTree(tree, unit.id), unit.id, parentId);
    return { next, body: { body: unit }, alsoWrites: [insertUnit(unit)] };
  });
}

/** Replaces the fields of a unit. Throws what `requireSeen` throws for the stored unit and the next one, 404 when it was deleted. */
export const updateUnit = (
  ports: Pick<Ports, 'table' | 'now'>,
  unit: StoredUnit,
  input: UnitInput,
  requireSeen?: (current: StoredUnit, next: StoredUnit) => void,
): Promise<Unit> =>
  change(ports, {
    loaded: unit,
    reload: async () => requireFound((await loadUnits(ports.table, [unit.id]))[0]),
    decide: (current) => {
      const next = { ...current, ...input, updatedAt: ports.now().toISOString(), version: current.version + 1 };
      requireSeen?.(current, next);
      return { writes: [replaceUnit(next)], result: next };
    },
  });

/** Deletes a unit; its children move to its parent. Does nothing if the organization has no such unit. */
export const deleteUnit = (
  app: ChangePorts,
  { id, orgId }: Pick<StoredUnit, 'id' | 'orgId'>,
  loaded?: UnitTree,
): Promise<void> =>
  changeTree(app, { orgId, tree: loaded }, (tree) => ({
    next: hasUnit(tree, id) ? removeFromTree(tree, id) : tree,
    body: undefined,
    alsoWrites: [removeUnit(id)],
  }));

/** Moves a unit under another one, or to the root for a null `parentId`. Throws 400 for a link that is not allowed. */
export function linkUnit<R>(
  app: ChangePorts,
  {
    orgId,
    childId,
    parentId,
    tree: loaded,
  }: { orgId: string; childId: string; parentId: string | null; tree?: UnitTree },
  result: R,
): Promise<R> {
  return changeTree(app, { orgId, tree: loaded }, (tree) => ({
    next: moveWithin(tree, childId, parentId),
    body: result,
  }));
}

/** Moves a unit in a tree; the same tree if it is there. Throws 400 for a link that is not allowed. */
function moveWithin(tree: UnitTree, childId: string, parentId: string | null): UnitTree {
  const faults = findLinkFaults(tree, childId, parentId);
  if (faults.length > 0)
    throw problems.invalid(faults.map(({ member, detail }) => ({ pointer: `/body/${member}`, detail })));
  const isLinked = tree.units.some((unit) => unit.id === childId && unit.parentId === parentId);
  return isLinked ? tree : moveInTree(tree, childId, parentId);
}

/** Returns the parent for a list below a unit: the unit, or its descendant `parentId`. Throws 404 for any other unit. */
export function requireParentWithin(tree: UnitTree, unitId: string, parentId: string | undefined): string {
  if (parentId === undefined || parentId === unitId) return unitId;
  if (!findAncestorIds(tree, parentId).includes(unitId)) throw problems.notFound();
  return parentId;
}

/** Lists some ids of a parent's children, oldest first. Throws 404 when the parent is not in the tree. */
export function listChildIds(
  tree: UnitTree,
  parentId: string | null,
  { limit, after }: ListStart,
): Pick<ListBatch<string>, 'items' | 'last'> {
  if (parentId !== null && !hasUnit(tree, parentId)) throw problems.notFound();
  // If the unit at the position was deleted, the list starts again: duplicates are better than missing items.
  const units = tree.units.slice(tree.units.findIndex(({ id }) => id === after) + 1);
  const ids = findChildIds({ ...tree, units }, parentId);
  const items = ids.slice(0, limit);
  return { items, last: ids.length > limit ? (items.at(-1) ?? null) : null };
}

/** Lists some of a parent's children, oldest first. Throws 404 when the parent is not in the tree. */
export async function listChildren(
  { table }: Pick<Ports, 'table'>,
  tree: UnitTree,
  parentId: string | null,
  start: ListStart,
): Promise<ListBatch<Unit>> {
  const { items, last } = listChildIds(tree, parentId, start);
  return { items: await loadUnits(table, items), last, positions: new Map(items.map((id) => [id, id])) };
}
