/** The page of a section without a browser: every type of question, budgets, and what is shown as text. */
import { describe, expect, test } from 'vitest';
import type { SaveResult } from '#core/pages/respondent/section-script.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { measureCost } from '#test/support/cost.ts';
import { type Built, newCast, newForm, send } from '#test/support/fixtures.ts';

const cast = await newCast();

type Kind = { type: QuestionInput['type'] } & Partial<QuestionInput>;
const ORIGIN = 'http://127.0.0.1:3000';

/** A new response to a form with one section, and requests to its page. */
async function start(questions: Kind[], options: { allowEditResponse?: boolean } = {}) {
  const form: Built = await newForm(cast.alice, cast.slug, [questions], options);
  const responseId = (await cast.dave.client.responses.startResponse({ params: { formId: form.formId } })).body.id;
  const path = `/r/${responseId}/s/${form.sectionIds[0]}`;
  const headers = { cookie: `access_token=${cast.dave.token}` };
  const get = async (address = path): Promise<string> => (await send('GET', address, { headers })).text();
  /** Posts the form of the page, as it is or was shown: its stamps, and the given fields. */
  const post = async (fields: [string, string][], shown?: string) => {
    const stamps = [...(shown ?? (await get())).matchAll(/name="([sk]\.[^"]+)" value="([^"]*)"/g)];
    const body = new URLSearchParams(stamps.map(([, name = '', value = '']): [string, string] => [name, value]));
    for (const [name, value] of fields) body.append(name, value);
    return send('POST', path, {
      headers: { ...headers, origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
  };
  const answers = async () => {
    const params = { formId: form.formId, responseId };
    const { sections } = (await cast.dave.client.responses.getResponse({ params })).body;
    return sections.flatMap(({ answerDetails }) => answerDetails.map(({ payload }) => payload?.displayValue));
  };
  return { ...form, responseId, path, get, post, answers };
}

const CHOICES = [{ name: 'Frogs' }, { name: 'Herons' }, { name: '', isOther: true }];
const date = (hasYear: boolean, hasMonth: boolean, hasDay: boolean) => ({ hasYear, hasMonth, hasDay });

describe('what is posted becomes the answer, and is shown again', () => {
  const choiceIds = async (page: Awaited<ReturnType<typeof start>>): Promise<string[]> => {
    const { body } = await cast.dave.client.sections.listSections({ params: { formId: page.formId } });
    return body[0]?.questions?.[0]?.choices?.map(({ id }) => id) ?? [];
  };

  const TEXTS: [string, Kind, (id: string) => [string, string][], string][] = [
    ['a text', { type: 'SHORT_TEXT' }, (id) => [[`q.${id}`, 'Dave']], 'Dave'],
    ['lines', { type: 'LONG_TEXT' }, (id) => [[`q.${id}`, '\r\na\r\nb']], '\na\nb'],
    ['a link', { type: 'HYPERLINK' }, (id) => [[`q.${id}`, ' https://example.org ']], 'https://example.org'],
    ['a date', { type: 'DATE', date: date(true, true, true) }, (id) => [[`q.${id}`, '2026-05-01']], '2026-05-01'],
    [
      'a month',
      { type: 'DATE', date: date(true, true, false) },
      (id) => [
        [`y.${id}`, '2026'],
        [`m.${id}`, '5'],
      ],
      '2026-05',
    ],
    [
      'a day',
      { type: 'DATE', date: date(false, true, true) },
      (id) => [
        [`m.${id}`, '2'],
        [`d.${id}`, '9'],
      ],
      '02-09',
    ],
    ['a scale', { type: 'LINEAR_SCALE', scale: { minVal: 0, maxVal: 5 } }, (id) => [[`q.${id}`, '0']], '0 (0-5)'],
    [
      'a rating',
      { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'heart' } },
      (id) => [[`q.${id}`, '3']],
      '3 (1-5)',
    ],
  ];
  test.for(TEXTS)('%s', async ([, kind, fields, shown]) => {
    const page = await start([kind]);
    const [id = ''] = page.questionIds;
    expect((await page.post([...fields(id), ['do', 'next']])).headers.get('location')).toBe(
      `/r/${page.responseId}/check`,
    );
    expect(await page.answers()).toEqual([shown]);
    // Sent back as it is shown, it is the same answer; cleared, there is none.
    await page.post([...fields(id), ['do', 'save']]);
    expect(await page.answers()).toEqual([shown]);
    await page.post([['do', 'save']]);
    expect(await page.answers()).toEqual([undefined]);
  });

  test.for([
    'SINGLE_CHOICE',
    'DROPDOWN',
    'MULTIPLE_CHOICE',
    'DETAILED_MULTIPLE_CHOICE',
  ] as const)('%s', async (type) => {
    const page = await start([{ type, choices: CHOICES }]);
    const [id = ''] = page.questionIds;
    const [frogs = '', , other = ''] = await choiceIds(page);
    await page.post([
      [`q.${id}`, frogs],
      [`o.${id}`, 'typed but not chosen'],
      ['do', 'save'],
    ]);
    expect(await page.answers()).toEqual(['Frogs']);
    await page.post([
      [`q.${id}`, other],
      [`o.${id}`, 'Newts'],
      ['do', 'save'],
    ]);
    expect(await page.answers()).toEqual(['Newts']);
    expect(await page.get()).toMatch(/(checked|selected)[^>]*>/);
  });

  test('a ranking, moved by its buttons', async () => {
    const page = await start([{ type: 'RANKING', choices: CHOICES.slice(0, 2) }]);
    const [id = ''] = page.questionIds;
    const [frogs = '', herons = ''] = await choiceIds(page);
    await page.post([['do', `rank:add:${id}:${herons}`]]);
    await page.post([
      [`q.${id}`, herons],
      ['do', `rank:add:${id}:${frogs}`],
    ]);
    expect(await page.answers()).toEqual(['Herons > Frogs']);
    await page.post([
      [`q.${id}`, herons],
      [`q.${id}`, frogs],
      ['do', `rank:up:${id}:${frogs}`],
    ]);
    expect(await page.answers()).toEqual(['Frogs > Herons']);
    await page.post([
      [`q.${id}`, frogs],
      [`q.${id}`, herons],
      ['do', `rank:remove:${id}:${frogs}`],
    ]);
    expect(await page.answers()).toEqual(['Herons']);
  });
});

test('a ranking with the text of its other choice', async () => {
  const page = await start([{ type: 'RANKING', choices: CHOICES }]);
  const [id = ''] = page.questionIds;
  const { body } = await cast.dave.client.sections.listSections({ params: { formId: page.formId } });
  const [frogs = '', , other = ''] = body[0]?.questions?.[0]?.choices?.map((choice) => choice.id) ?? [];
  await page.post([
    [`q.${id}`, other],
    [`q.${id}`, frogs],
    [`o.${id}`, 'Newts'],
    ['do', 'save'],
  ]);
  expect(await page.answers()).toEqual(['Newts > Frogs']);
  expect(await page.get()).toContain(`name="o.${id}" value="Newts"`);
  expect(await page.get(`/r/${page.responseId}/check`)).toContain('<li dir="auto">Newts</li>');
});

test.each([
  'SINGLE_CHOICE',
  'DROPDOWN',
  'RANKING',
] as const)('an other choice without a name needs its text to continue: %s', async (type) => {
  const page = await start([{ type, choices: CHOICES }]);
  const [id = ''] = page.questionIds;
  const { body } = await cast.dave.client.sections.listSections({ params: { formId: page.formId } });
  const other = body[0]?.questions?.[0]?.choices?.at(-1)?.id ?? '';
  const refused = await page.post([
    [`q.${id}`, other],
    ['do', 'next'],
  ]);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(`href="#q-${id}">A ${type} question – Say what “Other” stands for`);
  const check = await page.get(`/r/${page.responseId}/check`);
  expect(check).toContain(`A ${type} question – Say what “Other” stands for`);
  expect(check).toMatch(/<(?:li|span)[^>]*>Other</);
  const named = await page.post([
    [`q.${id}`, other],
    [`o.${id}`, 'Newts'],
    ['do', 'next'],
  ]);
  expect(named.headers.get('location')).toBe(`/r/${page.responseId}/check`);
});

test.for<[QuestionInput['type'], string, string]>([
  ['SHORT_TEXT', 'x'.repeat(501), 'Use at most 500 characters'],
  ['LONG_TEXT', 'x'.repeat(10_001), 'Use at most 10,000 characters'],
  ['HYPERLINK', `https://example.org/${'x'.repeat(2_048)}`, 'Use at most 2,048 characters'],
  ['HYPERLINK', 'example', 'Enter a full web address'],
])('an answer to a %s question that is not valid is kept with what is wrong', async ([type, typed, message]) => {
  const page = await start([{ type }]);
  const response = await page.post([
    [`q.${page.questionIds[0]}`, typed],
    ['do', 'next'],
  ]);
  expect(response.status).toBe(400);
  const html = await response.text();
  expect(html).toContain(message);
  expect(html).toContain(typed);
});

test('a text of the other choice that the API would refuse is an error on its page', async () => {
  const page = await start([{ type: 'SINGLE_CHOICE', choices: CHOICES }]);
  const [id = ''] = page.questionIds;
  const { body } = await cast.dave.client.sections.listSections({ params: { formId: page.formId } });
  const other = body[0]?.questions?.[0]?.choices?.at(-1)?.id ?? '';
  for (const text of ['x'.repeat(201), 'a\u0000b']) {
    const refused = await page.post([
      [`q.${id}`, other],
      [`o.${id}`, text],
      ['do', 'save'],
    ]);
    expect(refused.status).toBe(400);
    expect(await page.answers()).toEqual([undefined]);
  }
});

test('choices that follow from another answer appear once that is saved, also for scripts', async () => {
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'MULTIPLE_CHOICE', choices: CHOICES.slice(0, 2) }]]);
  const [sectionId = ''] = form.sectionIds;
  const [sourceId = ''] = form.questionIds;
  const best = {
    type: 'SINGLE_CHOICE' as const,
    title: 'Best?',
    required: false,
    description: null,
    order: 2,
    sourceId,
  };
  const created = await cast.alice.client.questions.createQuestion({ params: { sectionId }, body: best });
  const responseId = (await cast.dave.client.responses.startResponse({ params: { formId: form.formId } })).body.id;
  const headers = { cookie: `access_token=${cast.dave.token}`, origin: ORIGIN, accept: 'application/json' };
  const path = `/r/${responseId}/s/${sectionId}`;
  const before = await (await send('GET', path, { headers })).text();
  expect(before).toContain('The choices appear here once');
  const { body: sections } = await cast.dave.client.sections.listSections({ params: { formId: form.formId } });
  const frogs = sections[0]?.questions?.[0]?.choices?.[0]?.id ?? '';
  const stamp = new RegExp(`name="s.${sourceId}" value="([^"]*)"`).exec(before)?.[1] ?? '';
  const saved = await send('POST', path, {
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ [`s.${sourceId}`]: stamp, [`q.${sourceId}`]: frogs }).toString(),
  });
  const result = (await saved.json()) as SaveResult;
  expect(result.replaced[created.body.id]).toContain('Frogs');
  expect(result.replaced[created.body.id]).not.toContain('Herons');
});

