/** The pages that create a form, set it up, give it a look and share it. */
import { describe, expect, test } from 'vitest';
import { listTemplates } from '#core/definitions/templates.ts';
import { muteErrors } from '#test/support/console.ts';
import { readCover } from '#test/support/covers.ts';
import { beforeFirstWrite, withConfig } from '#test/support/faults.ts';
import { expectProblem, newCast, newForm, newOrganization, type Person } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { jpeg, png } from '#test/support/pictures.ts';
import { respond, start, text } from '#test/support/responses.ts';
import { addressOf, answersIn, ownSheets, readStatus, sheetForm } from '#test/support/sheets.ts';
import { runSweep } from '#test/support/sweeps.ts';
import { webp } from '#test/support/webp.ts';

const cast = await newCast();
const sheets = ownSheets();
muteErrors();

type Fields = readonly (readonly [string, string])[];

const hidden = (html: string, name: string): string =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? `no field: ${name}`;

/** An id as definitions have them. */
const NEUTRAL_ID = '00000000-0000-8000-8000-00000000abcd';
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const readSettings = async (by: Person, formId: string) => (await by.client.forms.getForm({ params: { formId } })).body;
const draft = (title = 'Lakes') =>
  newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title, publish: false });

describe('a new form', () => {
  test('is a private draft, created once however often the button is pressed', async () => {
    const { slug } = await newOrganization(cast.alice, cast.bob);
    const pages = pagesOf(cast.bob);
    const id = hidden(await pages.show(`/o/${slug}/new`), 'id');
    const locations = await Promise.all(
      [1, 2, 3].map(async () => {
        const response = await pages.post(`/o/${slug}/new`, [
          ['id', id],
          ['title', 'Lakes'],
          ['do', 'empty'],
        ]);
        return response.headers.get('location');
      }),
    );
    const [, formId = ''] = /^\/build\/([^?]+)\?done=created$/.exec(locations[0] ?? '') ?? [];
    expect(new Set(locations).size).toBe(1);
    expect(await readSettings(cast.bob, formId)).toMatchObject({
      title: 'Lakes',
      status: 'DRAFT',
      visibility: 'PRIVATE',
    });
    const { body } = await cast.bob.client.forms.listOrganizationForms({ params: { slug } });
    expect(body.map((form) => form.id)).toEqual([formId]);
    expect(textOf(await pages.show(`/build/${formId}`))).toContain('The form has no questions yet.');
  });

  test('needs a title', async () => {
    const response = await pagesOf(cast.bob).post(`/o/${cast.slug}/new`, [
      ['title', ' '],
      ['do', 'empty'],
    ]);
    expect([response.status, textOf(await response.text())]).toEqual([400, expect.stringContaining('Enter a title')]);
  });

  test.for(listTemplates('en').map(({ id }) => id))('comes from the template %s, and can be published', async (id) => {
    for (const language of ['en', 'zh-TW'] as const) {
      const pages = pagesOf(cast.bob, { 'accept-language': language });
      const template = listTemplates(language).find((each) => each.id === id);
      expect(textOf(await pages.show(`/o/${cast.slug}/new`))).toContain(template?.title);
      const created = await pages.post(`/o/${cast.slug}/new`, [['do', `template:${id}`]]);
      const [, formId = ''] = /^\/build\/([^?]+)/.exec(created.headers.get('location') ?? '') ?? [];
      const { status } = (await cast.bob.client.forms.publishForm({ params: { formId } })).body;
      expect([(await readSettings(cast.bob, formId)).title, status]).toEqual([template?.title, 'PUBLISHED']);
    }
  });

  test('follows the answer that decides, in a template with branches', async () => {
    const created = await pagesOf(cast.bob).post(`/o/${cast.slug}/new`, [['do', 'template:application']]);
    const [, formId = ''] = /^\/build\/([^?]+)/.exec(created.headers.get('location') ?? '') ?? [];
    await cast.bob.client.forms.publishForm({ params: { formId } });
    const body = (await cast.dave.client.sections.listSections({ params: { formId } })).body ?? [];
    const deciding = body[0]?.questions?.at(-1);
    for (const [choice, count] of [
      [deciding?.choices?.[0], 2],
      [deciding?.choices?.[1], 3],
    ] as const) {
      const answers = [
        { questionId: deciding?.id ?? '', questionType: 'SINGLE_CHOICE' as const, value: [choice?.id ?? ''] },
      ];
      const { id: responseId } = (
        await cast.dave.client.responses.startResponse({ params: { formId }, body: { answers } })
      ).body;
      const { sections } = (await cast.dave.client.responses.getResponse({ params: { formId, responseId } })).body;
      expect(sections.filter(({ progress }) => progress !== 'SKIPPED')).toHaveLength(count);
    }
  });

  test('is a copy of another one of the organization, made once, and of no other organization', async () => {
    const { slug } = await newOrganization(cast.alice, cast.bob);
    const { formId } = await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Last year' });
    await cast.alice.client.forms.archiveForm({ params: { formId } });
    const path = `/o/${slug}/new`;
    const pages = pagesOf(cast.bob);
    const html = await pages.show(path);
    expect(html).toContain(`<option dir="auto" value="${formId}">Last year</option>`);
    const copy = (id: string) =>
      pages.post(path, [
        ['id', hidden(html, 'id')],
        ['form', id],
        ['do', 'copy'],
      ]);
    const [first, second] = [await copy(formId), await copy(formId)].map(({ headers }) => headers.get('location'));
    expect(first).toMatch(/^\/build\/[^?]+\?done=duplicated$/);
    expect(second).toBe(first);
    const { status, title } = await readSettings(cast.bob, /build\/([^?]+)/.exec(first ?? '')?.[1] ?? '');
    expect([status, title]).toEqual(['DRAFT', 'Copy of Last year']);
    const others = await newOrganization(cast.chelsea);
    const { formId: foreign } = await newForm(cast.chelsea, others.slug, [[{ type: 'SHORT_TEXT' }]]);
    for (const id of [foreign, crypto.randomUUID(), 'x']) {
      const refused = await copy(id);
      expect([refused.status, textOf(await refused.text())]).toEqual([
        400,
        expect.stringContaining('Choose a form of the organization'),
      ]);
    }
  });

  test('is refused with every fault of its file by place, in the words of the reader', async () => {
    const { formId } = await newForm(cast.alice, cast.slug, [
      [{ type: 'SINGLE_CHOICE', choices: [{ name: 'A' }] }, { type: 'SHORT_TEXT' }],
    ]);
    const { body: file } = await cast.alice.client.forms.getDefinition({ params: { formId } });
    type DefinitionForm = typeof file.form;
    const refuse = async (language: string, edit: (form: DefinitionForm) => unknown) => {
      const body = new FormData();
      body.append('do', 'file');
      body.append('file', new File([JSON.stringify({ ...file, form: edit(file.form) })], 'form.json'));
      const pages = pagesOf(cast.alice, { 'accept-language': language });
      const html = await (await pages.upload(`/o/${cast.slug}/new`, body)).text();
      return { text: textOf(html), lines: [...html.matchAll(/<li>(\/[^<]*)<\/li>/g)].map(([, line = '']) => line) };
    };
    const breakValues = ({ title: _title, sections, ...form }: DefinitionForm) => ({
      ...form,
      dressing: { color: 'red' },
      sections: sections.map((section) => ({
        ...section,
        id: crypto.randomUUID(),
        questions: [{ ...section.questions[0], required: 'yes' }, ...Array.from({ length: 60 }, () => ({}))],
      })),
    });
    const breakReferences = ({ nodes, sections, ...form }: DefinitionForm) => ({
      ...form,
      nodes: nodes.filter(({ type }) => type !== 'END'),
      sections: sections.flatMap((section) => [
        { ...section, questions: section.questions.map((each) => ({ ...each, id: section.questions[0]?.id })) },
        { ...section, questions: [] },
      ]),
    });
    const values = await refuse('en', breakValues);
    expect(values.lines).toContain('/form/title: is required');
    const [, further] = /(\d+) more faults/.exec(values.text) ?? [];
    expect(values.lines).toHaveLength(50 + Number(further));
    expect(values.lines).toContain('/form/sections/0/questions/60/title: is required');
    const many = await refuse('zh-TW', (form) => {
      const broken = breakValues(form);
      return { ...broken, sections: Array.from({ length: 5 }, () => broken.sections).flat() };
    });
    expect(many.lines).toHaveLength(1_000);
    expect(many.text).toMatch(/還有 950 個問題.*只檢查到前 1,000 個問題/);
    const references = await refuse('en', breakReferences);
    expect(references.lines).toContain('/form/sections/0/questions/1/id: is in use elsewhere in this definition');
    // References are checked beside values where what they need is valid: all ids of questions, but not those of nodes.
    const both = await refuse('en', ({ nodes, sections, ...form }) => ({
      ...form,
      title: 7,
      nodes: nodes.map((node) => ({ ...node, ...(node.type === 'END' ? { id: 'x' } : {}) })),
      sections: sections.map((section) => ({
        ...section,
        questions: section.questions.map((question) => ({ ...question, required: 'yes', choices: undefined })),
      })),
      views: [{ id: NEUTRAL_ID, title: 'v', locked: 1, columns: [NEUTRAL_ID] }],
    }));
    expect(both.lines).toEqual([
      '/form/title: must be a string',
      '/form/nodes/1/id: must be a lower-case UUID',
      '/form/nodes/1/id: must begin with 00000000-0000-8000',
      '/form/sections/0/questions/0/required: must be true or false',
      '/form/sections/0/questions/1/required: must be true or false',
      '/form/views/0/locked: must be true or false',
      '/form/sections/0/questions/0/choices: must be 1 to 500 choices',
      '/form/views/0/columns/0: must be a question of this definition',
    ]);
    expect(both.text).not.toContain('Whether its parts');
    const far = await refuse('zh-TW', () => ['no form']);
    expect(far.text).toContain('必須是物件');
    for (const edit of [breakValues, breakReferences]) {
      const { lines } = await refuse('zh-TW', edit);
      expect(lines.length).toBeGreaterThan(2);
      // Places, types of nodes and ids stay as they are in the file.
      expect(lines.filter((line) => /: .*\b(?:is|must|be|of)\b/.test(line))).toEqual([]);
    }
  });

  test('comes from the file of another one, and a wrong file says what is wrong', async () => {
    const { formId } = await draft('Rivers');
    const pages = pagesOf(cast.alice);
    const file = await pages.get(`/build/${formId}/definition`);
    expect(file.headers.get('content-disposition')).toContain('Rivers.json');
    const definition = await file.text();
    const upload = async (content: string) => {
      const form = new FormData();
      form.append('do', 'file');
      form.append('file', new File([content], 'form.json', { type: 'application/json' }));
      return pages.upload(`/o/${cast.slug}/new`, form);
    };
    const created = await upload(definition);
    const [, copyId = ''] = /^\/build\/([^?]+)/.exec(created.headers.get('location') ?? '') ?? [];
    expect(await readSettings(cast.alice, copyId)).toMatchObject({ title: 'Rivers', status: 'DRAFT' });
    for (const [content, message] of [
      ['{', 'The file is not JSON'],
      ['{}', 'The file is not the definition of a form'],
      [definition.replace('SHORT_TEXT', 'NO_TYPE'), '/form/sections/0/questions/0/type'],
    ] as const) {
      const refused = await upload(content);
      expect([refused.status, textOf(await refused.text())]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});

describe('a new form from a file', () => {
  test('that is too large is refused at the file, and what was typed stays', async () => {
    const { formId } = await draft('Rivers');
    const { body: file } = await cast.alice.client.forms.getDefinition({ params: { formId } });
    const upload = async (language: string, form: unknown) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ title: 'Lakes', form: formId, do: 'file' }))
        body.append(name, value);
      body.append('file', new File([JSON.stringify({ ...file, form })], 'form.json'));
      return pagesOf(cast.alice, { 'accept-language': language }).upload(`/o/${cast.slug}/new`, body);
    };
    const [section] = file.form.sections;
    const [question] = section?.questions ?? [];
    const description = { type: 'doc', content: [paragraph('x'.repeat(60_000))] };
    const questions = Array.from({ length: 7 }, (_, index) => ({
      ...question,
      id: `${NEUTRAL_ID.slice(0, -1)}${index}`,
      description,
    }));
    const large = { ...file.form, sections: [{ ...section, questions }] };
    for (const [language, form, text] of [
      ['en', large, 'This form is too large to be stored'],
      ['zh-TW', large, '這份表單太大，無法儲存'],
      ['en', Array.from({ length: 100_001 }, () => 0), 'This form is too large to be stored'],
    ] as const) {
      const refused = await upload(language, form);
      const html = await refused.text();
      expect([refused.status, /id="file-error".*?<\/p>/s.exec(html)?.[0]]).toEqual([
        413,
        expect.stringContaining(text),
      ]);
      expect(fieldsOf(html)).toEqual(expect.arrayContaining([['title', 'Lakes']]));
      expect(html).toContain(`<option dir="auto" value="${formId}" selected>`);
    }
  });

  test.for([
    [
      'en',
      '/format: must be &quot;form-service&quot;: this is not a form definition',
      '/version: must be 1: this definition was made by another version',
    ],
    [
      'zh-TW',
      '/format: 必須是 &quot;form-service&quot;：這不是表單的定義',
      '/version: 必須是 1：這份定義由其他版本產生',
    ],
  ] as const)('says that it is no definition, or one of another version: %s', async ([language, ...lines]) => {
    const body = new FormData();
    body.append('do', 'file');
    body.append('file', new File([JSON.stringify({ format: 'other', version: 2, form: {} })], 'form.json'));
    const refused = await pagesOf(cast.alice, { 'accept-language': language }).upload(`/o/${cast.slug}/new`, body);
    const text = textOf(await refused.text());
    for (const line of lines) expect(text).toContain(line);
  });

  test('says the faults of its rich text in the words of the reader', async () => {
    const { formId } = await draft('Rivers');
    const { body: file } = await cast.alice.client.forms.getDefinition({ params: { formId } });
    const marked = (...marks: unknown[]) => ({ type: 'text', text: 'a', marks });
    const content = [
      { type: 'table' },
      { type: 'text', text: 'a' },
      { type: 'heading', attrs: { level: 7 } },
      { type: 'ordered_list', attrs: { order: 'a' } },
      { type: 'paragraph', content: 'a', attrs: 1 },
      { type: 'horizontal_rule', content: [{}], marks: [{}] },
      { type: 'paragraph', content: [{ type: 'text', text: '' }, 7, marked('bold', { type: 'blink' })] },
      { type: 'paragraph', content: [marked({ type: 'bold' }, { type: 'bold' })], marks: 1 },
      { type: 'paragraph', content: [marked({ type: 'link', attrs: { href: 'a', title: '\ud83c', target: 'b' } })] },
    ];
    let deep: unknown = paragraph('a');
    for (let level = 0; level < 32; level++) deep = { type: 'blockquote', content: [deep] };
    const [section] = file.form.sections;
    const body = new FormData();
    body.append('do', 'file');
    const form = {
      ...file.form,
      description: { type: 'doc', content },
      sections: [
        {
          ...section,
          description: { type: 'doc', content: [paragraph('a'.repeat(66_000))] },
          questions: section?.questions.map((each) => ({ ...each, description: { type: 'doc', content: [deep] } })),
        },
      ],
    };
    body.append('file', new File([JSON.stringify({ ...file, form })], 'form.json'));
    const pages = pagesOf(cast.alice, { 'accept-language': 'zh-TW' });
    const html = await (await pages.upload(`/o/${cast.slug}/new`, body)).text();
    const lines = [...html.matchAll(/<li>\/form\/([^<]*)<\/li>/g)].map(([, line = '']) => line);
    const blocks = 'paragraph、heading、bullet_list、ordered_list、blockquote、code_block、horizontal_rule';
    expect(lines.map((line) => line.replaceAll('&quot;', '"'))).toEqual([
      `description/content/0/type: "table" 不是可以使用的節點，doc 可以包含：${blocks}`,
      `description/content/1/type: 這裡不可使用 text，doc 可以包含：${blocks}`,
      'description/content/2/attrs/level: 必須是 1 到 6 的整數',
      'description/content/3/attrs/order: 必須是整數',
      'description/content/4/attrs: 必須是物件或 null',
      'description/content/4/content: 必須是節點的陣列或 null',
      'description/content/5/marks: horizontal_rule 不可有標記',
      'description/content/5/content: horizontal_rule 不可有內容',
      'description/content/6/content/0/text: 必須是文字，不可空白',
      'description/content/6/content/1: 必須是節點：有 type 的物件',
      'description/content/6/content/2/marks/0: 必須是標記：有 type 的物件',
      'description/content/6/content/2/marks/1/type: "blink" 不是可以使用的標記，請使用下列之一：bold、italic、underline、strike、code、link',
      'description/content/7/marks: 必須是標記的陣列或 null',
      'description/content/7/content/0/marks/1/type: bold 不可重複設定',
      'description/content/8/content/0/marks/0/attrs/href: 必須是 http、https 或 mailto 網址，或 # 開頭的頁內連結',
      'description/content/8/content/0/marks/0/attrs/title: 必須是有效的 Unicode 文字',
      'description/content/8/content/0/marks/0/attrs/target: 必須是 _blank，或省略',
      'sections/0/description: 寫成 JSON 最多 65536 位元組',
      expect.stringMatching(/^sections\/0\/questions\/0\/description\/content.*: 最多 32 層$/),
    ]);
  });
});

