/** The check list of a form: what it lacks and what is odd, on every page that has it, with the way to the place of each. */
import { expect, test } from 'vitest';
import { newNode, readWorkflow, replaceStoredStructure, rewire } from '#test/support/building.ts';
import { type Built, newCast, newForm } from '#test/support/fixtures.ts';
import { fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { respond, start } from '#test/support/responses.ts';

const cast = await newCast();

const CHOICES = { choices: [{ name: 'A' }, { name: 'B' }] };

/** A form of two sections: a lake and its depth, then a reason. A rule after the first section asks for the lake. */
async function ruled(publish: boolean): Promise<Built & { ruleId: string }> {
  const form = await newForm(
    cast.alice,
    cast.slug,
    [
      [
        { type: 'SINGLE_CHOICE', title: 'Which lake?', required: true, ...CHOICES },
        { type: 'SINGLE_CHOICE', title: 'How deep?', ...CHOICES },
      ],
      [{ type: 'SHORT_TEXT', title: 'Why?' }],
    ],
    { publish: false },
  );
  const { formId, sectionIds, questionIds } = form;
  const [first = '', second = ''] = sectionIds;
  const ruleId = await newNode(cast.alice, formId, 'CONDITION');
  const { workflow } = await readWorkflow(cast.alice, formId);
  const end = workflow.find(({ type }) => type === 'END')?.id;
  const { body } = await cast.alice.client.sections.listSections({ params: { formId } });
  const pattern = `^${body[0]?.section.questions?.[0]?.choices?.[0]?.id}$`;
  const conditionRule = { source: 'CHOICE' as const, question: questionIds[0], pattern };
  await rewire(cast.alice, formId, {
    [first]: { label: 'Lakes', next: ruleId },
    [second]: { label: 'Reasons' },
    [ruleId]: { conditionRule, nextTrue: end, nextFalse: second },
  });
  if (publish) await cast.alice.client.forms.publishForm({ params: { formId } });
  return { ...form, ruleId };
}

/** The links of a page in its lists of faults or warnings, by their texts. */
async function listed(path: string, list: 'faults' | 'warnings', language = 'en'): Promise<Record<string, string>> {
  const html = await pagesOf(cast.bob, { 'accept-language': language }).show(path);
  const lists = html.matchAll(new RegExp(`<ul class="${list}">(.*?)</ul>`, 'gs'));
  const links = [...lists].flatMap(([, items = '']) => [...items.matchAll(/<a href="([^"]+)">(.*?)<\/a>/gs)]);
  return Object.fromEntries(links.map(([, href = '', text = '']) => [text, href]));
}

test('each fault leads to the page on which it is corrected, and says which question, section or rule it is', async () => {
  const { formId, sectionIds, questionIds, ruleId } = await ruled(false);
  const [first = '', second = ''] = sectionIds;
  const strayId = await newNode(cast.alice, formId, 'CONDITION');
  await replaceStoredStructure(formId, (structure) => ({
    ...structure,
    nodes: structure.nodes.map((node) => {
      if (node.id === ruleId) return { ...node, conditionRule: { ...node.conditionRule, question: null } };
      if (node.id !== second) return node;
      const { next: _next, ...unlinked } = node;
      return unlinked;
    }),
    sections: structure.sections.map((section) => ({
      ...section,
      questions: section.questions.map((question) => {
        if (question.id !== questionIds[1]) return question;
        const { choices: _choices, ...rest } = question;
        return { ...rest, sourceId: formId };
      }),
    })),
  }));
  const build = `/build/${formId}`;
  const expected = {
    '“Lakes”: “How deep?” takes its choices from a deleted question.': `${build}/q/${questionIds[1]}`,
    'Rule 1 after “Lakes”: it has no question.': `${build}/s/${first}/rules#rule-0`,
    '“Reasons”: nothing follows it.': `${build}/s/${second}/rules`,
    'Condition 1: nothing follows when it applies.': `${build}/c/${strayId}`,
  };
  for (const page of ['', '/rules']) expect(await listed(`${build}${page}`, 'faults')).toEqual(expected);
  const chinese = await listed(build, 'faults', 'zh-TW');
  expect(Object.keys(chinese)).toContain('「Lakes」之後的規則 1：沒有指定題目。');
  for (const href of Object.values(expected)) await pagesOf(cast.bob).show(href.replace(/#.*/, ''));
});

test('of a published form it judges the changes, which its links edit, with warnings apart', async () => {
  const { formId, sectionIds, questionIds } = await ruled(true);
  const build = `/build/${formId}`;
  expect(textOf(await pagesOf(cast.bob).show(build))).toContain('Every section can be reached');
  const lake = `${build}/q/${questionIds[0]}`;
  const rules = `${build}/s/${sectionIds[0]}/rules`;
  await fillIn(cast.bob, `${rules}?as=rows`, [['rule.target', sectionIds[1] ?? '']]);
  const same = 'Rule 1 after “Lakes”: This rule changes nothing';
  for (const page of ['', '/changes']) {
    const warnings = Object.entries(await listed(`${build}${page}`, 'warnings'));
    expect(warnings).toEqual([[expect.stringContaining(same), `${rules}#rule-0`]]);
    expect(await listed(`${build}${page}`, 'faults')).toEqual({});
  }
  await pagesOf(cast.bob).post(`${lake}/delete`);
  const fault = { 'Rule 1 after “Lakes”: it has no question.': `${build}/s/${sectionIds[0]}/rules#rule-0` };
  for (const page of ['', '/changes', '/rules']) expect(await listed(`${build}${page}`, 'faults')).toEqual(fault);
  expect((await readWorkflow(cast.alice, formId)).info).toEqual([]);
  // What would be published after a merge is not what the pages edit, so nothing leads there.
  await rewire(cast.alice, formId, { [sectionIds[1] ?? '']: { label: 'Why' } });
  expect(await listed(`${build}/changes`, 'faults')).toEqual({});
  expect(textOf(await pagesOf(cast.bob).show(`${build}/changes`))).toContain(
    'Rule 1 after “Lakes”: it has no question.',
  );
});

test('a draft with changes is not published without them', async () => {
  const { formId, questionIds } = await ruled(true);
  const path = `/build/${formId}`;
  await fillIn(cast.bob, `${path}/q/${questionIds[1]}`, [['title', 'How wide?']]);
  const params = { formId };
  await cast.alice.client.forms.archiveForm({ params });
  await cast.alice.client.forms.unarchiveForm({ params });
  const html = await pagesOf(cast.alice).show(path);
  expect(html).not.toContain('value="publish"');
  expect(textOf(html)).toContain('Publish or discard the changes first');
  await fillIn(cast.alice, `${path}/changes`, [], 'publish');
  expect(await pagesOf(cast.alice).show(path)).toContain('value="publish"');
});

test.each([
  ['en', '1 response, 2 drafts', 'The link takes responses.'],
  ['zh-TW', '1 份回覆，2 份草稿', '可以透過連結填寫。'],
])('the overview counts responses and says whether the link is open: %s', async (language, counts, share) => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  await respond(cast.dave, formId, []);
  for (const _draft of [1, 2]) await start(cast.dave, formId);
  const html = await pagesOf(cast.bob, { 'accept-language': language }).show(`/build/${formId}`);
  expect(html).toContain(`<a href="/review/${formId}">${counts}</a>`);
  expect(html).toContain(`<h3><a href="/build/${formId}/share">`);
  expect(textOf(html)).toContain(share);
});

/** A form, not published, with a section of each title that has one required question. */
async function newSections(titles: readonly string[]) {
  const form = await newForm(
    cast.alice,
    cast.slug,
    titles.map((title) => [{ type: 'SHORT_TEXT', title, required: true }]),
    { publish: false },
  );
  const labels = form.sectionIds.map((id, index) => [id, { label: titles[index] ?? '' }] as const);
  await rewire(cast.alice, form.formId, Object.fromEntries(labels));
  return form;
}

test('one wrong link is one fault, which names the link that leads back', async () => {
  const { formId, sectionIds } = await newSections(['Start', 'Middle', 'Sound', 'Last']);
  const [first = '', , sound = ''] = sectionIds;
  await rewire(cast.alice, formId, { [sound]: { next: first } });
  const build = `/build/${formId}`;
  const expected = { '“Sound”: what follows it leads back to “Start”.': `${build}/s/${sound}/rules` };
  for (const page of ['', '/rules']) expect(await listed(`${build}${page}`, 'faults')).toEqual(expected);
  // The API has an item for each node.
  expect((await readWorkflow(cast.alice, formId)).info.length).toBeGreaterThan(1);
});

test('sections that one link passes by are one fault, which names that link', async () => {
  const { formId, sectionIds } = await newSections(['Lakes', 'Depth', 'Sound', 'Last']);
  const [lakes = '', depth = '', sound = '', last = ''] = sectionIds;
  const { workflow } = await readWorkflow(cast.alice, formId);
  const start = workflow.find(({ type }) => type === 'START')?.id ?? '';
  const build = `/build/${formId}`;
  const cases = [
    [
      { [lakes]: { next: last } },
      '“Depth”: nothing leads to it and to what only follows it, because what follows “Lakes” leads past it.',
      `${build}/s/${lakes}/rules`,
    ],
    [
      { [depth]: { next: last } },
      '“Sound”: nothing leads to it, because what follows “Depth” leads past it.',
      `${build}/s/${depth}/rules`,
    ],
    [
      { [start]: { next: last } },
      '“Lakes”: nothing leads to it and to what only follows it, because what follows Start leads past it.',
      `${build}/c/${start}`,
    ],
    // A circle that nothing enters.
    [
      { [lakes]: { next: last }, [sound]: { next: depth } },
      '“Depth”: nothing leads to it and to what only follows it, because what follows “Lakes” leads past it.',
      `${build}/s/${lakes}/rules`,
    ],
  ] as const;
  for (const [links, text, href] of cases) {
    const inOrder = {
      [start]: { next: lakes },
      [lakes]: { next: depth },
      [depth]: { next: sound },
      [sound]: { next: last },
    };
    await rewire(cast.alice, formId, { ...inOrder, ...links });
    for (const page of ['', '/rules']) expect(await listed(`${build}${page}`, 'faults')).toEqual({ [text]: href });
    await pagesOf(cast.bob).show(href);
  }
});

test('names in texts that show nothing, and selections that nobody can make, lead to their question or section', async () => {
  const file = { allowedFileTypes: ['PDF' as const], maxFileAmount: 1, maxFileSizeLimit: 9 };
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT', title: 'Who', name: 'who' },
      { type: 'UPLOAD_FILE', title: 'Proof', name: 'proof', uploadFile: file },
      { type: 'SHORT_TEXT', title: 'Again {{who}}' },
    ],
    [
      { type: 'SHORT_TEXT', title: 'Hello {{who}}, {{whom}} {{proof}}' },
      { type: 'MULTIPLE_CHOICE', title: 'Both', ...CHOICES, selection: { min: 2 } },
    ],
  ]);
  await replaceStoredStructure(formId, (structure) => ({
    ...structure,
    nodes: structure.nodes.map((node) => (node.id === sectionIds[1] ? { ...node, label: 'For {{nobody}}' } : node)),
    sections: structure.sections.map((section) => ({
      ...section,
      questions: section.questions.map((question) =>
        question.title === 'Both' ? { ...question, choices: question.choices?.slice(0, 1) ?? [] } : question,
      ),
    })),
  }));
  const [, , again, hello, both] = questionIds.map((id) => `/build/${formId}/q/${id}`);
  expect(await listed(`/build/${formId}`, 'warnings')).toEqual({
    '“Again {{who}}”: {{who}} shows nothing: “Who” is in no section before it.': again,
    '“For {{nobody}}”: no question has the name in {{nobody}}, so it is shown as it is.': `/build/${formId}/s/${sectionIds[1]}`,
    '“Hello {{who}}, {{whom}} {{proof}}”: no question has the name in {{whom}}, so it is shown as it is.': hello,
    '“Hello {{who}}, {{whom}} {{proof}}”: {{proof}} shows nothing: the answer to “Proof” is a file or an account.':
      hello,
    '“Both”: it asks for 2 selections, but has only 1 choice. Respondents are asked for 1.': both,
  });
});

