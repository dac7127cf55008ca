/** Gates of sections: they read back as they were written, the path follows their sentence, and edits of pages keep them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Comparison, readOutline, type SectionGate, writeGate } from '#core/structure/gates.ts';
import { type AnswerLookup, walk } from '#core/structure/path.ts';
import { findWarnings } from '#core/structure/rule-warnings.ts';
import { readRules, type SectionRules, writeNode, writeRules } from '#core/structure/rules.ts';
import { copySection, findPair, moveSection, shiftSection } from '#core/structure/sections.ts';
import { findNode, findQuestion, type Structure } from '#core/structure/structure.ts';
import { recordUndo, undoEdit } from '#core/structure/undo.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { createNode, removeNode, replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { answers, condition, form, id, NOW, question, section } from '#test/support/workflow.ts';

const SECTIONS = ['s0', 's1', 's2', 's3', 's4'] as const;
const QUESTIONS = ['q0', 'q1', 'q2', 'q3', 'q4'] as const;

/** Five sections in a row with a question each; every other one must be answered. */
const row = (): Structure =>
  form(
    's0',
    SECTIONS.map((name, index) =>
      section(name, SECTIONS[index + 1] ?? 'end', [question(`q${index}`, 'SHORT_TEXT', { required: index % 2 === 0 })]),
    ),
  );

let count = 0;
const newId = (): string => {
  count += 1;
  return id(`x${count % 10_000}`);
};
const ids = { now: NOW, newId };

const anyTest = fc.constantFrom(
  { kind: 'exactly' as const, text: 'a' },
  { kind: 'exactly' as const, text: 'b' },
  { kind: 'answered' as const },
  { kind: 'empty' as const },
);
const anyComparison: fc.Arbitrary<Comparison> = fc.record({
  questionId: fc.constantFrom(...QUESTIONS).map(id),
  test: anyTest,
  isNot: fc.boolean(),
});
const anyGate: fc.Arbitrary<SectionGate> = fc.record({
  needs: fc.constantFrom('all', 'any'),
  comparisons: fc.array(anyComparison, { minLength: 1, maxLength: 8 }),
});
const anyRules = (own: string): fc.Arbitrary<SectionRules> => {
  const target = fc.constantFrom(...SECTIONS.filter((name) => name !== own), 'end').map(id);
  const rule = fc.record({ questionId: fc.constantFrom(...QUESTIONS).map(id), test: anyTest, target });
  return fc.record({ rules: fc.array(rule, { maxLength: 2 }), otherwise: target });
};
const anyAnswers = fc
  .tuple(...QUESTIONS.map(() => fc.constantFrom('a', 'b', undefined)))
  .map((given) => answers(Object.fromEntries(given.flatMap((text, index) => (text ? [[`q${index}`, text]] : [])))));

/** A gate without the ids of its conditions; one comparison needs all. */
const contentOf = (gate: SectionGate | undefined) =>
  gate && {
    needs: gate.comparisons.length === 1 ? 'all' : gate.needs,
    comparisons: gate.comparisons.map(({ nodeId: _node, ...comparison }) => comparison),
  };
const gatesOf = (structure: Structure) =>
  new Map([...readOutline(structure).gates].map(([sectionId, gate]) => [sectionId, contentOf(gate)]));

const passes = ({ kind, ...test }: { kind: string; text?: string }, text: string): boolean =>
  kind === 'answered' ? text !== '' : text === (test.text ?? '');