test('a form that was made before the answers changed elsewhere overwrites none of them', async () => {
  const page = await start([{ type: 'SHORT_TEXT' }, { type: 'SHORT_TEXT' }, { type: 'SHORT_TEXT' }]);
  const [first, second, third] = page.questionIds.map((id) => `q.${id}`);
  const stale = await page.get();
  const fields = (values: Record<string, string>): [string, string][] => [...Object.entries(values), ['do', 'save']];
  await page.post(fields({ [`${first}`]: 'Elsewhere', [`${second}`]: 'Elsewhere too' }));
  const refused = await page.post(fields({ [`${second}`]: 'Here', [`${third}`]: 'Only here' }), stale);
  // The first was not touched here, the second was typed in both places, the third only here.
  expect(await page.answers()).toEqual(['Elsewhere', 'Elsewhere too', 'Only here']);
  const html = await refused.text();
  expect(refused.status).toBe(400);
  expect(html.match(/This answer was changed in another tab/g)).toHaveLength(1);
  expect(html).toMatch(/<blockquote[^>]*>Elsewhere too<\/blockquote>[\s\S]*value="Here"/);
  // Saving again decides nothing; the button that keeps the typed answer does.
  const values = { [`${first}`]: 'Elsewhere', [`${second}`]: 'Here', [`${third}`]: 'Only here' };
  expect((await page.post(fields(values), html)).status).toBe(400);
  expect(await page.answers()).toEqual(['Elsewhere', 'Elsewhere too', 'Only here']);
  const keep: [string, string][] = [...Object.entries(values), ['do', `keep:${page.questionIds[1]}`]];
  expect((await page.post(keep, html)).status).toBe(303);
  expect(await page.answers()).toEqual(['Elsewhere', 'Here', 'Only here']);
});

