/**
 * Nothing that was typed is lost: every control of the editor, and every way to leave it. In every run all controls of a
 * question are used in one visit, which ends in every way, and each by itself in one of the ways; with `NIGHTLY=true`, each by itself
 * in every way.
 */
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import type { QuestionKind } from '#test/support/fixtures.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { type Control, KINDS, type Kind, TOOLS } from './controls.ts';
import { closeTab, servePages, signInAs, signOut, state, WIDE } from './page-server.ts';

const server = servePages();

type Visit = {
  page: Page;
  formId: string;
  questionId: string;
  /** Uses the controls. */
  use: () => Promise<void>;
};

const editorOf = (formId: string) => `${server().url}/build/${formId}`;

/** Opens the editor in a new tab, as somebody does who comes back. */
async function comeBack({ page, formId }: Visit): Promise<void> {
  await (await page.context().newPage()).goto(editorOf(formId));
}

/** Lets somebody else change the question or section after it was opened. */
async function changeAsOther({ formId, questionId }: Visit): Promise<void> {
  const { client } = await signInAs('alice');
  const { body } = await client.sections.listSections({ params: { formId } });
  const [{ section }] = body as [(typeof body)[number]];
  const index = (section.questions ?? []).findIndex(({ id }) => id === questionId);
  const question = section.questions?.[index];
  const sectionId = section.id;
  if (question) {
    const { choices, ...input } = question as unknown as Record<string, unknown> & { choices?: object[] };
    const theirs = { ...input, ...(choices && { choices }), title: 'Theirs', order: index + 1 };
    await client.questions.updateQuestion({ params: { sectionId, questionId }, body: theirs as never });
  } else await client.sections.updateSection({ params: { formId, sectionId }, body: { title: 'Theirs' } });
}

/** Lets the next save fail. */
async function failOnce(page: Page, fail: (route: Route) => Promise<void>): Promise<void> {
  let hasFailed = false;
  await page.route('**/build/**', (route) => {
    if (hasFailed || route.request().method() !== 'POST') return route.fallback();
    hasFailed = true;
    return fail(route);
  });
}

