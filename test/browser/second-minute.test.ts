/**
 * What somebody does on a page that has been open for a while is stored, or still on the page, or kept on the device and
 * offered again, and the page never says otherwise. A table of every action in every situation.
 */
import type { BrowserContext, Locator, Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { attached } from '#test/support/files.ts';
import { type Built, linkInOrder, type Person } from '#test/support/fixtures.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import {
  displays,
  editQuestion,
  preview,
  readQuestion,
  readQuestions,
  save,
  sent,
  start,
  text,
} from '#test/support/responses.ts';
import { servePages, signInAs } from './page-server.ts';

const server = servePages();

/**
 * What comes of an action:
 * - `stored`: at once, and Enter and Continue lead to the next section.
 * - `waits`: the page says so and keeps it; stored by itself once the situation has passed.
 * - `kept`: like `waits`; besides, a later visit of the response offers it.
 * - `offered`: it cannot be stored; the page says so, and a later visit offers the text.
 * - `refused`: a sentence at the question says so; nothing was typed that could be lost.
 * - `conflict`: both answers are shown, and nothing is stored until one is chosen.
 * - `corrected`: the question shows the choices of now and says that another one has to be made.
 * - `scrolls`: the page scrolls, and no answer changes.
 */
type Outcome = 'stored' | 'waits' | 'kept' | 'offered' | 'refused' | 'conflict' | 'corrected' | 'scrolls';
/** The outcome, and what the page says meanwhile. */
type Cell = readonly [Outcome, RegExp?];

const SAVED: Cell = ['stored', /^Saved [\d:]+$/];
const SCROLLS: Cell = ['scrolls'];
const UPLOADED: Cell = ['stored', /frogs\.txt 5 bytes/];
const NOT_ACCEPTED: Cell = ['refused', /frogs\.txt was not accepted/];

/** The same for text, choice and ranking, and for the two ways to press Continue. */
const row = (answer: Cell, upload: Cell, leave: Cell = answer): Record<Action, Cell> => ({
  type: answer,
  choose: answer,
  rank: answer,
  enter: leave,
  continue: leave,
  upload,
  swipe: SCROLLS,
});

const TABLE: Record<Situation, Record<Action, Cell>> = {
  normal: row(SAVED, UPLOADED),
  'slow storage': row(['waits', /^Saving…$/], ['waits', /frogs\.txt/], ['waits', /^Saving…$/]),
  offline: row(['waits', /^Not saved: you are offline/], ['waits', /frogs\.txt could not be uploaded/]),
  'session ended': row(['waits', /^Not saved: you are signed out/], ['waits', /frogs\.txt could not be uploaded/]),
  'form closed': row(
    ['kept', /^This form is archived\. Your responses to this form$/],
    ['refused', /frogs\.txt was not uploaded: this form does not accept responses/],
  ),
  'question deleted': row(['offered', /except the marked answers$/], NOT_ACCEPTED),
  'choice removed': {
    ...row(SAVED, UPLOADED),
    choose: ['corrected', /except the marked answers$/],
    rank: ['corrected', /except the marked answers$/],
  },
  'section deleted': row(['offered', /^Not saved: this section is no longer part of the form/], NOT_ACCEPTED),
  'saved in another tab': row(['conflict', /^Not saved: choose which answer to keep$/], UPLOADED),
  'another person signed in': row(['kept', /^Not saved: another person is signed in now/], NOT_ACCEPTED),
  'upload in progress': row(SAVED, ['waits', /frogs\.txt/], ['waits', /^Saved [\d:]+$/]),
  'zoom of 400 %': row(SAVED, UPLOADED),
};

/** A page with the first section of a draft: Signs and Paths are ranked, nothing else is answered. */
type Scene = {
  context: BrowserContext;
  page: Page;
  form: Built;
  responseId: string;
  alice: Person;
  dave: Person;
  /** The id of the question of an action. */
  questionOf(action: Action): string;
  /** The id of a choice of the first section by its name. */
  choiceOf(name: string): string;
};