test('a submitted response is edited in place where the form allows it, and stays complete', async () => {
  const page = await start([{ type: 'SHORT_TEXT', required: true }]);
  const [id = ''] = page.questionIds;
  await page.post([
    [`q.${id}`, 'First'],
    ['do', 'next'],
  ]);
  await cast.dave.client.responses.submitResponse({ params: { responseId: page.responseId }, body: { answers: [] } });
  expect(await page.get(`/r/${page.responseId}/done`)).toContain('You can change your answers below');
  const edited = await page.post([
    [`q.${id}`, 'Second'],
    ['do', 'next'],
  ]);
  expect(edited.headers.get('location')).toBe(`/r/${page.responseId}/done?done=saved`);
  const emptied = await page.post([
    [`q.${id}`, ''],
    ['do', 'next'],
  ]);
  expect(emptied.status).toBe(400);
  expect(await emptied.text()).toContain('Your change was not saved');
  expect(await page.answers()).toEqual(['Second']);
});

test('after the submit, the page says where the copy of the answers goes', async () => {
  const page = await start([{ type: 'SHORT_TEXT' }]);
  await cast.alice.client.forms.updateForm({
    params: { formId: page.formId },
    body: { sendResponseEmail: true, messageAfterSubmission: 'See you <soon> at https://example.org/a?b=1&c.' },
  });
  await cast.dave.client.responses.submitResponse({ params: { responseId: page.responseId }, body: { answers: [] } });
  const html = await page.get(`/r/${page.responseId}/done`);
  expect(html).toContain(`We send a copy of your answers to ${cast.dave.email}.`);
  const link = '<a href="https://example.org/a?b=1&amp;c" rel="noopener">https://example.org/a?b=1&amp;c</a>';
  expect(html).toContain(`See you &lt;soon&gt; at ${link}.`);
});

