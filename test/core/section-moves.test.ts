/** Moves of sections along the path. Forms are drawn by `test/support/workflow.ts`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { presentNode } from '#core/structure/condition-rule.ts';
import { updateSection } from '#core/structure/questions.ts';
import { asksTooEarly, isSectionMove, moveSection, shiftSection } from '#core/structure/sections.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { condition, form, id, LATER, question, section } from '#test/support/workflow.ts';

/** a(p) → b(q) → a condition on q → c or d; c → d → e → end */
const drawn = form('a', [
  section('a', 'b', [question('p')]),
  section('b', 'if', [question('q')]),
  condition('if', { asks: 'q', pattern: 'x' }, 'c', 'd'),
  section('c', 'd', [question('r')]),
  section('d', 'e', [question('s')]),
  section('e', 'end', [question('t')]),
]);

const nameOf = (nodeId: string | undefined): string =>
  nodeId === undefined ? '' : Buffer.from(nodeId.slice(24), 'hex').toString().replaceAll('\0', '');
/** `a>b` for a link, `if>c/d` for a condition. */
const linksOf = ({ nodes }: Structure): string =>
  nodes
    .filter(({ type }) => type !== 'END')
    .map(({ id: from, next, nextTrue, nextFalse }) =>
      next === undefined && nextTrue !== undefined
        ? `${nameOf(from)}>${nameOf(nextTrue)}/${nameOf(nextFalse)}`
        : `${nameOf(from)}>${nameOf(next)}`,
    )
    .join(' ');

test.each([
  ['to the beginning', 'd', 'start', 'start>d a>b b>if if>c/e c>e d>a e>end'],
  ['to the end', 'a', 'e', 'start>b a>end b>if if>c/d c>d d>e e>a'],
  ['out of a branch', 'c', 'a', 'start>a a>c b>if if>d/d c>b d>e e>end'],
  ['into a branch', 'e', 'c', 'start>a a>b b>if if>c/d c>e d>end e>d'],
  ['with rules behind it: they stay', 'b', 'start', 'start>b a>if b>a if>c/d c>d d>e e>end'],
  ['before the rules of another one', 'e', 'b', 'start>a a>b b>e if>c/d c>d d>end e>if'],
  ['where it is', 'd', 'c', 'start>a a>b b>if if>c/d c>d d>e e>end'],
  ['behind itself', 'd', 'd', 'start>a a>b b>if if>c/d c>d d>e e>end'],
])('%s', (_where, name, after, links) => {
  expect(linksOf(moveSection(drawn, id(name), id(after)))).toBe(links);
});

test.each([
  ['none', 'a', 404],
  ['if', 'a', 404],
  ['a', 'none', 400],
  ['a', 'if', 400],
  ['a', 'end', 400],
])('%s behind %s is refused with %d', (name, after, status) => {
  expect(() => moveSection(drawn, id(name), id(after))).toThrow(expect.objectContaining({ status }));
});

test('what leads to a section that leads nowhere leads nowhere, and so does the section behind one', () => {
  const open = form('a', [section('a', 'b'), section('b', 'c'), section('c'), section('d')]);
  expect(linksOf(moveSection(open, id('c'), id('a')))).toBe('start>a a>c b> c>b d>');
  expect(linksOf(moveSection(open, id('a'), id('d')))).toBe('start>b a> b>c c> d>a');
});

describe('one place up or down', () => {
  test.each([
    ['a', 1, 'start>b a>if b>a if>c/d c>d d>e e>end'],
    ['b', -1, 'start>b a>if b>a if>c/d c>d d>e e>end'],
    ['d', 1, 'start>a a>b b>if if>c/e c>e d>end e>d'],
    ['e', -1, 'start>a a>b b>if if>c/e c>e d>end e>d'],
  ] as const)('%s by %d', (name, by, links) => {
    expect(linksOf(shiftSection(drawn, id(name), by))).toBe(links);
  });

  test.each([
    ['the first one up', 'a', -1],
    ['the last one down', 'e', 1],
    ['over a condition, down', 'b', 1],
    ['over a condition, up', 'c', -1],
    ['onto another branch, down', 'c', 1],
    ['off another branch, up', 'd', -1],
  ] as const)('nothing changes for %s', (_what, name, by) => {
    expect(shiftSection(drawn, id(name), by)).toBe(drawn);
  });
});

