/** The page on which a form is edited, and the parts of it that its scripts request: a question opened in place saves itself. */
import { describe, expect, test } from 'vitest';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import { measureCost } from '#test/support/cost.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

type Fields = readonly (readonly [string, string])[];

const draft = (sections: Parameters<typeof newForm>[2]) =>
  newForm(cast.alice, cast.slug, sections, { title: 'Lakes', publish: false });
const readQuestions = async (formId: string): Promise<QuestionDocument[]> =>
  (await cast.alice.client.sections.listSections({ params: { formId } })).body.flatMap(
    ({ section }) => section.questions ?? [],
  );

/** The fields of a part of the page, which is no page of its own. */
const fieldsOfPart = (part: string): [string, string][] => fieldsOf(`<main>${part}`);
const replace = (fields: Fields, changes: Fields): Fields => [
  ...fields.filter(([name]) => !changes.some(([changed]) => changed === name)),
  ...changes,
];
const choice = (name: string, id = ''): Fields => [
  ['choice.name', name],
  ['choice.id', id],
  ['choice.other', ''],
  ['choice.description', ''],
];
const openPart = async (path: string): Promise<string> => pagesOf(cast.alice).show(`${path}part=row`);
const idsOf = (part: string): string[] =>
  [...part.matchAll(/name="choice\.id" value="([^"]*)"/g)].map(([, id = '']) => id);