const FILE = { name: 'frogs.txt', mimeType: 'text/plain', buffer: Buffer.from('frogs') };
const typeName = (page: Page) => page.getByLabel('Name').fill('Typed');

/** The title of the question of each action, and the action. */
const ACTS = {
  type: ['Name', typeName],
  enter: ['Name', (page) => typeName(page).then(() => page.getByLabel('Name').press('Enter'))],
  choose: ['Seen', (page) => page.getByLabel('Herons').check()],
  rank: ['Rank', (page) => page.getByRole('button', { name: 'Add Benches to' }).click()],
  swipe: ['Rank', swipe],
  upload: ['Pictures', (page) => page.locator('input[type=file]').setInputFiles(FILE)],
  continue: [
    'Name',
    async (page) => {
      await typeName(page);
      await page.locator('.section-actions [value="next"]').click({ noWaitAfter: true });
    },
  ],
} as const satisfies Record<string, readonly [string, (page: Page) => Promise<void>]>;
type Action = keyof typeof ACTS;
const ACTIONS = Object.keys(ACTS) as Action[];

/** Carries out an action on the page. */
const act = ({ page }: Scene, action: Action): Promise<void> => ACTS[action][1](page);

/** Opens the page as dave. */
async function openScene(situation: Situation): Promise<Scene> {
  const [alice, dave] = [await signInAs('alice'), await signInAs('dave')];
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 3, maxFileSizeLimit: 1_000 };
  const form = await server().newForm([
    [
      { type: 'SHORT_TEXT', title: 'Name' },
      { type: 'MULTIPLE_CHOICE', title: 'Seen', choices: [{ name: 'Frogs' }, { name: 'Herons' }] },
      {
        type: 'RANKING',
        title: 'Rank',
        choices: [{ name: 'Paths' }, { name: 'Signs' }, { name: 'Benches' }, { name: 'Bridges' }],
      },
      { type: 'UPLOAD_FILE', title: 'Pictures', uploadFile },
    ],
    [{ type: 'SHORT_TEXT', title: 'Later' }],
  ]);
  const { formId } = form;
  const questions = await readQuestions(alice, formId);
  const choices = questions.flatMap((each) => each.choices ?? []);
  const questionOf = (action: Action): string => questions.find(({ title }) => title === ACTS[action][0])?.id ?? '';
  const choiceOf = (name: string): string => choices.find((each) => each.name === name)?.id ?? '';
  const ranked = sent(questionOf('rank'), 'RANKING', [choiceOf('Signs'), choiceOf('Paths')]);
  const responseId = await start(dave, formId, [ranked]);
  const size = situation === 'zoom of 400 %' ? { width: 320, height: 256 } : { width: 375, height: 667 };
  const context = await server().browser.newContext({ locale: 'en-GB', viewport: size, hasTouch: true });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const scene = { context, page, form, responseId, alice, dave, questionOf, choiceOf };
  await signIn(scene, dave.token);
  await page.goto(sectionUrl(scene));
  return scene;
}

const sectionUrl = ({ responseId, form }: Scene): string => `${server().url}/r/${responseId}/s/${form.sectionIds[0]}`;

const signIn = ({ context }: Pick<Scene, 'context'>, token: string): Promise<void> =>
  context.addCookies([{ name: 'access_token', value: token, url: server().url }]);

/** What the server has stored for the question of an action, as people read it; the swipe and the ranking share one. */
async function stored({ dave, form, responseId, questionOf }: Scene, action: Action): Promise<string> {
  return displays(await preview(dave, form.formId, responseId))[questionOf(action)] ?? '';
}

const ranking = (page: Page): Promise<string[]> => page.locator('.ranked .rank-name').allInnerTexts();

/** Puts a finger on the second ranked choice and moves it up, as people scroll. */
async function swipe(page: Page): Promise<void> {
  const second = page.locator('.ranked > li .rank-name').nth(1);
  await second.scrollIntoViewIfNeeded();
  const box = await second.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 10];
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy = 0) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y - dy }] });
  await touch('touchStart');
  for (let dy = 10; dy <= 100; dy += 10) await touch('touchMove', dy);
  await touch('touchEnd');
  await session.detach();
}

