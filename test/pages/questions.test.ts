/** The pages on which questions are made: what they store is what the API returns, and nobody loses work to another. */
import { describe, expect, test } from 'vitest';
import type { QuestionDocument, QuestionType } from '#core/structure/question-model.ts';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { newCast, newForm, question } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, fillInSeen, pagesOf, textOf } from '#test/support/pages.ts';
import { respond, sent } from '#test/support/responses.ts';
import { doc, p, text } from '#test/support/rich-text.ts';

const cast = await newCast();

type Fields = readonly (readonly [string, string])[];

const draft = (sections: Parameters<typeof newForm>[2] = [[]]) =>
  newForm(cast.alice, cast.slug, sections, { title: 'Lakes', publish: false });
const readSections = async (formId: string) =>
  (await cast.alice.client.sections.listSections({ params: { formId } })).body.map(({ section }) => section);
const readQuestions = async (formId: string): Promise<QuestionDocument[]> =>
  (await readSections(formId)).flatMap(({ questions }) => questions ?? []);

const names = (...list: string[]): Fields =>
  list.flatMap((name) => [
    ['choice.name', name],
    ['choice.id', ''],
    ['choice.other', ''],
    ['choice.description', ''],
  ]);

/** What is typed for each type, and what is then stored besides title and type. */
const TYPED: Record<QuestionType, [typed: Fields, stored: object]> = {
  SHORT_TEXT: [[['required', 'on']], { required: true, description: null }],
  LONG_TEXT: [
    [['description', 'One\r\n\r\n**Two**']],
    { description: doc(p(text('One')), p(text('Two', { type: 'bold' }))) },
  ],
  SINGLE_CHOICE: [names('Loch Ness', ' Windermere '), { choices: [{ name: 'Loch Ness' }, { name: 'Windermere' }] }],
  MULTIPLE_CHOICE: [
    [...names('Loch Ness', ''), ['choice.name', ''], ['choice.other', 'yes']],
    { choices: [{ name: 'Loch Ness' }, { name: '' }] },
  ],
  DROPDOWN: [names('<b>&"'), { choices: [{ name: '<b>&"' }] }],
  DETAILED_MULTIPLE_CHOICE: [
    [
      ['choice.name', 'Loch Ness'],
      ['choice.description', 'Deep'],
    ],
    { choices: [{ name: 'Loch Ness', description: 'Deep' }] },
  ],
  RANKING: [names('a', 'b', 'c'), { choices: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }],
  DATE: [
    [
      ['date-hasYear', 'on'],
      ['date-hasMonth', 'on'],
      ['date-hasDay', ''],
      ['date-minDate', '2020-02-29'],
      ['date-maxDate', ''],
    ],
    { date: { hasYear: true, hasMonth: true, hasDay: false, minDate: '2020-02-29' } },
  ],
  UPLOAD_FILE: [
    [
      ['uploadFile-allowedFileTypes', 'PDF'],
      ['uploadFile-allowedFileTypes', 'ZIP'],
      ['uploadFile-maxFileAmount', '3'],
      ['uploadFile-maxFileSizeLimit', '0.5'],
    ],
    { uploadFile: { allowedFileTypes: ['PDF', 'ZIP'], maxFileAmount: 3, maxFileSizeLimit: 524_288 } },
  ],
  LINEAR_SCALE: [
    [
      ['scale-minVal', '0'],
      ['scale-maxVal', '10'],
      ['scale-minValueLabel', 'Cold'],
      ['scale-maxValueLabel', ''],
      ['scale-icon', ''],
    ],
    { scale: { minVal: 0, maxVal: 10, minValueLabel: 'Cold' } },
  ],
  RATING: [
    [
      ['scale-maxVal', '6'],
      ['scale-icon', 'heart'],
    ],
    { scale: { minVal: 1, maxVal: 6, icon: 'heart' } },
  ],
  OAUTH_CONNECT: [[['oauthConnect', 'PROVIDER_TWO']], { oauthConnect: 'PROVIDER_TWO' }],
  HYPERLINK: [[], { required: false }],
};