test('a submitted response of a form without editing is shown and cannot be changed', async () => {
  const page = await start([{ type: 'SHORT_TEXT' }], { allowEditResponse: false });
  const [id = ''] = page.questionIds;
  const before = await page.get();
  const stamp = /name="(s\.[^"]+)" value="([^"]*)"/.exec(before);
  await cast.dave.client.responses.submitResponse({ params: { responseId: page.responseId }, body: { answers: [] } });
  const headers = { cookie: `access_token=${cast.dave.token}`, origin: ORIGIN };
  const get = await send('GET', page.path, { headers });
  expect(get.headers.get('location')).toBe(`/r/${page.responseId}`);
  const body = new URLSearchParams([
    [stamp?.[1] ?? '', stamp?.[2] ?? ''],
    [`q.${id}`, 'Late'],
  ]).toString();
  const post = await send('POST', page.path, {
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  expect(post.status).toBe(400);
  const html = await post.text();
  expect(html).toContain('Already submitted');
  expect(html).toContain('value="Late"');
});

test('a form that has closed keeps what was typed on the page and says so', async () => {
  const page = await start([{ type: 'SHORT_TEXT' }]);
  const [id = ''] = page.questionIds;
  const shown = await page.get();
  await cast.alice.client.forms.archiveForm({ params: { formId: page.formId } });
  const typed: [string, string][] = [
    [`q.${id}`, 'Too late'],
    ['do', 'next'],
  ];
  const response = await page.post(typed, shown);
  const html = await response.text();
  expect([response.status, html.includes('<h2>This form is archived</h2>'), html.includes('value="Too late"')]).toEqual(
    [400, true, true],
  );
  expect(await page.get(`/f/${page.formId}`)).toContain('This form is archived');
});

test('the response of somebody else is not found', async () => {
  const page = await start([{ type: 'SHORT_TEXT' }]);
  const response = await send('GET', page.path, { headers: { cookie: `access_token=${cast.erin.token}` } });
  expect(response.status).toBe(404);
});

test('titles, choices and answers are shown as text', async () => {
  const evil = '<img src=x onerror=alert(1)>"\'</textarea>';
  const page = await start([
    { type: 'LONG_TEXT', title: evil },
    { type: 'SINGLE_CHOICE', title: evil, choices: [{ name: evil }] },
  ]);
  await page.post([
    [`q.${page.questionIds[0]}`, evil],
    ['do', 'save'],
  ]);
  for (const path of [page.path, `/r/${page.responseId}/check`, `/f/${page.formId}`]) {
    const html = await page.get(path);
    expect(html, path).not.toContain('<img src=x');
    expect(html, path).not.toContain('"\'</textarea>');
  }
  expect(await page.get()).toContain('&lt;img src=x onerror=alert(1)&gt;');
});

describe('a section of ten questions', () => {
  const TEN: Kind[] = [
    { type: 'SHORT_TEXT' },
    { type: 'LONG_TEXT' },
    { type: 'SINGLE_CHOICE', choices: CHOICES },
    { type: 'MULTIPLE_CHOICE', choices: CHOICES },
    { type: 'DROPDOWN', choices: CHOICES },
    { type: 'RANKING', choices: CHOICES },
    { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 10 } },
    { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } },
    { type: 'DATE', date: date(true, true, true) },
    { type: 'UPLOAD_FILE', uploadFile: { allowedFileTypes: ['PNG'], maxFileAmount: 3, maxFileSizeLimit: 1_000 } },
  ];

  test('takes at most 40 KB on a first visit', async () => {
    const page = await start(TEN);
    const headers = { cookie: `access_token=${cast.dave.token}`, 'accept-encoding': 'br' };
    const response = await send('GET', page.path, { headers });
    const html = await page.get();
    const links = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js|svg))"/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(4);
    const assets = await Promise.all(links.map((link) => send('GET', link, { headers })));
    const bodies = await Promise.all([response, ...assets].map((each) => each.arrayBuffer()));
    const bytes = bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(bytes).toBeLessThanOrEqual(40_000);
  });

  test('takes at most two round trips to storage, cold or warm', async () => {
    const page = await start(TEN);
    // Another process has changed the structure since this one read it.
    await cast.alice.client.sections.updateSection({
      params: { formId: page.formId, sectionId: page.sectionIds[0] ?? '' },
      body: { title: 'Renamed' },
    });
    expect((await measureCost(page.get)).cost.roundTrips).toBeLessThanOrEqual(2);
    expect((await measureCost(page.get)).cost.roundTrips).toBe(1);
  });
});

