/** The page of statistics, by its handler: who sees it, what it shows, and what a filter does to it. */
import { describe, expect, test } from 'vitest';
import { measureCost } from '#test/support/cost.ts';
import { newForm } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { CHOICES, castAt, choice, readQuestions, respond, sent, start, submit, text } from '#test/support/responses.ts';

const cast = await castAt();

/** A form with a choice, a rating, a date and a text, with three responses and a draft. */
async function answeredForm() {
  const { alice, dave, erin, slug } = cast;
  const built = await newForm(alice, slug, [
    [
      {
        type: 'MULTIPLE_CHOICE',
        title: 'Colour & light',
        choices: [...CHOICES.slice(0, 2), { name: '', isOther: true }],
      },
      { type: 'RATING', title: 'Rating', scale: { minVal: 1, maxVal: 5, maxValueLabel: 'great', icon: 'star' } },
      { type: 'DATE', title: 'Visit', date: { hasYear: true, hasMonth: true, hasDay: true } },
      { type: 'SHORT_TEXT', title: 'Remark' },
      { type: 'RANKING', title: 'Order', choices: [{ name: 'North' }, { name: 'South' }] },
    ],
    [{ type: 'SHORT_TEXT', title: 'More' }],
  ]);
  const { formId } = built;
  const [colour, rating, date, remark, order] = await readQuestions(alice, formId);
  if (!colour || !rating || !date || !remark || !order) throw new Error('a question is missing');
  const answers = (names: string[], stars: number, words: string) => [
    sent(
      colour.id,
      'MULTIPLE_CHOICE',
      names.map((name) => choice(colour, name)),
      names.includes('') ? 'Mauve' : undefined,
    ),
    sent(rating.id, 'RATING', stars),
    sent(date.id, 'DATE', '2026-02-03'),
    text(remark.id, words),
    sent(
      order.id,
      'RANKING',
      ['South', 'North'].map((name) => choice(order, name)),
    ),
  ];
  const first = await respond(dave, formId, answers(['Red'], 5, '<b>bold</b>'));
  await respond(dave, formId, answers(['Red', ''], 4, 'fine'));
  await respond(erin, formId, answers(['Blue'], 1, 'hm'));
  await start(erin, formId, answers(['Blue'], 1, 'a draft'));
  return { ...built, colour, first, red: choice(colour, 'Red'), path: `/review/${formId}/statistics` };
}

test('many months are columns in a line of time, also those without dates, with a table below', async () => {
  const { alice, dave, slug } = cast;
  const date = { hasYear: true, hasMonth: true, hasDay: true };
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'DATE', title: 'Visit', date }]]);
  const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'].map(
    (month) => `2025-${month}`,
  );
  for (const month of [...months, '2026-02']) {
    await respond(dave, formId, [sent(questionIds[0] ?? '', 'DATE', `${month}-01`)]);
  }
  const html = await pagesOf(cast.bob).show(`/review/${formId}/statistics`);
  const [, card = ''] = html.split(`aria-labelledby="q-${questionIds[0]}"`);
  const [chart = ''] = /class="column-chart.*?<\/svg>.*?<\/div>/s.exec(card) ?? [];
  // January 2026 has none.
  expect([...chart.matchAll(/ height="(\d+)"/g)].map(([, height]) => Number(height))).toEqual([
    ...[100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 0, 100],
  ]);
  expect(textOf(chart)).toContain('January 2025 February 2026');
  expect(textOf(card)).toContain('December 2025 1 8%');
});

