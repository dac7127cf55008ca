/**
 * Two forms that are built with the pages of authors, from their texts on paper, and answered: a registration whose answers are
 * checked, with a table of twelve rows, and a permit with four sections that are shown only after some answers, each by one
 * setting. `NIGHTLY=true` also builds the questions of the permit by pages. The presses and the heights are printed.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { QuestionDocument, QuestionInput } from '#core/structure/question-model.ts';
import type { QuestionType } from '#core/structure/types/traits.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { type Author, build, click } from './building.ts';
import { CHECKED_PERMIT, CHECKED_REGISTRATION, EVALUATION, type PaperForm } from './building-forms.ts';
import { SMALL, servePages, signInAs, WIDE } from './page-server.ts';

const server = servePages();

const readSections = async (formId: string) => {
  const { client } = await signInAs('alice');
  return (await client.sections.listSections({ params: { formId } })).body.map(({ section }) => section);
};

/** Publishes the form that somebody has built. */
async function publish({ page }: Author, formId: string): Promise<void> {
  await page.goto(`${server().url}/build/${formId}`);
  await page.locator('button[name="do"][value="publish"]').first().click();
  await page.waitForURL('**done=published*');
}

/** Answers the required questions of the section that is open, and continues; a choice is the one with this name, or the first. */
async function answer(page: Page, questions: readonly QuestionDocument[], answers: Record<string, string>) {
  for (const { id, title, type, required, choices = [] } of questions) {
    const control = page.locator(`[name="q.${id}"]`);
    const value = answers[title];
    if (value === undefined && !required) continue;
    if (type === 'SINGLE_CHOICE' || type === 'MULTIPLE_CHOICE') {
      const chosen = (value ?? choices[0]?.name ?? '').split(' + ');
      for (const name of chosen) await control.nth(choices.findIndex((each) => each.name === name)).check();
    } else await control.fill(value ?? (type === 'DATE' ? '2026-12-01' : 'As on paper'));
  }
  await page.locator('button[value="next"].large').click();
}

/** Starts a response and answers section by section; returns the titles of the sections in which it was. */
async function respond(formId: string, answers: Record<string, string>): Promise<{ page: Page; visited: string[] }> {
  const sections = await readSections(formId);
  const page = await server().open('dave', WIDE);
  await page.goto(`${server().url}/f/${formId}`);
  await page.locator(`form[action="/f/${formId}/start"] button`).first().click();
  const visited: string[] = [];
  for (let last = ''; ; ) {
    await page.waitForURL(({ href, pathname }) => href !== last && /\/(?:s\/[^/]+|check)$/.test(pathname));
    last = page.url();
    const section = sections.find(({ id }) => last.endsWith(id));
    if (!section) break;
    visited.push(section.title);
    await answer(page, section.questions ?? [], answers);
  }
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.waitForURL('**/done');
  return { page, visited };
}

test('a registration with an address, a number, a time, two or three choices and a table of twelve rows', async () => {
  const { author, formId } = await build(server(), CHECKED_REGISTRATION);
  const [you, part, table] = await readSections(formId);
  const members = [you, part, table].map((section) =>
    (section?.questions ?? []).map(({ text, selection, grid }) => ({ text, selection, grid })),
  );
  const none = { text: undefined, selection: undefined, grid: undefined };
  const row = { ...none, grid: true };
  expect(members).toEqual([
    [none, none, { ...none, text: { format: 'EMAIL' } }, { ...none, text: { format: 'PHONE' } }],
    [
      { ...none, text: { format: 'NUMBER', min: 0, max: 5 } },
      { ...none, text: { format: 'TIME' } },
      { ...none, selection: { min: 2, max: 3 } },
    ],
    Array.from({ length: 12 }, () => row),
  ]);
  await publish(author, formId);
  const { page } = await respond(formId, {
    'E-mail address': 'dave@example.org',
    Telephone: '+44 20 7946 0000',
    'How many come with you?': '2',
    'When do you arrive?': '09:30',
    'Two or three workshops': 'Modelling + Writing',
  });
  console.info(`registration: ${author.presses} presses, ${author.loads} loads`);
  await page.context().close();
  await author.page.context().close();
});

/** Shows a section only if a question of an earlier one has one of some answers, or is at least a number. */
async function showOnlyIf(
  author: Author,
  { formId, section, question }: { formId: string; section: string; question: string },
  wanted: readonly string[] | number,
): Promise<void> {
  const { page } = author;
  const found = (await readSections(formId)).find(({ title }) => title === section);
  await page.goto(`${server().url}/build/${formId}`);
  await click(author, page.locator(`#h-${found?.id} a[data-edit]`));
  await click(author, page.locator('.canvas-open a', { hasText: 'Rules' }));
  await page.locator('select[name="gateQuestion"]').selectOption({ label: question });
  await click(author, page.locator('button[value="gate-add"]'));
  const comparison = page.locator('#gate .rule');
  await comparison.waitFor();
  if (typeof wanted === 'number') {
    await comparison.locator('select[name="rule.test"]').selectOption('atLeast');
    await comparison.locator('input[name="rule.text"]').fill(String(wanted));
    // Of the question, of the test, and the press into the field.
    author.presses += 3;
  } else {
    for (const name of wanted) await click(author, comparison.getByLabel(name, { exact: true }));
    author.presses += 1;
  }
  await click(author, page.locator('#gate button[value="save"]').last());
  await page.waitForURL('**done=saved*');
}