/** The sections of a path, by the sentences of gates and rules alone: no condition of a gate is looked at. */
function follow(structure: Structure, answerTo: AnswerLookup): { sections: string[]; complete: boolean } {
  const { structure: outline, gates } = readOutline(structure);
  const [sections, visited]: [string[], Set<string>] = [[], new Set()];
  /** Undefined: the path waits for an answer. */
  const isTrue = (questionId: string, test: Comparison['test']): boolean | undefined => {
    const placed = findQuestion(structure, questionId);
    if (!placed || !sections.includes(placed.section.id)) return false;
    const text = answerTo(questionId)?.value;
    if (text === undefined && placed.question.required) return undefined;
    return passes(test as { kind: string }, String(text ?? ''));
  };
  let at = outline.nodes.find(({ type }) => type === 'START')?.next ?? '';
  for (;;) {
    const node = findNode(outline, at);
    if (node?.type === 'END') return { sections, complete: true };
    if (!node || node.type === 'CONDITION' || visited.has(at)) return { sections, complete: false };
    visited.add(at);
    const rules = readRules(structure, at);
    if (!rules) return { sections, complete: false };
    const gate = gates.get(at);
    let isShown = gate?.needs !== 'any' || gate.comparisons.length === 1;
    for (const { questionId, test, isNot } of gate?.comparisons ?? []) {
      const found = isTrue(questionId, test);
      if (found === undefined) return { sections, complete: false };
      isShown = found !== isNot;
      if (isShown === (gate?.needs === 'any' && gate.comparisons.length > 1)) break;
    }
    if (!isShown) {
      at = rules.otherwise ?? '';
      continue;
    }
    sections.push(at);
    let target = rules.otherwise;
    for (const rule of rules.rules) {
      const found = isTrue(rule.questionId, rule.test);
      if (found === undefined) return { sections, complete: false };
      if (!found) continue;
      target = rule.target;
      break;
    }
    at = target ?? '';
  }
}

const pathOf = (structure: Structure, answerTo: AnswerLookup) => {
  const { sections, complete } = walk(structure, answerTo);
  return { sections, complete };
};

test('gates and rules read back as they were written, over any earlier ones, and are removed without a trace', () => {
  fc.assert(
    fc.property(fc.array(anyGate, { minLength: 4, maxLength: 4 }), anyGate, anyRules('s2'), (gates, last, rules) => {
      const ruled = writeRules(row(), id('s2'), rules, ids);
      const gated = gates.reduce((form, gate, index) => writeGate(form, id(`s${index + 1}`), gate, ids), ruled);
      const expected = new Map(gates.map((gate, index) => [id(`s${index + 1}`), contentOf(gate)]));
      expect(gatesOf(gated)).toEqual(expected);
      const read = readRules(gated, id('s2'));
      expect({ ...read, rules: read?.rules.map(({ nodeId: _node, ...rule }) => rule) }).toEqual(rules);
      const changed = writeGate(gated, id('s2'), last, ids);
      expect(gatesOf(changed)).toEqual(new Map([...expected, [id('s2'), contentOf(last)]]));
      // Written again as it was read, nothing is different.
      for (const [sectionId, gate] of readOutline(gated).gates)
        expect(writeGate(gated, sectionId, gate, ids)).toBe(gated);
      const without = SECTIONS.reduce(
        (form, name) => writeGate(form, id(name), { needs: 'all', comparisons: [] }, ids),
        gated,
      );
      expect(without).toEqual(ruled);
    }),
    { numRuns: 60 },
  );
});

test('the path follows the sentences of gates, whatever the answers', () => {
  fc.assert(
    fc.property(
      fc.array(anyGate, { minLength: 3, maxLength: 3 }),
      anyRules('s1'),
      anyAnswers,
      (gates, rules, given) => {
        const ruled = writeRules(row(), id('s1'), rules, ids);
        const gated = gates.reduce((form, gate, index) => writeGate(form, id(`s${index + 1}`), gate, ids), ruled);
        expect(pathOf(gated, given)).toEqual(follow(gated, given));
      },
    ),
    { numRuns: 300 },
  );
});

const anyAction = fc.record({
  kind: fc.constantFrom('insert', 'move', 'shift', 'copy', 'remove', 'rules', 'start', 'gate', 'ungate'),
  section: fc.nat(),
  other: fc.nat(),
  gate: anyGate,
  rules: anyRules('none'),
});
type Action = typeof anyAction extends fc.Arbitrary<infer T> ? T : never;

