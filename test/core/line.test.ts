/** Texts of one line: which characters they refuse, and that every title, name and label in a request is one. */
import { describe, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { isLine, isVisible, line } from '#core/schema/text.ts';
import { WorkflowNodeInput } from '#core/structure/workflow-model.ts';
import { openApiDocument } from '#stacks/build/openapi/document.ts';

const refusedIn = (text: string): boolean => !line(0, 200).safeParse(text).success;

describe('a line', () => {
  test.for([
    '\u0000',
    '\t',
    '\n',
    '\r',
    '\u001b',
    '\u001f',
    '\u007f',
    '\u0080',
    '\u0085',
    '\u009f',
    '\u2028',
    '\u2029',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
  ])('refuses %j at every place', (character) => {
    expect([character, `${character}x`, `x${character}`, `x${character}y`].filter((text) => !refusedIn(text))).toEqual(
      [],
    );
  });

  test.for([
    '',
    ' ',
    'Frühling',
    '春季調查',
    'نمی‌خواهم',
    '👩‍🔬',
    'שלום',
    'a\u00a0b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u2065',
    '\u2070',
  ])('accepts %j', (text) => expect(refusedIn(text)).toBe(false));

  test('has a visible character unless it may be empty', () => {
    const required = line(1, 200);
    for (const blank of ['', ' ', '\u3000', '\u200b', '\u200d', '\ufeff', '\u00ad', '\u3164', '\u2060 \u200c']) {
      expect(required.safeParse(blank).success, JSON.stringify(blank)).toBe(false);
    }
    for (const shown of ['a', ' a ', '、', '👩‍🔬', '\u0301a', '0', '\ue000'])
      expect(required.safeParse(shown).success).toBe(true);
  });

  test('is counted in Unicode code points', () => {
    expect(line(1, 3).safeParse('😀😀😀').success).toBe(true);
    expect(line(1, 3).safeParse('😀😀😀😀').success).toBe(false);
  });
});

test.for<[string, boolean]>([
  ['', false],
  [' \t\n', false],
  ['\u0000', false],
  ['\u200b\u200e\u2028', false],
  ['\u{e0020}', false],
  ['.', true],
  ['\u200bx', true],
  ['\u{1f9f8}', true],
])('whether %j has a visible character: %s', ([text, expected]) => expect(isVisible(text)).toBe(expected));

/** Members of requests that are titles, names or labels. */
const ONE_LINE = /^(?:title|name|label|displayTitle|otherText|minValueLabel|maxValueLabel)$/;
/** A generated label may contain the pattern of a condition, so labels of nodes are checked when they change. Names of questions have letters only. */
const EXCEPT = ['WorkflowNodeInput.label', 'Onboarding.name', 'QuestionInput.name'];

test('every title, name and label that is sent refuses what is not one line', () => {
  const { schemas } = openApiDocument(operations).components;
  const bodies = Object.entries(schemas).filter(([name]) => /(?:Input|Patch|Onboarding|Scale)$/.test(name));
  const members = bodies.flatMap(([name, schema]) =>
    Object.entries(schema.properties ?? {}).flatMap(([member, found]) =>
      ONE_LINE.test(member) ? [{ at: `${name}.${member}`, text: JSON.stringify(found) }] : [],
    ),
  );
  expect(members.length).toBeGreaterThan(12);
  const open = members.filter(({ at, text }) => !EXCEPT.includes(at) && !/\\u202a-\\\\u202e|One line/.test(text));
  expect(open.map(({ at }) => at)).toEqual([]);
  expect(isLine('When a matches \u0000')).toBe(false);
  const node = { id: '00000000-0000-4000-8000-000000000001', label: 'When a matches \u0000', payload: {} };
  expect(WorkflowNodeInput().safeParse(node).success).toBe(true);
});