/** What happens between the first key and the moment at which everything has to be stored. */
const WAYS: Readonly<Record<string, (visit: Visit) => Promise<unknown>>> = {
  'a pause': ({ use }) => use(),
  Escape: async ({ page, use }) => {
    await use();
    await page.keyboard.press('Escape');
  },
  'the button that closes': async ({ page, use }) => {
    await use();
    await page.locator('[data-close]').click();
  },
  'another question': async ({ page, use }) => {
    await use();
    await page.locator('.canvas a[data-edit]', { hasText: 'Neighbour' }).click();
  },
  'a press outside': async ({ page, use }) => {
    await use();
    await page.locator('.overview h2').click();
  },
  'a copy': async ({ page, use }) => {
    await use();
    await page.keyboard.press('Control+d');
  },
  'a move': async ({ page, use }) => {
    await use();
    await page.keyboard.press('Alt+ArrowUp');
  },
  'another question of the outline': async ({ page, use }) => {
    await use();
    await page.locator('#outline a', { hasText: 'Neighbour' }).click();
  },
  'a link': async ({ page, use }) => {
    await use();
    await page.locator('a[href$="/settings"]').first().click();
  },
  'the preview': async ({ page, use }) => {
    await use();
    await page.locator('a[href$="/preview"]').first().click();
  },
  Back: async ({ page, use }) => {
    await use();
    await page.goBack();
  },
  'another address': async ({ page, use }) => {
    await use();
    await page.goto(`${server().url}/account`);
  },
  'a reload': async ({ page, use }) => {
    await use();
    await page.reload();
  },
  'the language': async ({ page, use }) => {
    await use();
    await page.locator('.account-menu > summary').click();
    await page.locator('button[name="language"]').click();
  },
  'signing out': async ({ page, use }) => {
    await use();
    await signOut(page);
  },
  publishing: async ({ page, use }) => {
    await use();
    await page.locator('button[value="publish"]').click();
  },
  'the closed tab': async (visit) => {
    await visit.use();
    await closeTab(visit.page);
    await comeBack(visit);
  },
  'the network, for a while': async ({ page, use }) => {
    await page.context().setOffline(true);
    await use();
    await state(page, 'Not saved: offline');
    await page.context().setOffline(false);
  },
  'the network, and the closed tab': async (visit) => {
    const { page, use } = visit;
    await page.context().setOffline(true);
    await use();
    await closeTab(page);
    await page.context().setOffline(false);
    await comeBack(visit);
  },
  'the end of the session': async ({ page, use }) => {
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await use();
    await state(page, 'Not saved: you are signed out.');
    await page.context().addCookies(cookies);
  },
  'the end of the session, and the closed tab': async (visit) => {
    const { page, use } = visit;
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await use();
    await closeTab(page);
    await page.context().addCookies(cookies);
    await comeBack(visit);
  },
  'a service that fails': async ({ page, use }) => {
    await failOnce(page, (route) => route.fulfill({ status: 503, body: '' }));
    await use();
  },
  'a reply that does not arrive': async ({ page, use }) => {
    await failOnce(page, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await use();
  },
  'another author': async (visit) => {
    const { page, use } = visit;
    await changeAsOther(visit);
    await use();
    // What the other one has typed, too, is no conflict with a new question.
    await state(page, '(Somebody else changed this|Saved)');
    const keep = page.locator('.canvas-open .actions button', { hasText: 'Keep what I typed' });
    if (await keep.isVisible()) await keep.click();
  },
  'a refused save': async ({ page, use }) => {
    const [title, description] = ['title', 'description'].map((name) =>
      page.locator(`.canvas-open [name="${name}"]`),
    ) as [Locator, Locator];
    // A new question is sent once it has a title, and choices if it needs some.
    for (const needed of [title, page.locator('.canvas-open [name="choice.name"]').first()]) {
      if ((await needed.count()) > 0 && (await needed.inputValue()) === '') await needed.fill('New');
    }
    const typed = await description.inputValue();
    await description.fill('> '.repeat(500));
    await state(page, 'Not saved: see the question');
    await description.fill(typed);
    await use();
  },
};

/** Reads what is stored: the question, a new one, or the section. */
async function readStored({ formId, questionId }: Visit, { base, isNew }: Kind): Promise<object | undefined> {
  const { client } = await signInAs('alice');
  const { body } = await client.sections.listSections({ params: { formId } });
  const [first] = body;
  const questions: QuestionDocument[] = first?.section.questions ?? [];
  if (base === 'SECTION') return first?.section;
  // It may have been moved.
  return questions.find(({ id, title }) => (isNew ? !FIRST_TITLES.has(title) : id === questionId));
}

/** The titles of the questions with which a form is opened for a visit, and of the one that another author has changed. */
const FIRST_TITLES = new Set(['Several', 'Asked', 'Neighbour', 'Theirs']);

/** Opens a question of a kind, or a new one, in the editor of a form of its own. */
async function startVisit(page: Page, kind: Kind, controls: readonly Control[]): Promise<Visit> {
  const asked: QuestionKind[] =
    kind.base === 'SECTION' || kind.isNew
      ? [{ type: 'SHORT_TEXT', title: 'Asked' }]
      : [{ ...kind.base, title: 'Asked' }];
  const { formId, questionIds, sectionIds } = await server().newForm(
    [
      [
        { type: 'MULTIPLE_CHOICE', title: 'Several', choices: [{ name: 'One' }] },
        ...asked,
        { type: 'SHORT_TEXT', title: 'Neighbour' },
      ],
    ],
    { publish: false },
  );
  await page.goto(editorOf(formId));
  if (kind.isNew && kind.base !== 'SECTION') {
    await page.locator('.canvas-section p a[data-add]').click();
    await page.locator(`[data-kind="type=${kind.base.type}"]`).click();
  } else {
    const row = kind.base === 'SECTION' ? `#h-${sectionIds[0]}` : `#q-${questionIds[1]}`;
    await page.locator(`${row} a[data-edit]`).click();
  }
  const row = page.locator('.canvas-open');
  await row.waitFor();
  await row.evaluate((open) => {
    for (const details of open.querySelectorAll('details')) details.open = true;
  });
  const use = async (): Promise<void> => {
    for (const control of controls) await control.use(row);
  };
  return { page, formId, questionId: questionIds[1] ?? '', use };
}

/** A visit: the controls that are used in it, and what ends it. */
type Cell = { way: string; kind: string; controls: readonly string[] };

const kindNames = Object.keys(KINDS);
const wayNames = Object.keys(WAYS);
const kindOf = (name: string): Kind => KINDS[name] as Kind;

/** Pays a visit. Throws when something of it is not stored, or cannot be done. */
async function visitAndCheck({ way, kind: name, controls: names }: Cell): Promise<void> {
  const kind = kindOf(name);
  const controls = names.map((each) => kind.controls[each] as Control);
  const page = await server().open('bob', WIDE);
  page.setDefaultTimeout(10_000);
  const visit = await startVisit(page, kind, controls);
  await WAYS[way]?.(visit);
  for (const { stored } of controls) {
    await expect.poll(() => readStored(visit, kind), { timeout: 10_000 }).toMatchObject(stored);
  }
  // All is stored; a page that is on its way to another one can leave the browser without an answer.
  await Promise.race([page.context().close(), setTimeout(CLOSE_MS)]);
}

/** How long it is waited until what a visit has opened is closed, in milliseconds. */
const CLOSE_MS = 5_000;

/** All controls of a kind in one visit, or those that change the same in a visit each. */
const listVisits = (kind: string): string[][] => {
  const names = Object.keys(kindOf(kind).controls);
  return kindOf(kind).isApart === true ? names.map((name) => [name]) : [names];
};
/** Each control in a visit of its own, of the first kind that has it; a new question needs a title, too. */
const listAlone = (kind: string): string[][] => {
  const known = kindNames.slice(0, kindNames.indexOf(kind)).flatMap((name) => Object.keys(kindOf(name).controls));
  if (kindOf(kind).isNew || kindOf(kind).isApart) return [];
  const names = Object.keys(kindOf(kind).controls);
  return names.filter((name) => kindOf(kind).base === 'SECTION' || !known.includes(name)).map((name) => [name]);
};

const cellsOf = (list: (kind: string) => string[][], everyNth: number): Cell[] =>
  kindNames
    .flatMap((kind) => list(kind).map((controls) => ({ kind, controls })))
    .flatMap((cell, index) =>
      wayNames.flatMap((way, position) => ((position + index) % everyNth === 0 ? [{ ...cell, way }] : [])),
    );

/** A choice that decides which fields are shown does not reach the service at first. */
const UNHEARD_CHOICES: readonly Cell[] = ['the network, for a while', 'a reply that does not arrive'].map((way) => ({
  ...{ way, kind: 'a new list with a source' },
  controls: ['title', 'sourceId'],
}));

/** In every run every visit ends in two ways, the next one in others, and each control by itself in one. */
const CELLS = IS_NIGHTLY
  ? [...cellsOf(listVisits, 1), ...cellsOf(listAlone, 1)]
  : [...cellsOf(listVisits, 12), ...cellsOf(listAlone, wayNames.length), ...UNHEARD_CHOICES];

test.for(wayNames)('nothing is lost by %s', async (way) => {
  const failures: string[] = [];
  for (const cell of CELLS.filter((each) => each.way === way)) {
    await visitAndCheck(cell).catch((error: Error) => {
      failures.push(`${cell.kind}: ${cell.controls.join(', ')}: ${error.message}`);
    });
  }
  expect(failures).toEqual([]);
});

const typeOf = (base: Kind['base']): string => (base === 'SECTION' ? base : base.type);

/** Lists the controls of the open row, as they are named in the list. */
const CONTROLS = `[...document.querySelectorAll('.canvas-open :is(input, textarea, select, button)')]
  .filter(({ type }) => type !== 'hidden')
  .map(({ tagName, name, value, dataset: { tool, close, discard, insert, copy } }) =>
    tool ? 'tool ' + tool : close === '' ? 'close' : discard === '' ? 'discard' : insert ? 'insert' : copy ? 'copy link' :
    tagName === 'BUTTON' ? 'do=' + value.split(':')[0] : name)`;

test('the list has every control that is in the editor', async () => {
  const page = await server().open('bob', WIDE);
  for (const name of kindNames) {
    const { base } = kindOf(name);
    const listed = new Set([
      ...TOOLS,
      ...Object.values(KINDS).flatMap((kind) =>
        kind.isApart || kind.isNew || typeOf(kind.base) === typeOf(base) ? Object.keys(kind.controls) : [],
      ),
    ]);
    await startVisit(page, kindOf(name), []);
    const found = (await page.evaluate(CONTROLS)) as string[];
    expect(
      found.filter((control) => !listed.has(control)),
      name,
    ).toEqual([]);
  }
  await page.context().close();
});