/** Does what a page would do; the gates that are expected afterwards. */
function act(structure: Structure, { kind, section: index, other, gate, rules }: Action) {
  const all = structure.sections.map((each) => each.id);
  const at = all[index % all.length] ?? '';
  const after = [...all, id('start')].filter((each) => each !== at)[other % all.length] ?? '';
  const expected = gatesOf(structure);
  const isGone = [rules.otherwise, ...rules.rules.map(({ target }) => target)].some(
    (target) => target === at || !findNode(structure, target ?? ''),
  );
  switch (kind) {
    case 'insert':
      return { next: createNode(structure, { id: newId(), type: 'SECTION', payload: {}, now: NOW, after }), expected };
    case 'move':
      return { next: moveSection(structure, at, after), expected };
    case 'shift':
      return { next: shiftSection(structure, at, other % 2 === 0 ? 1 : -1), expected };
    case 'copy': {
      const copyId = newId();
      const copied = expected.get(at);
      return {
        next: copySection(structure, at, { copyId, ...ids }),
        expected: copied ? new Map([...expected, [copyId, copied]]) : expected,
      };
    }
    case 'remove': {
      if (all.length < 3) return { next: structure, expected };
      const next = removeNode(structure, new Set(), at, NOW);
      const lost = new Set(structure.sections.find((each) => each.id === at)?.questions.map((each) => each.id));
      expected.delete(at);
      const left = [...expected].map(([sectionId, each]) => [
        sectionId,
        each && {
          ...each,
          comparisons: each.comparisons.map((one) => (lost.has(one.questionId) ? { ...one, questionId: '' } : one)),
        },
      ]);
      return { next, expected: new Map(left as [string, ReturnType<typeof contentOf>][]) };
    }
    case 'rules':
      return {
        next: isGone || !readRules(structure, at) ? structure : writeRules(structure, at, rules, ids),
        expected,
      };
    case 'start':
      return { next: writeNode(structure, id('start'), { rules: [], otherwise: at }, NOW), expected };
    case 'gate':
    case 'ungate': {
      const comparisons = gate.comparisons.filter(({ questionId }) => findQuestion(structure, questionId));
      const written = kind === 'gate' ? { ...gate, comparisons } : { ...gate, comparisons: [] };
      if (written.comparisons.length > 0) expected.set(at, contentOf(written));
      else expected.delete(at);
      return { next: writeGate(structure, at, written, ids), expected };
    }
  }
}

test('random edits of pages keep each sentence, and the path that follows from it', () => {
  fc.assert(
    fc.property(
      fc.array(anyAction, { minLength: 6, maxLength: 14 }),
      fc.array(anyAnswers, { minLength: 3 }),
      (actions, given) => {
        let structure = row();
        for (const action of actions) {
          const { next, expected } = act(structure, action);
          expect([action.kind, gatesOf(next)]).toEqual([action.kind, expected]);
          expect(readOutline(next).broken).toEqual([]);
          // Rules whose question was deleted, and conditions that two sections share, are not in the model.
          const isSound =
            next.sections.every((each) => readRules(next, each.id)) &&
            next.nodes.every(
              ({ type, conditionRule }) => type !== 'CONDITION' || findQuestion(next, conditionRule?.question ?? ''),
            );
          if (isSound) for (const each of given) expect(pathOf(next, each)).toEqual(follow(next, each));
          structure = next;
        }
      },
    ),
    { numRuns: 150 },
  );
});