test('questions that are the rows of one table are one table of counts and shares', async () => {
  const { alice, dave, erin, slug } = cast;
  const choices = [{ name: 'Yes' }, { name: 'No' }];
  const scale = { minVal: 1, maxVal: 3 };
  const { formId } = await newForm(alice, slug, [
    [
      { type: 'SINGLE_CHOICE', title: 'Clear', choices },
      { type: 'SINGLE_CHOICE', title: 'Useful', choices, grid: true },
      { type: 'LINEAR_SCALE', title: 'Pace', scale },
      { type: 'LINEAR_SCALE', title: 'Depth', scale, grid: true },
      { type: 'SHORT_TEXT', title: 'Remark' },
    ],
  ]);
  const [clear, useful, pace, depth] = await readQuestions(alice, formId);
  if (!clear || !useful || !pace || !depth) throw new Error('a question is missing');
  const respondAs = (person: typeof dave, first: string, second: string, points: number) =>
    respond(person, formId, [
      sent(clear.id, 'SINGLE_CHOICE', [choice(clear, first)]),
      sent(useful.id, 'SINGLE_CHOICE', [choice(useful, second)]),
      sent(pace.id, 'LINEAR_SCALE', points),
    ]);
  await respondAs(dave, 'Yes', 'No', 3);
  await respondAs(erin, 'Yes', 'Yes', 2);
  const html = await pagesOf(cast.bob).show(`/review/${formId}/statistics`);
  const tables = [...html.matchAll(/<table><caption.*?<\/table>/gs)].map(([table]) =>
    [...table.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<(?:th|td)[^>]*>(.*?)<\/(?:th|td)>/gs)].map(([, cell = '']) => textOf(cell).trim()),
    ),
  );
  expect(tables).toEqual([
    [
      ['Question', 'Yes', 'No', 'Answered'],
      ['Clear All answers : Clear', '2 100%', '0 0%', '2 of 2'],
      ['Useful All answers : Useful', '1 50%', '1 50%', '2 of 2'],
    ],
    [
      ['Question', '1', '2', '3', 'Mean', 'Answered'],
      ['Pace All answers : Pace', '0 0%', '1 50%', '1 50%', '2.5', '2 of 2'],
      ['Depth', '0', '0', '0', '–', '0 of 2'],
    ],
  ]);
  expect(html).toContain(`<th scope="row"><span id="q-${clear.id}"`);
  expect(textOf(html)).toContain(
    'A table of 2 questions, from “Clear” Shares are of those who answered the question of the row.',
  );
  // Every cell has the shade of its share.
  expect([...html.matchAll(/data-shade="(\d)"/g)].map(([, shade]) => Number(shade))).toEqual([
    ...[4, 0, 2, 2],
    ...[0, 2, 2, 0, 0, 0],
  ]);
  expect(
    textOf(await pagesOf(cast.bob, { 'accept-language': 'zh-TW' }).show(`/review/${formId}/statistics`)),
  ).toContain('從「Clear」起 2 題的表格');
});

