/**
 * The order that a workflow gives its sections, and the laws that paths obey in random forms. Single rules of paths are in
 * `workflow-path.test.ts`.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byId, displayOrder, reachableFrom, walk } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { answers, condition, form, id, type Part, question, section } from '#test/support/workflow.ts';

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
  const answerAll = (structure: Structure, before: readonly (string | undefined)[], next: readonly string[]) => {
    let given = [...before];
    for (let step = 0; step <= SIZE; step += 1) {
      const reached = walk(structure, lookUp(given)).sections;
      given = next.map((each, n) => (reached.includes(id(`n${n}`)) ? each : given[n]));
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
      fc.property(anyForm, someAnswers, allAnswers, (structure, before, next) => {
        expect(answerAll(structure, before, next)).toEqual(answerAll(structure, [], next));
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
        const all = byId(structure.nodes);
        const isCyclic = structure.nodes.some((node) => reachableFrom(all, node.id).has(node.id));
        if (isCyclic) return;
        const places = walk(structure, lookUp(given)).sections.map((each) => order.indexOf(each));
        expect(places).toEqual([...places].sort((one, two) => one - two));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a form without faults', () => {
  const SIZE = 8;
  const jump = fc.nat(SIZE);
  const patterns = fc.constantFrom('a', 'b', '^', 'c$');
  const part = fc.oneof(
    fc.constant(undefined),
    fc.record({ jump, asks: jump, pattern: patterns, jumpsWhenTrue: fc.boolean() }),
  );
  const name = (place: number): string => (place >= SIZE ? 'end' : `n${place}`);

  /** Node n leads on to n + 1, a condition also to some node behind it, and asks a section before it. */
  const soundForm = fc.array(part, { minLength: SIZE - 1, maxLength: SIZE - 1 }).map((parts) => {
    const drawn: Part[] = [section('n0', name(1), [question('q0')])];
    const asked = [0];
    for (const [index, each] of parts.entries()) {
      const place = index + 1;
      const next = name(place + 1);
      if (each) {
        const far = name(place + 1 + each.jump);
        const rule = { asks: `q${asked[each.asks % asked.length]}`, pattern: each.pattern };
        drawn.push(condition(name(place), rule, each.jumpsWhenTrue ? far : next, each.jumpsWhenTrue ? next : far));
      } else {
        asked.push(place);
        drawn.push(section(name(place), next, [question(`q${place}`)]));
      }
    }
    return form('n0', drawn);
  });
  const given = fc
    .array(fc.constantFrom('a', 'b', 'abc'), { minLength: SIZE, maxLength: SIZE })
    .map((values) => answers(Object.fromEntries(values.map((value, n) => [`q${n}`, value]))));

  test('reaches END whatever is answered, once everything is', () => {
    fc.assert(
      fc.property(soundForm, given, (structure, answerOf) => {
        expect(workflowInfo(structure)).toEqual([]);
        expect(walk(structure, answerOf).complete).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('has a fault as soon as one of its links is cut or leads back', () => {
    fc.assert(
      fc.property(soundForm, fc.nat(), fc.option(fc.nat(), { nil: undefined }), (structure, which, back) => {
        const cut = which % (structure.nodes.length - 1);
        const earlier = back === undefined ? undefined : structure.nodes[back % (cut + 1)]?.id;
        const nodes = structure.nodes.map((node, index) => {
          if (index !== cut) return node;
          const { next: _, nextFalse: __, ...rest } = node;
          if (!earlier) return rest;
          return node.type === 'CONDITION' ? { ...rest, nextFalse: earlier } : { ...rest, next: earlier };
        });
        expect(workflowInfo({ ...structure, nodes })).not.toEqual([]);
      }),
    );
  });

  test('can be finished by answering only the questions on the path', () => {
    fc.assert(
      fc.property(soundForm, given, (structure, answerOf) => {
        const reached = new Set(walk(structure, answerOf).sections);
        const asked = new Set(
          structure.sections
            .filter((each) => reached.has(each.id))
            .flatMap((each) => each.questions.map((one) => one.id)),
        );
        expect(
          walk(structure, (questionId) => (asked.has(questionId) ? answerOf(questionId) : undefined)).complete,
        ).toBe(true);
      }),
    );
  });
});
