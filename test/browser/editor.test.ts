/** The editor of a form in a browser: questions open in place, save themselves, are typed with few keys, and nothing is lost. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import {
  closeTab,
  expectAccessible,
  isFocused,
  NO_SCRIPTS,
  paste,
  SMALL,
  servePages,
  signInAs,
  signOut,
  state,
  WIDE,
} from './page-server.ts';

const server = servePages();

type Sections = Parameters<ReturnType<typeof server>['newForm']>[0];

const LAKES: Sections = [
  [
    { type: 'SINGLE_CHOICE', title: 'Lake', choices: [{ name: 'Ness' }, { name: 'Erie' }] },
    { type: 'SHORT_TEXT', title: 'Name', required: true },
  ],
];

type Opened = { page: Page; formId: string; questionIds: string[]; path: string };

/** Opens the editor of a new draft. */
async function openEditor(sections: Sections = LAKES, options: object = WIDE): Promise<Opened> {
  const { formId, questionIds } = await server().newForm(sections, { publish: false });
  const page = await server().open('bob', options);
  await page.goto(`${server().url}/build/${formId}`);
  return { page, formId, questionIds, path: `/build/${formId}` };
}

/** The questions as they are stored. */
async function readQuestions(formId: string): Promise<QuestionDocument[]> {
  const { client } = await signInAs('alice');
  const { body } = await client.sections.listSections({ params: { formId } });
  return body.flatMap(({ section }) => section.questions ?? []);
}
const readTitles = async (formId: string) => (await readQuestions(formId)).map(({ title }) => title);
const readChoices = async (formId: string) => (await readQuestions(formId))[0]?.choices?.map(({ name }) => name);

/** Opens a question of the canvas by a press on its title. */
async function openQuestion(page: Page, title: string): Promise<void> {
  await page.locator('.canvas a[data-edit]', { hasText: title }).click();
  await isFocused(page, '#title');
}

const NAMED: Sections = [
  [{ type: 'SHORT_TEXT', title: 'Who are you?', name: 'who' }],
  [{ type: 'SHORT_TEXT', title: 'How are you today?' }],
];

/** Where the options of the open question are, compared with its fields; both are measured at once, since the page may be scrolling. */
async function placeOptions(page: Page): Promise<{ place: string; isUnfolded: boolean }> {
  const place: string = await page.evaluate(`(() => {
    const fields = document.querySelector('.canvas-fields > :first-child').getBoundingClientRect();
    const options = document.querySelector('.canvas-options').getBoundingClientRect();
    if (options.left >= fields.right && Math.abs(options.top - fields.top) < 2) return 'beside';
    if (options.top >= fields.bottom && Math.abs(options.left - fields.left) < 2) return 'below';
    return JSON.stringify({ fields, options });
  })()`);
  return { place, isUnfolded: await page.locator('.canvas-options #name').isVisible() };
}