describe('four optional sections', () => {
  /** s0 asks which of s1 to s4 are to be shown. */
  const asked = question('which', 'MULTIPLE_CHOICE', {
    choices: ['1', '2', '3', '4'].map((name) => ({ id: id(`w${name}`), name })),
  });
  const built = (): Structure => {
    const plain = form('s0', [
      section('s0', 's1', [asked]),
      ...['s1', 's2', 's3', 's4'].map((name, index, all) => section(name, all[index + 1] ?? 'end')),
    ]);
    return ['s1', 's2', 's3', 's4'].reduce((structure, name, index) => {
      const test = { kind: 'choices' as const, ids: [id(`w${index + 1}`)] };
      const comparisons = [{ questionId: id('which'), test, isNot: false }];
      return writeGate(structure, id(name), { needs: 'all', comparisons }, ids);
    }, plain);
  };
  const shows = (structure: Structure, ...names: string[]) => {
    const value = names.map((name) => id(`w${name}`));
    return walk(structure, () => ({ type: 'MULTIPLE_CHOICE', value })).sections;
  };

  test('are four settings and four conditions', () => {
    const structure = built();
    expect(workflowInfo(structure)).toEqual([]);
    expect(findWarnings(structure)).toEqual([]);
    expect(structure.nodes.filter(({ type }) => type === 'CONDITION')).toHaveLength(4);
    expect(shows(structure, '2', '4')).toEqual([id('s0'), id('s2'), id('s4')]);
    expect(shows(structure, '1')).toEqual([id('s0'), id('s1')]);
    for (const name of ['s0', 's1', 's2', 's3', 's4']) expect(readRules(structure, id(name))?.rules).toEqual([]);
  });

  test('of which one is deleted stay three, and nothing else changes; it can be undone', () => {
    const before = built();
    const after = removeNode(before, new Set(), id('s2'), NOW);
    expect(workflowInfo(after)).toEqual([]);
    expect([...gatesOf(after)]).toEqual([...gatesOf(before)].filter(([sectionId]) => sectionId !== id('s2')));
    expect(after.nodes).toHaveLength(before.nodes.length - 2);
    expect(shows(after, '1', '2', '4')).toEqual([id('s0'), id('s1'), id('s4')]);
    const record = recordUndo(before, after);
    expect(record?.kind).toBe('SECTION');
    if (record) expect(gatesOf(undoEdit(after, record).structure)).toEqual(gatesOf(before));
  });

  test('are moved up and down as if they had no gates, which can be undone', () => {
    const before = built();
    expect(findPair(before, id('s2'), 1)).toEqual({ first: id('s2'), second: id('s3') });
    const after = shiftSection(before, id('s2'), 1);
    expect(shows(after, '2', '3')).toEqual([id('s0'), id('s3'), id('s2')]);
    expect(recordUndo(before, after)?.kind).toBe('PATH');
  });

  test('of which one has rules of its own lose them with it', () => {
    const rule = { questionId: id('which'), test: { kind: 'choices' as const, ids: [id('w4')] }, target: id('s4') };
    const ruled = writeRules(built(), id('s2'), { rules: [rule], otherwise: id('s3') }, ids);
    expect(shows(ruled, '2', '3', '4')).toEqual([id('s0'), id('s2'), id('s4')]);
    const after = removeNode(ruled, new Set(), id('s2'), NOW);
    expect(workflowInfo(after)).toEqual([]);
    expect(after.nodes.filter(({ type }) => type === 'CONDITION')).toHaveLength(3);
  });

  test.each<[string, (structure: Structure) => Structure]>([
    ['a link past a gate', (structure) => link(structure, 's0', 's1')],
    [
      'what follows the section, but not what follows those who pass it by',
      (structure) => link(structure, 's1', 'end'),
    ],
    ['a mark on a condition elsewhere', (structure) => mark(structure, 's1')],
  ])('are conditions again where another client has changed %s, and the check list says so', (_name, change) => {
    const changed = change(built());
    expect([...readOutline(changed).gates.keys()]).toEqual(['s2', 's3', 's4'].map(id));
    expect(findWarnings(changed)).toEqual([{ kind: 'brokenGate', sectionId: id('s1') }]);
    const gate = readOutline(built()).gates.get(id('s1'));
    if (!gate) throw new Error('no gate');
    const repaired = writeGate(changed, id('s1'), gate, ids);
    expect(findWarnings(repaired).filter(({ kind }) => kind === 'brokenGate')).toEqual([]);
  });

  const link = (structure: Structure, from: string, to: string): Structure =>
    replaceWorkflow(
      structure,
      structure.nodes.map((node) => (node.id === id(from) ? { ...node, next: id(to) } : node)),
      NOW,
    );
  const mark = (structure: Structure, name: string): Structure => {
    const marked = condition('m', { asks: 'which', pattern: 'x', source: 'CHOICE' }, 'end', 'end').node;
    return {
      ...structure,
      nodes: [...structure.nodes, { ...marked, conditionRule: { ...marked.conditionRule, gate: id(name) } }],
    };
  };
});