describe('the canvas', () => {
  test('shows each question with its control, which belongs to no form, and links to its page', async () => {
    const { formId, questionIds, sectionIds } = await draft([
      [
        { type: 'SINGLE_CHOICE', title: 'Lake', choices: [{ name: 'Ness' }, { name: 'Erie' }], required: true },
        { type: 'SHORT_TEXT', title: 'Secret', hidden: true },
      ],
    ]);
    const html = await pagesOf(cast.alice).show(`/build/${formId}`);
    const [row = ''] = new RegExp(`<li class="canvas-question" id="q-${questionIds[0]}".*?</li>`, 's').exec(html) ?? [];
    expect(row).toContain(`<a href="/build/${formId}/q/${questionIds[0]}" data-edit dir="auto">Lake</a>`);
    expect(row).toContain(`href="/build/${formId}/s/${sectionIds[0]}/new?after=${questionIds[0]}" data-add`);
    expect(row).toMatch(/<div class="canvas-control" inert>.*Ness.*Erie/s);
    expect(row).toContain('Required');
    expect(html).toMatch(/Secret<\/a> <span class="tag">Hidden<\/span>/);
    // Its forms end before the canvas and begin behind it.
    const canvas = html.slice(html.indexOf('<div class="canvas">'), html.indexOf('id="editor-actions"'));
    expect(canvas.match(/<\/?form/g)).toEqual(['<form']);
  });

  test('names the question from which choices come', async () => {
    const { formId, questionIds } = await draft([
      [{ type: 'MULTIPLE_CHOICE', title: 'Visited', choices: [{ name: 'Ness' }] }],
    ]);
    const [sectionId = ''] = (await cast.alice.client.sections.listSections({ params: { formId } })).body.map(
      ({ section }) => section.id,
    );
    const body = {
      type: 'RANKING' as const,
      title: 'Best',
      required: false,
      description: null,
      order: 2,
      sourceId: questionIds[0] ?? '',
    };
    await cast.alice.client.questions.createQuestion({ params: { sectionId }, body });
    expect(textOf(await pagesOf(cast.alice).show(`/build/${formId}`))).toContain('Best Choices from “Visited”');
  });

  test('shows the rows of a table below the names of its columns, and says how many there are', async () => {
    const choices = [{ name: 'Yes' }, { name: 'No' }];
    const row = (title: string) => ({ type: 'SINGLE_CHOICE' as const, title, choices, grid: true });
    const { formId, questionIds } = await draft([
      [
        { type: 'SINGLE_CHOICE', title: 'Clear', choices },
        row('Useful'),
        row('Short'),
        { ...row('Other'), choices: [{ name: 'Maybe' }] },
      ],
    ]);
    const html = await pagesOf(cast.alice).show(`/build/${formId}`);
    const rows = html.split('<li class="canvas-question"').slice(1);
    expect(rows.map((each) => /class="canvas-table"/.test(each))).toEqual([true, true, true, false]);
    expect(rows.map((each) => /Table of \d rows/.exec(each)?.[0])).toEqual([
      'Table of 3 rows',
      undefined,
      undefined,
      undefined,
    ]);
    expect(
      rows.map((each) =>
        [...(/<div class="canvas-table".*?<\/div>/s.exec(each)?.[0].matchAll(/dir="auto">([^<]*)/g) ?? [])].map(
          ([, label]) => label,
        ),
      ),
    ).toEqual([['Yes', 'No'], [], [], []]);
    expect(rows.map((each) => each.match(/class="radio"/g)?.length)).toEqual([2, 2, 2, undefined]);
    // A row that is loaded by itself is the same.
    expect(await openPart(`/build/${formId}/q/${questionIds[1]}?`)).toMatch(/class="canvas-table"/);
  });

  test('of a long form has one section, and the outline all', async () => {
    const many = (title: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ type: 'SHORT_TEXT' as const, title: `${title} ${index + 1}` }));
    const { formId, sectionIds } = await draft([many('Depth', 60), many('Width', 41)]);
    const count = (html: string) => html.match(/class="canvas-question"/g)?.length;
    const first = await pagesOf(cast.alice).show(`/build/${formId}`);
    const second = await pagesOf(cast.alice).show(`/build/${formId}?s=${sectionIds[1]}`);
    expect([count(first), count(second), first.match(/<li id="o-/g)?.length]).toEqual([60, 41, 101]);
    expect(first).toContain(`href="/build/${formId}?s=${sectionIds[1]}#s-${sectionIds[1]}"`);
    const { formId: shortId } = await draft([many('Depth', 60), many('Width', 40)]);
    expect(count(await pagesOf(cast.alice).show(`/build/${shortId}`))).toBe(100);
  });

  test('of an archived form only shows it', async () => {
    const { formId } = await draft([[{ type: 'SHORT_TEXT', title: 'Lake' }]]);
    await cast.alice.client.forms.archiveForm({ params: { formId } });
    const html = await pagesOf(cast.alice).show(`/build/${formId}`);
    expect(html).toContain('>Lake');
    expect(html).not.toMatch(/data-edit>|data-add|editor-actions"|type-menu/);
  });

  test('a section is added without leaving the page', async () => {
    const { formId } = await draft([[]]);
    const html = await pagesOf(cast.alice).show(`/build/${formId}`);
    const [, action = ''] = /value="(section:[^"]+)"/.exec(html) ?? [];
    const posted = await pagesOf(cast.alice).post(`/build/${formId}/questions`, [
      ['do', action],
      ['stay', 'on'],
    ]);
    expect(posted.headers.get('location')).toMatch(new RegExp(`^/build/${formId}/questions\\?done=sectionAdded#s-`));
  });
});