describe('a question', () => {
  test.for(Object.entries(TYPED))('of type %s is stored as it was typed, and opens and saves unchanged', async ([
    type,
    [typed, stored],
  ]) => {
    const { formId, sectionIds } = await draft();
    const path = `/build/${formId}/s/${sectionIds[0]}/new`;
    const created = await fillIn(cast.bob, `${path}?type=${type}`, [['title', ' Which lake? '], ...typed]);
    expect(created.headers.get('location')).toMatch(/\/questions\?done=questionAdded#q-/);
    const [before] = await readQuestions(formId);
    expect(before).toMatchObject({ type, title: 'Which lake?', ...stored });
    const page = `/build/${formId}/q/${before?.id}`;
    expect((await fillIn(cast.bob, page, [])).headers.get('location')).toContain('done=saved');
    const [after] = await readQuestions(formId);
    expect({ ...after, updatedAt: '' }).toEqual({ ...before, updatedAt: '' });
  });

  test('is created once however often the button is pressed', async () => {
    const { formId, sectionIds } = await draft();
    const pages = pagesOf(cast.bob);
    const path = `/build/${formId}/s/${sectionIds[0]}/new`;
    const fields = fieldsOf(await pages.show(`${path}?preset=yesNo`));
    const locations = await Promise.all(
      [1, 2, 3].map(async () => (await pages.post(path, fields)).headers.get('location')),
    );
    expect(new Set(locations).size).toBe(1);
    expect(await readQuestions(formId)).toHaveLength(1);
  });

  test.for([
    'nps',
    'yesNo',
    'consent',
    'email',
    'phone',
    'number',
    'time',
    'agreement',
    'stars',
  ])('comes ready-made: %s', async (preset) => {
    const { formId, sectionIds } = await draft();
    const path = `/build/${formId}/s/${sectionIds[0]}/new?preset=${preset}`;
    expect((await fillIn(cast.bob, path, [])).status).toBe(303);
    const { status } = (await cast.alice.client.forms.publishForm({ params: { formId } })).body;
    expect(status).toBe('PUBLISHED');
    const [made] = await readQuestions(formId);
    const formats: Record<string, string> = { email: 'EMAIL', phone: 'PHONE', number: 'NUMBER', time: 'TIME' };
    expect(made?.text?.format).toBe(formats[preset]);
  });

  test.for([
    ['en', 0, 'I declare that what I have stated is true and complete', 'Your full name', 'Date of today'],
    ['zh-TW', 1, '我聲明以上填寫的內容真實且完整', '你的全名', '今天的日期'],
  ] as const)('a declaration is three required questions, added once, in place: %s', async ([
    language,
    at,
    choice,
    name,
    date,
  ]) => {
    const place = [{ type: 'SHORT_TEXT', title: 'First' } as const, { type: 'SHORT_TEXT', title: 'Last' } as const];
    const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [place], { publish: false });
    const pages = pagesOf(cast.bob, { 'accept-language': language });
    const kinds = `/build/${formId}/s/${sectionIds[0]}/new`;
    const html = await pages.show(at === 0 ? `${kinds}?after=${questionIds[0]}` : kinds);
    const action = at === 0 ? `declaration:${questionIds[0]}` : `declaration:${sectionIds[0]}`;
    expect(html).toContain(`name="do" value="${action}"`);
    const id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const fields = [
      ['id', id],
      ['do', action],
    ] as const;
    const pressed = await Promise.all([1, 2].map(() => pages.post(`/build/${formId}/questions`, fields)));
    expect(new Set(pressed.map(({ headers }) => headers.get('location'))).size).toBe(1);
    const declared = [
      { type: 'MULTIPLE_CHOICE', required: true, choices: [{ name: choice }] },
      { type: 'SHORT_TEXT', required: true, title: name },
      { type: 'DATE', required: true, title: date, date: { hasYear: true, hasMonth: true, hasDay: true } },
    ];
    const [first, last] = [{ title: 'First' }, { title: 'Last' }];
    expect(await readQuestions(formId)).toMatchObject(
      at === 0 ? [first, ...declared, last] : [first, last, ...declared],
    );
  });

  test.for([
    ['SHORT_TEXT', [['title', ' ']], 'Enter a question of 1 to 500 characters'],
    ['SHORT_TEXT', [['title', 'x'.repeat(501)]], 'Enter a question of 1 to 500 characters'],
    ['SINGLE_CHOICE', names('', ''), 'Enter at least one choice'],
    ['SINGLE_CHOICE', names('x'.repeat(201)), 'Enter 1 to 200 characters on one line'],
    ['DROPDOWN', names(...Array.from({ length: 501 }, (_, index) => `${index}`)), 'At most 500 choices'],
    [
      'DATE',
      [
        ['date-hasYear', ''],
        ['date-hasMonth', ''],
        ['date-hasDay', ''],
      ],
      'Choose at least one',
    ],
    [
      'DATE',
      [
        ['date-minDate', '2021-01-02'],
        ['date-maxDate', '2021-01-01'],
      ],
      'It must not be after the last date',
    ],
    ['DATE', [['date-minDate', '2021-02-30']], 'This day does not exist'],
    ['UPLOAD_FILE', [['uploadFile-allowedFileTypes', 'EXE']], 'Choose at least one kind of file'],
    ['UPLOAD_FILE', [['uploadFile-maxFileAmount', '11']], 'Enter a number from 1 to 10'],
    ['UPLOAD_FILE', [['uploadFile-maxFileSizeLimit', '10.1']], 'Enter a size of at most 10 MB'],
    ['UPLOAD_FILE', [['uploadFile-maxFileSizeLimit', 'ten']], 'Enter a size of at most 10 MB'],
    ['LINEAR_SCALE', [['scale-maxVal', '11']], 'Choose a range'],
    ['LINEAR_SCALE', [['scale-minValueLabel', 'x'.repeat(201)]], 'Enter at most 200 characters'],
    ['RATING', [['scale-icon', '']], 'Choose a range'],
  ] as const)('of type %s keeps what was typed and says what is wrong: %j', async ([type, wrong, message]) => {
    const { formId, sectionIds } = await draft();
    const path = `/build/${formId}/s/${sectionIds[0]}/new?type=${type}`;
    const title = [['title', 'Which lake?']] as const;
    const typed = wrong.some(([name]) => name === 'title') ? wrong : [...title, ...wrong];
    const response = await fillIn(cast.bob, path, typed);
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([400, expect.stringContaining(message)]);
    const [[name, value] = ['', '']] = wrong;
    if (
      !['uploadFile-allowedFileTypes', 'date-hasYear', 'scale-maxVal', 'date-minDate'].includes(name) &&
      value.trim() !== ''
    ) {
      expect(fieldsOf(html).map(([, shown]) => shown)).toContain(value);
    }
    expect(await readQuestions(formId)).toEqual([]);
  });

  test.for([
    ['DATE', 'date-hasYear', 'Choose at least one'],
    ['UPLOAD_FILE', 'uploadFile-maxFileAmount', 'Choose at least one kind of file'],
    ['LINEAR_SCALE', 'scale-maxVal', 'Choose a range'],
    ['OAUTH_CONNECT', 'oauthConnect', 'That was not possible'],
  ] as const)('that is saved as %s before its options were shown, shows them first', async ([type, name, message]) => {
    const { formId, questionIds } = await draft([[{ type: 'SHORT_TEXT' }]]);
    const page = `/build/${formId}/q/${questionIds[0]}`;
    const refused = await fillIn(cast.bob, page, [['type', type]]);
    const html = await refused.text();
    expect([refused.status, textOf(html)]).toEqual([400, expect.stringContaining(message)]);
    expect(fieldsOf(html).map(([shown]) => shown)).toContain(name);
    expect((await readQuestions(formId))[0]?.type).toBe('SHORT_TEXT');
    expect((await pagesOf(cast.bob).post(page, [...fieldsOf(html), ['do', 'save']])).status).toBe(303);
    expect((await readQuestions(formId))[0]?.type).toBe(type);
  });

  test.for([
    ['DATE', { date: { hasYear: true, hasMonth: true, hasDay: true } }],
    ['UPLOAD_FILE', { uploadFile: { allowedFileTypes: ['PDF', 'JPEG', 'PNG'], maxFileAmount: 1 } }],
    ['RATING', { scale: { minVal: 1, maxVal: 5, icon: 'star' } }],
    ['OAUTH_CONNECT', { oauthConnect: 'PROVIDER_ONE' }],
    ['HYPERLINK', {}],
  ] as const)('that the editor saves as %s before its options were shown, has the usual ones', async ([
    type,
    stored,
  ]) => {
    const { formId, sectionIds, questionIds } = await draft([[{ type: 'SHORT_TEXT' }]]);
    const part: Fields = [
      ['type', type],
      ['title', 'Changed'],
      ['part', 'row'],
    ];
    const paths = [`/build/${formId}/q/${questionIds[0]}`, `/build/${formId}/s/${sectionIds[0]}/new?type=SHORT_TEXT`];
    for (const path of paths) expect((await fillIn(cast.bob, path, part)).status).toBe(200);
    const [changed, created] = await readQuestions(formId);
    expect([changed, created]).toMatchObject([
      { title: 'Changed', type, ...stored },
      { title: 'Changed', type, ...stored },
    ]);
  });

  test('is no rating until it has a symbol', async () => {
    const { formId, questionIds } = await draft([[{ type: 'LINEAR_SCALE', scale: { minVal: 0, maxVal: 5 } }]]);
    const refused = await fillIn(cast.bob, `/build/${formId}/q/${questionIds[0]}`, [['type', 'RATING']]);
    const html = await refused.text();
    expect([refused.status, html]).toEqual([400, expect.stringContaining('id="scale-icon-error"')]);
    expect((await readQuestions(formId))[0]?.type).toBe('LINEAR_SCALE');
  });

  test('gets, moves and loses rows of choices without being stored', async () => {
    const { formId, sectionIds } = await draft();
    const path = `/build/${formId}/s/${sectionIds[0]}/new?type=SINGLE_CHOICE`;
    const rows = async (action: string, ...list: string[]) => {
      const html = await (await fillIn(cast.bob, path, [['title', 'Lake'], ...names(...list)], action)).text();
      return fieldsOf(html).flatMap(([name, value]) => (name === 'choice.name' ? [value] : []));
    };
    expect(await rows('add-choice', 'a', 'b')).toEqual(['a', 'b', '']);
    expect(await rows('choice-up:1', 'a', 'b')).toEqual(['b', 'a']);
    expect(await rows('choice-up:0', 'a', 'b')).toEqual(['a', 'b']);
    expect(await rows('choice-down:0', 'a', 'b', 'c')).toEqual(['b', 'a', 'c']);
    expect(await rows('choice-remove:1', 'a', 'b', 'c')).toEqual(['a', 'c']);
    expect(await rows('choice-remove:9', 'a', 'b')).toEqual(['a', 'b']);
    expect(await readQuestions(formId)).toEqual([]);
  });

  test('keeps the ids of its choices when they are renamed or moved', async () => {
    const { formId } = await draft([[{ type: 'SINGLE_CHOICE', choices: [{ name: 'a' }, { name: 'b' }] }]]);
    const [{ id, choices: [a, b] = [] } = { id: '' }] = await readQuestions(formId);
    await fillIn(cast.bob, `/build/${formId}/q/${id}`, [
      ...(['B', 'a'] as const).flatMap(
        (name, index): Fields => [
          ['choice.name', name],
          ['choice.id', (index === 0 ? b?.id : a?.id) ?? ''],
        ],
      ),
    ]);
    const [after] = await readQuestions(formId);
    expect(after?.choices).toEqual([
      { id: b?.id, name: 'B' },
      { id: a?.id, name: 'a' },
    ]);
  });

  test('keeps its type once it was answered, also when that happens while it is edited', async () => {
    const { formId, questionIds } = await draft([[{ type: 'SHORT_TEXT' }]]);
    const page = `/build/${formId}/q/${questionIds[0]}`;
    expect(await pagesOf(cast.bob).show(page)).toContain('value="type"');
    const fields = fieldsOf(await pagesOf(cast.bob).show(page));
    await cast.alice.client.forms.publishForm({ params: { formId } });
    await respond(cast.dave, formId, [sent(questionIds[0] ?? '', 'SHORT_TEXT', 'Loch Ness')]);
    await cast.alice.client.forms.archiveForm({ params: { formId } });
    await cast.alice.client.forms.unarchiveForm({ params: { formId } });
    const refused = await pagesOf(cast.bob).post(page, [
      ...fields.filter(([name]) => name !== 'type'),
      ['type', 'LONG_TEXT'],
    ]);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      409,
      expect.stringContaining('Nothing was changed'),
    ]);
    expect(textOf(await pagesOf(cast.bob).show(page))).toContain('because the question has been answered');
    expect((await readQuestions(formId))[0]?.type).toBe('SHORT_TEXT');
  });

  test('keeps a description that Markdown does not express until it is replaced', async () => {
    const paragraph = { ...p(text('Deep', { type: 'underline' })), attrs: { textAlign: 'right' } };
    const description = doc(paragraph);
    const { formId, questionIds, sectionIds } = await draft([[{ type: 'SHORT_TEXT', description }]]);
    const { client } = cast.alice;
    await client.sections.updateSection({ params: { formId, sectionId: sectionIds[0] ?? '' }, body: { description } });
    await client.forms.updateForm({ params: { formId }, body: { description } });
    const stored = async () => [
      (await readQuestions(formId))[0]?.description,
      (await readSections(formId))[0]?.description,
      (await client.forms.getForm({ params: { formId } })).body.description,
    ];
    for (const [index, path] of [`/q/${questionIds[0]}`, `/s/${sectionIds[0]}`, '/settings'].entries()) {
      const page = `/build/${formId}${path}`;
      const shown = await pagesOf(cast.bob).show(page);
      expect(shown).toContain('prose" dir="auto"><p><u>Deep</u></p></div>');
      expect(textOf(shown)).toContain('This was written in another program');
      expect((await fillIn(cast.bob, page, [['title', 'Changed']])).status).toBe(303);
      expect((await stored())[index]).toEqual(description);
      const replaced = await (await fillIn(cast.bob, page, [['title', 'Typed']], 'replace')).text();
      const fields = fieldsOf(replaced);
      expect(fields).toEqual(
        expect.arrayContaining([
          ['title', 'Typed'],
          ['description', '++Deep++'],
        ]),
      );
      expect((await stored())[index]).toEqual(description);
      expect((await pagesOf(cast.bob).post(page, [...fields, ['do', 'save']])).status).toBe(303);
      expect((await stored())[index]).toEqual(doc(p(text('Deep', { type: 'underline' }))));
    }
  });

  test('keeps the document of another client until its text is changed', async () => {
    const link = { type: 'link', attrs: { href: 'https://example.org', target: '_blank' } };
    const description = doc(p(text('Deep', link)), { type: 'paragraph' });
    const { formId, questionIds } = await draft([[{ type: 'SHORT_TEXT', description }]]);
    const page = `/build/${formId}/q/${questionIds[0]}`;
    await fillIn(cast.bob, page, [['title', 'Changed']]);
    expect((await readQuestions(formId))[0]).toMatchObject({ title: 'Changed', description });
    await fillIn(cast.bob, page, [['description', '[Deep](https://example.org) water']]);
    const plainLink = { type: 'link', attrs: { href: 'https://example.org' } };
    expect((await readQuestions(formId))[0]?.description).toEqual(doc(p(text('Deep', plainLink), text(' water'))));
  });

  test.each([
    ['a new question', (formId: string, sectionId: string) => `/build/${formId}/s/${sectionId}/new?type=SHORT_TEXT`],
    ['a question', (formId: string, _section: string, questionId: string) => `/build/${formId}/q/${questionId}`],
    ['a section', (formId: string, sectionId: string) => `/build/${formId}/s/${sectionId}`],
    ['the settings', (formId: string) => `/build/${formId}/settings`],
  ])('the explanation of %s is shown as respondents see it, and not stored', async (_what, pathOf) => {
    const { formId, sectionIds, questionIds } = await draft([[{ type: 'SHORT_TEXT' }]]);
    const path = pathOf(formId, sectionIds[0] ?? '', questionIds[0] ?? '');
    const shown = await fillIn(
      cast.bob,
      path,
      [
        ['title', 'Typed'],
        ['description', 'A **deep** <lake>'],
      ],
      'preview',
    );
    expect(shown.status).toBe(200);
    const html = await shown.text();
    expect(html).toContain('<div class="prose" dir="auto"><p>A <strong>deep</strong> &lt;lake&gt;</p></div>');
    expect(fieldsOf(html)).toContainEqual(['description', 'A **deep** <lake>']);
    expect(fieldsOf(html)).toContainEqual(['title', 'Typed']);
    expect(await pagesOf(cast.bob).show(`/build/${formId}/questions`)).not.toContain('Typed');
    expect((await cast.bob.client.forms.getForm({ params: { formId } })).body.description).toBeNull();
  });

  test('shows what a source offers, which own choices go for it, and which source comes too late', async () => {
    const list = (...all: string[]) => ({ type: 'DROPDOWN' as const, choices: all.map((name) => ({ name })) });
    const { formId, questionIds } = await draft([
      [{ ...list('a', 'b'), title: 'Early' }],
      [{ ...list('own'), title: 'Middle' }],
      [{ ...list('c'), title: 'Late' }],
    ]);
    const [early = '', middle, late = ''] = questionIds;
    const page = `/build/${formId}/q/${middle}`;
    const shown = await pagesOf(cast.bob).show(page);
    expect(shown).toMatch(/>Early<.*>Late \(does not come before this question\)</s);
    const chosen = await (await fillIn(cast.bob, page, [['sourceId', early]], 'source')).text();
    expect(textOf(chosen)).toMatch(
      /that they select there: a b When this is saved, these choices will be removed: own/,
    );
    // The own choices are still there for another decision.
    expect(
      (
        await pagesOf(cast.bob).post(page, [
          ...fieldsOf(chosen).filter(([name]) => name !== 'sourceId'),
          ['do', 'save'],
        ])
      ).status,
    ).toBe(303);
    expect((await readQuestions(formId))[1]?.choices).toMatchObject([{ name: 'own' }]);
    expect((await fillInSeen(cast.bob, page, [['sourceId', late]])).status).toBe(303);
    expect(textOf(await pagesOf(cast.bob).show(page))).toContain('that they select there: c');
    expect((await fillIn(cast.bob, page, [['sourceId', '']])).status).toBe(400);
  });

  test('takes its choices from an earlier question, but not from one that takes them from it', async () => {
    const { formId, questionIds } = await draft([
      [
        { type: 'MULTIPLE_CHOICE', choices: [{ name: 'a' }] },
        { type: 'DROPDOWN', choices: [{ name: 'b' }] },
      ],
    ]);
    const [source = '', dependent = ''] = questionIds;
    const saved = await fillInSeen(cast.bob, `/build/${formId}/q/${dependent}`, [['sourceId', source]]);
    expect(saved.status).toBe(303);
    expect((await readQuestions(formId))[1]?.sourceId).toBe(source);
    const refused = await fillIn(cast.bob, `/build/${formId}/q/${source}`, [['sourceId', dependent]]);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      400,
      expect.stringContaining('Choose another question'),
    ]);
  });
});