test('options stand beside a question where there is room, and folded below it elsewhere', async () => {
  const { page } = await openEditor(NAMED);
  for (const [width, place] of [
    [1_280, 'beside'],
    [1_100, 'beside'],
    [1_000, 'beside'],
    [760, 'below'],
    [390, 'below'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    await openQuestion(page, 'How are you today?');
    await expect.poll(() => placeOptions(page)).toEqual({ place, isUnfolded: place === 'beside' });
  }
  // Folded, they unfold by a key; nothing was typed.
  await page.locator('.canvas-options > .options > summary').press('Enter');
  await page.locator('.canvas-options #name').fill('today');
  await state(page, 'Saved');
  await page.context().close();
});

test('options are in groups, of what the type has', async () => {
  const { page } = await openEditor([
    ...NAMED,
    [
      { type: 'HYPERLINK', title: 'Site' },
      { type: 'SINGLE_CHOICE', title: 'One', choices: [{ name: 'A' }] },
      { type: 'MULTIPLE_CHOICE', title: 'Some', choices: [{ name: 'A' }] },
      { type: 'LINEAR_SCALE', title: 'Scale', scale: { minVal: 1, maxVal: 5 } },
    ],
  ]);
  const shown = async (title: string): Promise<string[]> => {
    await openQuestion(page, title);
    const groups = page.locator('.canvas-options :is(legend, .with-button label)');
    return (await groups.allTextContents()).map((text) => text.trim());
  };
  expect(await shown('Who are you?')).toEqual(['What the text has to be', 'Display', 'Answers in texts']);
  expect(await shown('Site')).toEqual(['When it is shown', 'Answers in texts']);
  expect(await shown('One')).toEqual([
    'Where the choices come from',
    'Display',
    'When it is shown',
    'Answers in texts',
  ]);
  expect(await shown('Some')).toEqual([
    'How many choices an answer selects',
    'Where the choices come from',
    'Display',
    'When it is shown',
    'Answers in texts',
  ]);
  expect(await shown('Scale')).toEqual(['Options', 'Display', 'When it is shown', 'Answers in texts']);
  // Its section is shown only after an answer, by two presses.
  await page.locator('.canvas-options [data-rule="show"]').click();
  await page.locator('#rule-menu[open] li button', { hasText: 'Who are you?' }).first().click();
  await page.locator('.canvas-rules', { hasText: 'Shown only if' }).waitFor();
  await page.context().close();
});

test('the canvas has the colour and the fonts of the form, what edits it those of the service', async () => {
  const { page, formId } = await openEditor(NAMED);
  const { client } = await signInAs('alice');
  const dressing = { color: '#7e22ce', headerFont: 'lora' };
  await client.forms.updateForm({ params: { formId }, body: { dressing } });
  await page.reload();
  const looks = (selector: string) =>
    page.evaluate(`(() => {
      const element = document.querySelector('${selector}');
      const box = element.appendChild(document.createElement('i'));
      box.style.color = 'var(--accent)';
      const { color, fontFamily } = getComputedStyle(box);
      box.remove();
      return { color, isLora: fontFamily.includes('Lora') };
    })()`);
  expect(await looks('.canvas h2')).toEqual({ color: 'rgb(126, 34, 206)', isLora: true });
  expect(await looks('.canvas h3')).toEqual({ color: 'rgb(126, 34, 206)', isLora: false });
  expect(await looks('.editor-outline a')).toEqual({ color: 'rgb(23, 97, 107)', isLora: false });
  await page.context().close();
});

test('a name in a title is a chip on the canvas, one that stands for nothing says so, and fields have it as it is typed', async () => {
  const { page } = await openEditor([
    [{ type: 'SHORT_TEXT', title: '<b>Who</b> are you?', name: 'who' }],
    [{ type: 'SHORT_TEXT', title: 'Hello {{who}} & <i>{{nobody}}</i>' }],
  ]);
  const title = page.locator('.canvas h3 a', { hasText: 'Hello' });
  expect(await title.locator('.recalled').allTextContents()).toEqual([
    'who',
    '{{nobody}} (no question has the name in {{nobody}}, so it is shown as it is.)',
  ]);
  expect(await title.locator('.recalled').first().getAttribute('title')).toBe('<b>Who</b> are you?');
  expect(await title.locator('.recalled.odd').count()).toBe(1);
  expect(await title.locator('i, b').count()).toBe(0);
  await expectAccessible(page);
  await title.click();
  await isFocused(page, '#title');
  expect(await page.locator('#title').inputValue()).toBe('Hello {{who}} & <i>{{nobody}}</i>');
  // What is stored now is on the canvas, also of the title of a section.
  await page.locator('#title').fill('Hello {{Who}}');
  await state(page, 'Saved');
  await page.locator('.canvas-head').nth(1).locator('a[data-edit]').click();
  await isFocused(page, '.canvas-head #title');
  await page.locator('#title').fill('For {{who}}, {{later}}');
  await state(page, 'Saved');
  await page.keyboard.press('Escape');
  await page.locator('.canvas-open').waitFor({ state: 'detached' });
  expect(await page.locator('.canvas h3 .recalled').allTextContents()).toEqual(['Who']);
  expect(await page.locator('.canvas h2 .recalled:not(.odd)').allTextContents()).toEqual(['who']);
  expect(await page.locator('.canvas h2 .recalled.odd').count()).toBe(1);
  await page.context().close();
});

test('sentences of rules have the titles that were typed into other sections', async () => {
  const { page } = await openEditor(NAMED);
  await page.locator('.canvas-head a[data-edit]').nth(1).click();
  await isFocused(page, '.canvas-head #title');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('The lake');
  await page.keyboard.press('Escape');
  await page.locator('.canvas-rules', { hasText: 'go to “The lake”' }).waitFor();
  await page.context().close();
});

test('what is missing and what can be published follow the questions, without a reload', async () => {
  const { page } = await openEditor([]);
  const task = page.locator('.tasks > li').first();
  expect(await task.textContent()).toContain('The form has no questions yet.');
  await page.locator('button[data-first]').click();
  await isFocused(page, '#type-search');
  // It is the question that was asked for, not a section.
  expect(await page.locator('[data-flash]').count()).toBe(0);
  await page.keyboard.press('Enter');
  await isFocused(page, '#title');
  expect(await page.getByText('This section has no questions yet.').isVisible()).toBe(false);
  await page.keyboard.type('Name');
  await page.keyboard.press('Escape');
  await page.locator('.tasks > li', { hasText: '1 question' }).waitFor();
  expect(await page.locator('.overview > .notice').count()).toBe(0);
  await page.context().close();
});

test('the first change of a published form brings the button that publishes it', async () => {
  const { formId } = await server().newForm(LAKES);
  const page = await server().open('bob', WIDE);
  await page.goto(`${server().url}/build/${formId}`);
  const publish = page.locator('.site-actions > a', { hasText: 'Publish changes' });
  expect(await publish.count()).toBe(0);
  await openQuestion(page, 'Lake');
  await page.keyboard.type('?');
  await page.keyboard.press('Escape');
  await publish.waitFor();
  await page.context().close();
});

test('the outline marks what is not stored, and adds a section where it is pressed', async () => {
  const { page, formId } = await openEditor(NAMED, { ...WIDE, permissions: ['clipboard-read', 'clipboard-write'] });
  const marked = page.locator('#outline [data-unsaved]');
  await openQuestion(page, 'Who are you?');
  await page.locator('#title').fill('');
  await state(page, 'Not saved');
  expect(await marked.allTextContents()).toEqual(['Who are you?']);
  await page.locator('#title').fill('Who?');
  await state(page, 'Saved');
  expect(await marked.count()).toBe(0);
  expect(await page.locator('#outline li li').first().textContent()).toBe('Who?');
  await page.locator('.canvas-open button', { hasText: 'Copy link' }).click();
  await page.locator('.canvas-open button', { hasText: 'Copied' }).waitFor();
  const questionId = (await readQuestions(formId))[0]?.id;
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${server().url}/build/${formId}/q/${questionId}`);
  // Typed and not saved, it is stored before the section is added between the two.
  await page.keyboard.press('Shift+Tab');
  await page.locator('#title').fill('Who is it?');
  await page.locator('.outline-head button').first().focus();
  await page.keyboard.press('Enter');
  await isFocused(page, '.canvas-head #title');
  await page.keyboard.type('Between');
  await state(page, 'Saved');
  const { client } = await signInAs('alice');
  const { body } = await client.sections.listSections({ params: { formId } });
  expect(body.map(({ section }) => section.title)).toEqual(['New Section', 'Between', 'New Section']);
  expect((await readTitles(formId))[0]).toBe('Who is it?');
  await page.context().close();
});

test('the tools of an explanation are icons that are there while it has the focus, and keys do the same', async () => {
  const { page } = await openEditor(NAMED);
  await openQuestion(page, 'Who are you?');
  await page.locator('.canvas-open summary', { hasText: 'Explanation' }).click();
  const area = page.locator('.canvas-open #description');
  const tools = page.locator('.canvas-open .toolbar');
  expect([await area.isVisible(), await tools.isVisible()]).toEqual([true, false]);
  const top = (await area.boundingBox())?.y;
  await area.focus();
  expect(await tools.isVisible()).toBe(true);
  // Nothing has moved.
  expect((await area.boundingBox())?.y).toBe(top);
  expect([await tools.innerText(), await tools.locator('svg').count()]).toEqual(['', 7]);
  expect(await page.getByRole('button', { name: 'Strike', exact: true }).isVisible()).toBe(true);
  await expectAccessible(page);
  await page.keyboard.type('deep');
  for (const [key, text] of [
    ['b', '**deep**'],
    ['i', '***deep***'],
  ] as const) {
    await page.keyboard.press('Control+a');
    await page.evaluate(
      "document.activeElement.setSelectionRange(document.activeElement.value.indexOf('deep'), document.activeElement.value.indexOf('deep') + 4)",
    );
    await page.keyboard.press(`Control+${key}`);
    expect(await area.inputValue()).toBe(text);
  }
  await area.fill('sea');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+k');
  expect(await area.inputValue()).toBe('[sea](https://)');
  // A press leaves the focus in the text, and from the field before it is one Tab.
  await area.fill('lake');
  await page.keyboard.press('Control+a');
  await tools.locator('[data-tool="strike"]').click();
  expect(await area.inputValue()).toBe('~~lake~~');
  await isFocused(page, '.canvas-open #description');
  await page.locator('.canvas-open summary', { hasText: 'Explanation' }).focus();
  await page.keyboard.press('Tab');
  await isFocused(page, '.canvas-open #description');
  expect(await page.locator('.canvas-open').innerText()).not.toContain('**bold**');
  await page.context().close();
});

test('the name of an earlier question is written where the cursor was, and the browser takes it back', async () => {
  const { page, formId } = await openEditor(NAMED);
  await openQuestion(page, 'How are you today?');
  const insert = page.locator('.canvas-open [data-insert]').first();
  expect(await insert.textContent()).toBe('Insert {{who}}');
  // Between the words “you” and “today”.
  await page.evaluate("document.querySelector('#title').setSelectionRange(11, 11)");
  await insert.click();
  expect(await page.locator('#title').inputValue()).toBe('How are you{{who}} today?');
  await isFocused(page, '.canvas-open #title');
  await page.keyboard.type(',');
  expect(await page.locator('#title').inputValue()).toBe('How are you{{who}}, today?');
  for (const _key of [',', '{{who}}']) await page.keyboard.press('Control+z');
  expect(await page.locator('#title').inputValue()).toBe('How are you today?');
  // What is selected is replaced; the explanation has its own cursor.
  const description = page.locator('.canvas-open #description');
  await description.evaluate((area) => area.closest('details')?.setAttribute('open', ''));
  await description.fill('Dear NAME');
  await page.evaluate("document.querySelector('#description').setSelectionRange(5, 9)");
  await insert.click();
  expect(await description.inputValue()).toBe('Dear {{who}}');
  await state(page, 'Saved');
  expect((await readQuestions(formId))[1]?.descriptionHtml).toContain('who');
  await page.context().close();
});

test('a section that is opened in place offers the names, too, without a mouse', async () => {
  const { page, formId } = await openEditor(NAMED);
  const head = page.locator('.canvas-head').nth(1);
  await head.locator('a[data-edit]').focus();
  await page.keyboard.press('Enter');
  await isFocused(page, '.canvas-open #title');
  await page.keyboard.press('Home');
  const summary = page.locator('.canvas-open summary', { hasText: 'earlier' });
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.locator('[data-insert]:focus').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await isFocused(page, '.canvas-open #title');
  await page.keyboard.type('!');
  await state(page, 'Saved');
  const { client } = await signInAs('alice');
  const { body } = await client.sections.listSections({ params: { formId } });
  expect(body.map(({ section }) => section.title)).toEqual(['New Section', '{{who}}!New Section']);
  await page.context().close();
});

test('the menu of kinds offers what fits best first, and all in their order without a text', async () => {
  const { page } = await openEditor(NAMED);
  await openQuestion(page, 'Who are you?');
  await page.keyboard.press('Control+Enter');
  const search = page.locator('#type-search');
  const names = () => page.locator('#type-menu li:visible button > span:not(.muted)').allTextContents();
  const all = await names();
  await search.fill('email');
  expect(await names()).toEqual(['E-mail address']);
  await search.fill('heading');
  await page.locator('#type-menu [data-none]', { hasText: 'the title or the explanation of a section' }).waitFor();
  await search.fill('');
  expect(await names()).toEqual(all);
  await search.fill('number');
  expect((await names())[0]).toBe('Number');
  await page.keyboard.press('Enter');
  await page.locator('.canvas-open #title').waitFor();
  expect(await page.locator('.canvas-open #title').inputValue()).toBe('How many?');
  await page.context().close();
});

test('the declaration in the menu of kinds is three questions, of which the first is open', async () => {
  const { page, formId } = await openEditor(NAMED);
  await openQuestion(page, 'Who are you?');
  await page.keyboard.press('Control+Enter');
  await page.locator('#type-search').fill('declar');
  await page.keyboard.press('Enter');
  await page.locator('.canvas-open #title').waitFor();
  await isFocused(page, '.canvas-open #title');
  expect(await page.locator('.canvas-open #title').inputValue()).toBe('Declaration');
  expect(await readTitles(formId)).toEqual([
    'Who are you?',
    'Declaration',
    'Your full name',
    'Date of today',
    'How are you today?',
  ]);
  expect(await page.locator('.canvas h3').allTextContents()).toEqual([
    expect.stringContaining('Who are you?'),
    expect.stringContaining('Declaration'),
    expect.stringContaining('Your full name'),
    expect.stringContaining('Date of today'),
    expect.stringContaining('How are you today?'),
  ]);
  await page.context().close();
});

test('a question opens with one request and saves itself after a pause, with one request', async () => {
  const { page, formId } = await openEditor();
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  page.on('request', (request) =>
    requests.push(`${request.method()} ${request.url().replace(/.*(\/q\/)[^?]*/, '$1')}`),
  );
  await openQuestion(page, 'Name');
  expect(requests).toEqual(['GET /q/?part=row']);
  requests.length = 0;
  await page.locator('#title').fill('');
  await state(page, 'Not saved: a title is needed');
  expect(requests).toEqual([]);
  await page.keyboard.type('River');
  await state(page, 'Saved');
  expect(requests).toEqual(['POST /q/']);
  expect(await readTitles(formId)).toEqual(['Lake', 'River']);
  // The row and the outline say what is stored.
  expect(await page.locator('#outline li li').allTextContents()).toEqual(['Lake', 'River Required']);
  expect(await page.locator('.canvas button:not(.visually-hidden)', { hasText: 'Save' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await isFocused(page, '.canvas-question a[data-edit]:text("River")');
  expect(await page.locator('.canvas-open').count()).toBe(0);
  await page.context().close();
});

test('choices are typed as a list and pasted as lines, and keep their ids', async () => {
  const { page, formId } = await openEditor();
  const before = (await readQuestions(formId))[0]?.choices;
  await openQuestion(page, 'Lake');
  await page.keyboard.press('Enter');
  await isFocused(page, '#choice-0');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await isFocused(page, '#choice-2');
  await page.keyboard.type('Huron');
  await state(page, 'Saved');
  await page.keyboard.press('Enter');
  await isFocused(page, '#choice-3');
  await paste(page, 'Albert\r\n\n Victoria \nChad');
  await isFocused(page, '#choice-5');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Backspace');
  await isFocused(page, '#choice-5');
  await page.locator('[data-close]').click();
  await page.locator('.canvas-open').waitFor({ state: 'detached' });
  expect(await readChoices(formId)).toEqual(['Ness', 'Erie', 'Huron', 'Albert', 'Victoria', 'Chad']);
  expect((await readQuestions(formId))[0]?.choices?.slice(0, 2)).toEqual(before);
  await page.context().close();
});

test('a choice question says that a choice is needed once its question is written, and keeps it before', async () => {
  const { page, formId } = await openEditor();
  const said: unknown[] = [];
  const readTone = () => page.locator('[data-save-state]').getAttribute('data-tone');
  const add = async () => {
    await page.locator('.canvas-section p a[data-add]').click();
    await page.locator('[data-kind="type=SINGLE_CHOICE"]').click();
    await isFocused(page, '#title');
    await page.keyboard.type('Which sea?');
    await state(page, 'Not saved yet: kept on this device');
    said.push(await readTone());
  };
  await add();
  // However often the page is loaded, nothing is lost.
  for (const _times of [1, 2]) {
    await page.reload();
    await page.locator('[data-row] #title').waitFor();
    expect(await page.locator('#title').inputValue()).toBe('Which sea?');
    await state(page, 'Not saved');
  }
  await page.locator('[data-discard]').click();
  await page.locator('[data-new]').waitFor({ state: 'detached' });
  // Beyond the question, it is said.
  await add();
  await page.keyboard.press('Enter');
  await isFocused(page, '#choice-0');
  await state(page, 'Not saved: a choice is needed');
  said.push(await readTone());
  await page.keyboard.type('North');
  await state(page, 'Saved');
  expect(said).toEqual(['good', 'good', 'bad']);
  expect(await readTitles(formId)).toEqual(['Lake', 'Name', 'Which sea?']);
  // Whoever closes one that has none yet reads why it stays.
  await page.keyboard.press('Escape');
  await add();
  await page.keyboard.press('Escape');
  await state(page, 'Not saved: a choice is needed');
  await page.context().close();
});

test('plus offers the kinds, Enter takes the first, and the new question is stored where it was added', async () => {
  const { page, formId } = await openEditor();
  await page.locator('.canvas-question').first().hover();
  await page.locator('.canvas-add').first().click();
  await isFocused(page, '#type-search');
  await page.keyboard.type('rat');
  await page.keyboard.press('Enter');
  await isFocused(page, '#title');
  await page.keyboard.type('How deep?');
  await state(page, 'Saved');
  expect(await readTitles(formId)).toEqual(['Lake', 'How deep?', 'Name']);
  // What is typed on is the same question.
  await page.keyboard.type(' Really?');
  await page.keyboard.press('Escape');
  await page.locator('.canvas-open').waitFor({ state: 'detached' });
  expect(await readTitles(formId)).toEqual(['Lake', 'How deep? Really?', 'Name']);
  expect(await page.locator('#outline li li').allTextContents()).toEqual([
    'Lake',
    'How deep? Really?',
    'Name Required',
  ]);
  // One into which nothing was typed goes when it is closed.
  await page.locator('.canvas-section p a[data-add]').click();
  await page.keyboard.press('Enter');
  await isFocused(page, '#title');
  await page.keyboard.press('Escape');
  await page.locator('[data-new]').waitFor({ state: 'detached' });
  // One with a choice and no title is no question yet: it stays until it has one, or is thrown away.
  await page.locator('.canvas-section p a[data-add]').click();
  await page.locator('[data-kind="type=RANKING"]').click();
  await page.locator('#choice-0').fill('Deep');
  await page.keyboard.press('Escape');
  await state(page, 'Not saved: a title is needed');
  await page.locator('[data-discard]').click();
  await page.locator('[data-new]').waitFor({ state: 'detached' });
  await page.reload();
  expect(await page.locator('.canvas-open').count()).toBe(0);
  expect((await readTitles(formId)).length).toBe(3);
  await page.context().close();
});

test('an empty form begins with its first question', async () => {
  const { page, formId } = await openEditor([]);
  await page.locator('button[data-first]').click();
  await isFocused(page, '#type-search');
  await page.keyboard.press('Enter');
  await isFocused(page, '#title');
  await page.keyboard.type('Name');
  await state(page, 'Saved');
  expect(await readTitles(formId)).toEqual(['Name']);
  await page.context().close();
});

test('keys copy, move and delete a question, and take the deletion back; what is open stays open', async () => {
  const { page, formId, questionIds } = await openEditor();
  await openQuestion(page, 'Name');
  await page.keyboard.type('!');
  await page.keyboard.press('Alt+ArrowUp');
  await page.waitForURL('**done=questionMoved*');
  expect(await page.locator(`#q-${questionIds[1]} #title`).inputValue()).toBe('Name!');
  expect(await readTitles(formId)).toEqual(['Name!', 'Lake']);
  await page.locator(`#q-${questionIds[1]} #title`).press('Control+d');
  await page.waitForURL('**done=questionCopied*');
  await page.locator(`.canvas-question:nth-child(2) #title:focus`).waitFor();
  await page.keyboard.press('Escape');
  expect(await readTitles(formId)).toEqual(['Name!', 'Name!', 'Lake']);
  await openQuestion(page, 'Lake');
  await page.locator('.canvas-tools a[href$="/delete"]').click();
  await page.locator('dialog [data-confirmation] button').click();
  await page.waitForURL('**done=questionDeleted*');
  expect(await readTitles(formId)).toEqual(['Name!', 'Name!']);
  await page.keyboard.press('Control+z');
  await page.waitForURL('**done=undone*');
  expect(await readTitles(formId)).toEqual(['Name!', 'Name!', 'Lake']);
  await page.context().close();
});

describe('edits of the structure', () => {
  const THREE: Sections = [['One', 'Two', 'Three'].map((title) => ({ type: 'SHORT_TEXT', title }))];

  /** Does something, and waits until the editor has these questions. */
  async function edit(page: Page, change: () => Promise<unknown>, titles: string[]): Promise<void> {
    await change();
    await expect.poll(() => page.locator('.canvas h3 a').allTextContents()).toEqual(titles);
    await page.locator('[aria-busy]').waitFor({ state: 'detached' });
  }
  async function remove(page: Page, title: string): Promise<void> {
    await openQuestion(page, title);
    await page.locator('.canvas-tools a[href$="/delete"]').click();
    await page.locator('dialog [data-confirmation] button').click();
  }
  async function press(page: Page, keys: string): Promise<void> {
    await page.locator('main').focus();
    await page.keyboard.press(keys);
  }

  test('are taken back one after the other, and made again, by keys and buttons', async () => {
    const { page, formId } = await openEditor(THREE);
    await edit(page, () => remove(page, 'One'), ['Two', 'Three']);
    await edit(page, () => remove(page, 'Three'), ['Two']);
    await edit(page, async () => {
      await page.locator('.canvas-section p a[data-add]').click();
      await isFocused(page, '#type-search');
      await page.keyboard.press('Enter');
      await isFocused(page, '.canvas-question #title');
      await page.keyboard.type('Four');
      await page.keyboard.press('Escape');
    }, ['Two', 'Four']);
    await edit(page, () => openQuestion(page, 'Four').then(() => page.keyboard.press('Alt+ArrowUp')), ['Four', 'Two']);
    await page.keyboard.press('Escape');
    await page.locator('.canvas-open').waitFor({ state: 'detached' });
    await edit(page, () => press(page, 'Control+z'), ['Two', 'Four']);
    await edit(page, () => press(page, 'Control+z'), ['Two']);
    await edit(page, () => press(page, 'Control+z'), ['Two', 'Three']);
    await edit(page, () => page.locator('[data-history="undo"]').click(), ['One', 'Two', 'Three']);
    expect(await page.locator('[data-history="undo"]').isDisabled()).toBe(true);
    await edit(page, () => page.locator('[data-history="redo"]').click(), ['Two', 'Three']);
    await edit(page, () => press(page, 'Control+Shift+z'), ['Two']);
    await edit(page, () => press(page, 'Control+y'), ['Two', 'Four']);
    await edit(page, () => press(page, 'Control+Shift+z'), ['Four', 'Two']);
    expect(await page.locator('[data-history="redo"]').isDisabled()).toBe(true);
    await edit(page, () => press(page, 'Control+z'), ['Two', 'Four']);
    // A new edit ends what can be made again; inside of a field, the browser undoes; a reload forgets.
    await edit(page, () => remove(page, 'Two'), ['Four']);
    expect(await page.locator('[data-history="redo"]').isDisabled()).toBe(true);
    await openQuestion(page, 'Four');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+z');
    expect(await page.locator('#title').inputValue()).toBe('Four');
    await page.keyboard.press('Escape');
    await page.locator('.canvas-open').waitFor({ state: 'detached' });
    expect(await readTitles(formId)).toEqual(['Four']);
    await page.reload();
    await page.locator('[data-history="undo"]:disabled').waitFor();
    await page.context().close();
  });

  test('in the outline: a question is dragged to another section, and moved by keys', async () => {
    const { page } = await openEditor([...THREE, [{ type: 'SHORT_TEXT', title: 'Four' }]]);
    const lines = page.locator('#outline li li');
    const drag = async (from: number, to: number) => {
      await lines.nth(from).locator('[data-handle]').hover();
      await page.mouse.down();
      const target = await lines.nth(to).boundingBox();
      await page.mouse.move(40, (target?.y ?? 0) + 4, { steps: 20 });
      await page.mouse.up();
    };
    await edit(page, () => drag(2, 0), ['Three', 'One', 'Two', 'Four']);
    await edit(page, () => drag(3, 0), ['Four', 'Three', 'One', 'Two']);
    await edit(page, () => lines.first().locator('a').press('Alt+ArrowDown'), ['Three', 'Four', 'One', 'Two']);
    await edit(page, () => press(page, 'Control+z'), ['Four', 'Three', 'One', 'Two']);
    await edit(page, () => press(page, 'Control+z'), ['Three', 'One', 'Two', 'Four']);
    await page.reload();
    expect(await lines.allTextContents()).toEqual(['Three', 'One', 'Two', 'Four']);
    await page.context().close();
  });

  test('of a copy, a section and a rule are taken back', async () => {
    const { page } = await openEditor([
      [{ type: 'SINGLE_CHOICE', title: 'Lake', choices: [{ name: 'Ness' }], required: true }],
      [],
    ]);
    await edit(page, () => openQuestion(page, 'Lake').then(() => page.keyboard.press('Control+d')), ['Lake', 'Lake']);
    await page.locator('.canvas-question:nth-child(2) #title:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.canvas-open').waitFor({ state: 'detached' });
    const sections = page.locator('.canvas-section');
    await page.locator('.canvas-end button[value^="section:"]').click();
    await expect.poll(() => sections.count()).toBe(3);
    await isFocused(page, '.canvas-head #title');
    await page.keyboard.press('Escape');
    await page.locator('.canvas-open').waitFor({ state: 'detached' });
    await page.locator('[data-rule="go"]').first().click();
    await page.locator('#rule-menu[open] [data-when]').first().click();
    await page.locator('#rule-menu[open] [data-to]').last().click();
    const drop = page.locator('button[value^="rule-drop:"]');
    await drop.click();
    await drop.waitFor({ state: 'detached' });
    await edit(page, () => press(page, 'Control+z'), ['Lake', 'Lake']);
    await drop.waitFor();
    await press(page, 'Control+z');
    await drop.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toMatch(/^\/build\/[^/]+$/);
    await press(page, 'Control+z');
    await expect.poll(() => sections.count()).toBe(2);
    await edit(page, () => press(page, 'Control+z'), ['Lake']);
    await page.context().close();
  });

  test('that somebody else has edited since are shown in both versions, and nothing is lost', async () => {
    const { page, formId } = await openEditor(THREE);
    await edit(page, () => openQuestion(page, 'Two').then(() => page.keyboard.press('Alt+ArrowUp')), [
      'Two',
      'One',
      'Three',
    ]);
    await page.keyboard.press('Escape');
    await page.locator('.canvas-open').waitFor({ state: 'detached' });
    const other = await server().open('alice', WIDE);
    await other.goto(`${server().url}/build/${formId}`);
    await edit(other, () => openQuestion(other, 'Three').then(() => other.keyboard.press('Alt+ArrowUp')), [
      'Two',
      'Three',
      'One',
    ]);
    await press(page, 'Control+z');
    await page.locator('h1', { hasText: 'cannot be undone' }).waitFor();
    expect(await readTitles(formId)).toEqual(['Two', 'Three', 'One']);
    await other.context().close();
    await page.context().close();
  });
});

test('a new section takes its title in place, and leads to its first question', async () => {
  const { page, formId } = await openEditor();
  await page.locator('.canvas-end button[value^="section:"]').click();
  await isFocused(page, '.canvas-head #title');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Depths');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await isFocused(page, '#type-search');
  await page.keyboard.press('Enter');
  await isFocused(page, '.canvas-question #title');
  await page.keyboard.type('How deep?');
  await state(page, 'Saved');
  const { client } = await signInAs('alice');
  const { body } = await client.sections.listSections({ params: { formId } });
  expect(body.map(({ section }) => [section.title, section.questions?.map(({ title }) => title)]).at(-1)).toEqual([
    'Depths',
    ['How deep?'],
  ]);
  expect(await page.locator('#outline .outline-section').allTextContents()).toContain('Depths');
  await page.context().close();
});

test('lines that are pasted into the empty title of a new question become questions', async () => {
  const { page, formId } = await openEditor();
  page.on('dialog', (dialog) => dialog.accept());
  await page.locator('.canvas-section p a[data-add]').click();
  await isFocused(page, '#type-search');
  await page.locator('[data-kind="type=DATE"]').click();
  await isFocused(page, '.canvas-question #title');
  await paste(page, 'Arrival\n\n Departure \r\nInvoice');
  await page.locator('.canvas-open').waitFor({ state: 'detached' });
  const stored = (await readQuestions(formId)).map(({ title, type }) => [title, type]).slice(2);
  expect(stored).toEqual([
    ['Arrival', 'DATE'],
    ['Departure', 'DATE'],
    ['Invoice', 'DATE'],
  ]);
  expect(await page.locator('#outline li li').allTextContents()).toEqual([
    'Lake',
    'Name Required',
    'Arrival',
    'Departure',
    'Invoice',
  ]);
  await page.context().close();
});

test('what is typed while a question is on its way is its title', async () => {
  const { page, formId } = await openEditor();
  const gate = Promise.withResolvers<void>();
  await page.route('**/new?*part=row', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await openQuestion(page, 'Name');
  await page.keyboard.press('Control+Enter');
  await isFocused(page, '#type-search');
  await page.keyboard.press('Enter');
  await isFocused(page, '.type-ahead input');
  await page.keyboard.type('Early');
  gate.resolve();
  await isFocused(page, '.canvas-question #title');
  await page.keyboard.type(' bird');
  await state(page, 'Saved');
  expect(await readTitles(formId)).toEqual(['Lake', 'Name', 'Early bird']);
  await page.context().close();
});

test('choices are moved, removed and added by their buttons without a request', async () => {
  const { page, formId } = await openEditor();
  await openQuestion(page, 'Lake');
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  await page.locator('button[value="choice-down:0"]').click();
  await isFocused(page, '#choice-1');
  await page.locator('button[value="add-other"]').click();
  await isFocused(page, '#choice-2');
  expect(await page.locator('button[value="add-other"]').isVisible()).toBe(false);
  await page.locator('button[value="choice-remove:0"]').click();
  await isFocused(page, '#choice-0');
  expect([
    requests,
    await page.locator('.choice-row button:visible').evaluateAll((all) => all.map((each) => each.title)),
  ]).toEqual([
    0,
    ['Move Ness down', 'Remove Ness', 'Move Name of “Other”; may be empty up', 'Remove Name of “Other”; may be empty'],
  ]);
  await page.keyboard.press('Escape');
  await page.locator('.canvas-open').waitFor({ state: 'detached' });
  expect((await readQuestions(formId))[0]?.choices).toMatchObject([{ name: 'Ness' }, { isOther: true }]);
  await page.context().close();
});

test('what a person has unfolded stays so when a save is refused', async () => {
  const { page } = await openEditor();
  await openQuestion(page, 'Lake');
  await page.locator('.canvas-open summary', { hasText: 'Explanation' }).click();
  await page.locator('#choice-1').fill('Ness');
  await page.locator('.canvas-open .error').waitFor();
  expect(await page.locator('#description').isVisible()).toBe(true);
  expect(await page.locator('#name').isVisible()).toBe(true);
  await page.context().close();
});

test.for([
  'a slow reply',
  'a lost reply',
])('Delete pressed while a new question is stored deletes it: %s', async (way) => {
  const { page, formId } = await openEditor();
  const gate = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/new', async (route) => {
    requests += 1;
    if (requests > 1) return route.fallback();
    const response = await route.fetch();
    sent.resolve();
    await gate.promise;
    return way === 'a slow reply' ? route.fulfill({ response }) : route.abort();
  });
  await page.locator('.canvas-section p a[data-add]').click();
  await isFocused(page, '#type-search');
  await page.keyboard.press('Enter');
  await isFocused(page, '.canvas-question #title');
  await page.keyboard.type('Never mind');
  await sent.promise;
  expect(await readTitles(formId)).toEqual(['Lake', 'Name', 'Never mind']);
  await page.locator('[data-discard]').click();
  gate.resolve();
  await expect.poll(() => readTitles(formId)).toEqual(['Lake', 'Name']);
  await page.reload();
  expect(await page.locator('.canvas h3').allTextContents()).toEqual(['Lake', 'Name Required']);
  await page.context().close();
});

describe('nothing that was typed is lost', () => {
  /** Ways to leave the question at once after a key, without waiting for the pause. */
  const LEAVING: Record<string, (page: Page, path: string) => Promise<unknown>> = {
    'by Escape': (page) => page.keyboard.press('Escape'),
    'by another question': (page) => page.locator('.canvas a[data-edit]', { hasText: 'Lake' }).click(),
    'by a link': (page) => page.locator('a[href$="/settings"]').first().click(),
    'by Preview': (page) => page.locator('a[href$="/preview"]').first().click(),
    'by a press outside': (page) => page.locator('.overview h2').click(),
    'by reloading': (page) => page.reload(),
    'by Back': (page) => page.goBack(),
    'by an address': (page) => page.goto(`${server().url}/account`),
    'by closing the tab': closeTab,
    'by the language': async (page) => {
      await page.locator('.account-menu > summary').click();
      await page.locator('button[name="language"]').click();
    },
    'by signing out': (page) => signOut(page),
    'by publishing': (page) => page.locator('button[value="publish"]').click(),
  };

  test.for(Object.keys(LEAVING))('%s', async (way) => {
    const { page, formId } = await openEditor();
    await openQuestion(page, 'Name');
    await page.keyboard.type(' of the lake');
    await LEAVING[way]?.(page, formId);
    await expect.poll(() => readTitles(formId)).toEqual(['Lake', 'Name of the lake']);
    await page.context().close();
  });

  test('offline: it is kept on the device, also when the tab is closed, and stored when the editor is opened again', async () => {
    const { page, formId, path } = await openEditor();
    await openQuestion(page, 'Name');
    await page.context().setOffline(true);
    await page.keyboard.type('!');
    await state(page, 'Not saved: offline, kept on this device');
    await closeTab(page);
    await page.context().setOffline(false);
    const again = await page.context().newPage();
    await again.goto(`${server().url}${path}`);
    await state(again, 'Saved');
    expect(await readTitles(formId)).toEqual(['Lake', 'Name!']);
    await again.context().close();
  });

  test('offline and on again: it is stored by itself', async () => {
    const { page, formId } = await openEditor();
    await openQuestion(page, 'Name');
    await page.context().setOffline(true);
    await page.keyboard.type('!');
    await state(page, 'Not saved: offline');
    await page.context().setOffline(false);
    await state(page, 'Saved');
    expect(await readTitles(formId)).toEqual(['Lake', 'Name!']);
    await page.context().close();
  });

  test('when the session ends: it is stored once somebody has signed in again', async () => {
    const { page, formId } = await openEditor();
    await openQuestion(page, 'Name');
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.keyboard.type('!');
    await state(page, 'Not saved: you are signed out.');
    await page.context().addCookies(cookies);
    await state(page, 'Saved');
    expect(await readTitles(formId)).toEqual(['Lake', 'Name!']);
    await page.context().close();
  });

  test('when somebody else changes the same question: both versions are shown, and one is chosen', async () => {
    const { page, formId } = await openEditor();
    const change = async (title: string, theirTitle: string) => {
      await openQuestion(page, title);
      const other = await openOther(formId);
      await openQuestion(other, title);
      await other.locator('#title').fill(theirTitle);
      await state(other, 'Saved');
      await other.context().close();
      await page.locator('#title').press('End');
      await page.keyboard.type(' (mine)');
      await state(page, 'Somebody else changed this');
      expect(await page.locator('.canvas-open .notice').textContent()).toContain(theirTitle);
    };
    await change('Name', 'Their name');
    expect(await page.locator('#title').inputValue()).toBe('Name (mine)');
    expect(await readTitles(formId)).toEqual(['Lake', 'Their name']);
    await page.locator('.canvas-open .actions button', { hasText: 'Keep what I typed' }).click();
    await state(page, 'Saved');
    expect(await readTitles(formId)).toEqual(['Lake', 'Name (mine)']);
    await page.keyboard.press('Escape');
    await page.locator('.canvas-open').waitFor({ state: 'detached' });
    await change('Name (mine)', 'Theirs again');
    await page.locator('.canvas-open .notice a').click();
    await page.locator('.canvas-open .notice').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('#title').inputValue()).toBe('Theirs again');
    expect(await readTitles(formId)).toEqual(['Lake', 'Theirs again']);
    await page.context().close();
  });

  const openOther = async (formId: string): Promise<Page> => {
    const other = await server().open('alice', WIDE);
    await other.goto(`${server().url}/build/${formId}`);
    return other;
  };

  test('when a save is refused: it says why, and stays until it is right', async () => {
    const { page, formId } = await openEditor();
    await openQuestion(page, 'Lake');
    await page.locator('#choice-1').fill('Ness');
    await state(page, 'Not saved: see the question');
    // A press outside does not close it.
    await page.locator('.overview h2').click();
    expect(await page.locator('#choice-1').inputValue()).toBe('Ness');
    await page.locator('#choice-1').fill('Erie two');
    await state(page, 'Saved');
    expect(await readChoices(formId)).toEqual(['Ness', 'Erie two']);
    expect(await page.locator('.canvas-open .error').count()).toBe(0);
    await page.context().close();
  });

  test('when a tab is closed with a question that cannot be stored yet: it is open again afterwards', async () => {
    const { page, path } = await openEditor();
    await openQuestion(page, 'Lake');
    await page.locator('#choice-1').fill('Ness');
    await closeTab(page);
    const again = await page.context().newPage();
    await again.goto(`${server().url}${path}`);
    await again.locator('.canvas-open #choice-1').waitFor();
    expect(await again.locator('#choice-1').inputValue()).toBe('Ness');
    await again.context().close();
  });
});

