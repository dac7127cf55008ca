/** The pages of respondents for questions that check: what they say, when they judge, and what they never show. */
import { describe, expect, test } from 'vitest';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { newCast, newForm, send } from '#test/support/fixtures.ts';
import { start, text } from '#test/support/responses.ts';

const cast = await newCast();
type Kind = { type: QuestionInput['type'] } & Partial<QuestionInput>;

/** A response to a form with one section of some questions, and its pages. */
async function open(questions: Kind[], answers: (questionIds: readonly string[]) => [number, string][] = () => []) {
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [questions]);
  const values = answers(questionIds).map(([index, value]) => text(questionIds[index] ?? '', value));
  const responseId = await start(cast.dave, formId, values);
  const path = `/r/${responseId}/s/${sectionIds[0]}`;
  const headers = { cookie: `access_token=${cast.dave.token}` };
  const get = async (address = path): Promise<string> => (await send('GET', address, { headers })).text();
  const post = async (action: string, fields: [string, string][]) => {
    const stamps = [...(await get()).matchAll(/name="([sk]\.[^"]+)" value="([^"]*)"/g)];
    const body = new URLSearchParams(stamps.map(([, name = '', value = '']): [string, string] => [name, value]));
    for (const [name, value] of [...fields, ['do', action] as const]) body.append(name, value);
    const posted = { ...headers, origin: 'http://127.0.0.1:3000', 'content-type': 'application/x-www-form-urlencoded' };
    return send('POST', path, { headers: posted, body: body.toString() });
  };
  const stored = async (index: number): Promise<unknown> => {
    const params = { responseId, questionId: questionIds[index] ?? '' };
    return (await cast.dave.client.responses.getAnswer({ params })).body.answer.answer.value;
  };
  return { formId, responseId, questionIds, path, get, post, stored };
}

const weight: Kind = { type: 'SHORT_TEXT', text: { format: 'NUMBER', min: 1, max: 90, decimals: 1, unit: 'kg' } };

test('a draft keeps what was typed; only Continue judges it, says what is expected, and loses nothing', async () => {
  const { post, questionIds, stored } = await open([weight]);
  const fields = (value: string): [string, string][] => [[`q.${questionIds[0]}`, value]];
  expect((await post('save', fields('seven'))).status).toBe(303);
  const refused = await post('next', fields('eight'));
  expect(refused.status).toBe(400);
  const page = await refused.text();
  expect(page).toContain('Enter a number of at most 15 digits, such as 12 or 3.5');
  expect(page).toContain('value="eight"');
  expect(await stored(0)).toBe('eight');
  expect(await (await post('next', fields('7.25'))).text()).toContain('Enter at most 1 decimal');
  expect(await (await post('next', fields('0'))).text()).toContain('Enter a number from 1 to 90');
  const passed = await post('next', fields(' 7,5 '));
  expect([passed.status, passed.headers.get('location')]).toEqual([303, expect.stringContaining('/check')]);
});

const arrival: Kind = { type: 'SHORT_TEXT', text: { format: 'TIME' }, required: true };

test.for([
  ['9.30 am', '09:30'],
  ['下午 8:30', '20:30'],
])('a time that is typed as %s is stored and shown as %s', async ([typed = '', time = '']) => {
  const { post, get, questionIds, stored } = await open([arrival]);
  const passed = await post('next', [[`q.${questionIds[0]}`, typed]]);
  expect([passed.status, passed.headers.get('location')]).toEqual([303, expect.stringContaining('/check')]);
  expect(await stored(0)).toBe(time);
  expect(await get()).toContain(`value="${time}"`);
});

test('a text that may be another time is refused, and stays as it was typed', async () => {
  const { post, questionIds, stored } = await open([arrival]);
  const refused = await post('next', [[`q.${questionIds[0]}`, '9']]);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toMatch(/Enter a time of day[\s\S]*value="9"/);
  expect(await stored(0)).toBe('9');
});

test('a draft that a client has stored with such a time is corrected by its page, without a conflict', async () => {
  const { post, questionIds, stored } = await open([arrival], () => [[0, '9:30']]);
  expect((await post('next', [[`q.${questionIds[0]}`, '9:30']])).status).toBe(303);
  expect(await stored(0)).toBe('09:30');
});

test('the check page names an answer that is not what its question asks for, and leads to it', async () => {
  const { get, responseId, questionIds } = await open([weight], () => [[0, 'seven']]);
  const check = await get(`/r/${responseId}/check`);
  expect(check).toContain('Enter a number of at most 15 digits');
  expect(check).toContain(`#q-${questionIds[0]}`);
});

test.for<[string, Kind, string[]]>([
  ['a number', weight, ['A number from 1 to 90, with at most 1 decimal', 'inputmode="decimal"', '>kg</span>']],
  ['an address', { type: 'SHORT_TEXT', text: { format: 'EMAIL' } }, ['inputmode="email"', 'autocomplete="email"']],
  ['a telephone number', { type: 'SHORT_TEXT', text: { format: 'PHONE' } }, ['inputmode="tel"', 'autocomplete="tel"']],
  [
    'a time',
    { type: 'SHORT_TEXT', text: { format: 'TIME' } },
    ['As hours and minutes, such as 09:30 or 18:45', 'inputmode="decimal"'],
  ],
  [
    'a pattern',
    { type: 'SHORT_TEXT', text: { format: 'PATTERN', pattern: '[A-Z]+', hint: 'Capitals <only>' } },
    ['Capitals &lt;only&gt;'],
  ],
  ['a length', { type: 'LONG_TEXT', text: { minLength: 10 } }, ['At least 10 characters']],
  [
    'a selection',
    { type: 'MULTIPLE_CHOICE', choices: [{ name: 'a' }, { name: 'b' }], selection: { min: 1, max: 2 } },
    ['Choose 1 to 2.'],
  ],
])('%s is asked for with what helps to type it', async ([, question, expected]) => {
  const page = await (await open([question])).get();
  for (const part of expected) expect(page).toContain(part);
});

