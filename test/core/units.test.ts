/**
 * The tree of an organization's units. The property runs any sequence of adding, linking and removing units against
 * the simplest model: the parent of each unit.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addToTree,
  countLevels,
  EMPTY_TREE,
  findAncestorIds,
  findChildIds,
  findLinkFaults,
  hasUnit,
  MAX_LEVELS,
  moveInTree,
  removeFromTree,
  type UnitTree,
} from '#core/organizations/unit-tree.ts';

const treeOf = (ids: readonly string[]): UnitTree => ids.reduce(addToTree, EMPTY_TREE);

/** A tree with more units, each under the one before it: `a1` at the root, `a2` under it. */
function chain(name: string, length: number, tree: UnitTree = EMPTY_TREE): UnitTree {
  const ids = Array.from({ length }, (_, index) => `${name}${index + 1}`);
  return ids.reduce((next, id, index) => moveInTree(addToTree(next, id), id, ids[index - 1] ?? null), tree);
}

const faultyMembers = (tree: UnitTree, childId: string, parentId: string | null): string[] =>
  findLinkFaults(tree, childId, parentId).map(({ member }) => member);

describe('linking', () => {
  test('moves a unit with all that is below it; siblings keep the order of their creation', () => {
    const tree = moveInTree(moveInTree(moveInTree(treeOf(['a', 'b', 'c', 'd']), 'c', 'b'), 'd', 'a'), 'b', 'a');
    expect(findChildIds(tree, null)).toEqual(['a']);
    expect(findChildIds(tree, 'a')).toEqual(['b', 'd']);
    expect(findAncestorIds(tree, 'c')).toEqual(['b', 'a']);
  });

  test('refuses a unit under itself or below itself', () => {
    const tree = chain('a', 4);
    for (const parentId of ['a1', 'a2', 'a4']) expect(faultyMembers(tree, 'a1', parentId)).toEqual(['parentId']);
    expect(faultyMembers(tree, 'a4', 'a1')).toEqual([]);
  });

  test('reports each unit that is not in the tree', () => {
    const tree = treeOf(['a']);
    expect(faultyMembers(tree, 'x', 'a')).toEqual(['childId']);
    expect(faultyMembers(tree, 'a', 'x')).toEqual(['parentId']);
    expect(faultyMembers(tree, 'x', 'y')).toEqual(['childId', 'parentId']);
    expect(faultyMembers(tree, 'x', null)).toEqual(['childId']);
  });

  test('allows 32 levels, counting those above the parent and those below the child', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 34 }), fc.integer({ min: 1, max: 34 }), (above, below) => {
        const tree = chain('b', below, chain('a', above));
        const allowed = faultyMembers(tree, 'b1', `a${above}`).length === 0;
        expect(allowed).toBe(above + below <= MAX_LEVELS);
      }),
    );
    expect(MAX_LEVELS).toBe(32);
  });

  test('to the root is always allowed', () => {
    expect(faultyMembers(chain('a', 40), 'a7', null)).toEqual([]);
  });
});

test('the levels below a unit are those of the longest way down, the unit included', () => {
  const tree = moveInTree(addToTree(chain('a', 5), 'leaf'), 'leaf', 'a2');
  expect(['a1', 'a2', 'a4', 'a5', 'leaf'].map((id) => countLevels(tree, id))).toEqual([5, 4, 2, 1, 1]);
});

type Step = { kind: 'add' } | { kind: 'link'; child: number; parent: number | null } | { kind: 'remove'; unit: number };
const index = fc.nat(11);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: 'add' as const }),
  fc.record({ kind: fc.constant('link' as const), child: index, parent: fc.option(index) }),
  fc.record({ kind: fc.constant('remove' as const), unit: index }),
);

/** The parent of each unit, in the order of creation. */
type Model = Map<string, string | null>;

function isBelow(model: Model, id: string, ancestor: string): boolean {
  const parentId = model.get(id) ?? null;
  return parentId !== null && (parentId === ancestor || isBelow(model, parentId, ancestor));
}

function apply(model: Model, tree: UnitTree, step: Step, newId: string): UnitTree {
  const nth = (index: number): string => [...model.keys()][index] ?? 'unknown';
  if (step.kind === 'add') {
    model.set(newId, null);
    return addToTree(tree, newId);
  }
  if (step.kind === 'remove') {
    const removed = nth(step.unit);
    const parentId = model.get(removed) ?? null;
    model.delete(removed);
    for (const [id, parent] of model) if (parent === removed) model.set(id, parentId);
    return removeFromTree(tree, removed);
  }
  const child = nth(step.child);
  const parent = step.parent === null ? null : nth(step.parent);
  const exist = model.has(child) && (parent === null || model.has(parent));
  const allowed = exist && parent !== child && (parent === null || !isBelow(model, parent, child));
  expect(findLinkFaults(tree, child, parent).length === 0).toBe(allowed);
  if (!allowed) return tree;
  model.set(child, parent);
  return moveInTree(tree, child, parent);
}

test('any sequence of adding, linking and removing gives the tree of the model', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model: Model = new Map();
      let tree: UnitTree = EMPTY_TREE;
      for (const [index, step] of steps.entries()) {
        tree = apply(model, tree, step, `unit ${index}`);
        expect(tree.units.map(({ id, parentId }) => [id, parentId])).toEqual([...model]);
      }
      for (const id of model.keys()) {
        expect(hasUnit(tree, id)).toBe(true);
        expect(findChildIds(tree, id)).toEqual([...model.keys()].filter((other) => model.get(other) === id));
        expect(findAncestorIds(tree, id).sort()).toEqual(
          [...model.keys()].filter((up) => isBelow(model, id, up)).sort(),
        );
      }
    }),
  );
});
