/** The tree of an organization's units, as pure functions. */

/** The largest number of units of an organization: their tree is one item. */
export const MAX_UNITS = 4_000;
/** The largest number of levels of a tree. */
export const MAX_LEVELS = 32;

/** All units of an organization, oldest first, with their parents; null is the root. */
export type UnitTree = { version: number; units: { id: string; parentId: string | null }[] };

export const EMPTY_TREE: UnitTree = { version: 0, units: [] };

/** Whether a unit is in a tree. */
export const hasUnit = (tree: UnitTree, unitId: string): boolean => tree.units.some((unit) => unit.id === unitId);

/** Lists the ids of the direct children of a unit, or of the root. */
export const findChildIds = (tree: UnitTree, parentId: string | null): string[] =>
  tree.units.filter((unit) => unit.parentId === parentId).map((unit) => unit.id);

/** Lists the ids of a unit's ancestors, nearest first. */
export function findAncestorIds(tree: UnitTree, unitId: string): string[] {
  const parents = new Map(tree.units.map((unit) => [unit.id, unit.parentId]));
  const ancestors: string[] = [];
  let parentId = parents.get(unitId) ?? null;
  while (parentId !== null && !ancestors.includes(parentId)) {
    ancestors.push(parentId);
    parentId = parents.get(parentId) ?? null;
  }
  return ancestors;
}

/** Counts the levels of the subtree of a unit, including the unit, up to `MAX_LEVELS` + 1. */
export function countLevels(tree: UnitTree, unitId: string): number {
  let levels = 0;
  let level: ReadonlySet<string | null> = new Set([unitId]);
  while (level.size > 0 && levels <= MAX_LEVELS) {
    levels += 1;
    const parents = level;
    level = new Set(tree.units.filter((unit) => parents.has(unit.parentId)).map((unit) => unit.id));
  }
  return levels;
}

/** Adds a unit at the root of a tree. */
export const addToTree = (tree: UnitTree, unitId: string): UnitTree => ({
  ...tree,
  units: [...tree.units, { id: unitId, parentId: null }],
});

/** Removes a unit from a tree; its children move to its parent. */
export function removeFromTree(tree: UnitTree, unitId: string): UnitTree {
  const parentId = tree.units.find((unit) => unit.id === unitId)?.parentId ?? null;
  const rest = tree.units.filter((unit) => unit.id !== unitId);
  return { ...tree, units: rest.map((unit) => (unit.parentId === unitId ? { ...unit, parentId } : unit)) };
}

/** Moves a unit, with its subtree, to another parent. */
export const moveInTree = (tree: UnitTree, unitId: string, parentId: string | null): UnitTree => ({
  ...tree,
  units: tree.units.map((unit) => (unit.id === unitId ? { ...unit, parentId } : unit)),
});

type LinkFault = { member: 'childId' | 'parentId'; detail: string };

/** Lists the faults of a link by member of the request; empty if it is allowed. A null `parentId` is the root. */
export function findLinkFaults(tree: UnitTree, childId: string, parentId: string | null): LinkFault[] {
  const unknown = 'is not a unit of this organization';
  const faults: LinkFault[] = hasUnit(tree, childId) ? [] : [{ member: 'childId', detail: unknown }];
  if (parentId === null) return faults;
  if (!hasUnit(tree, parentId)) return [...faults, { member: 'parentId', detail: unknown }];
  const detail = findParentFault(tree, childId, parentId);
  return detail === undefined ? faults : [...faults, { member: 'parentId', detail }];
}

function findParentFault(tree: UnitTree, childId: string, parentId: string): string | undefined {
  if (childId === parentId) return 'must be another unit: a unit cannot be its own parent';
  const ancestors = findAncestorIds(tree, parentId);
  if (ancestors.includes(childId)) return 'is below the child: the link would create a cycle';
  const levels = ancestors.length + 1 + countLevels(tree, childId);
  return levels > MAX_LEVELS ? `would exceed the limit of ${MAX_LEVELS} levels` : undefined;
}