test('a rule or a source that then comes too late is noticed', () => {
  const { choices: _own, ...fed } = question('u', 'RANKING', { sourceId: id('v') });
  const sourced = form('a', [section('a', 'b', [question('v', 'MULTIPLE_CHOICE')]), section('b', 'end', [fed])]);
  const noticed = (structure: Structure, name: string, after: string) =>
    asksTooEarly(structure, moveSection(structure, id(name), id(after)));
  expect([noticed(drawn, 'b', 'e'), noticed(drawn, 'b', 'start'), noticed(drawn, 'd', 'e')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([noticed(sourced, 'b', 'start'), noticed(sourced, 'a', 'b')]).toEqual([true, true]);
  const late = moveSection(drawn, id('b'), id('e'));
  expect(asksTooEarly(late, moveSection(late, id('d'), id('start')))).toBe(false);
});

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const anyLink = fc.option(fc.constantFrom(...NAMES, 'if', 'or', 'end'), { nil: undefined });
/** Any links at all: also cycles, dead ends and parts that nothing leads to. */
const anyForm = fc
  .record({
    first: anyLink,
    next: fc.array(anyLink, { minLength: 5, maxLength: 5 }),
    both: fc.array(anyLink, { minLength: 4, maxLength: 4 }),
  })
  .map(({ first, next, both: [yes, no, or, nor] }) =>
    form(first, [
      ...NAMES.map((name, index) => section(name, next[index], [question(`q${name}`)])),
      condition('if', { asks: 'qa', pattern: 'x' }, yes, no),
      condition('or', { asks: 'qc', pattern: 'x' }, or, nor),
    ]),
  );
const anyMove = fc.tuple(fc.constantFrom(...NAMES).map(id), fc.constantFrom('start', ...NAMES).map(id));

test('nothing but links changes, every question stays, and PUT accepts the result as GET returns it', () => {
  const withoutLinks = ({ nodes }: Structure) =>
    nodes.map(({ next: _next, nextTrue: _true, nextFalse: _false, ...rest }) => rest);
  fc.assert(
    fc.property(
      fc.oneof(fc.constant(drawn), anyForm),
      fc.array(anyMove, { minLength: 1, maxLength: 4 }),
      (start, moves) => {
        const moved = moves.reduce((before, [name, after]) => moveSection(before, name, after), start);
        expect(moved.sections).toBe(start.sections);
        expect(withoutLinks(moved)).toEqual(withoutLinks(start));
        const sent = moved.nodes.map((node) => presentNode(moved, node));
        expect(replaceWorkflow(start, sent, LATER).nodes).toEqual(moved.nodes);
      },
    ),
  );
});

test('a form that can be published has only answers that are asked for too early as faults afterwards', () => {
  fc.assert(
    fc.property(fc.array(anyMove, { maxLength: 6 }), (moves) => {
      const moved = moves.reduce((before, [name, after]) => moveSection(before, name, after), drawn);
      for (const { nodeId, message } of workflowInfo(moved)) {
        expect([nodeId, message]).toEqual([id('if'), expect.stringContaining('no path')]);
      }
    }),
  );
});

test('a move is told from every other edit', () => {
  const moved = moveSection(drawn, id('d'), id('a'));
  const relinked = {
    ...drawn,
    nodes: drawn.nodes.map((node) => (node.id === id('d') ? { ...node, next: id('end') } : node)),
  };
  expect(isSectionMove(drawn, moved)).toBe(true);
  expect(isSectionMove(drawn, drawn)).toBe(false);
  expect(isSectionMove(drawn, relinked)).toBe(false);
  expect(isSectionMove(drawn, updateSection(moved, id('b'), { title: 'B' }, LATER))).toBe(false);
  expect(isSectionMove(drawn, updateSection(moved, id('b'), { description: null }, LATER))).toBe(false);
});