/** The way back to normal, if there is one. */
type Lift = (() => Promise<void>) | undefined;
const reconnect = (page: Page): Promise<void> => page.evaluate("dispatchEvent(new Event('online'))");
const signInAgain = (scene: Scene) => async () => {
  await signIn(scene, scene.dave.token);
  await reconnect(scene.page);
};

/** What happens around the page before an action. */
const EVENTS = {
  normal: async () => undefined,
  'slow storage': ({ page }) => hold(page, ({ url, method }) => method === 'POST' && url.startsWith(server().url)),
  offline: async ({ context }) => {
    await context.setOffline(true);
    return () => context.setOffline(false);
  },
  'session ended': async (scene) => {
    await scene.context.clearCookies();
    return signInAgain(scene);
  },
  'form closed': async ({ alice, form: { formId }, page }) => {
    const params = { formId };
    await alice.client.forms.archiveForm({ params });
    return async () => {
      await alice.client.forms.unarchiveForm({ params });
      await alice.client.forms.publishForm({ params });
      await reconnect(page);
    };
  },
  'question deleted': async ({ alice, form: { sectionIds }, questionOf }, action) => {
    const params = { sectionId: sectionIds[0] ?? '', questionId: questionOf(action) };
    await alice.client.questions.deleteQuestion({ params });
    return undefined;
  },
  'choice removed': removeChoices,
  'section deleted': async ({ alice, form: { formId, sectionIds } }) => {
    const [nodeId = '', ...others] = sectionIds;
    await alice.client.workflow.deleteNode({ params: { formId, nodeId } });
    await linkInOrder(alice.client, formId, others);
    return undefined;
  },
  'saved in another tab': saveElsewhere,
  'another person signed in': async (scene) => {
    await signIn(scene, (await signInAs('chelsea')).token);
    return signInAgain(scene);
  },
  'upload in progress': async ({ page }) => {
    const release = await hold(page, ({ url }) => url.startsWith(server().storage));
    await page.locator('input[type=file]').setInputFiles({ ...FILE, name: 'first.txt' });
    await page.getByRole('progressbar', { name: 'Uploading first.txt' }).waitFor();
    return release;
  },
  'zoom of 400 %': async () => undefined,
} satisfies Record<string, (scene: Scene, action: Action) => Promise<Lift>>;
type Situation = keyof typeof EVENTS;
const SITUATIONS = Object.keys(EVENTS) as Situation[];

/** Brings about a situation around the page; `action` is what the respondent does next. Returns the way back. */
async function bringAbout(scene: Scene, situation: Situation, action: Action): Promise<() => Promise<void>> {
  const event: (scene: Scene, action: Action) => Promise<Lift> = EVENTS[situation];
  return (await event(scene, action)) ?? (async () => undefined);
}

/** Holds the requests of a page until the returned function is called. */
async function hold(page: Page, isHeld: (request: { url: string; method: string }) => boolean) {
  const released = Promise.withResolvers<void>();
  const wait = async (route: Route): Promise<void> => {
    const request = { url: route.request().url(), method: route.request().method() };
    if (isHeld(request)) await released.promise;
    await route.continue();
  };
  await page.route('**', wait);
  return async () => released.resolve();
}

/** Herons and Benches are no choices any more. */
async function removeChoices({ alice, form, questionOf }: Scene): Promise<undefined> {
  for (const action of ['choose', 'rank'] as const) {
    const question = await readQuestion(alice, form.formId, questionOf(action));
    const choices = question.choices?.filter(({ name }) => name !== 'Herons' && name !== 'Benches') ?? [];
    await editQuestion(alice, question, { choices });
  }
  return undefined;
}