describe('a question that is opened in place', () => {
  test('is a part of the page, in two round trips, and saved in three', async () => {
    const { formId, questionIds } = await draft([[{ type: 'SHORT_TEXT', title: 'Lake' }]]);
    const path = `/build/${formId}/q/${questionIds[0]}`;
    const { cost, result: part } = await measureCost(() => openPart(`${path}?`));
    expect(part).not.toContain('<main');
    expect(part).toContain(`id="q-${questionIds[0]}"`);
    expect(part).toContain(`id="o-${questionIds[0]}"`);
    const fields = replace(fieldsOfPart(part), [['title', 'River']]);
    const { cost: saving, result: saved } = await measureCost(() => pagesOf(cast.alice).post(path, fields));
    expect([cost.roundTrips <= 2, saving.roundTrips <= 3, saved.status]).toEqual([true, true, 200]);
    expect((await readQuestions(formId)).map(({ title }) => title)).toEqual(['River']);
  });

  test('gets the ids of its new choices with the reply, so that the next save keeps them', async () => {
    const { formId, questionIds } = await draft([
      [{ type: 'SINGLE_CHOICE', title: 'Lake', choices: [{ name: 'Ness' }] }],
    ]);
    const path = `/build/${formId}/q/${questionIds[0]}`;
    const opened = await openPart(`${path}?`);
    const [ness = ''] = idsOf(opened);
    const base = fieldsOfPart(opened).filter(([name]) => !name.startsWith('choice.'));
    const reply = await (
      await pagesOf(cast.alice).post(path, [...base, ...choice('Ness', ness), ...choice('Eri')])
    ).text();
    const [kept, added = ''] = idsOf(reply);
    expect(kept).toBe(ness);
    const hash = fieldsOfPart(reply).filter(([name]) => name === 'hash');
    const fields = replace(base, hash);
    const renamed = await pagesOf(cast.alice).post(path, [
      ...fields,
      ...choice('Ness', ness),
      ...choice('Erie', added),
    ]);
    expect(renamed.status).toBe(200);
    expect((await readQuestions(formId))[0]?.choices).toEqual([
      { id: ness, name: 'Ness' },
      { id: added, name: 'Erie' },
    ]);
  });

  test('sent twice is stored once, also with choices that have no ids yet', async () => {
    const { formId, questionIds } = await draft([
      [{ type: 'SINGLE_CHOICE', title: 'Lake', choices: [{ name: 'Ness' }] }],
    ]);
    const path = `/build/${formId}/q/${questionIds[0]}`;
    const opened = await openPart(`${path}?`);
    const base = fieldsOfPart(opened).filter(([name]) => !name.startsWith('choice.'));
    const fields = [...base, ...choice('Ness', idsOf(opened)[0]), ...choice('Erie')];
    const first = idsOf(await (await pagesOf(cast.alice).post(path, fields)).text());
    const second = await pagesOf(cast.alice).post(path, fields);
    expect([second.status, idsOf(await second.text())]).toEqual([200, first]);
  });

  test('shows both versions when somebody else has changed it, and waits for its author', async () => {
    const { formId, questionIds } = await draft([[{ type: 'SHORT_TEXT', title: 'Lake' }]]);
    const path = `/build/${formId}/q/${questionIds[0]}`;
    const mine = fieldsOfPart(await openPart(`${path}?`));
    const theirs = fieldsOf(await pagesOf(cast.bob).show(path));
    await pagesOf(cast.bob).post(
      path,
      replace(theirs, [
        ['title', 'Their lake'],
        ['do', 'save'],
      ]),
    );
    const refused = await pagesOf(cast.alice).post(path, replace(mine, [['title', 'My lake']]));
    const part = await refused.text();
    expect(refused.status).toBe(409);
    expect(part).toMatch(/data-waits data-conflict/);
    expect(textOf(part)).toContain('Their lake');
    expect(fieldsOfPart(part)).toContainEqual(['title', 'My lake']);
    expect((await readQuestions(formId))[0]?.title).toBe('Their lake');
    // The author has seen both now.
    const kept = await pagesOf(cast.alice).post(path, fieldsOfPart(part));
    expect([kept.status, (await readQuestions(formId))[0]?.title]).toEqual([200, 'My lake']);
  });

  test('says at its field what is missing, and stores nothing', async () => {
    const { formId, questionIds } = await draft([[{ type: 'SHORT_TEXT', title: 'Lake' }]]);
    const path = `/build/${formId}/q/${questionIds[0]}`;
    const refused = await pagesOf(cast.alice).post(
      path,
      replace(fieldsOfPart(await openPart(`${path}?`)), [['title', ' ']]),
    );
    expect(refused.status).toBe(400);
    expect(textOf(await refused.text())).toContain('Enter a question of 1 to');
    expect((await readQuestions(formId))[0]?.title).toBe('Lake');
  });

  test('that was deleted meanwhile becomes a new one, in the same place of the page', async () => {
    const { formId, questionIds, sectionIds } = await draft([[{ type: 'SHORT_TEXT', title: 'Lake' }]]);
    const path = `/build/${formId}/q/${questionIds[0]}`;
    const fields = fieldsOfPart(await openPart(`${path}?`));
    await pagesOf(cast.bob).post(`${path}/delete`);
    const refused = await pagesOf(cast.alice).post(path, replace(fields, [['title', 'My lake']]));
    const part = await refused.text();
    expect([refused.status, /id="q-new-/.test(part)]).toEqual([409, true]);
    const stored = await pagesOf(cast.alice).post(`/build/${formId}/s/${sectionIds[0]}/new`, fieldsOfPart(part));
    expect([stored.status, (await readQuestions(formId)).map(({ title }) => title)]).toEqual([200, ['My lake']]);
  });
});

describe('a section that is opened in place', () => {
  test('is its head on the canvas and its line in the outline, and is saved with its stamp', async () => {
    const { formId, sectionIds } = await draft([[]]);
    const path = `/build/${formId}/s/${sectionIds[0]}`;
    const { cost, result: part } = await measureCost(() => openPart(`${path}?`));
    expect(part).not.toContain('<main');
    expect(part).toContain(`id="h-${sectionIds[0]}"`);
    const mine = fieldsOfPart(part);
    const save = (fields: Fields) => pagesOf(cast.alice).post(path, fields);
    const { cost: saving, result: saved } = await measureCost(() => save(replace(mine, [['title', 'Lakes']])));
    expect([cost.roundTrips <= 2, saving.roundTrips <= 3, saved.status]).toEqual([true, true, 200]);
    expect(textOf(await saved.text())).toContain('Lakes');
    // The first stamp is old now.
    const stale = await save(replace(mine, [['title', 'Rivers']]));
    const conflict = await stale.text();
    expect([stale.status, /data-waits data-conflict/.test(conflict)]).toEqual([409, true]);
    // A section needs no title.
    const emptied = await save(replace(fieldsOfPart(conflict), [['title', '']]));
    expect(emptied.status).toBe(200);
    const { body } = await cast.alice.client.sections.listSections({ params: { formId } });
    expect(body.map(({ section }) => section.title)).toEqual(['']);
  });

  test('says what is wrong at its field', async () => {
    const { formId, sectionIds } = await draft([[]]);
    const path = `/build/${formId}/s/${sectionIds[0]}`;
    const fields = replace(fieldsOfPart(await openPart(`${path}?`)), [['title', 'x'.repeat(2_000)]]);
    const refused = await pagesOf(cast.alice).post(path, fields);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      400,
      expect.stringMatching(/Enter at most [\d,]+ characters on one line/),
    ]);
  });
});

