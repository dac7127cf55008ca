/**
 * How many presses and page loads a form takes, typed from its text on paper by somebody who knows the keys. A press is a click, or
 * a key that writes nothing of the text, except Enter at the end of a line. `NIGHTLY=true npm run test:browser --
 * test/browser/building-cost.test.ts` counts all three forms and prints them; the registration is built on a phone.
 */
import { expect, test } from 'vitest';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { type Author, build, click, press } from './building.ts';
import { PAPER_FORMS, PERMIT_RULES } from './building-forms.ts';
import { servePages, signInAs, WIDE } from './page-server.ts';

const server = servePages();

/** The smallest form in every run. */
const COUNTED = (Object.keys(PAPER_FORMS) as (keyof typeof PAPER_FORMS)[]).filter(
  (name) => IS_NIGHTLY || name === 'evaluation',
);

test.for(
  COUNTED,
)('the %s takes at most 2.5 presses a question, 15 page loads, and 4 presses to the first', async (name) => {
  const form = PAPER_FORMS[name];
  const paper = form.sections.flatMap(({ questions }) => questions);
  const { author, beforeFirst, formId } = await build(server(), form, { isPhone: name === 'registration' });
  const { client } = await signInAs('alice');
  const { body } = await client.sections.listSections({ params: { formId } });
  expect(body.map(({ section }) => section.title)).toEqual(form.sections.map(({ title }) => title));
  const stored = body.flatMap(({ section }) => section.questions ?? []);
  expect(
    stored.map(({ title, type, required, choices }) => ({
      ...{ title, type },
      required: required || undefined,
      choices: choices?.map((choice) => choice.name),
    })),
  ).toEqual(
    paper.map(({ title, type, required, choices }) => ({
      ...{ title, type },
      required: required || undefined,
      choices: choices && [...choices],
    })),
  );
  const counted = `${name}: ${paper.length} questions, ${author.presses} presses, ${author.loads} loads`;
  console.info(counted);
  expect([counted, author.presses / paper.length <= 2.5, author.loads <= 15, beforeFirst <= 4]).toEqual([
    counted,
    true,
    true,
    true,
  ]);
  await author.page.context().close();
});

/** Picks what matches a text from the open menu of rules. */
async function pick(author: Author, text: string): Promise<void> {
  const { page } = author;
  await page.locator('#rule-menu[open] li button').first().waitFor();
  await page.keyboard.type(text);
  await press(author, 'Enter');
}

test('the 13 rules of the permit take at most 30 presses', async () => {
  const { sections } = PAPER_FORMS.permit;
  const { formId, sectionIds } = await server().newForm(
    sections.map(({ questions }) =>
      questions
        .filter(({ choices }) => choices)
        .map(({ type, title, choices = [] }) => ({ type, title, choices: choices.map((name) => ({ name })) })),
    ),
    { publish: false },
  );
  const { client } = await signInAs('alice');
  for (const [index, sectionId] of sectionIds.entries()) {
    await client.sections.updateSection({
      params: { formId, sectionId },
      body: { title: sections[index]?.title ?? '' },
    });
  }
  const author: Author = { page: await server().open('bob', WIDE), presses: 0, loads: 0 };
  const { page } = author;
  await page.goto(`${server().url}/build/${formId}`);
  page.on('load', () => {
    author.loads += 1;
  });
  for (const { section, question, answer, to } of PERMIT_RULES) {
    const place = page.getByRole('group', { name: section, exact: true });
    await click(author, place.locator(`[data-rule="${to === undefined ? 'show' : 'go'}"]`));
    await pick(author, `${question} ${answer}`);
    if (to !== undefined) await pick(author, to);
    await place.locator('.canvas-rules', { hasText: answer }).first().waitFor();
  }
  const said = await page
    .locator('.canvas-section')
    .evaluateAll((all) =>
      all.map((each) =>
        [...each.querySelectorAll('p.canvas-rules, .canvas-rules li')].map((line) => line.textContent?.trim()),
      ),
    );
  expect(said).toEqual([
    ['If “You apply as” is “Authority”, go to “Time and place”.', 'Otherwise go to “Event”.'],
    ['Then go to “Time and place”.'],
    ['Then go to “Roads”.'],
    ['Shown only if “Does it use a public road?” is “Yes”.', 'Then go to “Sound”.'],
    [
      'Shown only if “Kind” is “Street party” or “Concert” or “Parade”.',
      'If “Sound after 22:00?” is “No”, go to “Safety”.',
      'Otherwise go to “Food and alcohol”.',
    ],
    ['Shown only if “Kind” is “Street party” or “Concert” or “Market” or “Sports”.', 'Then go to “Safety”.'],
    ['Shown only if “Kind” is “Concert” or “Parade” or “Sports”.', 'Then go to “Declaration”.'],
    ['Then go to the end.'],
  ]);
  const counted = `${PERMIT_RULES.length} rules, ${author.presses} presses, ${author.loads} loads`;
  console.info(counted);
  expect([counted, author.presses <= 30, author.loads]).toEqual([counted, true, 0]);
  await page.context().close();
});

test('at least twelve questions are visible at 1280 by 800', async () => {
  const { formId } = await server().newForm(
    PAPER_FORMS.permit.sections.map(({ questions }) =>
      questions.flatMap(({ title, type }) => (type === 'SHORT_TEXT' || type === 'LONG_TEXT' ? [{ title, type }] : [])),
    ),
    { publish: false },
  );
  const page = await server().open('bob', WIDE);
  await page.goto(`${server().url}/build/${formId}`);
  const visible = await page.locator('.canvas h3').evaluateAll(
    (titles) =>
      titles.filter((title) => {
        const { top, bottom } = title.getBoundingClientRect();
        return top >= 0 && bottom <= 800;
      }).length,
  );
  expect(visible).toBeGreaterThanOrEqual(12);
  await page.context().close();
});