describe('two authors', () => {
  test('of different questions both succeed', async () => {
    const { formId, questionIds } = await draft([[{ type: 'SHORT_TEXT' }, { type: 'LONG_TEXT' }]]);
    const pages = questionIds.map((id) => `/build/${formId}/q/${id}`);
    const [first, second] = await Promise.all(pages.map(async (page) => fieldsOf(await pagesOf(cast.bob).show(page))));
    const post = (page: string | undefined, fields: Fields | undefined, title: string) =>
      pagesOf(cast.bob).post(page ?? '', [...(fields ?? []).filter(([name]) => name !== 'title'), ['title', title]]);
    const results = await Promise.all([post(pages[0], first, 'A'), post(pages[1], second, 'B')]);
    expect(results.map(({ status }) => status)).toEqual([303, 303]);
    expect((await readQuestions(formId)).map(({ title }) => title)).toEqual(['A', 'B']);
  });

  test.each([
    ['before the post', false],
    ['between the read and the write', true],
  ])('of the same question lose nothing when the other one saves %s', async (_when, isRace) => {
    const { formId, sectionIds, questionIds } = await draft([[{ type: 'SHORT_TEXT', title: 'Old' }]]);
    const page = `/build/${formId}/q/${questionIds[0]}`;
    const pages = pagesOf(cast.bob);
    const fields = fieldsOf(await pages.show(page)).filter(([name]) => name !== 'title');
    const params = { sectionId: sectionIds[0] ?? '', questionId: questionIds[0] ?? '' };
    const body = question({ type: 'SHORT_TEXT', title: 'Theirs', order: 1 });
    const theirs = () => cast.alice.client.questions.updateQuestion({ params, body });
    const mine = () => pages.post(page, [...fields, ['title', 'Mine']]);
    if (!isRace) await theirs();
    const response = isRace ? await beforeFirstWrite(mine, theirs) : await mine();
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([409, expect.stringContaining('Theirs')]);
    expect(new Map(fieldsOf(html)).get('title')).toBe('Mine');
    expect((await readQuestions(formId))[0]?.title).toBe('Theirs');
    // Seen, it can be replaced.
    expect((await pages.post(page, fieldsOf(html))).status).toBe(303);
    expect((await readQuestions(formId))[0]?.title).toBe('Mine');
  });

  test('do not lose a question that one has deleted while the other one was typing', async () => {
    const { formId, sectionIds, questionIds } = await draft([[{ type: 'SINGLE_CHOICE', choices: [{ name: 'a' }] }]]);
    const page = `/build/${formId}/q/${questionIds[0]}`;
    const pages = pagesOf(cast.bob);
    const fields = fieldsOf(await pages.show(page)).filter(([name]) => name !== 'title');
    await cast.alice.client.questions.deleteQuestion({
      params: { sectionId: sectionIds[0] ?? '', questionId: questionIds[0] ?? '' },
    });
    const response = await pages.post(page, [...fields, ['title', 'Mine']]);
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([
      409,
      expect.stringContaining('Somebody else has deleted this question'),
    ]);
    const created = await pages.post(
      /<form method="post" action="(\/build[^"]+)"/.exec(html)?.[1] ?? '',
      fieldsOf(html),
    );
    expect(created.status).toBe(303);
    expect(await readQuestions(formId)).toMatchObject([{ title: 'Mine', choices: [{ name: 'a' }] }]);
  });
});