describe('the overview', () => {
  test('publishes, closes, archives and copies a form', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}`;
    const pages = pagesOf(cast.alice);
    const act = async (action: string, fields: Fields = []) => {
      const response = await pages.post(path, [['do', action], ...fields]);
      return response.headers.get('location') ?? textOf(await response.text());
    };
    const status = async () => (await readSettings(cast.bob, formId)).status;
    expect(await act('publish')).toBe(`${path}?done=published`);
    expect(await status()).toBe('PUBLISHED');
    // Its link is where the button was, to copy.
    const shown = await pages.show(`${path}?done=published`);
    const below = shown.slice(shown.indexOf('id="publish"'));
    expect(below).toMatch(new RegExp(`href="[^"]*/f/${formId}".*data-copy="[^"]*/f/${formId}"`, 's'));
    expect(await act('publish')).toContain('changed the status of the form meanwhile');
    expect(await act('close')).toBe(`${path}?done=closed`);
    expect(Date.parse((await readSettings(cast.bob, formId)).deadline ?? '')).toBeLessThanOrEqual(Date.now());
    expect(await pages.show(path)).not.toContain('Close now');
    expect(await act('archive')).toBe(`${path}?done=archived`);
    expect(await status()).toBe('ARCHIVED');
    expect(await act('unarchive')).toBe(`${path}?done=unarchived`);
    const id = hidden(await pages.show(path), 'id');
    const copies = [await act('duplicate', [['id', id]]), await act('duplicate', [['id', id]])];
    expect(copies[0]).toMatch(/^\/build\/[^?]+\?done=duplicated$/);
    expect(copies[1]).toBe(copies[0]);
    expect(await pages.get(`${path}x`)).toMatchObject({ status: 404 });
  });

  test('closes only a form that is open', async () => {
    const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const path = `/build/${formId}`;
    const pages = pagesOf(cast.bob);
    const opensAt = (publishTime: string) =>
      cast.bob.client.forms.updateForm({ params: { formId }, body: { publishTime } });
    const close = async () => {
      const response = await pages.post(path, [['do', 'close']]);
      return [response.status, response.headers.get('location') ?? textOf(await response.text())];
    };
    await opensAt('2099-05-01T08:00:00.000Z');
    const html = await pages.show(path);
    expect(html).not.toContain('value="close"');
    expect(textOf(html)).toMatch(/It is not open yet. The settings say when it opens: .*2099/);
    expect(await close()).toEqual([400, expect.stringContaining('Only an open form can be closed.')]);
    await opensAt('2020-05-01T08:00:00.000Z');
    expect(await pages.show(path)).toContain('value="close"');
    expect(await close()).toEqual([303, `${path}?done=closed`]);
    const { deadline } = await readSettings(cast.bob, formId);
    expect(await close()).toEqual([303, `${path}?done=closed`]);
    expect((await readSettings(cast.bob, formId)).deadline).toBe(deadline);
  });

  test('lists what prevents publishing', async () => {
    const { formId } = await draft();
    await cast.alice.client.workflow.createNode({
      params: { formId },
      body: { type: 'SECTION', payload: { x: 0, y: 0 } },
    });
    const pages = pagesOf(cast.alice);
    expect(textOf(await pages.show(`/build/${formId}`))).toContain('“New Section”: nothing follows it.');
    const inChinese = pagesOf(cast.alice, { 'accept-language': 'zh-TW' });
    expect(textOf(await inChinese.show(`/build/${formId}`))).toContain('「New Section」：後面沒有內容。');
    const refused = await pages.post(`/build/${formId}`, [['do', 'publish']]);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      400,
      expect.stringContaining('The form cannot be published yet'),
    ]);
  });
});

test('a form is copied into another organization of its reader, once, and into no other', async () => {
  const { slug: other } = await newOrganization(cast.alice);
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  const path = `/build/${formId}`;
  const shown = await pagesOf(cast.alice).show(path);
  expect(shown).toMatch(new RegExp(`<select id="organization".*value="${cast.slug}" selected.*value="${other}"`, 's'));
  const id = /name="id" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  const copy = (organization: string) =>
    pagesOf(cast.alice).post(path, [
      ['id', id],
      ['organization', organization],
      ['do', 'duplicate'],
    ]);
  const places = await Promise.all(
    [other, other, cast.slug].map(async (slug) => (await copy(slug)).headers.get('location')),
  );
  expect(places[1]).toBe(places[0]);
  expect(places[2]).not.toBe(places[0]);
  const { body } = await cast.alice.client.forms.listOrganizationForms({ params: { slug: other } });
  expect(body.map((form) => form.id)).toEqual([/build\/([^?]+)/.exec(places[0] ?? '')?.[1]]);
  const { slug: foreign } = await newOrganization(cast.oscar);
  expect((await copy(foreign)).status).toBe(403);
});

describe('a form that nobody can answer', () => {
  const publish = async (formId: string): Promise<string> => {
    const path = `/build/${formId}`;
    const response = await pagesOf(cast.alice).post(path, [['do', 'publish']]);
    expect(response.status).toBe(303);
    return textOf(await pagesOf(cast.alice).show(response.headers.get('location') ?? ''));
  };

  test.for([
    [[], 'It has no sections'],
    [[[]], 'No path through it has a question'],
  ] as const)('says so before and after it is published: %j', async ([sections, reason]) => {
    const kinds = sections.map((kinds) => [...kinds]);
    const { formId } = await newForm(cast.alice, cast.slug, kinds, { publish: false });
    expect(textOf(await pagesOf(cast.alice).show(`/build/${formId}`))).toContain(reason);
    const after = await publish(formId);
    expect(after).toContain(reason);
    expect(after).not.toContain('Share its link.');
  });

  test('says so for a deadline in the past, also in the row of the settings', async () => {
    const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { deadline: '2025-01-01T00:00:00.000Z' } });
    const before = textOf(await pagesOf(cast.alice).show(`/build/${formId}`));
    expect(before).toMatch(/Settings [^·]*· The deadline has passed Missing/);
    expect(before).toContain('Its deadline has passed');
    expect(await publish(formId)).not.toContain('Share its link.');
  });

  test('is praised when it can be answered', async () => {
    const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
    const after = await publish(formId);
    expect(after).toContain('Share its link.');
    expect(after).not.toContain('nobody can answer');
  });
});

describe('the settings of a form', () => {
  const SETTINGS: Fields = [
    ['title', 'Lakes of the North'],
    ['description', 'First\r\n\r\nSecond'],
    ['visibility', 'PUBLIC'],
    ['publishTime', '2026-05-01T08:00'],
    ['deadline', '2099-12-31T23:59'],
    ['maxResponses', '40'],
    ['closedMessage', 'Next\r\nyear'],
    ['sendResponseEmail', 'on'],
    ['previewMessage', 'Deep'],
    ['messageAfterSubmission', 'Thank\r\nyou'],
    ['spreadsheetUrl', addressOf('lakes-of-the-north')],
  ];

  test('are shown as they are stored, and stored as they are shown', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/settings`;
    const pages = pagesOf(cast.bob);
    const hash = hidden(await pages.show(path), 'hash');
    const saved = await pages.post(path, [['hash', hash], ...SETTINGS]);
    expect(saved.headers.get('location')).toBe(`${path}?done=saved`);
    const stored = await readSettings(cast.bob, formId);
    expect(stored).toMatchObject({
      title: 'Lakes of the North',
      visibility: 'PUBLIC',
      publishTime: '2026-05-01T08:00:00.000Z',
      deadline: '2099-12-31T23:59:00.000Z',
      maxResponses: 40,
      closedMessage: 'Next\nyear',
      sendResponseEmail: true,
      allowEditResponse: false,
      previewMessage: 'Deep',
      messageAfterSubmission: 'Thank\nyou',
      spreadsheetUrl: addressOf('lakes-of-the-north'),
      descriptionHtml: '<p>First</p><p>Second</p>',
    });
    const again = await pages.post(path, [['hash', hidden(await pages.show(path), 'hash')], ...SETTINGS]);
    expect(again.status).toBe(303);
    const { updatedAt: _then, lastEditor: _editor, ...unchanged } = stored;
    expect(await readSettings(cast.bob, formId)).toMatchObject(unchanged);
  });

  test('take texts as long as the operation takes', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/settings`;
    const hash = hidden(await pagesOf(cast.bob).show(path), 'hash');
    const long: Record<string, string> = {
      description: '湖'.repeat(20_000),
      messageAfterSubmission: '謝'.repeat(2_000),
    };
    const fields = SETTINGS.map(([field, value]) => [field, long[field] ?? value] as const);
    expect((await pagesOf(cast.bob).post(path, [['hash', hash], ...fields])).status).toBe(303);
    expect(await readSettings(cast.bob, formId)).toMatchObject({ messageAfterSubmission: long.messageAfterSubmission });
  });

  test.for([
    [['title', ''], 'Enter a title'],
    [['deadline', '2026-02-30T10:00'], 'This day does not exist'],
    [['deadline', '2026-04-01T10:00'], 'It must close after it opens'],
    [['maxResponses', '0'], 'Enter a whole number from 1 to 1,000,000'],
    [['maxResponses', 'many'], 'Enter a whole number from 1 to 1,000,000'],
    [['closedMessage', 'x'.repeat(2_001)], 'Enter at most 2,000 characters'],
    [['previewMessage', 'x'.repeat(201)], 'Enter at most 200 characters'],
    [['spreadsheetUrl', 'lakes'], 'Enter the address of a Google spreadsheet'],
  ] as const)('are refused with a message, and what was typed stays: %j', async ([[name, value], message]) => {
    const { formId } = await draft();
    const path = `/build/${formId}/settings`;
    const hash = hidden(await pagesOf(cast.bob).show(path), 'hash');
    const fields = SETTINGS.map(([field, typed]) => [field, field === name ? value : typed] as const);
    const response = await pagesOf(cast.bob).post(path, [['hash', hash], ...fields]);
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([400, expect.stringContaining(message)]);
    expect(html).toContain('value="Deep"'.replace('Deep', name === 'previewMessage' ? value : 'Deep'));
    expect((await readSettings(cast.bob, formId)).title).toBe('Lakes');
  });

  test('are named in the summary of what is wrong with them', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/settings`;
    const hash = hidden(await pagesOf(cast.bob).show(path), 'hash');
    const days = [...SETTINGS, ['retentionDays', '0'], ['draftDays', 'many']] as const;
    const refused = await (await pagesOf(cast.bob).post(path, [['hash', hash], ...days])).text();
    expect(
      [...refused.matchAll(/href="#([^"]+)">([^<:]+): Enter a whole number of days/g)].map((found) => found.slice(1)),
    ).toEqual([
      ['retentionDays', 'Delete submitted responses after'],
      ['draftDays', 'Delete drafts after'],
    ]);
  });

  test('say that the form is closed when its closing time is set to one that has passed', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/settings`;
    const save = async (fields: readonly (readonly [string, string])[]) => {
      const hash = hidden(await pagesOf(cast.bob).show(path), 'hash');
      return (await pagesOf(cast.bob).post(path, [['hash', hash], ...fields])).headers.get('location') ?? '';
    };
    const past = SETTINGS.map(
      ([name, value]) => [name, { publishTime: '', deadline: '2025-12-31T23:59' }[name] ?? value] as const,
    );
    const saved = await save(past);
    expect(textOf(await pagesOf(cast.bob).show(saved))).toContain(
      'Saved. The closing time has passed: the form takes no responses until you change it.',
    );
    expect(await save([...past.slice(1), ['title', 'Lakes']])).toBe(`${path}?done=saved`);
  });

  test('that two members change show both', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/settings`;
    const hash = hidden(await pagesOf(cast.bob).show(path), 'hash');
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { title: 'Theirs' } });
    const refused = await pagesOf(cast.bob).post(path, [['hash', hash], ...SETTINGS]);
    const html = await refused.text();
    expect([refused.status, textOf(html)]).toEqual([409, expect.stringContaining('Title Theirs')]);
    expect((await readSettings(cast.bob, formId)).title).toBe('Theirs');
    const saved = await pagesOf(cast.bob).post(path, [['hash', hidden(html, 'hash')], ...SETTINGS]);
    expect(saved.status).toBe(303);
  });

  test('that somebody changes while they are saved are compared again', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/settings`;
    const hash = hidden(await pagesOf(cast.bob).show(path), 'hash');
    const refused = await beforeFirstWrite(
      () => pagesOf(cast.bob).post(path, [['hash', hash], ...SETTINGS]),
      () => cast.alice.client.forms.updateForm({ params: { formId }, body: { title: 'Theirs' } }),
    );
    expect([refused.status, textOf(await refused.text())]).toEqual([409, expect.stringContaining('Title Theirs')]);
    expect((await readSettings(cast.bob, formId)).title).toBe('Theirs');
  });

  test('check a spreadsheet without saving', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/settings`;
    const check = async (address: string) => {
      const response = await pagesOf(cast.bob).post(path, [
        ['do', 'check'],
        ['title', 'Typed'],
        ['spreadsheetUrl', address],
      ]);
      return textOf(await response.text());
    };
    expect(await check(addressOf('to-check'))).toContain('The spreadsheet can be written.');
    expect(await check('https://example.org/')).toContain('The spreadsheet cannot be written');
    expect((await readSettings(cast.bob, formId)).title).toBe('Lakes');
  });

  test('say why rows of the spreadsheet were given up, and write them again', async () => {
    const form = await sheetForm(cast.alice, cast.slug);
    const path = `/build/${form.formId}/settings`;
    const pages = pagesOf(cast.bob);
    expect(await pages.show(path)).not.toContain('value="repeat"');
    sheets().interfere(() => ({ status: 403 }));
    await respond(cast.dave, form.formId, [text(form.questionId, 'Loch Ness')]);
    await runSweep();
    const failed = await pages.show(path);
    expect(textOf(failed)).toContain('Some rows could not be written. This service may not change the spreadsheet');
    sheets().interfere(() => undefined);
    const fields = fieldsOf(failed);
    await pages.post(path, [...fields, ['do', 'save']]);
    expect(await readStatus(cast.bob, form.formId)).toMatchObject({ state: 'FAILED' });
    const repeated = await pages.post(path, [...fields, ['do', 'repeat']]);
    expect(repeated.headers.get('location')).toBe(`${path}?done=rowsRepeated`);
    await runSweep();
    expect(answersIn(sheets(), form)).toEqual(['Loch Ness']);
    expect(await readStatus(cast.bob, form.formId)).toMatchObject({ reason: null });
    expect(await pages.show(path)).not.toContain('value="repeat"');
  });
});

