/** What authors look for in the editor, and find: what prevents publishing, tables, a section of its own, a conflict, a choice on a phone. */
import { describe, expect, test } from 'vitest';
import {
  expectAccessible,
  isFocused,
  NO_SCRIPTS,
  paste,
  SMALL,
  servePages,
  signInAs,
  state,
  WIDE,
} from './page-server.ts';

const server = servePages();

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
type Sections = Parameters<ReturnType<typeof server>['newForm']>[0];

/** Opens the editor of a new draft. */
async function openEditor(sections: Sections, options: object = WIDE) {
  const { formId, questionIds, sectionIds } = await server().newForm(sections, { publish: false });
  const page = await server().open('bob', options);
  await page.goto(`${server().url}/build/${formId}`);
  return { page, formId, questionIds, sectionIds };
}

const readSections = async (formId: string) => {
  const { client } = await signInAs('alice');
  const { body } = await client.sections.listSections({ params: { formId } });
  return body.map(({ section }) => (section.questions ?? []).map(({ title }) => title));
};

const EVENT: Sections = [
  [
    { type: 'SINGLE_CHOICE', title: 'Food?', choices: [{ name: 'Yes' }, { name: 'No' }], required: true },
    { type: 'SHORT_TEXT', title: 'Which stalls?' },
    { type: 'SHORT_TEXT', title: 'How many guests?' },
  ],
];

