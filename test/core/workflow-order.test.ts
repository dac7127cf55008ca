/**
 * The order that a workflow gives its sections (contract section 5), and the laws that paths obey in random forms
 * (contract section 6). Single rules of paths are in `workflow-path.test.ts`.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayOrder, mayComeBefore, walk } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import { answers, condition, form, id, question, section } from '#test/support/workflow.ts';

const names = (ids: readonly string[]): string[] =>
  ids.map((each) => Buffer.from(each.slice(-12), 'hex').toString().replaceAll('\0', ''));

describe('the display order', () => {
  test('puts a section that joins two branches after both, and the true branch first', () => {
    const structure = form('a', [
      section('join', 'end'),
      section('no', 'join'),
      section('yes', 'yes2'),
      section('yes2', 'join'),
      condition('if', undefined, 'yes', 'no'),
      section('a', 'if'),
    ]);
    expect(names(displayOrder(structure))).toEqual(['a', 'yes', 'yes2', 'no', 'join']);
  });

  test('puts a section that the true branch skips to after the false branch that leads there too', () => {
    const structure = form('if', [
      condition('if', undefined, 'join', 'no'),
      section('join', 'end'),
      section('no', 'join'),
    ]);
    expect(names(displayOrder(structure))).toEqual(['no', 'join']);
  });

  test('puts unreachable sections last, in the order of the structure', () => {
    const structure = form('b', [section('z'), section('b', 'end'), section('y', 'b')]);
    expect(names(displayOrder(structure))).toEqual(['b', 'z', 'y']);
  });

  test('still names each section once when the graph goes round', () => {
    const structure = form('a', [section('b', 'a'), section('a', 'b')]);
    expect(names(displayOrder(structure))).toEqual(['a', 'b']);
  });

  test('copes with a path as long as a structure can be', () => {
    const chain = Array.from({ length: 5_000 }, (_, n) => section(`n${n}`, n === 4_999 ? 'end' : `n${n + 1}`));
    expect(displayOrder(form('n0', chain.toReversed()))).toEqual(chain.map(({ node }) => node.id));
  });
});

test('a section may come before what its links lead to on some path, and never before itself', () => {
  const { nodes } = form('a', [
    section('a', 'if'),
    condition('if', undefined, 'b', 'end'),
    section('b', 'end'),
    section('x', 'y'),
    section('y', 'x'),
  ]);
  const before = (sectionName: string, nodeName: string) => mayComeBefore(nodes, id(sectionName), id(nodeName));
  expect(before('a', 'if')).toBe(true);
  expect(before('a', 'b')).toBe(true);
  expect(before('b', 'if')).toBe(false);
  expect(before('b', 'a')).toBe(false);
  expect(before('x', 'x')).toBe(false);
  expect(before('x', 'end')).toBe(false);
});

describe('whatever the graph', () => {
  const SIZE = 7;
  const target = fc.option(fc.constantFrom('end', ...Array.from({ length: SIZE }, (_, n) => `n${n}`)), {
    nil: undefined,
  });
  const sectionPart = target.map((next) => ({ kind: 'section' as const, next }));
  const conditionPart = fc.record({
    kind: fc.constant('condition' as const),
    yes: target,
    no: target,
    asks: fc.nat(SIZE - 1).map((n) => `q${n}`),
    pattern: fc.constantFrom('a', 'b', '^', '('),
  });
  /** Any graph at all: loose ends, cycles, conditions on what comes later. Section n holds the question qn. */
  const anyForm = fc.array(fc.oneof(sectionPart, conditionPart), { minLength: SIZE, maxLength: SIZE }).map((parts) =>
    form(
      'n0',
      parts.map((part, n) =>
        part.kind === 'section'
          ? section(`n${n}`, part.next, [question(`q${n}`)])
          : condition(`n${n}`, part, part.yes, part.no),
      ),
    ),
  );
  const value = fc.constantFrom('a', 'b', 'ab');
  const allAnswers = fc.array(value, { minLength: SIZE, maxLength: SIZE });
  const someAnswers = fc.array(fc.option(value, { nil: undefined }), { minLength: SIZE, maxLength: SIZE });
  const lookUp = (given: readonly (string | undefined)[], among?: readonly string[]) =>
    answers(
      Object.fromEntries(
        given.flatMap((each, n) => (each && (!among || among.includes(id(`n${n}`))) ? [[`q${n}`, each]] : [])),
      ),
    );

  /** Answers question by question as a person does, each section once it is reached, from what is there already. */
  const answerAll = (structure: Structure, before: readonly (string | undefined)[], wanted: readonly string[]) => {
    let given = [...before];
    for (let step = 0; step <= SIZE; step += 1) {
      const reached = walk(structure, lookUp(given)).sections;
      given = wanted.map((each, n) => (reached.includes(id(`n${n}`)) ? each : given[n]));
    }
    return walk(structure, lookUp(given));
  };

  test('a walk ends, on one path, on which nothing comes twice', () => {
    fc.assert(
      fc.property(anyForm, someAnswers, (structure, given) => {
        const path = walk(structure, lookUp(given));
        expect(new Set(path.sections).size).toBe(path.sections.length);
        expect(path.complete).toBe(path.stoppedAt === undefined);
        expect(walk(structuredClone(structure), lookUp(given))).toEqual(path);
      }),
    );
  });

  test('answers off the path change nothing', () => {
    fc.assert(
      fc.property(anyForm, someAnswers, someAnswers, (structure, given, others) => {
        const path = walk(structure, lookUp(given));
        expect(walk(structure, lookUp(given, path.sections))).toEqual(path);
        const elsewhere = given.map((each, n) => (path.sections.includes(id(`n${n}`)) ? each : others[n]));
        expect(walk(structure, lookUp(elsewhere))).toEqual(path);
      }),
    );
  });

  test('going back and changing answers leads where answering afresh leads', () => {
    fc.assert(
      fc.property(anyForm, someAnswers, allAnswers, (structure, before, wanted) => {
        expect(answerAll(structure, before, wanted)).toEqual(answerAll(structure, [], wanted));
      }),
    );
  });

  test('more answers never take a reached section back', () => {
    fc.assert(
      fc.property(anyForm, allAnswers, fc.nat(SIZE), (structure, given, count) => {
        const early = walk(structure, lookUp(given.slice(0, count))).sections;
        expect(walk(structure, lookUp(given)).sections.slice(0, early.length)).toEqual(early);
      }),
    );
  });

  test('the display order names every section once, and every path of an acyclic graph runs along it', () => {
    fc.assert(
      fc.property(anyForm, allAnswers, (structure, given) => {
        const order = displayOrder(structure);
        expect([...order].sort()).toEqual(structure.sections.map((each) => each.id).sort());
        const isCyclic = structure.nodes.some((node) =>
          structure.nodes.some(
            (other) =>
              mayComeBefore(structure.nodes, node.id, other.id) && mayComeBefore(structure.nodes, other.id, node.id),
          ),
        );
        if (isCyclic) return;
        const places = walk(structure, lookUp(given)).sections.map((each) => order.indexOf(each));
        expect(places).toEqual([...places].sort((one, two) => one - two));
      }),
      { numRuns: 300 },
    );
  });
});
