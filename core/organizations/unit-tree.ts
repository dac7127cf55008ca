/** Units of an organization and their tree (interface "Unit", "Unit link"; contract section 3). Pure. */
import * as z from 'zod';
import { MAX_METADATA_BYTES } from '#core/organizations/model.ts';
import { Id, type Infer, jsonObject, PageQuery, schema, Timestamp, text } from '#core/schema/schema.ts';

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

/** How many levels the tree has from a unit down, that unit included; counted no further than one too many. */
export function levelsBelow(tree: UnitTree, unitId: string): number {
  let levels = 0;
  let level: ReadonlySet<string | null> = new Set([unitId]);
  while (level.size > 0 && levels <= MAX_LEVELS) {
    levels += 1;
    const above = level;
    level = new Set(tree.units.filter((unit) => above.has(unit.parentId)).map((unit) => unit.id));
  }
  return levels;
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

type LinkFault = { member: 'childId' | 'parentId'; detail: string };

/** Why a unit may not stand under another one, or at the root, with the members at fault; none when it may. */
export function linkFaults(tree: UnitTree, childId: string, parentId: string | null): LinkFault[] {
  const foreign = 'is not a unit of this organization';
  const faults: LinkFault[] = hasUnit(tree, childId) ? [] : [{ member: 'childId', detail: foreign }];
  if (parentId === null) return faults;
  if (!hasUnit(tree, parentId)) return [...faults, { member: 'parentId', detail: foreign }];
  const detail = placeFault(tree, childId, parentId);
  return detail === undefined ? faults : [...faults, { member: 'parentId', detail }];
}

function placeFault(tree: UnitTree, childId: string, parentId: string): string | undefined {
  if (childId === parentId) return 'must be another unit: a unit cannot be its own parent';
  const above = ancestorsOf(tree, parentId);
  if (above.includes(childId)) return 'is below the child: the link would close a cycle';
  const levels = above.length + 1 + levelsBelow(tree, childId);
  return levels > MAX_LEVELS ? `would make more than the ${MAX_LEVELS} levels that are allowed` : undefined;
}