test('a draft of a closed form can be read, and leads to no form that would be refused', async () => {
  const page = await start([{ type: 'SHORT_TEXT' }]);
  await page.post([
    [`q.${page.questionIds[0]}`, 'Kept'],
    ['do', 'save'],
  ]);
  await cast.alice.client.forms.updateForm({
    params: { formId: page.formId },
    body: { deadline: '2026-01-01T00:00:00Z' },
  });
  const headers = { cookie: `access_token=${cast.dave.token}` };
  expect((await send('GET', page.path, { headers })).headers.get('location')).toBe(`/r/${page.responseId}`);
  const onward = await send('GET', `/r/${page.responseId}`, { headers });
  expect(onward.headers.get('location')).toBe(`/r/${page.responseId}/check`);
  const html = await page.get(`/r/${page.responseId}/check`);
  expect(html).toContain('Kept');
  expect(html).not.toMatch(/\/submit"|>Change</);
  expect(await page.get(`/f/${page.formId}`)).toContain('This form is closed');
});

test('a submit of an incomplete response leads back to the answers, which say what is missing', async () => {
  const page = await start([{ type: 'SHORT_TEXT', title: 'Name', required: true }]);
  const headers = { cookie: `access_token=${cast.dave.token}`, origin: ORIGIN };
  const refused = await send('POST', `/r/${page.responseId}/submit`, { headers });
  expect(refused.status).toBe(303);
  const html = await page.get(refused.headers.get('location') ?? '');
  expect(html).toContain('data-error-summary');
  expect(html).toContain('Name – not answered yet');
  expect(html).toContain(`name="to" value="/r/${page.responseId}/check?missing"`);
  expect(await page.get(`/r/${page.responseId}/check`)).not.toContain('data-error-summary');
});