test.for([
  0, 1,
])('a new question whose section was deleted while it was typed is put into another one: of %i', async (others) => {
  const { formId, sectionIds } = await draft([[], ...Array.from({ length: others }, () => [])]);
  const [deleted = '', other = ''] = sectionIds;
  const pages = pagesOf(cast.bob);
  const page = `/build/${formId}/s/${deleted}/new`;
  const shown = fieldsOf(await pages.show(`${page}?type=SHORT_TEXT`)).filter(([name]) => name !== 'title');
  const fields = [...shown, ['title', 'Mine'] as const];
  const refused = await beforeFirstWrite(
    () => pages.post(page, fields),
    () => cast.alice.client.workflow.deleteNode({ params: { formId, nodeId: deleted } }),
  );
  const html = await refused.text();
  if (others === 0) {
    expect([refused.status, textOf(html)]).toEqual([404, expect.stringContaining('Mine')]);
    return;
  }
  const again = await pages.post(page, fields);
  for (const [status, text] of [
    [refused.status, html],
    [again.status, await again.text()],
  ] as const) {
    expect([status, textOf(text)]).toEqual([409, expect.stringContaining('has deleted the section of this question')]);
  }
  expect(fieldsOf(html)).toContainEqual(['section', other]);
  const created = await Promise.all([1, 2].map(() => pages.post(page, fieldsOf(html))));
  expect(created.map(({ status }) => status)).toEqual([303, 303]);
  expect(await readQuestions(formId)).toMatchObject([{ title: 'Mine', sectionId: other }]);
});