/** Another tab of dave's saves another answer to each question. */
async function saveElsewhere({ dave, responseId, questionOf, choiceOf }: Scene): Promise<undefined> {
  await save(dave, responseId, [
    text(questionOf('type'), 'Other'),
    sent(questionOf('choose'), 'MULTIPLE_CHOICE', [choiceOf('Frogs')]),
    sent(questionOf('rank'), 'RANKING', [choiceOf('Bridges')]),
  ]);
  await attached(dave, { responseId, questionId: questionOf('upload') }, 'other.txt');
  return undefined;
}

type Expectation = {
  scene: Scene;
  action: Action;
  situation: Situation;
  says: RegExp;
  lift: () => Promise<void>;
  /** What was stored before the action. */
  before: string;
};

const leaves = (action: Action): boolean => action === 'enter' || action === 'continue';
const stateLine = (page: Page): Locator => page.locator('[data-save-state]');
const pressed = (page: Page): Locator => page.locator('.section-actions button').first();

/** The value that an action leads to, as it is stored. */
const VALUES: Record<Action, RegExp> = {
  type: /^Typed$/,
  enter: /^Typed$/,
  continue: /^Typed$/,
  choose: /^Herons$/,
  rank: /^Signs > Paths > Benches$/,
  swipe: /^Signs > Paths$/,
  upload: /frogs\.txt/,
};

/** The page shows what was typed or chosen. */
async function expectOnPage({ page }: Scene, action: Action): Promise<void> {
  if (action === 'choose') expect(await page.getByLabel('Herons').isChecked()).toBe(true);
  else if (action === 'rank') expect(await ranking(page)).toContain('Benches');
  else if (action === 'upload') await page.locator('.files li', { hasText: 'frogs.txt' }).waitFor();
  else expect(await page.getByLabel('Name').inputValue()).toBe('Typed');
}

const says = ({ scene: { page }, action, says: text }: Expectation): Promise<void> =>
  (action === 'upload' ? page.locator('.files li', { hasText: text }) : stateLine(page).filter({ hasText: text }))
    .first()
    .waitFor();

async function expectStored({ scene, action }: Pick<Expectation, 'scene' | 'action'>): Promise<void> {
  if (leaves(action)) await scene.page.getByLabel('Later').waitFor();
  // Changes are saved after a pause of a few seconds.
  if (action === 'type' || action === 'choose' || action === 'rank')
    await stateLine(scene.page)
      .filter({ hasText: /^Saved [\d:]+$/ })
      .waitFor();
  await expect.poll(() => stored(scene, action)).toMatch(VALUES[action]);
  if (action === 'upload') await scene.page.getByRole('link', { name: 'frogs.txt' }).waitFor();
}

/** A press that cannot lead on has a visible effect: the button is busy, or says above it why. */
async function expectEffect({ scene: { page }, action }: Expectation, isBusy: boolean): Promise<void> {
  if (!leaves(action)) return;
  if (isBusy) await expect.poll(() => pressed(page).getAttribute('aria-busy')).toBe('true');
  else {
    await page.locator('[data-press-result]').waitFor();
    expect(await pressed(page).innerText()).toBe('Continue');
  }
}

/** The page, another one of the response, offers the text. */
async function expectOffered({ scene: { page }, action }: Expectation): Promise<void> {
  const text = { choose: 'Herons', rank: 'Benches' }[String(action)] ?? 'Typed';
  await page.locator('[data-kept]', { hasText: text }).waitFor();
}

