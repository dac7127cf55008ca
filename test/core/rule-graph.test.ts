/** The graph that is drawn: every way of a form once, and of a large form the part around a node. */
import { expect, test } from 'vitest';
import { buildRuleGraph, type RuleGraph } from '#core/structure/rule-graph.ts';
import { condition, form, id, question, section } from '#test/support/workflow.ts';

const nameOf = (nodeId: string): string => Buffer.from(nodeId.slice(-12).replace(/^(?:00)+/, ''), 'hex').toString();
const linksOf = ({ links }: RuleGraph): string[] =>
  links.map(({ from, to, isOtherwise }) => `${nameOf(from)} ${isOtherwise ? '⇢' : '→'} ${nameOf(to)}`);

test('a list of rules is links of its section; other conditions are nodes', () => {
  const rule = { asks: 'text', pattern: 'a' };
  const structure = form('s0', [
    section('s0', 'c1', [question('text')]),
    condition('c1', rule, 's2', 'c2'),
    condition('c2', rule, 's2', 's1'),
    section('s1', 'c3'),
    section('s2', 'c3'),
    condition('c3', rule, 's3', 'end'),
    section('s3', 'end'),
    section('s4'),
  ]);
  const graph = buildRuleGraph(structure);
  expect(graph.isPart).toBe(false);
  expect(graph.nodes.map((node) => nameOf(node.id)).sort()).toEqual(
    ['c3', 'end', 's0', 's1', 's2', 's3', 's4', 'start'].sort(),
  );
  expect(linksOf(graph).sort()).toEqual(
    ['start → s0', 's0 → s2', 's0 ⇢ s1', 's1 → c3', 's2 → c3', 'c3 → s3', 'c3 ⇢ end', 's3 → end'].sort(),
  );
});

const chain = (count: number) =>
  form(
    'n0',
    Array.from({ length: count }, (_, index) => section(`n${index}`, index + 1 < count ? `n${index + 1}` : 'end')),
  );

test.each([
  [38, undefined, false, ['start', 'n37', 'end']],
  [39, undefined, true, ['start', 'n0', 'n38']],
  [100, 'n50', true, ['n31', 'n50', 'n69']],
  [100, 'gone', true, ['start', 'n0', 'n38']],
])('of %i sections around %s it is a part: %s', (count, around, isPart, shown) => {
  const graph = buildRuleGraph(chain(count), around && id(around));
  const names = graph.nodes.map((node) => nameOf(node.id));
  expect([graph.isPart, names.length]).toEqual([isPart, 40]);
  expect(names).toEqual(expect.arrayContaining(shown));
  expect(graph.links).toHaveLength(39);
});

test('of a form with more than 150 links it is a smaller part', () => {
  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  // Each section has rules to nine others.
  const parts = names.flatMap((name, index) => [
    section(name, `${name}r0`, [question(`${name}q`)]),
    ...Array.from({ length: 9 }, (_, rule) =>
      condition(
        `${name}r${rule}`,
        { asks: `${name}q`, pattern: 'a' },
        names[(index + 2 + rule) % 30],
        rule < 8 ? `${name}r${rule + 1}` : (names[index + 1] ?? 'end'),
      ),
    ),
  ]);
  const { isPart, nodes, links } = buildRuleGraph(form('n0', parts), id('n15'));
  expect([isPart, nodes.length]).toEqual([true, 20]);
  expect(links.length).toBeLessThanOrEqual(150);
  expect(nodes.map((node) => nameOf(node.id))).toContain('n15');
});