test('without scripts the same links lead to the pages of the questions', async () => {
  const { page, path, questionIds } = await openEditor(LAKES, NO_SCRIPTS);
  await expectAccessible(page, false);
  await page.locator('.canvas a[data-edit]', { hasText: 'Name' }).click();
  expect(new URL(page.url()).pathname).toBe(`${path}/q/${questionIds[1]}`);
  await page.goBack();
  await page.locator('.canvas-add').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/new?after=${questionIds[0]}`);
  await page.locator('a[href*="type=SHORT_TEXT"]').click();
  await page.locator('#title').fill('Between');
  await page.locator('#title').press('Enter');
  await page.waitForURL('**done=questionAdded*');
  await page.goto(`${server().url}${path}`);
  expect(await page.locator('.canvas h3').allTextContents()).toEqual(['Lake', 'Between', 'Name Required']);
  await page.context().close();
});

const LARGE_TEXT = { ...SMALL, viewport: { width: 640, height: 640 }, deviceScaleFactor: 2 };
const FORCED = { ...WIDE, forcedColors: 'active' } as const;

const EDITOR_LOOKS = IS_NIGHTLY ? [SMALL, WIDE, LARGE_TEXT, FORCED] : [SMALL, FORCED];

test.for(EDITOR_LOOKS)('every state is accessible in %j', async (options) => {
  const [[lake, name] = []] = LAKES;
  if (!lake || !name) throw new Error('They are there.');
  const recalling: Sections[number] = [{ type: 'SHORT_TEXT', title: 'Dear {{water}}, dear {{nobody}}' }];
  const { page, formId } = await openEditor([[{ ...lake, name: 'water' }, name], recalling], options);
  if (options === LARGE_TEXT) await page.addInitScript("document.documentElement.style.fontSize = '200%'");
  await page.reload();
  await expectAccessible(page);
  await page.locator('.canvas-head a[data-edit]').first().press('Enter');
  await isFocused(page, '.canvas-head #title');
  await expectAccessible(page);
  await page.locator('.canvas-question a[data-edit]').first().press('Enter');
  await isFocused(page, '.canvas-question #title');
  await expectAccessible(page);
  const more = page.locator('.canvas-options > .options');
  if ((await more.getAttribute('open')) === null) await more.locator('summary').press('Enter');
  await page.locator('.canvas-open summary', { hasText: /^(?:Explanation|說明)/ }).press('Enter');
  await page.locator('.canvas-open #description').focus();
  await page.locator('.canvas-open .toolbar').waitFor();
  await expectAccessible(page);
  await page.locator('#choice-1').fill('Ness');
  await page.locator('[data-save-state][data-tone="bad"]').waitFor();
  await expectAccessible(page);
  await page.locator('#choice-1').fill('Huron');
  await state(page, '(?:Saved|已儲存)');
  const other = await server().open('alice', WIDE);
  await other.goto(`${server().url}/build/${formId}`);
  await openQuestion(other, 'Lake');
  await other.keyboard.type('s');
  await state(other, 'Saved');
  await other.context().close();
  await page.locator('#choice-1').fill('Chad');
  await page.locator('.canvas-open[data-conflict]').waitFor();
  await expectAccessible(page);
  await page.locator('.canvas-open .actions button').first().click();
  await page.locator('.canvas-open[data-conflict]').waitFor({ state: 'detached' });
  await page.locator('.canvas-section p a[data-add]').first().press('Enter');
  await isFocused(page, '#type-search');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.locator('[data-rule="go"]').first().press('Enter');
  await page.locator('#rule-menu[open] li button').first().waitFor();
  await isFocused(page, '#rule-search');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.locator('#rule-menu[open] [data-to]').first().waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.locator('.canvas-rules button').waitFor();
  await expectAccessible(page);
  if (await page.locator('.outline-button').isVisible()) {
    await page.locator('.outline-button').press('Enter');
    await page.locator('#outline:popover-open').waitFor();
    await expectAccessible(page);
  }
  await page.context().close();
});
