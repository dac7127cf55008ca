/** The members of questions on their page: typed, stored, refused with a message, cleared, and changed by two authors. */
import { expect, test } from 'vitest';
import type { QuestionDocument, QuestionInput, QuestionType } from '#core/structure/question-model.ts';
import { newCast, newForm, question } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();
const pages = pagesOf(cast.alice);

type Fields = readonly (readonly [string, string])[];
const three = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

async function setUp(content: Partial<QuestionInput> & { type: QuestionType }) {
  const choices = /CHOICE|DROPDOWN|RANKING/.test(content.type) ? { choices: three } : {};
  const { formId, sectionIds, questionIds } = await newForm(
    cast.alice,
    cast.slug,
    [
      [
        { title: 'Other', type: 'SHORT_TEXT', name: 'taken' },
        { ...choices, ...content },
      ],
    ],
    { publish: false },
  );
  const page = `/build/${formId}/q/${questionIds[1]}`;
  const newPage = `/build/${formId}/s/${sectionIds[0]}/new`;
  const sections = async () => (await cast.alice.client.sections.listSections({ params: { formId } })).body;
  const read = async (): Promise<QuestionDocument | undefined> =>
    (await sections()).flatMap(({ section }) => section?.questions ?? []).at(1);
  const change = async (changed: Partial<QuestionInput>) => {
    const params = { sectionId: sectionIds[0] ?? '', questionId: questionIds[1] ?? '' };
    const body = { ...question(content), ...choices, ...content, order: 2, ...changed };
    await cast.bob.client.questions.updateQuestion({ params, body });
  };
  return { page, newPage, read, change };
}

const TYPED: [QuestionType, Fields, Partial<QuestionDocument>][] = [
  ['SHORT_TEXT', [['name', ' age ']], { name: 'age' }],
  ['SHORT_TEXT', [['hidden', 'on']], { hidden: true }],
  [
    'SHORT_TEXT',
    [
      ['text-format', 'NUMBER'],
      ['text-min', '-1,5'],
      ['text-max', '10'],
      ['text-decimals', '1'],
      ['text-unit', 'kg'],
    ],
    { text: { format: 'NUMBER', min: -1.5, max: 10, decimals: 1, unit: 'kg' } },
  ],
  [
    'SHORT_TEXT',
    [
      ['text-format', 'EMAIL'],
      ['text-sendCopy', 'on'],
      ['text-maxLength', '60'],
    ],
    { text: { format: 'EMAIL', maxLength: 60, sendCopy: true } },
  ],
  [
    'SHORT_TEXT',
    [
      ['text-format', 'PATTERN'],
      ['text-pattern', '[A-Z]{2}'],
      ['text-hint', 'Two capitals'],
    ],
    { text: { format: 'PATTERN', pattern: '[A-Z]{2}', hint: 'Two capitals' } },
  ],
  ['LONG_TEXT', [['text-minLength', '20']], { text: { minLength: 20 } }],
  [
    'RANKING',
    [
      ['selection-min', '2'],
      ['selection-max', '3'],
    ],
    { selection: { min: 2, max: 3 } },
  ],
  ['DROPDOWN', [['shuffle', 'on']], { shuffle: true }],
  ['SINGLE_CHOICE', [['grid', 'on']], { grid: true }],
];

test.each(TYPED)('of a %s, %j is stored, opened and cleared', async (type, typed, stored) => {
  const { page, read } = await setUp({ type });
  expect((await fillIn(cast.alice, page, typed)).status).toBe(303);
  const saved = await read();
  expect(saved).toMatchObject(stored);
  expect((await fillIn(cast.alice, page, [['title', 'Changed']])).status).toBe(303);
  expect(await read()).toMatchObject(stored);
  const cleared = await fillIn(
    cast.alice,
    page,
    typed.map(([name]) => [name, '']),
  );
  expect(cleared.status).toBe(303);
  for (const member of Object.keys(stored)) expect(await read()).not.toHaveProperty(member);
});

const REFUSED: [QuestionType, Fields, string, string][] = [
  ['SHORT_TEXT', [['name', '1st']], 'name', 'Enter a name that no other question has'],
  ['SHORT_TEXT', [['name', 'TAKEN']], 'name', 'Enter a name that no other question has'],
  ['SHORT_TEXT', [['text-format', 'COLOUR']], 'text-format', 'Choose one of these formats'],
  ['SHORT_TEXT', [['text-maxLength', '501']], 'text-maxLength', 'Enter a whole number from 1 to 500'],
  ['LONG_TEXT', [['text-minLength', '1.5']], 'text-minLength', 'Enter a whole number from 1 to 500'],
  [
    'SHORT_TEXT',
    [
      ['text-format', 'NUMBER'],
      ['text-min', '5'],
      ['text-max', '4'],
    ],
    'text-min',
    'Enter a number of at most 15 digits',
  ],
  [
    'SHORT_TEXT',
    [
      ['text-format', 'NUMBER'],
      ['text-max', 'ten'],
    ],
    'text-max',
    'Enter a number of at most 15 digits',
  ],
  [
    'SHORT_TEXT',
    [
      ['text-format', 'PATTERN'],
      ['text-pattern', '('],
      ['text-hint', 'x'],
    ],
    'text-pattern',
    'Enter a valid pattern',
  ],
  [
    'SHORT_TEXT',
    [
      ['text-format', 'PATTERN'],
      ['text-pattern', 'a'],
    ],
    'text-hint',
    'Enter 1 to 200 characters on one line',
  ],
  ['MULTIPLE_CHOICE', [['selection-max', '4']], 'selection-max', 'Enter whole numbers from 1'],
  ['MULTIPLE_CHOICE', [['selection-min', '0']], 'selection-min', 'Enter whole numbers from 1'],
];

