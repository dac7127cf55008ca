/**
 * The tree of an organization's units (contract section 3, "Linking refuses with 400"). The property runs any sequence
 * of creating, linking and deleting against the simplest model there is: for each unit the unit above it.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ancestorsOf,
  childrenOf,
  EMPTY_TREE,
  fellUnit,
  graftUnit,
  hasUnit,
  levelsBelow,
  linkFaults,
  MAX_LEVELS,
  plantUnit,
  type UnitTree,
} from '#core/organizations/unit-tree.ts';

const planted = (ids: readonly string[]): UnitTree => ids.reduce(plantUnit, EMPTY_TREE);

/** A chain of units, each under the one before it: `a1` at the top. */
function chain(name: string, length: number, tree: UnitTree = EMPTY_TREE): UnitTree {
  const ids = Array.from({ length }, (_, index) => `${name}${index + 1}`);
  return ids.reduce(
    (grown, id, index) => graftUnit(plantUnit(grown, id), id, index === 0 ? null : `${name}${index}`),
    tree,
  );
}

const members = (tree: UnitTree, childId: string, parentId: string | null): string[] =>
  linkFaults(tree, childId, parentId).map(({ member }) => member);

describe('a new unit', () => {
  test('stands at the root, behind those that were there', () => {
    expect(childrenOf(planted(['a', 'b', 'c']), null)).toEqual(['a', 'b', 'c']);
  });
});

describe('linking', () => {
  test('moves a unit with all that is below it, and siblings keep the order of their creation', () => {
    const tree = graftUnit(graftUnit(graftUnit(planted(['a', 'b', 'c', 'd']), 'c', 'b'), 'd', 'a'), 'b', 'a');
    expect(childrenOf(tree, null)).toEqual(['a']);
    expect(childrenOf(tree, 'a')).toEqual(['b', 'd']);
    expect(ancestorsOf(tree, 'c')).toEqual(['b', 'a']);
  });

  test('refuses a unit under itself, or under anything below it', () => {
    const tree = chain('a', 4);
    expect(members(tree, 'a1', 'a1')).toEqual(['parentId']);
    expect(members(tree, 'a1', 'a2')).toEqual(['parentId']);
    expect(members(tree, 'a1', 'a4')).toEqual(['parentId']);
    expect(members(tree, 'a4', 'a1')).toEqual([]);
  });

  test('refuses units that are not in the tree, both at once', () => {
    expect(members(planted(['a']), 'x', 'a')).toEqual(['childId']);
    expect(members(planted(['a']), 'a', 'x')).toEqual(['parentId']);
    expect(members(planted(['a']), 'x', 'y')).toEqual(['childId', 'parentId']);
    expect(members(planted(['a']), 'x', null)).toEqual(['childId']);
  });

  test('allows 32 levels and refuses the 33rd, whether the child or what is below it would stand there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 34 }), fc.integer({ min: 1, max: 34 }), (above, below) => {
        const tree = chain('b', below, chain('a', above));
        const allowed = members(tree, 'b1', `a${above}`).length === 0;
        expect(allowed).toBe(above + below <= MAX_LEVELS);
      }),
    );
    expect(MAX_LEVELS).toBe(32);
  });

  test('to the root is always allowed', () => {
    expect(members(chain('a', 40), 'a7', null)).toEqual([]);
  });
});

describe('levels below a unit', () => {
  test('count the longest way down, the unit itself included', () => {
    const tree = graftUnit(plantUnit(chain('a', 5), 'leaf'), 'leaf', 'a2');
    expect(['a1', 'a2', 'a4', 'a5', 'leaf'].map((id) => levelsBelow(tree, id))).toEqual([5, 4, 2, 1, 1]);
  });
});

type Step = { kind: 'plant' } | { kind: 'link'; child: number; parent: number | null } | { kind: 'fell'; unit: number };
const place = fc.nat(11);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: 'plant' as const }),
  fc.record({ kind: fc.constant('link' as const), child: place, parent: fc.option(place) }),
  fc.record({ kind: fc.constant('fell' as const), unit: place }),
);

/** The model: for each unit, in the order of creation, the unit above it. */
type Model = Map<string, string | null>;

function isBelow(model: Model, id: string, ancestor: string): boolean {
  const above = model.get(id) ?? null;
  return above !== null && (above === ancestor || isBelow(model, above, ancestor));
}

function apply(model: Model, tree: UnitTree, asked: Step, fresh: string): UnitTree {
  const nth = (index: number): string => [...model.keys()][index] ?? 'unknown';
  if (asked.kind === 'plant') {
    model.set(fresh, null);
    return plantUnit(tree, fresh);
  }
  if (asked.kind === 'fell') {
    const gone = nth(asked.unit);
    const above = model.get(gone) ?? null;
    model.delete(gone);
    for (const [id, parent] of model) if (parent === gone) model.set(id, above);
    return fellUnit(tree, gone);
  }
  const child = nth(asked.child);
  const parent = asked.parent === null ? null : nth(asked.parent);
  const known = model.has(child) && (parent === null || model.has(parent));
  const allowed = known && parent !== child && (parent === null || !isBelow(model, parent, child));
  expect(linkFaults(tree, child, parent).length === 0).toBe(allowed);
  if (!allowed) return tree;
  model.set(child, parent);
  return graftUnit(tree, child, parent);
}

test('any sequence of creating, linking and deleting leaves the tree that the model has', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model: Model = new Map();
      let tree: UnitTree = EMPTY_TREE;
      for (const [index, asked] of steps.entries()) {
        tree = apply(model, tree, asked, `unit ${index}`);
        expect(tree.units.map(({ id, parentId }) => [id, parentId])).toEqual([...model]);
      }
      for (const id of model.keys()) {
        expect(hasUnit(tree, id)).toBe(true);
        expect(childrenOf(tree, id)).toEqual([...model.keys()].filter((other) => model.get(other) === id));
        expect(ancestorsOf(tree, id).sort()).toEqual([...model.keys()].filter((up) => isBelow(model, id, up)).sort());
      }
    }),
  );
});
