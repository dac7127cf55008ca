/** Units of an organization and their tree (interface "Unit", "Unit link"; contract section 3). Pure. */
import * as z from 'zod';
import { MAX_METADATA_BYTES } from '#core/orgs/model.ts';
import { Id, type Infer, jsonObject, PageQuery, schema, Timestamp, text } from '#core/schema/model.ts';

export const UnitInput = schema(() =>
  z
    .object({ name: text(1, 255), description: text(0, 2_000), metadata: jsonObject(MAX_METADATA_BYTES) })
    .meta({ id: 'UnitInput' }),
);
export type UnitInput = Infer<typeof UnitInput>;

export const Unit = schema(() =>
  z
    .object({
      id: Id(),
      name: z.string(),
      description: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'Unit' }),
);
export type Unit = Infer<typeof Unit>;

export const UnitLink = schema(() =>
  z.object({ parentId: Id().nullish(), childId: Id(), orgId: Id() }).meta({ id: 'UnitLink' }),
);

export const UnitQuery = schema(() =>
  PageQuery().extend({ parentId: Id().optional().describe('The unit whose children are listed.') }),
);

/** The most units of an organization: their tree is one item. */
export const MAX_UNITS = 4_000;
/** The most levels of the tree (contract section 3). */
export const MAX_LEVELS = 32;

/** Every unit of an organization with its parent, null at the root, in the order they were created. */
export type UnitTree = { version: number; units: { id: string; parentId: string | null }[] };

export const EMPTY_TREE: UnitTree = { version: 0, units: [] };

/** Whether a unit is in a tree. */
export const hasUnit = (tree: UnitTree, unitId: string): boolean => tree.units.some((unit) => unit.id === unitId);

/** The ids of the direct children of a unit, or of the root. */
export const childrenOf = (tree: UnitTree, parentId: string | null): string[] =>
  tree.units.filter((unit) => unit.parentId === parentId).map((unit) => unit.id);

/** A unit's ancestors, nearest first. */
export function ancestorsOf(tree: UnitTree, unitId: string): string[] {
  const parents = new Map(tree.units.map((unit) => [unit.id, unit.parentId]));
  const ancestors: string[] = [];
  let parentId = parents.get(unitId) ?? null;
  while (parentId !== null && !ancestors.includes(parentId)) {
    ancestors.push(parentId);
    parentId = parents.get(parentId) ?? null;
  }
  return ancestors;
}

/** How many levels the tree has from a unit down, that unit included. */
export function levelsBelow(tree: UnitTree, unitId: string): number {
  const deepest = tree.units
    .map((unit) => ancestorsOf(tree, unit.id).indexOf(unitId) + 1)
    .reduce((most, depth) => Math.max(most, depth), 0);
  return deepest + 1;
}

/** A tree with one more unit at the root. */
export const plantUnit = (tree: UnitTree, unitId: string): UnitTree => ({
  ...tree,
  units: [...tree.units, { id: unitId, parentId: null }],
});

/** A tree without a unit; its children move to its parent. */
export function fellUnit(tree: UnitTree, unitId: string): UnitTree {
  const parentId = tree.units.find((unit) => unit.id === unitId)?.parentId ?? null;
  const rest = tree.units.filter((unit) => unit.id !== unitId);
  return { ...tree, units: rest.map((unit) => (unit.parentId === unitId ? { ...unit, parentId } : unit)) };
}

/** A tree in which a unit stands under another one, or at the root. */
export const graftUnit = (tree: UnitTree, unitId: string, parentId: string | null): UnitTree => ({
  ...tree,
  units: tree.units.map((unit) => (unit.id === unitId ? { ...unit, parentId } : unit)),
});

/** Why a unit may not stand under another one, with the member at fault; null when it may. */
export function linkFault(
  tree: UnitTree,
  childId: string,
  parentId: string | null,
): { member: 'childId' | 'parentId'; detail: string } | null {
  if (!hasUnit(tree, childId)) return { member: 'childId', detail: 'is not a unit of this organization' };
  if (parentId === null) return null;
  if (!hasUnit(tree, parentId)) return { member: 'parentId', detail: 'is not a unit of this organization' };
  if (childId === parentId)
    return { member: 'parentId', detail: 'must be another unit: a unit cannot be its own parent' };
  const above = ancestorsOf(tree, parentId);
  if (above.includes(childId))
    return { member: 'parentId', detail: 'is below the child: the link would close a cycle' };
  const levels = above.length + 1 + levelsBelow(tree, childId);
  if (levels > MAX_LEVELS)
    return { member: 'parentId', detail: `would make ${levels} levels; ${MAX_LEVELS} are allowed` };
  return null;
}