describe('the statistics', () => {
  test('are for members only, and linked from the pages of the form', async () => {
    const { alice, bob, chelsea } = cast;
    const { path, formId } = await answeredForm();
    expect((await pagesOf(bob).get(path)).status).toBe(200);
    expect((await pagesOf(chelsea).get(path)).status).toBe(403);
    expect(await pagesOf(alice).show(`/review/${formId}`)).toContain(`href="${path}"`);
  });

  test('show counts and shares of each question, in words beside the bars', async () => {
    const { path, formId, first } = await answeredForm();
    const html = await pagesOf(cast.bob).show(path);
    const shown = textOf(html);
    for (const expected of [
      '3 responses, 4 started',
      'By day, in UTC. Most: 3 (1 May 2026)',
      'New Section 4 100% 1 New Section 3 75% 0',
      'Submitted 3 75% –',
      'Red 2 67% ',
      'Other 1 33% ',
      'Mean 3.33 Median 4 ',
      '4 1 33% 5 (great) 1 33%',
      'February 2026 3 100%',
      'South 1 3',
      'North 2 3',
      '0 of 3 who were asked have answered.',
    ]) {
      expect(shown).toContain(expected);
    }
    expect(html).toContain('Colour &amp; light');
    expect(html).toContain('<p dir="auto">&lt;b&gt;bold&lt;/b&gt;</p>');
    expect(html).toContain(`href="/review/${formId}/r/${first}"`);
    expect(shown).not.toContain('a draft');
    expect(shown).not.toContain('Mauve');
  });

  test('have one base for every share, those who answered, which stands beside the bars', async () => {
    const { alice, dave, erin, bob, slug } = cast;
    const { formId, questionIds, sectionIds } = await newForm(alice, slug, [
      [
        { type: 'MULTIPLE_CHOICE', title: 'Colour', choices: ['Red', 'Blue', 'Green'].map((name) => ({ name })) },
        { type: 'RATING', title: 'Rating', scale: { minVal: 1, maxVal: 5, icon: 'star' } },
      ],
    ]);
    const [colour, rating] = await readQuestions(alice, formId);
    if (!colour || !rating) throw new Error('a question is missing');
    const choose = (...names: string[]) => [
      sent(
        colour.id,
        'MULTIPLE_CHOICE',
        names.map((name) => choice(colour, name)),
      ),
      sent(rating.id, 'RATING', 4),
    ];
    await respond(dave, formId, choose('Red'));
    await respond(dave, formId, choose('Red', 'Green'));
    for (const _ of [1, 2]) await respond(erin, formId, []);
    const params = { sectionId: sectionIds[0] ?? '', questionId: colour.id };
    const choices = (colour.choices ?? []).filter(({ name }) => name !== 'Green');
    const rest = { type: 'MULTIPLE_CHOICE' as const, title: 'Colour', required: false, description: null, order: 1 };
    await alice.client.questions.updateQuestion({ params, body: { ...rest, choices } });
    await alice.client.forms.setHighlight({ params: { formId }, body: { questionId: questionIds[0] ?? '' } });
    const shown = textOf(await pagesOf(bob).show(`/review/${formId}/statistics`));
    const base = 'Shares are of the 2 who answered.';
    expect(shown).toContain(`2 of 4 who were asked have answered. ${base}`);
    expect(shown).toContain('Red 2 100% ');
    expect(shown).toMatch(new RegExp(`${base} [^.]*4 2 100%`));
    const highlight = textOf(await pagesOf(bob).show(`/review/${formId}`));
    expect(highlight).toContain(base);
    expect(highlight).toContain('Red 2 100% ');
    expect(highlight).toContain('1 selection of choices that are no longer offered.');
  });

  test('are of the responses that match a filter, which the table and the statistics share', async () => {
    const { bob } = cast;
    const { path, colour, red, formId } = await answeredForm();
    const query = `f-${colour.id}=${red}`;
    const { show } = pagesOf(bob);
    const html = await show(`${path}?${query}`);
    const shown = textOf(html);
    expect(shown).toContain('These statistics are of 2 responses that match.');
    expect(shown).toContain('Mean 4.5 Median 4.5');
    expect(shown).not.toContain('How far respondents get');
    expect(html).toContain(`href="/review/${formId}?${query}"`);
    expect(await show(`/review/${formId}?${query}`)).toContain(`href="${path}?${query}"`);
    const open = await show(`${path}?${query}&filter=open`);
    expect(open).toContain(`method="get" action="${path}"`);
    expect(open).toContain('<input dir="auto" id="q" name="q" type="search" value=""');
    const searched = await show(`${path}?q=erin&filter=open`);
    expect(textOf(searched)).toContain('These statistics are of 1 response that matches.');
    expect(searched).toContain('name="q" type="search" value="erin"');
    expect(searched.match(/name="q"/g)).toHaveLength(1);
    expect(textOf(searched)).toContain('Remove the filter Search names and answers: erin');
    expect(textOf(await show(`${path}?f-${colour.id}=nothing`))).toContain('No response matches the filter.');
    expect(textOf(await show(`${path}?q=nobody`))).toContain('No response matches the filter.');
    expect(textOf(await show(`${path}?f-${formId}=unknown`))).not.toContain('match');
  });

  test('lead to the newest files', async () => {
    const { alice, dave, slug } = cast;
    const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 1, maxFileSizeLimit: 1_000 };
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'UPLOAD_FILE', uploadFile }]]);
    const draft = await start(dave, formId);
    const form = new FormData();
    form.append('files', new File(['Clear water'], 'a <b> river.txt', { type: 'text/plain' }));
    const params = { responseId: draft, questionId: questionIds[0] ?? '' };
    const { files } = (await dave.client.files.uploadFiles({ params, form })).body;
    await submit(dave, draft);
    const html = await pagesOf(alice).show(`/review/${formId}/statistics`);
    expect(html).toContain(`<a href="/files/${files[0]?.fileId}" dir="auto">a &lt;b&gt; river.txt</a>`);
  });

  test('say of how many responses the newest texts are', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = questionIds;
    const path = `/review/${formId}/statistics`;
    await respond(dave, formId, [text(questionId, 'Clear water')]);
    expect(textOf(await pagesOf(alice).show(path))).toContain('Newest answers, from the last response: Clear water');
    await respond(dave, formId);
    expect(textOf(await pagesOf(alice).show(path))).toContain('Newest answers, from the last 2 responses: Clear water');
    const chinese = await pagesOf(alice, { 'accept-language': 'zh-TW' }).show(path);
    expect(textOf(chinese)).toContain('最新的答案，取自最近 2 份回覆： Clear water');
  });

  test('are shown in Chinese, with an other choice that has no name', async () => {
    const { path } = await answeredForm();
    const shown = textOf(await pagesOf(cast.bob, { 'accept-language': 'zh-TW' }).show(path));
    for (const expected of ['3 份回覆，4 份已開始填寫', '其他 1 33%', '平均數 3.33', '2026年2月 3 100%']) {
      expect(shown).toContain(expected);
    }
  });

  test('say what is missing while nobody has answered or submitted', async () => {
    const { alice, dave, slug } = cast;
    const { formId } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', title: 'Name' }]]);
    const path = `/review/${formId}/statistics`;
    expect(textOf(await pagesOf(alice).show(path))).toContain('Statistics appear here with the first response.');
    await start(dave, formId);
    const shown = textOf(await pagesOf(alice).show(path));
    expect(shown).toContain('0 responses, 1 started');
    expect(shown).toContain('How far respondents get');
  });

  test('have 30 questions on a page, and cost three round trips', async () => {
    const { alice, dave, slug } = cast;
    const kinds = Array.from({ length: 61 }, (_, index) => ({
      type: 'SHORT_TEXT' as const,
      title: `Item ${index + 1}.`,
    }));
    const { formId } = await newForm(alice, slug, [kinds]);
    await respond(dave, formId, []);
    const path = `/review/${formId}/statistics`;
    const { show } = pagesOf(alice);
    await show(path);
    const { cost, result } = await measureCost(() => show(path));
    expect(cost.roundTrips).toBeLessThanOrEqual(3);
    expect(textOf(result)).toContain('Questions 1 to 30 of 61');
    expect(result).toContain(`href="${path}?questions=31#answers"`);
    const last = await show(`${path}?questions=61`);
    expect(last).toContain('>Item 61.<');
    expect(last).not.toContain('>Item 60.<');
    expect(last).toContain(`href="${path}?questions=31#answers"`);
    // A day of the filter is no number of a question.
    const today = new Date().toISOString().slice(0, 10);
    const filtered = await show(`${path}?from=2026-01-01&to=${today}&questions=61`);
    expect(filtered).toContain('>Item 61.<');
    expect(filtered).toContain(`href="${path}?from=2026-01-01&amp;to=${today}&amp;questions=31#answers"`);
    for (const wrong of ['0', '62', '-1', 'x']) expect(await show(`${path}?questions=${wrong}`)).toContain('>Item 1.<');
  });
});

test('of numbers show the mean, the median and the extremes, with their unit', async () => {
  const weight = { type: 'SHORT_TEXT', title: 'Weight', text: { format: 'NUMBER', unit: 'kg' } } as const;
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[weight]]);
  for (const value of ['7,5', '1', '12']) await respond(cast.dave, formId, [text(questionIds[0] ?? '', value)]);
  const page = textOf(await (await pagesOf(cast.bob).get(`/review/${formId}/statistics`)).text());
  for (const figure of ['Mean 6.83 kg', 'Least 1 kg', 'Median 7.5 kg', 'Greatest 12 kg'])
    expect(page).toContain(figure);
});