const OUTCOMES: Record<Outcome, (cell: Expectation) => Promise<void>> = {
  async stored(cell) {
    if (!leaves(cell.action)) await says(cell);
    await expectStored(cell);
    if (cell.situation === 'saved in another tab')
      expect(await cell.scene.page.locator('[data-file] a').allInnerTexts()).toEqual(['frogs.txt', 'other.txt']);
  },

  async waits(cell) {
    await says(cell);
    await expectEffect(cell, true);
    await expectOnPage(cell.scene, cell.action);
    if (cell.situation !== 'upload in progress') expect(await stored(cell.scene, cell.action)).toBe(cell.before);
    await cell.lift();
    await expectStored(cell);
    if (cell.situation === 'upload in progress')
      await expect.poll(() => stored(cell.scene, 'upload')).toContain('first.txt');
  },

  async kept(cell) {
    const { scene, action, situation } = cell;
    await says(cell);
    await expectEffect(cell, false);
    await expectOnPage(scene, action);
    expect(await stored(scene, action)).toBe(cell.before);
    if (situation === 'form closed') {
      await scene.page.goto(`${server().url}/r/${scene.responseId}`);
      await expectOffered(cell);
    }
    // The page is closed before the situation has passed: a new one finds what was kept.
    await scene.page.goto('about:blank');
    await cell.lift();
    await scene.page.goto(sectionUrl(scene));
    await expectOnPage(scene, action);
    await expect.poll(() => stored(scene, action)).toMatch(VALUES[action]);
  },

  async offered(cell) {
    const { page } = cell.scene;
    if (leaves(cell.action)) await page.waitForURL((url) => url.href !== sectionUrl(cell.scene));
    else {
      await says(cell);
      await expectOnPage(cell.scene, cell.action);
      await page.goto(`${server().url}/r/${cell.scene.responseId}`);
    }
    await expectOffered(cell);
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.reload();
    expect(await page.locator('[data-kept]').isVisible()).toBe(false);
  },

  async refused(cell) {
    await says(cell);
    expect(await stored(cell.scene, cell.action)).toBe(cell.before);
  },

  async conflict(cell) {
    const { page } = cell.scene;
    await says(cell);
    await expectOnPage(cell.scene, cell.action);
    await page.locator('[data-conflict]').waitFor();
    expect(await stored(cell.scene, cell.action)).toBe(
      { choose: 'Frogs', rank: 'Bridges' }[String(cell.action)] ?? 'Other',
    );
    await expectEffect(cell, false);
    await page.getByRole('button', { name: 'Keep my answer' }).click();
    await page.locator('[data-conflict]').waitFor({ state: 'detached' });
    if (leaves(cell.action)) await pressed(page).click();
    await expectStored(cell);
  },

  async corrected(cell) {
    const { page } = cell.scene;
    await says(cell);
    await page.locator('.question .error', { hasText: 'no longer offered' }).waitFor();
    expect(
      await page
        .locator('.question', { hasText: /Herons|Benches/ })
        .locator('.error')
        .count(),
    ).toBe(0);
    expect(await stored(cell.scene, cell.action)).toBe(cell.before);
  },

  async scrolls({ scene, before }) {
    const { page } = scene;
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    expect(await ranking(page)).toEqual(['Signs', 'Paths']);
    expect(await stateLine(page).innerText()).not.toContain('Saving');
    if (await page.locator('.ranked').isVisible()) expect(before).toMatch(/Signs > Paths|Bridges|^$/);
  },
};

const CELLS = SITUATIONS.flatMap((situation) => ACTIONS.map((action) => [situation, action] as const));
/** Nothing is sent while somebody scrolls, so that situations of the connection and the form differ in the nightly run only. */
const TRIED = CELLS.filter(
  ([situation, action]) => IS_NIGHTLY || action !== 'swipe' || /^(?:normal|offline|zoom)/.test(situation),
);

describe.for(TRIED)('%s: %s', ([situation, action]) => {
  test('nothing is lost, and the page says what is', async () => {
    const [outcome, says] = TABLE[situation][action];
    const scene = await openScene(situation);
    try {
      const before = await stored(scene, action);
      const lift = await bringAbout(scene, situation, action);
      await act(scene, action);
      await OUTCOMES[outcome]({ scene, action, situation, says: says ?? /./, lift, before });
    } finally {
      await scene.context.close();
    }
  });
});

test('the table has a cell for every action in every situation', () => {
  for (const [situation, action] of CELLS)
    expect([situation, action, TABLE[situation][action]]).not.toContain(undefined);
  expect(Object.keys(TABLE)).toHaveLength(SITUATIONS.length);
});