test.each(REFUSED)('of a %s, %j is refused at its control', async (type, typed, control, message) => {
  const { page, newPage, read } = await setUp({ type });
  const before = await read();
  const choices: Fields = type === 'MULTIPLE_CHOICE' ? [['choice.name', 'a']] : [];
  for (const [path, fields] of [
    [page, typed],
    [`${newPage}?type=${type}`, [['title', 'Which?'], ...choices, ...typed]],
  ] as const) {
    const response = await fillIn(cast.alice, path, fields);
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(html).toContain(`id="${control}-error"`);
    expect(textOf(html)).toContain(message);
    const shown = typed.filter(([, value]) => value !== 'COLOUR');
    expect(fieldsOf(html)).toEqual(expect.arrayContaining([...shown]));
  }
  expect(await read()).toEqual(before);
});

/** What another author makes of a question, and how the page says it. */
const THEIRS: [QuestionType, Partial<QuestionInput>, Partial<QuestionInput>, string][] = [
  ['SHORT_TEXT', {}, { name: 'age' }, 'Name for texts, links and files age'],
  ['SHORT_TEXT', {}, { hidden: true }, 'Hidden Yes'],
  ['SHORT_TEXT', {}, { text: { format: 'PHONE' } }, 'Format Telephone number'],
  ['SHORT_TEXT', { text: { minLength: 1 } }, { text: { minLength: 2 } }, 'Least number of characters 2'],
  ['LONG_TEXT', { text: { maxLength: 9 } }, { text: null }, 'Largest number of characters Nothing'],
  ['SHORT_TEXT', { text: { format: 'NUMBER' } }, { text: { format: 'NUMBER', min: 0.5 } }, 'Smallest number 0.5'],
  ['SHORT_TEXT', { text: { format: 'NUMBER' } }, { text: { format: 'NUMBER', max: 7 } }, 'Largest number 7'],
  ['SHORT_TEXT', { text: { format: 'NUMBER' } }, { text: { format: 'NUMBER', decimals: 0 } }, 'Most decimals 0'],
  ['SHORT_TEXT', { text: { format: 'NUMBER' } }, { text: { format: 'NUMBER', unit: 'kg' } }, 'Unit kg'],
  [
    'SHORT_TEXT',
    { text: { format: 'PATTERN', pattern: 'a', hint: 'A' } },
    { text: { format: 'PATTERN', pattern: 'b', hint: 'A' } },
    'Pattern b',
  ],
  [
    'SHORT_TEXT',
    { text: { format: 'PATTERN', pattern: 'a', hint: 'A' } },
    { text: { format: 'PATTERN', pattern: 'a', hint: 'B' } },
    'What the pattern asks for, in words B',
  ],
  [
    'SHORT_TEXT',
    { text: { format: 'EMAIL' } },
    { text: { format: 'EMAIL', sendCopy: true } },
    'Send a confirmation to this address Yes',
  ],
  ['RANKING', {}, { selection: { min: 2 } }, 'At least 2'],
  ['RANKING', { selection: { max: 2 } }, { selection: { max: 3 } }, 'At most 3'],
  ['DROPDOWN', {}, { shuffle: true }, 'Show the choices in another order to each respondent Yes'],
  ['LINEAR_SCALE', {}, { grid: true }, 'Show as a row of one table with the question above Yes'],
];

test.each(THEIRS)('of a %s %j, %j of another author is asked about', async (type, first, other, words) => {
  const scale = type === 'LINEAR_SCALE' ? { scale: { minVal: 1, maxVal: 5 } } : {};
  const { page, read, change } = await setUp({ type, ...scale, ...first });
  const fields = fieldsOf(await pages.show(page));
  await change({ ...scale, ...other });
  const theirs = await read();
  const typed = fields.map(([name, value]) => [name, name === 'title' ? 'Mine' : value] as const);
  const response = await pages.post(page, [...typed, ['do', 'save']]);
  expect(response.status).toBe(409);
  expect(textOf(await response.text())).toContain(words);
  expect(await read()).toEqual(theirs);
});

test('a selection that stays is no fault of removed choices', async () => {
  const { page, read } = await setUp({ type: 'MULTIPLE_CHOICE', selection: { max: 3 } });
  const left = fieldsOf(await pages.show(page))
    .filter(([name]) => name === 'choice.id')
    .slice(0, 2);
  const rows = left.flatMap(
    ([, id], index): Fields => [
      ['choice.name', index === 0 ? 'a' : 'b'],
      ['choice.id', id],
    ],
  );
  const saved = await fillIn(cast.alice, page, rows);
  expect(saved.status).toBe(303);
  expect(await read()).toMatchObject({ choices: [{ name: 'a' }, { name: 'b' }], selection: { max: 3 } });
});

test('what few questions need is folded while nothing of it is set, and open with what is set or wrong', async () => {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT' },
      { type: 'SHORT_TEXT', name: 'who' },
      { type: 'MULTIPLE_CHOICE', choices: [{ name: 'A' }], selection: { max: 1 } },
    ],
  ]);
  const isOpen = (page: string) =>
    /<details class="field options"( open)?><summary>More options/.exec(page)?.[1] === ' open';
  const shown = await Promise.all(questionIds.map((id) => pages.show(`/build/${formId}/q/${id}`)));
  expect(shown.map(isOpen)).toEqual([false, true, true]);
  const fields = fieldsOf(shown[0] ?? '').filter(([name]) => name !== 'name');
  const refused = await pages.post(`/build/${formId}/q/${questionIds[0]}`, [
    ...fields,
    ['name', 'a-b'],
    ['do', 'save'],
  ]);
  expect([refused.status, isOpen(await refused.text())]).toEqual([400, true]);
});
