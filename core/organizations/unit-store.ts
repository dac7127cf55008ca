/** Reads and writes units: each is an item of its own, their tree is one item under the organization. */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { EMPTY_TREE, type Unit, type UnitTree } from './unit-tree.ts';

/** A unit as it is stored, with the organization it belongs to. */
export type StoredUnit = Unit & { orgId: string; version: number };

/** The unit of an item, or undefined. */
export const unitOf = (item: Item | undefined): StoredUnit | undefined =>
  item ? { ...decode<Omit<StoredUnit, 'version'>>(item), version: Number(item.version) } : undefined;

/** The tree of an item; an organization that never had units has an empty one. */
export const treeOf = (item: Item | undefined): UnitTree =>
  item ? { ...decode<Omit<UnitTree, 'version'>>(item), version: Number(item.version) } : EMPTY_TREE;

/** The tree of an organization's units. */
export async function loadTree(table: Table, orgId: string): Promise<UnitTree> {
  const [item] = await table.read([keys.unitTree(orgId)]);
  return treeOf(item);
}

/** The units of some ids (100 at most), in that order; absent ones are left out. */
export async function loadUnits(table: Table, unitIds: readonly string[]): Promise<StoredUnit[]> {
  const items = await table.read(unitIds.map(keys.unit));
  return items.map(unitOf).filter((unit) => unit !== undefined);
}

/** The write that replaces a tree of the version before it. */
export function replaceTree(orgId: string, before: UnitTree, next: UnitTree): Write {
  const item = { ...keys.unitTree(orgId), ...encode({ units: next.units }), version: before.version + 1 };
  return { put: item, when: before.version === 0 ? { absent: true } : { equals: { version: before.version } } };
}

/** The write that creates a unit. */
export function createUnit(unit: StoredUnit): Write {
  const { version, ...data } = unit;
  return { put: { ...keys.unit(unit.id), ...encode(data), version }, when: { absent: true } };
}

/** The write that replaces a unit of the version before it. */
export function replaceUnit(unit: StoredUnit): Write {
  const { version, ...data } = unit;
  return { put: { ...keys.unit(unit.id), ...encode(data), version }, when: { equals: { version: version - 1 } } };
}

/** The write that removes a unit. */
export const removeUnit = (unitId: string): Write => ({ remove: keys.unit(unitId) });