test('of a comparison and of a gate that another client has changed it says where they are', async () => {
  const { formId, sectionIds, questionIds, ruleId } = await ruled(false);
  const [first = '', second = ''] = sectionIds;
  const gate = (conditions: Record<string, object>) =>
    replaceStoredStructure(formId, (structure) => ({
      ...structure,
      nodes: structure.nodes.map((node) => ({ ...node, ...conditions[node.id] })),
    }));
  const end = (await readWorkflow(cast.alice, formId)).workflow.find(({ type }) => type === 'END')?.id;
  const conditionRule = { source: 'CHOICE' as const, question: questionIds[0], pattern: '.', gate: second };
  await gate({ [ruleId]: { conditionRule, nextTrue: second, nextFalse: end }, [second]: { next: end } });
  const build = `/build/${formId}`;
  const rules = textOf(await pagesOf(cast.bob).show(`${build}/rules`));
  expect(rules).toContain('Shown only if “Which lake?” is answered.');
  await pagesOf(cast.bob).post(`${build}/q/${questionIds[0]}/delete`);
  expect(await listed(build, 'faults')).toEqual({
    'Comparison 1 for showing “Reasons”: it has no question.': `${build}/s/${second}/rules#gate`,
  });
  await gate({ [first]: { next: second } });
  expect(await listed(build, 'warnings')).toEqual({
    '“Reasons”: Its conditions “Show this section only if” were changed elsewhere and are shown one by one.': `${build}/rules#s-${second}`,
  });
});

test('names in the title and the closing message that show nothing are listed at the settings', async () => {
  const title = 'Visit of {{who}}';
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Name', name: 'who' }]]);
  const { formId, questionIds } = form;
  const body = { title, messageAfterSubmission: 'Bye, {{who}} {{nobody}}' };
  await cast.alice.client.forms.updateForm({ params: { formId }, body });
  const settings = `/build/${formId}/settings`;
  expect(await listed(`/build/${formId}`, 'warnings')).toEqual({
    '“Message after submission”: no question has the name in {{nobody}}, so it is shown as it is.': `${settings}#messageAfterSubmission`,
  });
  // When the changes are published, the message gets the new name, and the title does not.
  await fillIn(cast.bob, `/build/${formId}/q/${questionIds[0]}`, [['name', 'person']]);
  expect(await listed(`/build/${formId}`, 'warnings', 'zh-TW')).toEqual({
    '「標題」：沒有題目使用 {{who}} 中的代號，因此會照原樣顯示。': `${settings}#title`,
    '「送出後的訊息」：沒有題目使用 {{nobody}} 中的代號，因此會照原樣顯示。': `${settings}#messageAfterSubmission`,
  });
});