describe('the look', () => {
  test('is saved, shown with the corrected colour, and says what two members have changed', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/look`;
    const pages = pagesOf(cast.bob);
    const hash = hidden(await pages.show(path), 'hash');
    const look: Fields = [
      ['color', '#ffee00'],
      ['headerFont', 'lora'],
      ['questionFont', ''],
      ['textFont', ''],
    ];
    expect((await pages.post(path, [['hash', hash], ...look])).status).toBe(303);
    expect((await readSettings(cast.bob, formId)).dressing).toEqual({ color: '#ffee00', headerFont: 'lora' });
    const html = await pages.show(path);
    expect(html).toMatch(/<rect[^>]* fill="#(?!ffee00)[0-9a-f]{6}"/);
    const refused = await pages.post(path, [
      ['hash', hash],
      ['color', '#000000'],
    ]);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      409,
      expect.stringContaining('Font of titles Lora'),
    ]);
    const wrong = await pages.post(path, [
      ['hash', hidden(html, 'hash')],
      ['color', 'yellow'],
    ]);
    expect([wrong.status, textOf(await wrong.text())]).toEqual([400, expect.stringContaining('Enter a colour')]);
  });

  test('has the layout of sections, which a form that was posted without it leaves', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/look`;
    const pages = pagesOf(cast.bob);
    const html = await pages.show(path);
    expect(html).toMatch(/name="layout" id="layout" value="SECTIONS" checked/);
    const hash = hidden(html, 'hash');
    await pages.post(path, [
      ['hash', hash],
      ['color', ''],
      ['layout', 'ONE_QUESTION'],
    ]);
    expect(await readSettings(cast.bob, formId)).toMatchObject({ layout: 'ONE_QUESTION', dressing: {} });
    const other = await pages.post(path, [
      ['hash', hash],
      ['layout', 'SECTIONS'],
    ]);
    expect([other.status, textOf(await other.text())]).toEqual([
      409,
      expect.stringContaining('Questions on the screen One question at a time'),
    ]);
    const current = hidden(await pages.show(path), 'hash');
    await pages.post(path, [
      ['hash', current],
      ['color', '#123456'],
    ]);
    expect(await readSettings(cast.bob, formId)).toMatchObject({
      layout: 'ONE_QUESTION',
      dressing: { color: '#123456' },
    });
    const wrong = await pages.post(path, [
      ['hash', hidden(await pages.show(path), 'hash')],
      ['layout', 'PAGES'],
    ]);
    expect([wrong.status, textOf(await wrong.text())]).toEqual([
      400,
      expect.stringContaining('Choose what respondents see at once'),
    ]);
  });

  test('shows the beginning of the form, the use of each font, and a list in which fonts show themselves', async () => {
    const question = {
      type: 'SINGLE_CHOICE' as const,
      title: 'Which river?',
      choices: ['Tay', 'Spey', 'Dee', 'Tweed'].map((name) => ({ name })),
    };
    const { formId } = await newForm(cast.alice, cast.slug, [[], [question]], { title: 'Rivers', publish: false });
    const html = await pagesOf(cast.bob).show(`/build/${formId}/look`);
    expect(textOf(html)).toMatch(
      /Font of titles Rivers New Section Font of questions Which river\? Font of texts Choose one\. Tay Spey Dee Start/,
    );
    expect(html).not.toContain(`/api/forms/${formId}/cover`);
    expect(html).toMatch(/<details><summary>See all fonts<.*<li class="font-lora">Lora<\/li>/s);
    const { formId: empty } = await newForm(cast.alice, cast.slug, [], { title: 'Empty', publish: false });
    expect(textOf(await pagesOf(cast.bob).show(`/build/${empty}/look`))).toContain('Which lake do you like best?');
  });

  test('is shown before it is saved, also in colours that are none, and saved from there unless it has changed', async () => {
    const { formId } = await draft();
    const path = `/build/${formId}/look`;
    const pages = pagesOf(cast.bob);
    const hash = hidden(await pages.show(path), 'hash');
    const sample = (color: string) => `${path}?${new URLSearchParams({ hash, color, headerFont: 'lora' })}`;
    const shown = await pages.show(sample('#ffee00'));
    expect(shown).toMatch(/--accent-light:#(?!ffee00)[0-9a-f]{6}.*--font-header:"Lora"/s);
    expect(shown).toMatch(/<option dir="auto" value="lora" selected>/);
    expect(textOf(await pages.show(sample('yellow')))).toContain('Enter a colour');
    expect((await readSettings(cast.bob, formId)).dressing).toEqual({});
    await pages.post(path, [
      ['hash', hash],
      ['color', '#000000'],
    ]);
    const later = hidden(await pages.show(sample('#ffee00')), 'hash');
    expect(
      (
        await pages.post(path, [
          ['hash', later],
          ['color', '#ffee00'],
        ])
      ).status,
    ).toBe(409);
  });

  test('says that a cover has no room, not that it is too large', async () => {
    const { formId } = await draft();
    const form = new FormData();
    form.append('do', 'upload');
    form.append('cover', new File([Uint8Array.from(webp(10, 10))], 'cover.webp'));
    await withConfig({ maxStoredBytes: 1 }, async () => {
      const refused = await pagesOf(cast.bob).upload(`/build/${formId}/cover`, form);
      const [error] = /id="cover-error".*?<\/p>/s.exec(await refused.text()) ?? [];
      expect([refused.status, error]).toEqual([413, expect.stringContaining('no room for more files')]);
    });
  });

  test('takes a cover and removes it', async () => {
    const { formId } = await draft();
    const pages = pagesOf(cast.bob);
    const upload = async (bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData();
      form.append('do', 'upload');
      form.append('cover', new File([bytes], 'cover.webp'));
      return pages.upload(`/build/${formId}/cover`, form);
    };
    expect((await upload(webp(1_200, 400))).headers.get('location')).toBe(`/build/${formId}/look?done=saved`);
    expect((await readSettings(cast.bob, formId)).coverImage).not.toBeNull();
    expect(await pages.show(`/build/${formId}/look`)).toContain(`src="/api/forms/${formId}/cover"`);
    for (const [bytes, status] of [
      [Buffer.from('GIF89a'), 415],
      [webp(4_000, 400), 400],
      [new Uint8Array(), 415],
    ] as const) {
      const refused = await upload(Uint8Array.from(bytes));
      expect([refused.status, textOf(await refused.text())]).toEqual([status, expect.stringContaining('Choose a')]);
    }
    await pages.post(`/build/${formId}/cover`, [['do', 'remove']]);
    expect((await readSettings(cast.bob, formId)).coverImage).toBeNull();
  });

  test.for([
    ['image/jpeg', jpeg(1_200, 400)],
    ['image/png', png(1_200, 400)],
  ] as const)('takes a cover that its bytes say is %s, whatever its name, also for copies of the form', async ([
    type,
    bytes,
  ]) => {
    const { formId } = await draft();
    const pages = pagesOf(cast.bob);
    const form = new FormData();
    form.append('cover', new File([Uint8Array.from(bytes)], 'cover.webp', { type: 'image/webp' }));
    const uploaded = await pages.upload(`/build/${formId}/cover`, form);
    expect(uploaded.headers.get('location')).toBe(`/build/${formId}/look?done=saved`);
    const copy = (await cast.bob.client.forms.duplicateForm({ params: { formId }, body: {} })).body.id;
    for (const id of [formId, copy]) {
      const { image, bytes: shown = new Uint8Array() } = await readCover(cast.bob, id);
      expect([image?.headers.get('content-type'), Buffer.from(shown).equals(bytes)]).toEqual([type, true]);
    }
    // The API takes WebP only, also where the image is there already.
    const { coverImage } = await readSettings(cast.bob, formId);
    await pages.post(`/build/${formId}/cover`, [['do', 'remove']]);
    const again = cast.bob.client.forms.updateForm({ params: { formId }, body: { coverImage } });
    expect((await expectProblem(again)).status).toBe(400);
  });
});

