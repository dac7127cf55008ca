/** What changes of responses take from the places of a form and give back, compared with a count of the responses by hand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Response } from '#core/responses/model.ts';
import { type Limit, placeChange, sumPlaces } from '#core/responses/places.ts';
import { dateLimits, listChoiceLimits } from '#core/structure/limits.ts';
import type { Structure } from '#core/structure/structure.ts';

const SECTION = '01890000-0000-8000-8000-00000000aaaa';
const HIDDEN_SECTION = '01890000-0000-8000-8000-00000000bbbb';
const QUESTION = '01890000-0000-8000-8000-000000000001';
const OFF_PATH = '01890000-0000-8000-8000-000000000002';
const [RED, BLUE, GREEN, LATE] = ['a', 'b', 'c', 'd'].map((digit) => `01890000-0000-8000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
  string,
];

const question = (id: string, choices: object[]) => ({ id, type: 'MULTIPLE_CHOICE', title: 'Colours', choices });
const structureOf = (limits: Record<string, number | undefined>): Structure =>
  ({
    formId: '01890000-0000-8000-8000-00000000ffff',
    version: 1,
    nodes: [],
    removed: [],
    sections: [
      {
        id: SECTION,
        questions: [
          question(
            QUESTION,
            [RED, BLUE, GREEN].map((id) => ({ id, name: id, limit: limits[id] })),
          ),
        ],
      },
      { id: HIDDEN_SECTION, questions: [question(OFF_PATH, [{ id: LATE, name: 'Late', limit: limits[LATE] }])] },
    ],
  }) as unknown as Structure;

const responseOf = (progress: 'DRAFT' | 'SUBMITTED', choiceIds: string[], more: Partial<Response> = {}): Response =>
  ({
    progress,
    answers: {
      [QUESTION]: { type: 'MULTIPLE_CHOICE', value: choiceIds },
      [OFF_PATH]: { type: 'MULTIPLE_CHOICE', value: [LATE] },
    },
    ...(progress === 'SUBMITTED' && { path: [SECTION] }),
    ...more,
  }) as unknown as Response;

const structure = structureOf({ [RED]: 2, [BLUE]: 3, [LATE]: 1 });
const LIMITS: Limit[] = [
  { counter: 'taken', max: 5 },
  ...listChoiceLimits(structure).map((choice) => ({ counter: choice.counter, max: choice.max, choice })),
];
const [red = '', blue = ''] = LIMITS.slice(1).map(({ counter }) => counter);
const names = (limits: readonly Limit[]) => limits.map(({ counter }) => counter);

test('a submission takes a place of the form and of each limited choice that it selects on its path', () => {
  const { take, giveBack, places } = placeChange(
    responseOf('DRAFT', [RED, GREEN]),
    responseOf('SUBMITTED', [RED, GREEN]),
    LIMITS,
    structure,
  );
  expect([names(take), giveBack, places]).toEqual([['taken', red], [], ['taken', red]]);
});

test('a draft has no places, and a form without limits neither takes nor gives', () => {
  const nothing = { take: [], giveBack: [], places: [] };
  expect(placeChange(undefined, responseOf('DRAFT', [RED]), LIMITS, structure)).toEqual(nothing);
  expect(placeChange(undefined, responseOf('SUBMITTED', [RED]), [], structure)).toEqual(nothing);
});

test('an edit takes what it newly selects and gives back what it selects no more', () => {
  const before = responseOf('SUBMITTED', [RED], { places: ['taken', red] });
  const { take, giveBack, places } = placeChange(before, responseOf('SUBMITTED', [BLUE]), LIMITS, structure);
  expect([names(take), giveBack, places]).toEqual([[blue], [red], ['taken', blue]]);
});

test('cancelling gives back exactly what the response has, also of limits that are no more', () => {
  const before = responseOf('SUBMITTED', [RED], { places: ['taken_7', red] });
  expect(placeChange(before, responseOf('DRAFT', [RED]), [], structure).giveBack).toEqual(['taken_7', red]);
});

test('a submission that is older than the limits takes nothing for what stays', () => {
  const older = responseOf('SUBMITTED', [RED]);
  expect(placeChange(older, older, LIMITS, structure)).toEqual({ take: [], giveBack: [], places: [] });
  const { take, giveBack } = placeChange(older, responseOf('SUBMITTED', [RED, BLUE]), LIMITS, structure);
  expect([names(take), giveBack]).toEqual([[blue], []]);
  expect(placeChange(older, responseOf('DRAFT', [RED]), LIMITS, structure).giveBack).toEqual([]);
});

test('a limit that is set again has another counter', () => {
  const first = dateLimits(structureOf({}), { ...structureOf({ [RED]: 2 }), version: 4 });
  const without = dateLimits(first, { ...structureOf({}), version: 5 });
  const again = dateLimits(without, { ...structureOf({ [RED]: 9 }), version: 6 });
  const raised = dateLimits(again, { ...structureOf({ [RED]: 10 }), version: 7 });
  const counters = [first, again, raised].map((each) => listChoiceLimits(each)[0]?.counter);
  expect(new Set(counters.slice(0, 2)).size).toBe(2);
  expect(counters[2]).toBe(counters[1]);
  expect(without.limitedSince).toBeUndefined();
});

const step = fc.record({
  id: fc.integer({ min: 0, max: 7 }),
  progress: fc.constantFrom<'DRAFT' | 'SUBMITTED' | 'DELETED'>(
    'DRAFT',
    'SUBMITTED',
    'SUBMITTED',
    'SUBMITTED',
    'DELETED',
  ),
  choiceIds: fc.subarray([RED, BLUE, GREEN]),
});

test('after any changes the numbers are those of the responses', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const responses = new Map<number, Response>();
      const taken: Record<string, number> = {};
      const apply = (sums: Record<string, number>) => {
        for (const [name, sum] of Object.entries(sums)) taken[name] = (taken[name] ?? 0) + sum;
      };
      for (const { id, progress, choiceIds } of steps) {
        const before = responses.get(id);
        if (progress === 'DELETED') {
          apply(sumPlaces(before?.places ?? [], -1));
          responses.delete(id);
          continue;
        }
        const next = responseOf(progress, choiceIds);
        const { take, giveBack, places } = placeChange(before, next, LIMITS, structure);
        if (take.some(({ counter, max }) => (taken[counter] ?? 0) >= max)) continue;
        apply(sumPlaces(names(take), 1));
        apply(sumPlaces(giveBack, -1));
        responses.set(id, { ...next, places });
      }
      const submitted = [...responses.values()].filter((response) => response.progress === 'SUBMITTED');
      const selecting = (choiceId: string) =>
        submitted.filter(({ answers }) => (answers[QUESTION]?.value as string[]).includes(choiceId)).length;
      const expected = [submitted.length, selecting(RED), selecting(BLUE)];
      expect(['taken', red, blue].map((name) => taken[name] ?? 0)).toEqual(expected);
      const [all = 0, ofRed = 0, ofBlue = 0] = expected;
      expect(all <= 5 && ofRed <= 2 && ofBlue <= 3).toBe(true);
    }),
    { numRuns: 300 },
  );
});