describe('a new question', () => {
  test('is stored behind the question after which it was added, once however often it is sent', async () => {
    const { formId, questionIds, sectionIds } = await draft([
      [
        { type: 'SHORT_TEXT', title: 'First' },
        { type: 'SHORT_TEXT', title: 'Last' },
      ],
    ]);
    const path = `/build/${formId}/s/${sectionIds[0]}/new`;
    const part = await openPart(`${path}?type=LINEAR_SCALE&after=${questionIds[0]}&`);
    expect(part).toContain('data-new');
    const fields = replace(fieldsOfPart(part), [['title', 'Between']]);
    const replies = [await pagesOf(cast.alice).post(path, fields), await pagesOf(cast.alice).post(path, fields)];
    const texts = await Promise.all(replies.map((reply) => reply.text()));
    const ids = texts.map((text) => /id="q-([^"]+)" tabindex/.exec(text)?.[1]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await readQuestions(formId)).map(({ title }) => title)).toEqual(['First', 'Between', 'Last']);
    expect([ids[0], ids[1]]).toEqual([ids[1], (await readQuestions(formId))[1]?.id]);
    expect(texts[0]).toContain(`action="/build/${formId}/q/${ids[0]}"`);
  });

  test('keeps its place on the pages without scripts', async () => {
    const { formId, questionIds, sectionIds } = await draft([
      [
        { type: 'SHORT_TEXT', title: 'First' },
        { type: 'SHORT_TEXT', title: 'Last' },
      ],
    ]);
    const path = `/build/${formId}/s/${sectionIds[0]}/new`;
    const kinds = await pagesOf(cast.alice).show(`${path}?after=${questionIds[0]}`);
    expect(kinds).toContain(`href="${path}?type=DATE&amp;after=${questionIds[0]}#title"`);
    const form = fieldsOf(await pagesOf(cast.alice).show(`${path}?type=DATE&after=${questionIds[0]}`));
    await pagesOf(cast.alice).post(
      path,
      replace(form, [
        ['title', 'Between'],
        ['do', 'save'],
      ]),
    );
    expect((await readQuestions(formId)).map(({ title }) => title)).toEqual(['First', 'Between', 'Last']);
  });

  test('comes last when the question before it was deleted', async () => {
    const { formId, questionIds, sectionIds } = await draft([
      [
        { type: 'SHORT_TEXT', title: 'First' },
        { type: 'SHORT_TEXT', title: 'Last' },
      ],
    ]);
    const path = `/build/${formId}/s/${sectionIds[0]}/new`;
    const fields = fieldsOfPart(await openPart(`${path}?type=SHORT_TEXT&after=${questionIds[0]}&`));
    await pagesOf(cast.bob).post(`/build/${formId}/q/${questionIds[0]}/delete`);
    await pagesOf(cast.alice).post(path, replace(fields, [['title', 'New']]));
    expect((await readQuestions(formId)).map(({ title }) => title)).toEqual(['Last', 'New']);
  });
});