/** Makes a form of the questions of another one, in much less time; its sections get their titles. */
async function buildByRequests({ sections }: PaperForm): Promise<{ author: Author; formId: string }> {
  const { formId, sectionIds } = await server().newForm(
    sections.map(({ questions }) =>
      questions.map(({ title, type, preset, required = false, choices }) => ({
        ...{ type, title, required, ...OPTIONS[type] },
        ...(preset === 'number' && { text: { format: 'NUMBER' as const } }),
        ...(choices && { choices: choices.map((name) => ({ name })) }),
      })),
    ),
    { publish: false },
  );
  const { client } = await signInAs('alice');
  for (const [index, sectionId] of sectionIds.entries()) {
    const body = { title: sections[index]?.title ?? '' };
    await client.sections.updateSection({ params: { formId, sectionId }, body });
  }
  return { author: { page: await server().open('bob', WIDE), presses: 0, loads: 0 }, formId };
}

/** The options that pages fill in for the types of the permit. */
const OPTIONS: Partial<Record<QuestionType, Partial<QuestionInput>>> = {
  DATE: { date: { hasYear: true, hasMonth: true, hasDay: true } },
  UPLOAD_FILE: { uploadFile: { allowedFileTypes: ['PDF'], maxFileAmount: 1, maxFileSizeLimit: 1_000_000 } },
};

test('a permit with four sections for some only, each by one setting', async () => {
  const { author, formId } = IS_NIGHTLY ? await build(server(), CHECKED_PERMIT) : await buildByRequests(CHECKED_PERMIT);
  const built = author.presses;
  const road = { formId, section: 'Roads', question: 'Does it use a public road?' };
  await showOnlyIf(author, road, ['Yes']);
  await showOnlyIf(author, { formId, section: 'Sound', question: 'Kind' }, ['Street party', 'Concert', 'Parade']);
  await showOnlyIf(author, { formId, section: 'Food and alcohol', question: 'Kind' }, ['Street party', 'Market']);
  await showOnlyIf(author, { formId, section: 'Safety', question: 'Expected visitors' }, 200);
  await publish(author, formId);
  const always = ['Applicant', 'Event', 'Time and place'];
  const small = await respond(formId, {
    Kind: 'Concert',
    'Expected visitors': '199',
    'Does it use a public road?': 'No',
  });
  expect(small.visited).toEqual([...always, 'Sound', 'Declaration']);
  console.info(`permit: ${built} presses, and ${author.presses - built} for four settings`);
  await small.page.context().close();
  await author.page.context().close();
});

test('twelve rows of a table are less than half as high as twelve questions, and answered with as many presses', async () => {
  const rows = EVALUATION.sections[1]?.questions ?? [];
  const measured: Record<string, [desk: number, phone: number]> = {};
  for (const grid of [true, false]) {
    const questions = rows.map(({ title, choices = [] }) => ({
      ...{ type: 'SINGLE_CHOICE' as const, title, required: true, grid },
      choices: choices.map((name) => ({ name })),
    }));
    const { formId } = await server().newForm([questions]);
    const page = await server().open('dave', WIDE);
    await page.goto(`${server().url}/f/${formId}`);
    await page.locator(`form[action="/f/${formId}/start"] button`).first().click();
    await page.waitForURL('**/s/*');
    const heights: number[] = [];
    for (const { width, height } of [WIDE.viewport, SMALL.viewport]) {
      await page.setViewportSize({ width, height });
      heights.push(await page.evaluate('Math.round(document.querySelector("main").getBoundingClientRect().height)'));
    }
    measured[grid ? 'table' : 'questions'] = [heights[0] ?? 0, heights[1] ?? 0];
    await page.setViewportSize(WIDE.viewport);
    const [section] = await readSections(formId);
    let presses = 0;
    for (const { id } of section?.questions ?? []) {
      await page.locator(`[name="q.${id}"]`).nth(3).check();
      presses += 1;
    }
    await page.locator('button[value="next"].large').click();
    await page.waitForURL('**/check');
    expect(presses).toBe(12);
    await page.context().close();
  }
  console.info(JSON.stringify(measured).replace(/^./, 'heights: '));
  const { table, questions } = measured;
  expect(table?.[0]).toBeLessThan((questions?.[0] ?? 0) / 2);
  expect(table?.[1]).toBeLessThanOrEqual(questions?.[1] ?? 0);
});
