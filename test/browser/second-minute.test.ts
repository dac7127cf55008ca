/**
 * What somebody does on a page that has been open for a while is stored, or still on the page, or kept on the device and
 * offered again, and the page never says otherwise. A table of every action in every situation.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { servePages } from './page-server.ts';
import {
  ACTIONS,
  type Action,
  act,
  bringAbout,
  openScene,
  ranking,
  type Scene,
  SITUATIONS,
  type Situation,
  sectionUrl,
  stored,
} from './second-minute.ts';

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
    ['kept', /^This form does not accept responses now$/],
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

const CELLS = SITUATIONS.flatMap((situation) => ACTIONS.map((action) => [situation, action] as const));

describe.for(CELLS)('%s: %s', ([situation, action]) => {
  test('nothing is lost, and the page says what is', async () => {
    const [outcome, says] = TABLE[situation][action];
    const scene = await openScene(server(), situation);
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
  await expect.poll(() => stored(scene, action)).toMatch(VALUES[action]);
  if (action === 'type' || action === 'choose' || action === 'rank')
    await stateLine(scene.page)
      .filter({ hasText: /^Saved [\d:]+$/ })
      .waitFor();
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