test('a form is shared by its link, a QR code and a text', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Lakes & <rivers>' });
  const html = await pagesOf(cast.bob).show(`/build/${formId}/share`);
  expect(html).toContain(`http://127.0.0.1:3000/f/${formId}`);
  expect(html).toMatch(/<svg[^>]*>.*<path/s);
  expect(html).not.toContain('<rivers>');
  const [, file, address = ''] = /download="([^"]+)" href="data:image\/svg\+xml,([^"]+)"/.exec(html) ?? [];
  expect([file, decodeURIComponent(address)]).toEqual([
    `qr-${formId}.svg`,
    /class="qr"[^>]*>(<svg.*?<\/svg>)/s.exec(html)?.[1],
  ]);
  expect(textOf(html)).toContain('Please fill in “Lakes &amp; &lt;rivers&gt;”');
});

test('a form is deleted by its typed title', async () => {
  const { formId } = await draft('Old lakes');
  const pages = pagesOf(cast.alice);
  await cast.alice.client.forms.publishForm({ params: { formId } });
  await start(cast.dave, formId);
  expect(textOf(await pages.show(`/build/${formId}/delete`))).toContain('It has 0 responses, 1 draft.');
  const refused = await pages.post(`/build/${formId}/delete`, [['title', 'lakes']]);
  expect([refused.status, textOf(await refused.text())]).toEqual([400, expect.stringContaining('1 draft.')]);
  const deleted = await pages.post(`/build/${formId}/delete`, [['title', 'Old lakes']]);
  expect(deleted.headers.get('location')).toBe(`/o/${cast.slug}`);
  expect((await pages.get(`/build/${formId}`)).status).toBe(404);
});