test('a question that is dropped in the outline is where it was dropped, or the reason is said', async () => {
  const titles = ['First', 'Second', 'Third'];
  const { formId, questionIds, sectionIds } = await draft([titles.map((title) => ({ type: 'SHORT_TEXT', title })), []]);
  const [first, second, third] = questionIds;
  const drop = (place: string) => pagesOf(cast.bob).post(`/build/${formId}/questions`, [['do', `place:${place}`]]);
  const moved = await drop(`${third}:${sectionIds[0]}:`);
  expect([moved.status, moved.headers.get('location')]).toEqual([
    303,
    `/build/${formId}/questions?done=questionMoved#q-${third}`,
  ]);
  await drop(`${first}:${sectionIds[1]}:`);
  await drop(`${second}:${sectionIds[1]}:${first}`);
  expect((await readQuestions(formId)).map(({ title }) => title)).toEqual(['Third', 'First', 'Second']);
  expect((await drop(`${second}:${sectionIds[1]}:${third}`)).status).toBe(409);
  expect((await drop(`${sectionIds[0]}:${sectionIds[1]}:`)).status).toBe(404);
  expect((await readQuestions(formId)).map(({ title }) => title)).toEqual(['Third', 'First', 'Second']);
});

describe('a rule', () => {
  const CHOICES = [{ name: 'Ness' }, { name: 'Erie' }];
  const sentences = (html: string): string[] =>
    [...html.matchAll(/<(p|li)[^>]*>(?:<a[^>]*>)?((?:Shown only|If|Otherwise|Then) [^<]*)/g)].map(([, , said]) =>
      textOf(said ?? ''),
    );
  const branching = () =>
    draft([
      [{ type: 'SINGLE_CHOICE', title: 'Lake', choices: CHOICES, required: true }],
      [{ type: 'SHORT_TEXT', title: 'Why' }],
      [],
    ]);

  test('is made and taken away with one press, also by two authors at once', async () => {
    const { formId, questionIds, sectionIds } = await branching();
    const [first, second, third] = sectionIds;
    const rules = (sectionId: string | undefined) => `/build/${formId}/s/${sectionId}/rules`;
    const { cost, result: menu } = await measureCost(() => pagesOf(cast.alice).show(`${rules(second)}?part=menu`));
    const whens = [...menu.matchAll(/data-when="([^"]*)"/g)].map(([, when = '']) => when);
    const [ness, erie] = whens;
    // Both choices for when it is shown, both and the answer of its own question for where it leads, and otherwise.
    expect(whens).toEqual([ness, erie, `${questionIds[1]}:`, ness, erie, '']);
    expect([...menu.matchAll(/data-to="([^"]*)"/g)].map(([, to]) => to).slice(0, 2)).toEqual([first, third]);
    const press = (person: typeof cast.alice, sectionId: string | undefined, action: string) =>
      pagesOf(person).post(rules(sectionId), [['do', action]]);
    const { cost: making, result: made } = await measureCost(() => press(cast.alice, second, `show-if:${ness}`));
    expect([made.status, made.headers.get('location')]).toEqual([
      303,
      `/build/${formId}/questions?done=saved#s-${second}`,
    ]);
    expect([cost.roundTrips <= 2, making.roundTrips <= 3]).toEqual([true, true]);
    await press(cast.bob, second, `show-if:${erie}`);
    await press(cast.alice, first, `go-if:${erie}:${third}`);
    await press(cast.alice, first, `go-if:${erie}:${third}`);
    await press(cast.alice, second, `go-else:${third}`);
    const html = await pagesOf(cast.alice).show(`/build/${formId}`);
    expect(sentences(html)).toEqual([
      'If “Lake” is “Erie”, go to “New Section”.',
      'Otherwise go to “New Section”.',
      'Shown only if “Lake” is “Ness” or “Erie”.',
      'Then go to “New Section”.',
      'Then go to the end.',
    ]);
    const [, dropped = ''] = /value="(rule-drop:[^"]+)"/.exec(html) ?? [];
    await press(cast.bob, first, dropped);
    await press(cast.bob, first, dropped);
    await press(cast.bob, second, 'show-always');
    expect(sentences(await pagesOf(cast.alice).show(`/build/${formId}`))).toEqual([
      'Then go to “New Section”.',
      'Then go to “New Section”.',
      'Then go to the end.',
    ]);
  });

  test.for([
    'show-if:00000000-0000-8000-8000-000000000000:',
    'go-if:00000000-0000-8000-8000-000000000000::00000000-0000-8000-8000-000000000000',
    'show-if',
  ])('about something that was deleted is refused: %s', async (action) => {
    const { formId, sectionIds } = await branching();
    const refused = await pagesOf(cast.alice).post(`/build/${formId}/s/${sectionIds[1]}/rules`, [['do', action]]);
    expect(refused.status).toBe(404);
  });

  test('that nothing can reach, or that is wrong, is said at its section', async () => {
    const { formId, sectionIds } = await branching();
    const menu = await pagesOf(cast.alice).show(`/build/${formId}/s/${sectionIds[0]}/rules?part=menu`);
    const [, when = ''] = /data-when="([^"]+)"/.exec(menu) ?? [];
    await pagesOf(cast.alice).post(`/build/${formId}/s/${sectionIds[0]}/rules`, [
      ['do', `go-if:${when}:${sectionIds[1]}`],
    ]);
    const html = await pagesOf(cast.alice).show(`/build/${formId}`);
    const section = html.slice(html.indexOf(`id="s-${sectionIds[0]}"`), html.indexOf(`id="s-${sectionIds[1]}"`));
    expect(textOf(section)).toContain('This rule changes nothing');
  });
});