test('the list numbers the questions of a section', async () => {
  const kinds = ['Which lake?', 'How deep?'].map((title) => ({ type: 'SHORT_TEXT' as const, title }));
  const { formId } = await draft([kinds, kinds.slice(0, 1)]);
  const shown = textOf(await pagesOf(cast.bob).show(`/build/${formId}/questions`));
  expect(shown.match(/\d\. \S+ \S+\?/g)).toEqual(['1. Which lake?', '2. How deep?', '1. Which lake?']);
});

describe('choices as text', () => {
  const withChoices = async () => {
    const built = await draft([
      [
        {
          type: 'SINGLE_CHOICE',
          choices: [{ name: 'a' }, { name: 'b', description: 'Bee' }, { name: '', isOther: true }],
        },
      ],
    ]);
    return { ...built, page: `/build/${built.formId}/q/${built.questionIds[0]}/choices` };
  };

  test('are shown one a line, and keep their ids by name or by place', async () => {
    const { formId, page } = await withChoices();
    const [before] = await readQuestions(formId);
    const shown = fieldsOf(await pagesOf(cast.bob).show(page));
    expect(new Map(shown).get('choices')).toBe('a\nb\tBee');
    await fillIn(cast.bob, page, [['choices', 'b\tBee\r\nA\r\n']]);
    await fillIn(cast.bob, page, [['choices', 'b\r\nA\r\nc']]);
    const [after] = await readQuestions(formId);
    expect(after?.choices).toEqual([
      { id: before?.choices?.[1]?.id, name: 'b' },
      { id: before?.choices?.[0]?.id, name: 'A' },
      { id: expect.any(String), name: 'c' },
      { id: before?.choices?.[2]?.id, name: '', isOther: true },
    ]);
  });

  test('are removed only when that was seen', async () => {
    const { formId, page } = await withChoices();
    const response = await fillIn(cast.bob, page, [['choices', 'b']]);
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([409, expect.stringContaining('These choices will be removed: a')]);
    expect((await readQuestions(formId))[0]?.choices).toHaveLength(3);
    expect((await pagesOf(cast.bob).post(page, fieldsOf(html))).status).toBe(303);
    expect((await readQuestions(formId))[0]?.choices).toMatchObject([{ name: 'b' }, { name: '' }]);
  });

  test('are saved once when the button is pressed twice', async () => {
    const { formId, page } = await withChoices();
    const fields = fieldsOf(await pagesOf(cast.bob).show(page)).filter(([name]) => name !== 'choices');
    const saved: unknown[] = [];
    for (const _press of [1, 2]) {
      expect((await pagesOf(cast.bob).post(page, [...fields, ['choices', 'a\nb\tBee\nnew']])).status).toBe(303);
      saved.push((await readQuestions(formId))[0]?.choices);
    }
    expect(saved[1]).toEqual(saved[0]);
  });

  test('are not replaced unseen when somebody else has changed them', async () => {
    const { formId, page, sectionIds, questionIds } = await withChoices();
    const fields = fieldsOf(await pagesOf(cast.bob).show(page)).filter(([name]) => name !== 'choices');
    const params = { sectionId: sectionIds[0] ?? '', questionId: questionIds[0] ?? '' };
    const body = question({ type: 'SINGLE_CHOICE', choices: [{ name: 'theirs' }], order: 1 });
    await cast.alice.client.questions.updateQuestion({ params, body });
    const response = await pagesOf(cast.bob).post(page, [...fields, ['choices', 'theirs\nmine']]);
    expect([response.status, textOf(await response.text())]).toEqual([409, expect.stringContaining('theirs')]);
    expect((await readQuestions(formId))[0]?.choices).toMatchObject([{ name: 'theirs' }]);
  });

  test.for([
    ['x'.repeat(201), 'Each line needs 1 to 200 characters'],
    [`a\t${'x'.repeat(501)}`, 'Each line needs 1 to 200 characters'],
    [Array.from({ length: 500 }, (_, index) => `c${index}`).join('\n'), 'At most 500 choices'],
  ] as const)('say what is wrong: %#', async ([typed, message]) => {
    const { page } = await withChoices();
    const response = await fillIn(cast.bob, page, [['choices', typed]]);
    expect([response.status, textOf(await response.text())]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('the list', () => {
  test('moves and copies questions, once however often a button is pressed', async () => {
    const { formId, questionIds } = await draft([
      [
        { type: 'SHORT_TEXT', title: 'A' },
        { type: 'LONG_TEXT', title: 'B' },
      ],
    ]);
    const path = `/build/${formId}/questions`;
    const pages = pagesOf(cast.bob);
    const titles = async () => (await readQuestions(formId)).map(({ title }) => title);
    await fillIn(cast.bob, path, [], `down:${questionIds[0]}`);
    expect(await titles()).toEqual(['B', 'A']);
    // The last one stays.
    await fillIn(cast.bob, path, [], `down:${questionIds[0]}`);
    expect(await titles()).toEqual(['B', 'A']);
    const fields = fieldsOf(await pages.show(path));
    const locations = [1, 2].map(() => pages.post(path, [...fields, ['do', `copy:${questionIds[1]}`]]));
    expect((await Promise.all(locations)).map(({ status }) => status)).toEqual([303, 303]);
    expect(await titles()).toEqual(['B', 'B', 'A']);
  });

  test('copies a section with its questions behind it, once however often the button is pressed', async () => {
    const { formId, sectionIds } = await draft([
      [{ type: 'SHORT_TEXT', title: 'A' }],
      [{ type: 'LONG_TEXT', title: 'B' }],
    ]);
    const path = `/build/${formId}/questions`;
    const pages = pagesOf(cast.bob);
    const copy: Fields = [...fieldsOf(await pages.show(path)), ['do', `copy-section:${sectionIds[0]}`]];
    const results = await Promise.all([1, 2].map(() => pages.post(path, copy)));
    const sections = await readSections(formId);
    const location = `${path}?done=sectionCopied#s-${sections[1]?.id}`;
    expect(results.map(({ headers }) => headers.get('location'))).toEqual([location, location]);
    expect(sections.map(({ questions }) => questions?.map(({ title }) => title))).toEqual([['A'], ['A'], ['B']]);
    expect((await pages.post(path, [['do', `copy-section:${formId}`]])).status).toBe(404);
  });

  test('moves a question to another section, behind another question', async () => {
    const { formId, sectionIds, questionIds } = await draft([
      [
        { type: 'SHORT_TEXT', title: 'A' },
        { type: 'SHORT_TEXT', title: 'B' },
      ],
      [
        { type: 'SHORT_TEXT', title: 'C' },
        { type: 'SHORT_TEXT', title: 'D' },
      ],
    ]);
    const page = `/build/${formId}/q/${questionIds[0]}`;
    const move = (place: string) =>
      pagesOf(cast.bob).post(page, [
        ['place', place],
        ['do', 'move'],
      ]);
    const titles = async () =>
      (await readSections(formId)).map(({ questions }) => (questions ?? []).map(({ title }) => title).join(''));
    expect(await pagesOf(cast.bob).show(page)).toContain(`value="${sectionIds[1]}:${questionIds[2]}"`);
    expect((await move(`${sectionIds[1]}:${questionIds[2]}`)).headers.get('location')).toContain('done=questionMoved');
    expect(await titles()).toEqual(['B', 'CAD']);
    await move(`${sectionIds[0]}:`);
    expect(await titles()).toEqual(['AB', 'CD']);
    // The place is gone, or is no place.
    for (const place of [`${sectionIds[1]}:${questionIds[1]}`, 'x:y', '']) {
      const refused = await move(place);
      expect([place, refused.status]).toEqual([place, 409]);
      expect(textOf(await refused.text())).toContain('Nothing was changed');
    }
    expect(await titles()).toEqual(['AB', 'CD']);
  });

  test('draws new sections, copies and rules on no other node, and moves none', async () => {
    const { formId } = await newForm(cast.alice, cast.slug, [], { publish: false });
    const path = `/build/${formId}/questions`;
    const nodes = async () => (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body.workflow;
    const before = await nodes();
    const start = before.find(({ type }) => type === 'START')?.id;
    const end = before.find(({ type }) => type === 'END')?.id ?? '';
    let last = start;
    for (const after of ['last', 'last', 'last', 'start']) {
      const added = await fillIn(cast.bob, path, [], `section:${after === 'last' ? last : start}`);
      [, last] = /\/s\/([^?]+)\?/.exec(added.headers.get('location') ?? '') ?? [];
    }
    await fillIn(cast.bob, path, [], `copy-section:${last}`);
    await fillIn(cast.bob, `/build/${formId}/s/${last}/new?type=SHORT_TEXT`, [['title', 'Why?']]);
    const rules = `/build/${formId}/s/${last}/rules`;
    const added = fieldsOf(await (await fillIn(cast.bob, rules, [], 'add-rule')).text());
    const rule = { 'rule.text': 'tea', 'rule.target': end };
    await pagesOf(cast.bob).post(rules, [...added.filter(([name]) => !(name in rule)), ...Object.entries(rule)]);
    const drawn = await nodes();
    expect(drawn).toHaveLength(before.length + 6);
    for (const { id, payload } of before) expect(drawn.find((node) => node.id === id)?.payload).toEqual(payload);
    const places = drawn.map(({ payload: { x, y } }) => [Number(x), Number(y)] as const);
    const isNear = ([x, y]: readonly [number, number], [x2, y2]: readonly [number, number]) =>
      Math.abs(x - x2) < 100 && Math.abs(y - y2) < 100;
    for (const place of places) expect(places.filter((other) => isNear(place, other))).toEqual([place]);
  });

  test('inserts sections into the path and deletes them without breaking it', async () => {
    const { formId } = await draft([[], []]);
    const path = `/build/${formId}/questions`;
    const start = /value="section:([^"]+)"/.exec(await pagesOf(cast.bob).show(path))?.[1];
    const added = await fillIn(cast.bob, path, [], `section:${start}`);
    const [, sectionId = ''] = /\/s\/([^?]+)\?done=sectionAdded#title$/.exec(added.headers.get('location') ?? '') ?? [];
    await fillIn(cast.bob, `/build/${formId}/s/${sectionId}`, [
      ['title', 'First'],
      ['description', 'Hello'],
    ]);
    const [first] = await readSections(formId);
    expect(first).toMatchObject({ id: sectionId, title: 'First', description: doc(p(text('Hello'))) });
    const workflow = async () => (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body;
    expect((await workflow()).info).toEqual([]);
    for (const times of [1, 2]) {
      const response = await pagesOf(cast.bob).post(`/build/${formId}/s/${sectionId}/delete`);
      const place = times === 1 ? `#s-${(await readSections(formId))[0]?.id}` : '';
      expect([times, response.headers.get('location')]).toEqual([times, `${path}?done=sectionDeleted${place}`]);
    }
    expect((await workflow()).info).toEqual([]);
    expect(await readSections(formId)).toHaveLength(2);
  });

  test('says what is lost before a question is deleted', async () => {
    const { formId, questionIds, sectionIds } = await draft([
      [{ type: 'MULTIPLE_CHOICE', choices: [{ name: 'a' }] }, { type: 'SHORT_TEXT' }],
    ]);
    const [source = '', other = ''] = questionIds;
    await fillIn(
      cast.bob,
      `/build/${formId}/q/${other}`,
      [
        ['type', 'RANKING'],
        ['sourceId', source],
      ],
      'save',
    );
    const page = `/build/${formId}/q/${source}/delete`;
    expect(textOf(await pagesOf(cast.bob).show(page))).toMatch(/has no answers.*take their choices from it/);
    for (const times of [1, 2]) {
      const response = await pagesOf(cast.bob).post(page);
      expect([times, response.headers.get('location')]).toEqual([
        times,
        `/build/${formId}/questions?done=questionDeleted${times === 1 ? `#s-${sectionIds[0]}` : ''}`,
      ]);
    }
    expect(await readQuestions(formId)).toHaveLength(1);
  });
});

const paths = (formId: string, sectionId = '', questionId = '') =>
  [
    '/questions',
    `/s/${sectionId}`,
    `/s/${sectionId}/new`,
    `/s/${sectionId}/new?type=RANKING`,
    `/s/${sectionId}/delete`,
    `/q/${questionId}`,
    `/q/${questionId}/choices`,
    `/q/${questionId}/delete`,
  ].map((path) => `/build/${formId}${path}`);

test('people who are not members get what the API gives them', async () => {
  const kinds = [[{ type: 'SINGLE_CHOICE' as const, choices: [{ name: 'a' }] }]];
  for (const [publish, status] of [
    [false, 404],
    [true, 403],
  ] as const) {
    const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, kinds, { publish });
    for (const path of paths(formId, sectionIds[0], questionIds[0])) {
      const pages = pagesOf(cast.chelsea);
      expect([path, (await pages.get(path)).status]).toEqual([path, status]);
      expect([path, (await pages.post(path.replace(/\?.*/, ''))).status]).toEqual([path, status]);
    }
  }
});

test('an archived form is shown, and nothing of it changes', async () => {
  const kinds = [[{ type: 'SINGLE_CHOICE' as const, title: 'Which lake?', choices: [{ name: 'a' }] }]];
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, kinds);
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  const TYPED = /<main.*The form is archived\..*(?:value="Changed"|>\nb)/s;
  const before = await readQuestions(formId);
  const pages = pagesOf(cast.bob);
  const html = await pages.show(`/build/${formId}/questions`);
  expect(textOf(html)).toMatch(/The form is archived.*Which lake\?/);
  expect(html.slice(html.indexOf('<main'))).not.toContain('<button');
  for (const path of paths(formId, sectionIds[0], questionIds[0]).slice(1)) {
    expect([path, (await pages.get(path)).headers.get('location')]).toEqual([path, `/build/${formId}/questions`]);
    const posted = await pages.post(path.replace(/\?.*/, ''), [
      ['title', 'Changed'],
      ['choices', 'b'],
      ['choice.name', 'b'],
    ]);
    // Somebody has archived it meanwhile: what was typed stays on the page.
    const isTyped = !path.endsWith('/delete');
    expect([path, posted.status]).toEqual([path, isTyped ? 409 : 303]);
    if (isTyped) expect([path, await posted.text()]).toEqual([path, expect.stringMatching(TYPED)]);
  }
  expect((await pages.post(`/build/${formId}/questions`, [['do', `copy:${questionIds[0]}`]])).status).toBe(409);
  expect(await readQuestions(formId)).toEqual(before);
});

test('an unknown question or section is not found', async () => {
  const { formId, sectionIds } = await draft();
  const unknown = formId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  for (const path of [
    `/s/${unknown}`,
    `/s/${unknown}/new`,
    `/q/${unknown}`,
    `/q/${unknown}/choices`,
    `/q/${sectionIds[0]}`,
  ]) {
    expect([path, (await pagesOf(cast.bob).get(`/build/${formId}${path}`)).status]).toEqual([path, 404]);
  }
});

test('no page waits more than twice for storage, no save more than three times', async () => {
  const { formId, sectionIds, questionIds } = await draft([[{ type: 'SINGLE_CHOICE', choices: [{ name: 'a' }] }]]);
  for (const path of paths(formId, sectionIds[0], questionIds[0])) {
    const { cost } = await measureCost(() => pagesOf(cast.bob).show(path));
    expect([path, cost.roundTrips <= 2]).toEqual([path, true]);
  }
  const page = `/build/${formId}/q/${questionIds[0]}`;
  const fields = fieldsOf(await pagesOf(cast.bob).show(page)).filter(([name]) => name !== 'title');
  const { cost, result } = await measureCost(() => pagesOf(cast.bob).post(page, [...fields, ['title', 'Changed']]));
  expect([result.status, cost.roundTrips <= 3]).toEqual([303, true]);
});

test('JPG and JPEG are one box, and saving it unchanged keeps what is stored', async () => {
  for (const stored of [['JPG'], ['JPEG'], ['JPG', 'JPEG'], ['PNG']] as const) {
    const uploadFile = { allowedFileTypes: [...stored], maxFileAmount: 1, maxFileSizeLimit: 1_048_576 };
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'UPLOAD_FILE', uploadFile }]], {
      publish: false,
    });
    const path = `/build/${formId}/q/${questionIds[0]}`;
    const html = await pagesOf(cast.alice).show(path);
    // Hashes in hidden fields may have these letters too.
    expect(html.match(/<input type="checkbox"[^>]* value="[^"]*JP[^"]*"/g)).toHaveLength(1);
    expect((await fillIn(cast.alice, path, [])).status).toBe(303);
    const { body } = await cast.alice.client.sections.listSections({ params: { formId } });
    expect(body[0]?.section.questions?.[0]?.uploadFile?.allowedFileTypes.toSorted()).toEqual(stored.toSorted());
  }
});