test('only admins archive a form and make it a draft again', async () => {
  const { formId } = await draft();
  const path = `/build/${formId}`;
  expect(await pagesOf(cast.bob).show(path)).not.toContain('value="archive"');
  for (const action of ['archive', 'unarchive']) {
    expect([action, (await pagesOf(cast.bob).post(path, [['do', action]])).status]).toEqual([action, 403]);
  }
  expect((await readSettings(cast.bob, formId)).status).toBe('DRAFT');
  expect((await pagesOf(cast.alice).post(path, [['do', 'archive']])).status).toBe(303);
});

test('only members build a form, and only admins and its creator delete it', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  for (const page of ['', '/settings', '/look', '/share', '/definition']) {
    const path = `/build/${formId}${page}`;
    const seen = [cast.alice, cast.bob, cast.chelsea].map(async (by) => (await pagesOf(by).get(path)).status);
    expect([path, ...(await Promise.all(seen))]).toEqual([path, 200, 200, 403]);
  }
  expect((await pagesOf(cast.bob).get(`/build/${formId}/delete`)).status).toBe(403);
  expect((await pagesOf(cast.chelsea).get(`/o/${cast.slug}/new`)).status).toBe(403);
});

describe('publishing a draft', () => {
  const faulty = async () => {
    const form = await newForm(
      cast.alice,
      cast.slug,
      [
        [{ type: 'SINGLE_CHOICE', title: 'Lake', choices: [{ name: 'Ness' }] }],
        [{ type: 'RANKING', title: 'Best', choices: [{ name: 'Ness' }] }],
      ],
      { title: 'Lakes', publish: false },
    );
    const [sectionId = ''] = form.sectionIds;
    await cast.alice.client.workflow.deleteNode({ params: { formId: form.formId, nodeId: sectionId } });
    const { body } = await cast.alice.client.workflow.getWorkflow({ params: form });
    return { ...form, startId: body.workflow.find(({ type }) => type === 'START')?.id };
  };
  const anchorOf = (html: string): string =>
    /<(?:div|h2)[^>]* id="publish"[^>]*>(?:<[^>]*>)*([^<]*)/.exec(html)?.[1] ?? '';

  test('leads to what prevents it, each with a link to where it is corrected, above the editor', async () => {
    const { formId, startId } = await faulty();
    const html = await pagesOf(cast.bob).show(`/build/${formId}`);
    expect(html).toContain(`<a class="button" href="/build/${formId}#publish">Publish</a>`);
    expect(anchorOf(html)).toMatch(/^(?:One thing prevents|\d things prevent) publishing$/);
    const list = html.slice(html.indexOf('class="publish-faults"'), html.indexOf('data-editor'));
    expect([...list.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)).toEqual([`/build/${formId}/c/${startId}`]);
    expect(html.match(/id="publish"/g)).toHaveLength(1);
    const chinese = await pagesOf(cast.bob, { 'accept-language': 'zh-TW' }).show(`/build/${formId}`);
    expect(anchorOf(chinese)).toMatch(/^有 \d 個項目使表單無法發布$/);
  });

  test('without faults leads to its button, beside which stands what it does', async () => {
    const { formId } = await draft();
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { visibility: 'PRIVATE' } });
    const html = await pagesOf(cast.bob).show(`/build/${formId}`);
    expect(anchorOf(html)).toBe('What is there, and what is missing');
    expect(textOf(html)).toContain(
      'Publishing lets people who have the link respond. The form can still be edited: changes are published separately. Publish',
    );
    await cast.alice.client.forms.updateForm({
      params: { formId },
      body: { visibility: 'PUBLIC', publishTime: '2100-01-01T00:00:00.000Z' },
    });
    expect(textOf(await pagesOf(cast.bob).show(`/build/${formId}`))).toMatch(
      /through the link, and lists the form for everybody who signs in\. It opens 1 Jan 2100, 00:00 UTC.*The form can still be edited/,
    );
  });
});

