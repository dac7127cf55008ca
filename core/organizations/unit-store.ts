/** Reads and writes units: each unit is an item, and their tree is one item of the organization. */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import type { Unit } from './unit-model.ts';
import { EMPTY_TREE, type UnitTree } from './unit-tree.ts';

/** A unit as it is stored, with the organization it belongs to. */
export type StoredUnit = Unit & { orgId: string; version: number };

/** The unit of an item, or undefined. */
export const unitOf = (item: Item | undefined): StoredUnit | undefined =>
  item ? { ...decode<Omit<StoredUnit, 'version'>>(item), version: Number(item.version) } : undefined;

/** The tree of an item; empty when there is none. */
export const treeOf = (item: Item | undefined): UnitTree =>
  item ? { ...decode<Omit<UnitTree, 'version'>>(item), version: Number(item.version) } : EMPTY_TREE;

/** The tree of an organization's units. */
export async function loadTree(table: Table, orgId: string): Promise<UnitTree> {
  const [item] = await table.read([keys.unitTree(orgId)]);
  return treeOf(item);
}

/** The units with the given ids, in this order; absent ones are left out. */
export async function loadUnits(table: Table, unitIds: readonly string[]): Promise<StoredUnit[]> {
  const items = await table.read(unitIds.map(keys.unit));
  return items.map(unitOf).filter((unit) => unit !== undefined);
}

/** The write that replaces a tree; refused unless the stored version is that of `previous`. */
export function replaceTree(orgId: string, previous: UnitTree, next: UnitTree): Write {
  const item = { ...keys.unitTree(orgId), ...encode({ units: next.units }), version: previous.version + 1 };
  return { put: item, when: previous.version === 0 ? { absent: true } : { equals: { version: previous.version } } };
}

const unitItem = ({ version, ...data }: StoredUnit): Item => ({ ...keys.unit(data.id), ...encode(data), version });

/** The write that creates a unit. */
export const insertUnit = (unit: StoredUnit): Write => ({ put: unitItem(unit), when: { absent: true } });

/** The write that replaces a unit; refused unless the stored version is the previous one. */
export const replaceUnit = (unit: StoredUnit): Write => ({
  put: unitItem(unit),
  when: { equals: { version: unit.version - 1 } },
});

/** The write that removes a unit. */
export const removeUnit = (unitId: string): Write => ({ remove: keys.unit(unitId) });