test('a selection of more than is offered is not asked for', async () => {
  const question: Kind = { type: 'MULTIPLE_CHOICE', choices: [{ name: 'a' }, { name: 'b' }], selection: { max: 2 } };
  const { formId, get } = await open([question]);
  const [listed] = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
  const [stored] = listed?.questions ?? [];
  const plain = { type: question.type, title: 'Fewer', required: false, description: null, order: 1 };
  const body = { ...plain, choices: [{ name: 'a' }] };
  const params = { sectionId: listed?.section.id ?? '', questionId: stored?.id ?? '' };
  await cast.alice.client.questions.updateQuestion({ params, body });
  expect(await get()).not.toContain('Choose at most');
});

test('a hidden question is on no page of its respondent', async () => {
  const questions: Kind[] = [
    { type: 'SHORT_TEXT', title: 'Where from', hidden: true, required: true },
    { type: 'SHORT_TEXT', title: 'Your name' },
  ];
  const { get, responseId } = await open(questions, () => [[0, 'the poster']]);
  for (const page of [await get(), await get(`/r/${responseId}/check`)]) {
    expect(page).toContain('Your name');
    expect(page).not.toContain('Where from');
    expect(page).not.toContain('the poster');
  }
});

test('choices are shuffled by response, stay so, and end with the other choice', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const choices = [{ name: '', isOther: true }, ...names.map((name) => ({ name }))];
  const { formId, get } = await open([{ type: 'SINGLE_CHOICE', choices, shuffle: true }]);
  const shown = (page: string) =>
    [...page.matchAll(/<span dir="auto">(one|two|three|four|five|six|Other)/g)].map(([, name]) => name);
  const first = shown(await get());
  expect(first.toSorted()).toEqual([...names, 'Other'].toSorted());
  expect(first.at(-1)).toBe('Other');
  expect(shown(await get())).toEqual(first);
  const [section] = (await cast.dave.client.sections.listSections({ params: { formId } })).body;
  const orders = new Set<string>();
  for (let count = 0; count < 8; count += 1) {
    const responseId = await start(cast.dave, formId);
    orders.add(shown(await get(`/r/${responseId}/s/${section?.section.id}`)).join());
  }
  // Eight orders of six are all alike in one of 720 to the power of seven cases.
  expect(orders.size).toBeGreaterThan(1);
});

describe('questions that offer the same', () => {
  const agree = { choices: [{ name: 'Agree' }, { name: 'Disagree' }] };
  const row = (title: string, more: Partial<QuestionInput> = {}): Kind => ({
    ...{ type: 'SINGLE_CHOICE', title, grid: true, required: true },
    ...agree,
    ...more,
  });
  const tables = (page: string) =>
    [...page.matchAll(/<table class="question-grid">(.*?)<\/table>/gs)].map(([, table = '']) =>
      [...table.matchAll(/question-title" dir="auto" id="[^"]+">([^<]+)</g)].map(([, title]) => title),
    );

  test('are rows of one table, each a question of its own', async () => {
    const { get, post, questionIds, stored, formId } = await open([row('One'), row('Two'), row('Three')]);
    const page = await get();
    expect(tables(page)).toEqual([['One', 'Two', 'Three']]);
    const listed = (await cast.dave.client.sections.listSections({ params: { formId } })).body;
    const agrees = (listed[0]?.questions ?? []).map(({ choices }) => choices?.[0]?.id ?? '');
    const refused = await post('next', [[`q.${questionIds[1]}`, agrees[1] ?? '']]);
    expect(refused.status).toBe(400);
    const again = await refused.text();
    expect(tables(again)).toEqual([['One', 'Two', 'Three']]);
    expect(again.match(/class="question invalid"/g)).toHaveLength(2);
    expect(again).toContain(`value="${agrees[1]}" checked`);
    expect(await stored(1)).toEqual([agrees[1]]);
    const rest: [string, string][] = [0, 1, 2].map((index) => [`q.${questionIds[index]}`, agrees[index] ?? '']);
    expect((await post('next', rest)).status).toBe(303);
  });

  test.for<[string, Kind[], string[][]]>([
    ['one that is none ends a table', [row('a'), { type: 'SHORT_TEXT' }, row('b')], []],
    ['the first need not be one', [row('a', { grid: false }), row('b')], [['a', 'b']]],
    ['other choices begin another table', [row('a'), row('b', { choices: [{ name: 'Yes' }] })], []],
    ['an other choice is in none', [row('a', { choices: [{ name: '', isOther: true }] }), row('b')], []],
    [
      'scales with other ends are apart',
      [
        row('a', { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 3 } }),
        row('b', { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 3 } }),
        row('c', { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 3, maxValueLabel: 'much' } }),
      ],
      [['a', 'b']],
    ],
    [
      'a table has at most 30 rows',
      Array.from({ length: 32 }, (_, index) => row(`${index}`)),
      [Array.from({ length: 30 }, (_, index) => `${index}`), ['30', '31']],
    ],
  ])('%s', async ([, questions, expected]) => expect(tables(await (await open(questions)).get())).toEqual(expected));
});