describe('the settings', () => {
  test.each([
    [
      'en',
      ['Title and description', 'Who responds, and when', 'After the submission', 'How long it is kept', 'Spreadsheet'],
    ],
    ['zh-TW', ['標題與說明', '誰可填寫與何時填寫', '送出之後', '保留多久', '試算表']],
  ] as const)('are in groups with links to them, in %s', async (language, names) => {
    const { formId } = await draft();
    const html = await pagesOf(cast.bob, { 'accept-language': language }).show(`/build/${formId}/settings`);
    const [links = ''] = /<nav class="page-links".*?<\/nav>/s.exec(html) ?? [];
    expect(textOf(links).trim()).toBe(names.join(' '));
    const targets = [...links.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
    const groups = html.split('<section class="card"').slice(1);
    expect(groups.map((group) => /id="([^"]+)"/.exec(group)?.[1])).toEqual(targets);
    expect(
      groups.map((group) =>
        [...group.matchAll(/<(?:input|textarea)[^>]* name="([a-zA-Z]+)"/g)].map(([, name]) => name),
      ),
    ).toEqual([
      ['title', 'description', 'previewMessage'],
      ['visibility', 'visibility', 'publishTime', 'deadline', 'maxResponses', 'closedMessage'],
      ['allowEditResponse', 'sendResponseEmail', 'messageAfterSubmission'],
      ['retentionDays', 'draftDays'],
      ['spreadsheetUrl'],
    ]);
  });
});
