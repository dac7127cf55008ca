/** Copies of sections. Forms are drawn by `test/support/workflow.ts`. */

import { expect, test } from 'vitest';
import { MAX_QUESTIONS, MAX_SECTIONS } from '#core/schema/limits.ts';
import { copySection } from '#core/structure/sections.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { condition, form, id, LATER, question, section } from '#test/support/workflow.ts';

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** The edit, with ids n0, n1, … in the order in which they are made. */
function copied(structure: Parameters<typeof copySection>[0], name: string) {
  let made = 0;
  return copySection(structure, id(name), { copyId: id('copy'), newId: () => id(`n${made++}`), now: LATER });
}

/** A question that takes its choices from another one. */
const fed = (name: string, type: 'DROPDOWN' | 'RANKING', source: string) =>
  question(name, 'SHORT_TEXT', { type, sourceId: id(source) });

/** a(far) → b(pick, same, other, plain) → a condition on pick → c or end */
const drawn = form('a', [
  section('a', 'b', [question('far', 'MULTIPLE_CHOICE')]),
  section('b', 'if', [
    fed('same', 'DROPDOWN', 'pick'),
    question('pick', 'MULTIPLE_CHOICE', { moves: [{ from: id('a'), version: 1 }] }),
    fed('other', 'RANKING', 'far'),
  ]),
  condition('if', { asks: 'pick', pattern: 'x', source: 'CHOICE' }, 'c', 'end'),
  section('c', 'end', [fed('last', 'DROPDOWN', 'pick')]),
]);

test('a copied section follows the original, and leads where that led', () => {
  const { nodes, sections } = copied(drawn, 'b');
  const next = Object.fromEntries(nodes.map((node) => [node.id, node.next]));
  expect(next).toMatchObject({ [id('a')]: id('b'), [id('b')]: id('copy'), [id('copy')]: id('if') });
  expect(nodes.find((node) => node.id === id('copy'))).toMatchObject({ type: 'SECTION', label: 'b' });
  expect(sections.map((each) => each.id)).toEqual(['a', 'b', 'c', 'copy'].map(id));
  expect(workflowInfo(copied(drawn, 'b'))).toEqual(workflowInfo(drawn));
});

test('its questions and choices are new, and take their choices from questions that were copied with them', () => {
  const { sections } = copied(drawn, 'b');
  const copy = sections.at(-1)?.questions ?? [];
  const [same, pick, other] = copy;
  expect(copy.map(({ title, createdAt }) => [title, createdAt])).toEqual([
    ['same', LATER],
    ['pick', LATER],
    ['other', LATER],
  ]);
  expect([same?.sourceId, other?.sourceId]).toEqual([pick?.id, id('far')]);
  expect(pick?.choices?.map(({ name }) => name)).toEqual(['pick1', 'pick2']);
  const old = new Set(
    drawn.sections
      .flatMap(({ questions }) => questions)
      .flatMap((each) => [each.id, ...(each.choices ?? []).map((choice) => choice.id)]),
  );
  const made = copy.flatMap((each) => [each.id, ...(each.choices ?? []).map((choice) => choice.id)]);
  expect([new Set(made).size, made.filter((each) => old.has(each))]).toEqual([5, []]);
});

test('nothing else of the form changes: neither rules nor questions elsewhere', () => {
  const { nodes, sections } = copied(drawn, 'b');
  const others = <T extends { id: string }>(list: readonly T[]) =>
    list.filter((each) => each.id !== id('copy') && each.id !== id('b'));
  expect([others(nodes), others(sections)]).toEqual([others(drawn.nodes), others(drawn.sections)]);
  expect(sections[1]).toBe(drawn.sections[1]);
});

test('the copy of a section that leads nowhere leads nowhere', () => {
  const { nodes } = copied(form('a', [section('a')]), 'a');
  expect(nodes.find((node) => node.id === id('a'))?.next).toBe(id('copy'));
  expect(nodes.find((node) => node.id === id('copy'))).not.toHaveProperty('next');
});

test('a form gets neither too many sections nor too many questions', () => {
  const withQuestions = (count: number) =>
    form('a', [
      section('a', 'b', [question('q')]),
      section(
        'b',
        'end',
        range(count).map((n) => question(`q${n}`)),
      ),
    ]);
  expect(copied(withQuestions(MAX_QUESTIONS - 2), 'a').sections).toHaveLength(3);
  expect(() => copied(withQuestions(MAX_QUESTIONS - 1), 'a')).toThrow('questions');
  const withSections = (count: number) =>
    form(
      's0',
      range(count).map((n) => section(`s${n}`, 'end')),
    );
  expect(copied(withSections(MAX_SECTIONS - 1), 's0').sections).toHaveLength(MAX_SECTIONS);
  expect(() => copied(withSections(MAX_SECTIONS), 's0')).toThrow('SECTION');
});

test('an unknown section is not found', () => {
  expect(() => copied(drawn, 'none')).toThrow(expect.objectContaining({ status: 404 }));
});