describe.each([
  ['with scripts', WIDE, true],
  ['without scripts', NO_SCRIPTS, false],
] as const)('%s *Publish* leads', (_name, look, hasScripts) => {
  test('to what prevents publishing, and from there to where it is corrected', async () => {
    const { page, formId, sectionIds } = await openEditor(
      [EVENT[0] ?? [], [{ type: 'SHORT_TEXT', title: 'Lost?' }]],
      look,
    );
    const { client } = await signInAs('alice');
    await client.workflow.deleteNode({ params: { formId, nodeId: sectionIds[0] ?? '' } });
    await page.reload();
    const faults = page.locator('.publish-faults');
    expect(await faults.isVisible()).toBe(false);
    await page.locator('.app-bar').getByRole('link', { name: 'Publish', exact: true }).click();
    await isFocused(page, '.publish-faults');
    await expect.poll(async () => (await faults.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    const box = await faults.boundingBox();
    expect(box && box.y + box.height <= 800).toBe(true);
    await expectAccessible(page, hasScripts);
    await faults.locator('a').first().click();
    await page.waitForURL(new RegExp(`/build/${formId}/`));
    await page.context().close();
  });

  test('to its button otherwise: two presses publish', async () => {
    const { page } = await openEditor(EVENT, look);
    await page.locator('.app-bar').getByRole('link', { name: 'Publish', exact: true }).click();
    await page.getByText('Publishing lets people respond').waitFor();
    const button = page.locator('button[value="publish"]');
    await expect.poll(async () => (await button.boundingBox())?.y).toBeLessThan(800);
    await button.click();
    await page.getByText('The form is published. Share its link.').waitFor();
    await page.context().close();
  });
});

test('a fault of a question leads to the question, opened in place', async () => {
  const { page, questionIds, sectionIds } = await openEditor([
    [{ type: 'MULTIPLE_CHOICE', title: 'Visited', choices: [{ name: 'Ness' }] }],
    [{ type: 'SHORT_TEXT', title: 'Last' }],
  ]);
  const { client } = await signInAs('alice');
  const best = { type: 'RANKING' as const, title: 'Best', required: false, description: null, order: 2 };
  const params = { sectionId: sectionIds[1] ?? '' };
  await client.questions.createQuestion({ params, body: { ...best, sourceId: questionIds[0] ?? '' } });
  const [visited = ''] = questionIds;
  await client.questions.deleteQuestion({ params: { sectionId: sectionIds[0] ?? '', questionId: visited } });
  await page.reload();
  await page.locator('.app-bar').getByRole('link', { name: 'Publish', exact: true }).click();
  await page.locator('.publish-faults a').first().click();
  await isFocused(page, '#title');
  expect(await page.locator('#title').inputValue()).toBe('Best');
  // Once it is right, *Publish* leads to the button.
  await page.locator('.canvas-form select[name="type"]').selectOption('SHORT_TEXT');
  await state(page, 'Saved');
  await page.keyboard.press('Escape');
  await page.locator('.overview h2#publish').waitFor();
  expect(await page.locator('.publish-faults').isVisible()).toBe(false);
  await page.context().close();
});

describe('a table of questions', () => {
  test('is made of pasted lines with the choices of the first, and stands on the canvas as respondents see it', async () => {
    const { page, formId } = await openEditor([[{ type: 'SHORT_TEXT', title: 'Name' }]]);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
    await page.locator('.canvas-section a[data-add]').last().click();
    await page.keyboard.type('agree');
    await page.keyboard.press('Enter');
    await isFocused(page, '#title');
    await paste(page, 'The aims were clear.\nThe pace was right.\n\nThere was time.');
    await page.locator('.canvas-table').nth(2).waitFor();
    await page.locator('.canvas-open').waitFor({ state: 'detached' });
    expect(asked).toEqual(['Make 3 rows of one table of these lines, each a question with the same answers?']);
    expect(await readSections(formId)).toEqual([
      ['Name', 'The aims were clear.', 'The pace was right.', 'There was time.'],
    ]);
    await page.getByText('Table of 3 rows').waitFor();
    // Its columns are below each other.
    const lefts: number[][] = await page.evaluate(
      `[...document.querySelectorAll('.canvas-table')].map((row) => [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left)))`,
    );
    expect(lefts[1]).toEqual(lefts[0]);
    expect(lefts[2]).toEqual(lefts[0]);
    await expectAccessible(page);
    // A row that leaves the table changes the others, too.
    await page.locator('.canvas a[data-edit]', { hasText: 'The pace was right.' }).click();
    await isFocused(page, '#title');
    await page.locator('.canvas-options .switch', { hasText: 'Show as a row' }).click();
    await state(page, 'Saved');
    await page.keyboard.press('Escape');
    await page.getByText('Table of 2 rows').waitFor();
    expect(await page.locator('.canvas-table').count()).toBe(2);
    await page.context().close();
  });
});

test.each([WIDE, SMALL, NO_SCRIPTS])('a table of questions is one table of the statistics (%o)', async (look) => {
  const choices = ['Strongly disagree', 'Disagree', 'Neither', 'Agree', 'Strongly agree'].map((name) => ({ name }));
  const titles = ['The aims were clear.', 'The pace was right.'];
  const rows = titles.map((title, index) => ({ type: 'SINGLE_CHOICE' as const, title, choices, grid: index > 0 }));
  const { formId, questionIds } = await server().newForm([rows], { title: 'Course' });
  const { client } = await signInAs('dave');
  const { body: sections } = await client.sections.listSections({ params: { formId } });
  const answers = questionIds.map((questionId, index) => ({
    questionId,
    questionType: 'SINGLE_CHOICE' as const,
    value: [sections[0]?.section.questions?.[index]?.choices?.[3]?.id ?? ''],
  }));
  await client.responses.startResponse({ params: { formId }, body: { answers, submit: true } });
  const page = await server().open('bob', look);
  await page.goto(`${server().url}/review/${formId}/statistics`);
  expect(await page.locator('.matrix tbody th[scope="row"]').count()).toBe(2);
  expect(await page.locator('.matrix td[data-shade="4"]').allTextContents()).toEqual(['1 100%', '1 100%']);
  await expectAccessible(page, look !== NO_SCRIPTS);
  await page.context().close();
});

describe('a question that depends on one above it', () => {
  test('gets a section of its own by two presses, which are taken back by one', async () => {
    const { page, formId } = await openEditor(EVENT);
    await page.locator('.canvas a[data-edit]', { hasText: 'Which stalls?' }).click();
    await isFocused(page, '#title');
    await page.locator('.canvas-options [data-rule="own"]').click();
    await page.locator('#rule-menu[open] li button', { hasText: 'is Yes' }).click();
    await page.locator('.canvas-rules', { hasText: 'Shown only if “Food?” is “Yes”' }).waitFor();
    expect(await readSections(formId)).toEqual([['Food?'], ['Which stalls?'], ['How many guests?']]);
    await page.locator('[data-history="undo"]').click();
    await page.locator('.canvas-section').nth(1).waitFor({ state: 'detached' });
    expect(await readSections(formId)).toEqual([['Food?', 'Which stalls?', 'How many guests?']]);
    await page.locator('[data-history="redo"]').click();
    await page.locator('.canvas-section').nth(2).waitFor();
    expect(await readSections(formId)).toEqual([['Food?'], ['Which stalls?'], ['How many guests?']]);
    await page.context().close();
  });

  test.each([NO_SCRIPTS, SMALL])('gets one by a page with the answers, too (%o)', async (look) => {
    const { page, formId, questionIds, sectionIds } = await openEditor(EVENT, look);
    await page.goto(`${server().url}/build/${formId}/s/${sectionIds[0]}/rules?own=${questionIds[1]}`);
    await expectAccessible(page, look !== NO_SCRIPTS);
    await page.locator('main li button').first().click();
    await page.waitForURL(/#q-/);
    expect(await readSections(formId)).toEqual([['Food?'], ['Which stalls?'], ['How many guests?']]);
    await page.context().close();
  });
});

test('what somebody else has stored is said in the bar, with a link to both versions, and the focus stays', async () => {
  const choices = Array.from({ length: 14 }, (_, index) => ({ name: `Lake ${index + 1}` }));
  const { page, formId, questionIds, sectionIds } = await openEditor([
    [{ type: 'SINGLE_CHOICE', title: 'Lake', choices }],
  ]);
  await page.locator('.canvas a[data-edit]', { hasText: 'Lake' }).click();
  await isFocused(page, '#title');
  const { client } = await signInAs('alice');
  const [sectionId = '', questionId = ''] = [sectionIds[0], questionIds[0]];
  const { body: sections } = await client.sections.listSections({ params: { formId } });
  const own = sections[0]?.section.questions?.[0]?.choices?.map(({ id, name }) => ({ id, name })) ?? [];
  const body = {
    type: 'SINGLE_CHOICE' as const,
    required: false,
    description: null,
    order: 1,
    title: 'Theirs',
    choices: own,
  };
  await client.questions.updateQuestion({ params: { sectionId, questionId }, body });
  const last = page.locator('[name="choice.name"]').last();
  await last.fill('Mine');
  await state(page, 'Somebody else changed this');
  const link = page.locator('[data-save-state] a');
  await link.waitFor();
  await page.locator('[name="choice.name"]:focus').waitFor();
  const bar = await link.boundingBox();
  expect(bar && bar.y >= 0 && bar.y + bar.height <= 800).toBe(true);
  await link.click();
  const notice = page.locator('.canvas-open > .notice').first();
  await isFocused(page, '#refusal');
  // It scrolls there smoothly.
  const below = async () => {
    const [box, top] = [await notice.boundingBox(), await page.locator('.editor-bar').boundingBox()];
    return box && top ? box.y - top.y - top.height : -1;
  };
  await expect.poll(below).toBeGreaterThanOrEqual(0);
  expect(await last.inputValue()).toBe('Mine');
  await page.context().close();
});

describe('on a phone', () => {
  test('a choice has a line of its own, and the page stays where it is when the state of saving changes', async () => {
    const { page } = await openEditor(EVENT, PHONE);
    const top = async () => (await page.locator('.canvas').boundingBox())?.y;
    const before = await top();
    await page.locator('.canvas a[data-edit]', { hasText: 'Food?' }).click();
    await isFocused(page, '#title');
    // The page may be scrolling: they are measured at once.
    type Box = { top: number; bottom: number; width: number };
    const [row, name, limit, buttons]: Box[] = await page.evaluate(
      `['.choice-row', '[name="choice.name"]', '.choice-limit', '.choice-buttons'].map((part) => document.querySelector(part).getBoundingClientRect().toJSON())`,
    );
    if (!row || !name || !limit || !buttons) throw new Error('a part of the choice is missing');
    expect(name.width).toBe(row.width);
    expect(name.width).toBeGreaterThan(280);
    expect(limit.top).toBeGreaterThanOrEqual(name.bottom);
    expect(Math.abs(limit.top - buttons.top)).toBeLessThan(4);
    const barHeights: number[] = await page.evaluate(`(() => {
      const bar = document.querySelector('.editor-bar');
      const line = document.querySelector('[data-save-state]');
      return ['', 'Saved', 'Saving…', 'Not saved: offline, kept on this device', '尚未儲存：目前離線，已保留在此裝置'].map((text) => {
        line.textContent = text;
        return bar.getBoundingClientRect().height;
      });
    })()`);
    expect(new Set(barHeights).size).toBe(1);
    // Once it has come to rest.
    await expect.poll(() => page.evaluate("scrollTo({ top: 0, behavior: 'instant' })").then(top)).toBe(before);
    await expectAccessible(page);
    await page.context().close();
  });

  test.each([
    [390, 1],
    [320, 2],
  ])('of %i pixels a scale from 0 to 10 has %i rows, and what its ends mean above them', async (width, rows) => {
    const scale = { minVal: 0, maxVal: 10, minValueLabel: 'Not at all likely', maxValueLabel: 'Extremely likely' };
    const { formId } = await server().newForm([[{ type: 'LINEAR_SCALE', title: 'How likely?', scale }]], {
      audience: 'ANYONE',
    });
    const page = await server().open('chelsea', { ...PHONE, viewport: { width, height: 844 } });
    await page.goto(`${server().url}/f/${formId}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.point').first().waitFor();
    const boxes: { y: number; width: number; height: number }[] = await page.evaluate(
      `[...document.querySelectorAll('.point')].map((point) => point.getBoundingClientRect().toJSON())`,
    );
    expect(boxes).toHaveLength(11);
    expect(new Set(boxes.map(({ y }) => Math.round(y))).size).toBe(rows);
    expect(Math.min(...boxes.map((box) => box.width))).toBeGreaterThanOrEqual(24);
    expect(Math.min(...boxes.map((box) => box.height))).toBeGreaterThanOrEqual(44);
    const [low, high]: { left: number; right: number; top: number }[] = await page.evaluate(
      `[...document.querySelectorAll('.scale-ends > span')].map((end) => end.getBoundingClientRect().toJSON())`,
    );
    if (!low || !high) throw new Error('an end is missing');
    expect(low.top).toBe(high.top);
    expect(low.right).toBeLessThanOrEqual(high.left);
    await expectAccessible(page);
    await page.context().close();
  });
});

test.each([WIDE, SMALL, NO_SCRIPTS])('the groups of the settings are reached by their links (%o)', async (look) => {
  const { page, formId } = await openEditor(EVENT, look);
  await page.goto(`${server().url}/build/${formId}/settings`);
  await expectAccessible(page, look !== NO_SCRIPTS);
  await page.locator('#title').fill('Typed');
  for (const name of ['kept', 'about', 'spreadsheet']) {
    await page.locator(`.page-links a[href="#${name}"]`).click();
    await isFocused(page, `#${name}`);
    const top = async () => (await page.locator(`#${name}-title`).boundingBox())?.y ?? -1;
    // It scrolls there smoothly.
    await expect.poll(async () => (await top()) >= 0 && (await top()) < look.viewport.height).toBe(true);
  }
  expect(await page.locator('#title').inputValue()).toBe('Typed');
  await page.context().close();
});

test('rows of lists take the width of the page, and no line of a text is longer than is read well', async () => {
  const page = await server().open('alice', WIDE);
  for (const path of ['/', '/o/demo', '/o/demo/members']) {
    await page.goto(`${server().url}${path}`);
    const rows = await page.locator('main .rows').first().boundingBox();
    expect([path, rows?.width]).toEqual([path, 1_216]);
    const widest: number = await page.evaluate(
      `Math.max(...[...document.querySelectorAll('main p')].map((text) => text.getBoundingClientRect().width))`,
    );
    expect(widest).toBeLessThanOrEqual(672);
    await expectAccessible(page);
  }
  // What is between two cards is in the middle of them.
  const { formId } = await server().newForm(EVENT, { publish: false });
  await page.goto(`${server().url}/build/${formId}/questions`);
  const button = await page.locator('.insert button').first().boundingBox();
  expect(button && Math.round(button.x + button.width / 2)).toBe(640);
  await page.context().close();
});
