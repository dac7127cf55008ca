/**
 * Checking one answer: a table of accepted, cleared and refused values by type, the rules of the other choice. For
 * sources see `offered-choices.test.ts`, for answers that are stored already `stored-answers.test.ts`.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckedAnswer, checkAnswer, storedFaults } from '#core/responses/answers.ts';
import { AnswerInput } from '#core/responses/model.ts';
import { type Question, QuestionType } from '#core/structure/question-model.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { displayValue } from '#core/structure/types/types.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const NOW = '2026-01-01T00:00:00.000Z';
const [RED, BLUE, OTHER] = [id(1), id(2), id(3)];
const CHOICES: Choice[] = [
  { id: RED, name: 'Red' },
  { id: BLUE, name: 'Blue', description: 'like the sea' },
  { id: OTHER, name: 'Other', isOther: true },
];

const OPTIONS: Partial<Record<QuestionType, Partial<Question>>> = {
  LINEAR_SCALE: { scale: { minVal: 0, maxVal: 10 } },
  RATING: { scale: { minVal: 1, maxVal: 5, icon: 'star' } },
  DATE: { date: { hasYear: true, hasMonth: true, hasDay: true, minDate: '2020-01-01' } },
};

function question(type: QuestionType, more: Partial<Question> = {}): Question {
  const texts = { id: id(50), required: true, title: 'Which?', description: null, createdAt: NOW, updatedAt: NOW };
  return { ...texts, type, ...OPTIONS[type], ...more };
}

const send = (value: AnswerInput['value'], type: QuestionType, otherText?: string | null): AnswerInput => ({
  questionId: id(50),
  questionType: type,
  value,
  ...(otherText === undefined ? {} : { otherText }),
});

const check = (type: QuestionType, value: AnswerInput['value'], otherText?: string | null) =>
  checkAnswer(question(type), send(value, type, otherText), { offered: CHOICES, isAnswered: false });

const faultsOf = (checked: CheckedAnswer): string[] =>
  checked.kind === 'faults' ? checked.faults.map((fault) => fault.at) : [checked.kind];

function contentOf(checked: CheckedAnswer): AnswerContent {
  if (checked.kind !== 'answer') throw new Error(`not an answer: ${JSON.stringify(checked)}`);
  return checked.content;
}

const link = (length: number): string => `https://a.example/${'p'.repeat(length - 18)}`;

describe('accepts and shows', () => {
  it.each<[QuestionType, AnswerInput['value'], AnswerContent['value'], string]>([
    ['SHORT_TEXT', ' spaces stay ', ' spaces stay ', ' spaces stay '],
    ['SHORT_TEXT', 'tab\tbell\u0007', 'tab\tbell\u0007', 'tab\tbell\u0007'],
    ['SHORT_TEXT', '\u200b.', '\u200b.', '\u200b.'],
    ['SHORT_TEXT', '=1+1', '=1+1', '=1+1'],
    ['LONG_TEXT', 'two\nlines', 'two\nlines', 'two\nlines'],
    ['HYPERLINK', 'https://a.example/?q=1#x', 'https://a.example/?q=1#x', 'https://a.example/?q=1#x'],
    ['HYPERLINK', 'HTTP://a.example', 'HTTP://a.example', 'HTTP://a.example'],
    ['HYPERLINK', 'https://例え.jp/道', 'https://例え.jp/道', 'https://例え.jp/道'],
    ['SINGLE_CHOICE', [RED], [RED], 'Red'],
    ['DROPDOWN', [BLUE], [BLUE], 'Blue'],
    ['MULTIPLE_CHOICE', [BLUE, RED], [BLUE, RED], 'Blue, Red'],
    ['DETAILED_MULTIPLE_CHOICE', [RED], [RED], 'Red'],
    ['RANKING', [OTHER, BLUE], [OTHER, BLUE], 'Other > Blue'],
    ['RANKING', [RED], [RED], 'Red'],
    ['LINEAR_SCALE', 8, 8, '8 (0-10)'],
    ['LINEAR_SCALE', 0, 0, '0 (0-10)'],
    ['LINEAR_SCALE', -0, 0, '0 (0-10)'],
    ['LINEAR_SCALE', 10, 10, '10 (0-10)'],
    ['RATING', 1, 1, '1 (1-5)'],
    ['RATING', 5, 5, '5 (1-5)'],
    ['DATE', '2026-6-5', '2026-06-05T00:00:00Z', '2026-06-05'],
    ['DATE', '2026-06-05T00:00:00Z', '2026-06-05T00:00:00Z', '2026-06-05'],
    ['DATE', '2020-01-01', '2020-01-01T00:00:00Z', '2020-01-01'],
  ])('a %s answer %j', (type, value, stored, shown) => {
    const checked = contentOf(check(type, value));
    expect(checked).toMatchObject({ type, value: stored });
    expect(displayValue(checked)).toBe(shown);
  });
});

describe('the length of a text', () => {
  it.each<[QuestionType, number, (length: number) => string]>([
    ['SHORT_TEXT', 500, (length) => '字'.repeat(length)],
    ['SHORT_TEXT', 500, (length) => '😀'.repeat(length)],
    ['LONG_TEXT', 10_000, (length) => '字'.repeat(length)],
    ['HYPERLINK', 2_048, link],
  ])('of a %s answer is at most %i characters, and it is never cut', (type, max, write) => {
    expect(displayValue(contentOf(check(type, write(max))))).toBe(write(max));
    expect(faultsOf(check(type, write(max + 1)))).toEqual(['/value']);
  });
});

describe('an empty value', () => {
  const BLANK = [' ', '\n\t\r\n', '\u3000\u00a0', '\u200b\u200d\ufeff', '\u0007', '\u2028\u202e'];
  const EMPTY: AnswerInput['value'][] = ['', ...BLANK, [], null, { files: [] }];

  it('clears an answer of every type that is answered by saving', () => {
    const types = QuestionType().options.filter((type) => type !== 'UPLOAD_FILE' && type !== 'OAUTH_CONNECT');
    for (const type of types) for (const value of EMPTY) expect(check(type, value)).toEqual({ kind: 'clear' });
  });

  it.each<QuestionType>([
    'UPLOAD_FILE',
    'OAUTH_CONNECT',
  ])('is ignored by an unanswered %s question, else refused', (type) => {
    for (const value of EMPTY) {
      const checkWith = (isAnswered: boolean) =>
        checkAnswer(question(type), send(value, type), { offered: [], isAnswered });
      expect(checkWith(false)).toEqual({ kind: 'unchanged' });
      expect(checkWith(true)).toMatchObject({
        kind: 'faults',
        faults: [{ at: '/value', code: 'set', detail: expect.stringContaining('DELETE') }],
      });
    }
  });
});

describe('refuses', () => {
  it.each<[QuestionType, AnswerInput['value'], string[]]>([
    ['SHORT_TEXT', 'half \ud83d', ['/value']],
    ['SHORT_TEXT', '\u0000', ['/value']],
    ['SHORT_TEXT', 'nul\u0000', ['/value']],
    ['LONG_TEXT', ' \n\u0000', ['/value']],
    ['DATE', '\u0000', ['/value']],
    ['RATING', '\u0000', ['/value']],
    ['SINGLE_CHOICE', '\u0000', ['/value']],
    ['SHORT_TEXT', 5, ['/value']],
    ['SHORT_TEXT', ['x'], ['/value']],
    ['LONG_TEXT', '\udc00', ['/value']],
    ['HYPERLINK', 'javascript:alert(1)', ['/value']],
    ['HYPERLINK', 'ftp://a.example', ['/value']],
    ['HYPERLINK', 'a.example', ['/value']],
    ['HYPERLINK', 'https://', ['/value']],
    ['HYPERLINK', 'https://a.example:99999', ['/value']],
    ['HYPERLINK', 'https:a.example', ['/value']],
    ['HYPERLINK', 'https:\\\\a.example', ['/value']],
    ['HYPERLINK', ' https://a.example', ['/value']],
    ['HYPERLINK', 'https://a.exa\tmple', ['/value']],
    ['HYPERLINK', 'https://a.example/\u0000', ['/value']],
    ['HYPERLINK', 'https://a.example/a b', ['/value']],
    ['SINGLE_CHOICE', RED, ['/value']],
    ['SINGLE_CHOICE', [RED, BLUE], ['/value']],
    ['SINGLE_CHOICE', [RED, RED], ['/value', '/value/1']],
    ['SINGLE_CHOICE', [id(9)], ['/value/0']],
    ['DROPDOWN', [BLUE, RED], ['/value']],
    ['DROPDOWN', ['Red'], ['/value/0']],
    ['DROPDOWN', 1, ['/value']],
    ['MULTIPLE_CHOICE', [RED, id(9), RED], ['/value/1', '/value/2']],
    ['MULTIPLE_CHOICE', 'Red', ['/value']],
    ['DETAILED_MULTIPLE_CHOICE', [BLUE, BLUE], ['/value/1']],
    ['RANKING', [BLUE, RED, BLUE], ['/value/2']],
    ['RANKING', [id(9)], ['/value/0']],
    ['LINEAR_SCALE', 11, ['/value']],
    ['LINEAR_SCALE', -1, ['/value']],
    ['LINEAR_SCALE', 1.5, ['/value']],
    ['LINEAR_SCALE', '8', ['/value']],
    ['LINEAR_SCALE', Number.NaN, ['/value']],
    ['RATING', 0, ['/value']],
    ['RATING', 6, ['/value']],
    ['DATE', '2019-12-31', ['/value']],
    ['DATE', '2026-02-30', ['/value']],
    ['DATE', 20260605, ['/value']],
    ['UPLOAD_FILE', { files: [{ fileId: id(7) }] }, ['/value']],
    ['UPLOAD_FILE', [id(7)], ['/value']],
    ['OAUTH_CONNECT', 'somebody', ['']],
  ])('a %s answer %j', (type, value, at) => expect(faultsOf(check(type, value))).toEqual(at));

  it.each<[QuestionType, AnswerInput['value'], [code: string, ...params: unknown[]][]]>([
    ['SHORT_TEXT', 'x'.repeat(501), [['too_long', 500]]],
    ['LONG_TEXT', 'x'.repeat(10_001), [['too_long', 10_000]]],
    ['HYPERLINK', 'a.example', [['not_web_address']]],
    ['SINGLE_CHOICE', [RED, id(9)], [['too_many'], ['not_offered']]],
    ['RATING', 6, [['out_of_range', 1, 5]]],
    ['DATE', '2019-12-31', [['date_out_of_range', '2020-01-01', undefined]]],
  ])('a %s answer %j with codes and limits', (type, value, faults) => {
    const checked = check(type, value);
    expect(checked.kind === 'faults' && checked.faults.map(({ code, params }) => [code, ...params])).toEqual(faults);
  });

  it('an answer that names another type than the question has', () => {
    const checked = checkAnswer(question('LONG_TEXT'), send('x', 'SHORT_TEXT'), { offered: [], isAnswered: false });
    expect(checked).toMatchObject({
      kind: 'faults',
      faults: [{ at: '/questionType', detail: 'must be LONG_TEXT, the type of this question' }],
    });
  });

  it('any choice before a question offers choices', () => {
    const checked = checkAnswer(question('RANKING'), send([RED], 'RANKING'), { offered: [], isAnswered: false });
    expect(faultsOf(checked)).toEqual(['/value/0']);
  });
});

describe('the other choice', () => {
  it('is shown as what the respondent wrote, and the text is kept exactly', () => {
    const checked = contentOf(check('MULTIPLE_CHOICE', [RED, OTHER], ' Teal '));
    expect(checked).toEqual({
      type: 'MULTIPLE_CHOICE',
      value: [RED, OTHER],
      names: ['Red', ' Teal '],
      otherText: ' Teal ',
    });
    expect(displayValue(checked)).toBe('Red,  Teal ');
  });

  it.each([undefined, null, '', ' \n'])('is shown by its own name when the text is %j', (otherText) => {
    expect(contentOf(check('SINGLE_CHOICE', [OTHER], otherText))).toEqual({
      type: 'SINGLE_CHOICE',
      value: [OTHER],
      names: ['Other'],
    });
  });

  it.each<[QuestionType, AnswerInput['value']]>([
    ['SINGLE_CHOICE', [RED]],
    ['SHORT_TEXT', 'x'],
    ['SHORT_TEXT', ''],
    ['LINEAR_SCALE', 3],
  ])('is the only one with a text: %s %j is refused with one', (type, value) => {
    expect(faultsOf(check(type, value, 'Teal'))).toEqual(['/otherText']);
  });

  it('does not hide what else is wrong', () => {
    expect(faultsOf(check('MULTIPLE_CHOICE', [RED, RED], 'Teal'))).toEqual(['/value/1', '/otherText']);
    expect(faultsOf(check('SINGLE_CHOICE', [], 'Teal'))).toEqual(['/otherText']);
    expect(faultsOf(check('MULTIPLE_CHOICE', [OTHER, OTHER], 'Teal'))).toEqual(['/value/1']);
  });

  it.each(['Te\u0000al', 'two\nlines', '\u202eTeal', '字'.repeat(201)])('refuses the text %j', (otherText) => {
    expect(faultsOf(check('SINGLE_CHOICE', [OTHER], otherText))).toEqual(['/otherText']);
  });

  it('without a name needs a text to be submitted; one with a name stands by it, also in a question that takes it over', () => {
    const unnamed = [...CHOICES.slice(0, 2), { id: OTHER, name: '', isOther: true }];
    const faults = (choices: Choice[] | undefined, offered: Choice[], otherText?: string) => {
      const asked = question('MULTIPLE_CHOICE', choices && { choices });
      const content = contentOf(
        checkAnswer(asked, send([RED, OTHER], 'MULTIPLE_CHOICE', otherText), { offered, isAnswered: false }),
      );
      expect(displayValue(content)).toBe(`Red, ${otherText ?? 'Other'}`);
      return storedFaults(asked, content, offered);
    };
    expect(faults(unnamed, unnamed)).toMatchObject([{ code: 'other_text_required' }]);
    expect(faults(unnamed, unnamed, 'Teal')).toEqual([]);
    expect(faults(CHOICES, CHOICES)).toEqual([]);
    expect(
      faults(undefined, [
        { id: RED, name: 'Red' },
        { id: OTHER, name: '' },
      ]),
    ).toEqual([]);
  });

  it('takes at most 200 characters', () => {
    const sent = (length: number) => AnswerInput().safeParse(send([OTHER], 'SINGLE_CHOICE', '字'.repeat(length)));
    expect([sent(200).success, sent(201).success]).toEqual([true, false]);
  });
});

describe('an answer that is sent back as it was stored', () => {
  const anyAnswer = fc.oneof(
    fc.record({
      type: fc.constant<QuestionType>('LONG_TEXT'),
      value: fc.string({ unit: 'grapheme' }).map((text) => `x${text}`),
    }),
    fc.record({
      type: fc.constant<QuestionType>('RANKING'),
      value: fc.shuffledSubarray([RED, BLUE, OTHER], { minLength: 1 }),
    }),
    fc.record({ type: fc.constant<QuestionType>('LINEAR_SCALE'), value: fc.integer({ min: 0, max: 10 }) }),
    fc.record({
      type: fc.constant<QuestionType>('DATE'),
      value: fc
        .date({ min: new Date('2020-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((day) => day.toISOString()),
    }),
  );

  it('is the same answer', () => {
    fc.assert(
      fc.property(anyAnswer, ({ type, value }) => {
        const first = check(type, value);
        const { value: stored } = contentOf(first);
        if (typeof stored === 'object' && !Array.isArray(stored)) throw new Error('no account was connected');
        const ids = Array.isArray(stored) ? stored.map(String) : stored;
        expect(check(type, ids)).toEqual(first);
      }),
    );
  });
});
