/** Nothing typed is lost: dropped connections, reloads, two tabs, answers that are not valid yet, uploads. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Built } from '#test/support/fixtures.ts';
import { arrive } from './arrival.ts';
import { expectAccessible, type PageServer, signInAs, signOut, startPageServer } from './page-server.ts';

const OF_YOUR_PAGE = {
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Of your own page' }] }],
};

let server: PageServer;
let form: Built;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  form = await server.newForm([
    [
      { type: 'SHORT_TEXT', title: 'Name' },
      { type: 'LONG_TEXT', title: 'Story' },
      { type: 'HYPERLINK', title: 'Link', description: OF_YOUR_PAGE },
      { type: 'MULTIPLE_CHOICE', title: 'Seen', choices: [{ name: 'Frogs' }, { name: 'Herons' }] },
      { type: 'RANKING', title: 'Rank', choices: [{ name: 'Paths' }, { name: 'Signs' }, { name: 'Benches' }] },
      {
        type: 'UPLOAD_FILE',
        title: 'Pictures',
        uploadFile: { allowedFileTypes: ['PNG', 'TXT'], maxFileAmount: 3, maxFileSizeLimit: 5_000_000 },
      },
    ],
  ]);
});

/** A page with the first section of a new response. */
async function start(javaScriptEnabled = true): Promise<Page> {
  const page = await server.open('dave', { javaScriptEnabled });
  await page.goto(`${server.url}/f/${form.formId}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Name').waitFor();
  return page;
}

const saved = (page: Page) => page.locator('[data-save-state]', { hasText: /^Saved [\d:]+$/ }).waitFor();
const state = (page: Page, text: string | RegExp) => page.locator('[data-save-state]', { hasText: text }).waitFor();
const shownIn = (page: Page, label: string) => page.getByLabel(label).inputValue();

/** Stops the clock of a page; returns the number of saves that its scripts have sent since then. */
async function countSaves(page: Page): Promise<() => number> {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.headers().accept === 'application/json') count += 1;
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  return () => count;
}

/** What the server has stored of the response of a page. */
const storedAnswers = (page: Page): Promise<(string | undefined)[]> => storedAnswersAt(page.url());

async function storedAnswersAt(address: string): Promise<(string | undefined)[]> {
  const { client } = await signInAs('dave');
  const [, responseId = ''] = /\/r\/([^/]+)/.exec(address) ?? [];
  const { sections } = (await client.responses.getResponse({ params: { formId: form.formId, responseId } })).body;
  return sections.flatMap(({ answerDetails }) => answerDetails.map(({ payload }) => payload?.displayValue));
}

describe('with scripts', () => {
  test('what is typed is saved by itself, and a reload shows it', async () => {
    const page = await start();
    await page.getByLabel('Name').fill('Dave');
    await page.getByLabel('Frogs').check();
    await saved(page);
    await page.reload();
    expect(await shownIn(page, 'Name')).toBe('Dave');
    expect(await page.getByLabel('Frogs').isChecked()).toBe(true);
    await page.getByLabel('Frogs').uncheck();
    await page.getByLabel('Name').fill('');
    await saved(page);
    await page.reload();
    expect(await shownIn(page, 'Name')).toBe('');
    expect(await page.getByLabel('Frogs').isChecked()).toBe(false);
    await page.context().close();
  });

  test('a pause saves once, and leaving the field then sends nothing', async () => {
    const page = await start();
    const saves = await countSaves(page);
    await page.getByLabel('Name').pressSequentially('Dave');
    expect(saves()).toBe(0);
    await page.clock.runFor(3_000);
    await saved(page);
    expect(saves()).toBe(1);
    await page.getByLabel('Story').focus();
    await page.clock.runFor(10_000);
    expect(saves()).toBe(1);
    await page.getByLabel('Story').pressSequentially('F');
    await page.clock.runFor(2_900);
    await page.getByLabel('Story').pressSequentially('rogs');
    await page.clock.runFor(2_900);
    expect(saves()).toBe(1);
    await page.clock.runFor(100);
    await saved(page);
    expect(saves()).toBe(2);
    expect(await storedAnswers(page)).toEqual(expect.arrayContaining(['Dave', 'Frogs']));
    await page.context().close();
  });

  test('twenty questions at a human pace take at most twelve saves', async () => {
    const questions = Array.from({ length: 20 }, (_, index) => ({
      type: 'SHORT_TEXT' as const,
      title: `Question ${index + 1}.`,
    }));
    form = await server.newForm([0, 5, 10, 15].map((at) => questions.slice(at, at + 5)));
    const page = await server.open('dave');
    await page.goto(`${server.url}/f/${form.formId}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByLabel('Question 1.').waitFor();
    const saves = await countSaves(page);
    for (const [index, { title }] of questions.entries()) {
      for (const word of ['the ', 'river ', `was ${index}`]) {
        await page.getByLabel(title).pressSequentially(word);
        await page.clock.runFor(900);
      }
      if (index % 5 < 4) continue;
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel(title).waitFor({ state: 'detached' });
    }
    await page.waitForURL('**/check');
    expect(saves()).toBeGreaterThanOrEqual(4);
    expect(saves()).toBeLessThanOrEqual(12);
    expect(await storedAnswers(page)).toEqual(questions.map((_, index) => `the river was ${index}`));
    await page.context().close();
  });

  test.each([
    ['a link', async (page: Page) => page.getByRole('link', { name: 'Forms', exact: true }).click()],
    ['the language', async (page: Page) => page.getByRole('button', { name: '繁體中文' }).click()],
  ])('leaving by %s within the pause saves before', async (_name, leave) => {
    const page = await start();
    const address = page.url();
    await page.getByLabel('Name').fill('Dave');
    const left = page.waitForEvent('load');
    await leave(page);
    await left;
    expect(await storedAnswersAt(address)).toContain('Dave');
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("unsaved "))')).toEqual([]);
    await page.context().close();
  });

  test('losing the network within the pause says so', async () => {
    const page = await start();
    const saves = await countSaves(page);
    await page.getByLabel('Name').fill('Dave');
    await page.context().setOffline(true);
    await page.clock.runFor(10);
    await state(page, /Not saved/);
    expect(saves()).toBe(1);
    await page.context().setOffline(false);
    await page.clock.runFor(10);
    await saved(page);
    await page.context().close();
  });

  test('what was typed is saved before the session ends, and asked about if that fails', async () => {
    const page = await start();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.route('**/r/**', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await page.getByLabel('Name').fill('Dave');
    await signOut(page);
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(await shownIn(page, 'Name')).toBe('Dave');
    // What is kept goes with the session wherever one signs out.
    await page.goto(server.url);
    await signOut(page);
    await expect.poll(() => asked).toEqual(['beforeunload', 'beforeunload']);
    await page.unroute('**/r/**');
    await page.goBack();
    await saved(page);
    await page.getByLabel('Name').fill('Dave Brook');
    const address = page.url();
    await signOut(page);
    await page.waitForURL('**/sign-in');
    expect(asked).toHaveLength(2);
    expect(await storedAnswersAt(address)).toContain('Dave Brook');
    await page.context().close();
  });

  test('on a phone the page stays where it is when the state of saving changes', async () => {
    const title = 'A title that is longer than a line of a phone';
    const { formId } = await server.newForm([[{ type: 'SHORT_TEXT', title: 'Name' }]], { title });
    const page = await server.open('dave', { viewport: { width: 320, height: 640 } });
    await page.goto(`${server.url}/f/${formId}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await arrive(page);
    const before = await page.getByLabel('Name').boundingBox();
    await page.getByLabel('Name').fill('Dave');
    await saved(page);
    expect(await page.getByLabel('Name').boundingBox()).toEqual(before);
    await page.context().close();
  });

  test('an answer that is not valid yet is marked and keeps no other from being saved', async () => {
    const page = await start();
    await page.getByLabel('Link').fill('https:/');
    await page.getByLabel('Name').fill('Dave');
    await state(page, 'except the marked answers');
    await page.getByText('Enter a full web address').waitFor();
    const described = await page.getByLabel('Link').getAttribute('aria-describedby');
    expect(described?.split(' ').map((id) => id.split('-').at(-1))).toEqual(['description', 'error']);
    await expectAccessible(page);
    await page.reload();
    expect(await shownIn(page, 'Link')).toBe('https:/');
    await page.getByText('Enter a full web address').waitFor();
    await page.getByLabel('Link').fill('https://example.org');
    await saved(page);
    expect(await page.getByText('Enter a full web address').count()).toBe(0);
    await page.reload();
    expect([await shownIn(page, 'Name'), await shownIn(page, 'Link')]).toEqual(['Dave', 'https://example.org']);
    await page.context().close();
  });

  test('without a connection everything is kept, over a reload too, and saved once it is back', async () => {
    const page = await start();
    const address = page.url();
    await page.route(address, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await page.getByLabel('Story').fill('Frogs\nand herons');
    await state(page, /Not saved/);
    await page.getByRole('button', { name: 'Continue' }).click();
    await state(page, /Not saved/);
    expect(page.url()).toBe(address);
    await page.reload();
    expect(await shownIn(page, 'Story')).toBe('Frogs\nand herons');
    await state(page, /Not saved/);
    await page.unroute(address);
    await saved(page);
    await page.reload();
    expect(await shownIn(page, 'Story')).toBe('Frogs\nand herons');
    await page.context().close();
  });

  test('two tabs: other answers stay, and of the same answer both texts are shown to choose from', async () => {
    const first = await start();
    const second = await first.context().newPage();
    await second.goto(first.url());
    await first.getByLabel('Name').fill('From the first tab');
    await saved(first);
    await second.getByLabel('Story').fill('Only in the second');
    await saved(second);
    await second.getByLabel('Name').fill('From the second tab');
    await second.getByText('This answer was changed in another tab').waitFor();
    expect(await second.locator('[data-conflict] blockquote').innerText()).toBe('From the first tab');
    expect(await shownIn(second, 'Name')).toBe('From the second tab');
    await expectAccessible(second);
    await second.getByRole('button', { name: 'Use the other answer' }).click();
    await expect.poll(() => shownIn(second, 'Name')).toBe('From the first tab');
    await first.getByLabel('Name').fill('First again');
    await saved(first);
    await second.getByLabel('Name').fill('Mine wins');
    await second.getByText('This answer was changed in another tab').waitFor();
    // Typing on saves the other answers, and leaves the choice to the respondent.
    await second.getByLabel('Name').fill('Mine wins!');
    await second.getByLabel('Story').fill('Only in the second, longer');
    await state(second, 'choose which answer to keep');
    expect(await storedAnswers(second)).toContain('First again');
    expect(await second.locator('[data-conflict] blockquote').innerText()).toBe('First again');
    await second.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect.poll(() => second.evaluate('document.activeElement.textContent')).toBe('Keep my answer');
    await second.getByRole('button', { name: 'Keep my answer' }).click();
    await second.locator('[data-conflict]').waitFor({ state: 'detached' });
    await saved(second);
    await first.reload();
    expect([await shownIn(first, 'Name'), await shownIn(first, 'Story')]).toEqual([
      'Mine wins!',
      'Only in the second, longer',
    ]);
    await first.context().close();
  });

  test('a session that has expired is renewed while the page saves', async () => {
    const page = await start();
    await page.context().clearCookies({ name: 'access_token' });
    await page.getByLabel('Name').fill('An hour later');
    await saved(page);
    const names = (await page.context().cookies()).map(({ name }) => name);
    expect(names).toContain('access_token');
    await page.context().close();
  });

  test('without a session everything is kept until somebody has signed in again', async () => {
    const page = await start();
    await page.context().clearCookies();
    await page.getByLabel('Story').fill('Typed while signed out');
    await state(page, 'you are signed out');
    await page.getByRole('button', { name: 'Continue' }).click({ noWaitAfter: true });
    await page.locator('[data-press-result]', { hasText: 'you are signed out' }).waitFor();
    await expectAccessible(page);
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.locator('[data-press-result]').getByRole('link', { name: 'Open sign-in in another tab' }).click(),
    ]);
    await other.locator('button[name=uid]', { hasText: 'dave' }).click();
    await other.waitForURL(`${server.url}/`);
    // The press that waited leads on.
    await page.waitForURL('**/check');
    await page.getByText('Typed while signed out').waitFor();
    await page.context().close();
  });

  test('a choice that is no longer offered is said, and then that another one is needed', async () => {
    const question = { type: 'SINGLE_CHOICE' as const, title: 'Seen', required: true };
    const choices = [{ name: 'Frogs' }, { name: 'Herons' }];
    form = await server.newForm([[{ ...question, choices }], [{ type: 'SHORT_TEXT', title: 'Later' }]]);
    const page = await server.open('dave');
    await page.goto(`${server.url}/f/${form.formId}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByLabel('Herons').waitFor();
    const { client } = await signInAs('alice');
    const params = { sectionId: form.sectionIds[0] ?? '', questionId: form.questionIds[0] ?? '' };
    await client.questions.updateQuestion({
      params,
      body: { ...question, description: null, order: 1, choices: [{ name: 'Frogs' }] },
    });
    await page.getByLabel('Herons').check();
    await page.locator('.question .error', { hasText: 'no longer offered' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.error-summary', { hasText: 'Choose an answer' }).waitFor();
    // Long enough for what was kept on the device to be restored and saved.
    await page.waitForTimeout(1_500);
    expect(await page.locator('.error-summary a').innerText()).toBe('Seen – Choose an answer');
    await page.getByLabel('Frogs').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Later').waitFor();
    expect(await page.locator('[data-kept]').isVisible()).toBe(false);
    await page.context().close();
  });

  test('a ranking is ordered by buttons and by dragging', async () => {
    const page = await start();
    const order = () => page.locator('.ranked .rank-name').allInnerTexts();
    for (const name of ['Signs', 'Benches', 'Paths'])
      await page.getByRole('button', { name: `Add ${name} to` }).click();
    await page.getByRole('button', { name: 'Move Paths up' }).click();
    expect(await order()).toEqual(['Signs', 'Paths', 'Benches']);
    expect(await page.evaluate('document.activeElement.dataset.move')).toBe('up');
    await page
      .locator('.ranked li', { hasText: 'Benches' })
      .locator('[data-handle]')
      .dragTo(page.locator('.ranked li', { hasText: 'Signs' }), { targetPosition: { x: 60, y: 2 }, steps: 8 });
    expect(await order()).toEqual(['Benches', 'Signs', 'Paths']);
    await saved(page);
    await page.reload();
    expect(await order()).toEqual(['Benches', 'Signs', 'Paths']);
    await page.context().close();
  });
});

const file = (name: string, text = 'frogs') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

describe('files with scripts', () => {
  test('go straight to storage, stay over a reload, and can be removed', async () => {
    const page = await start();
    await page.locator('input[type=file]').setInputFiles([file('<img src=x onerror=alert(1)>.txt'), file('川.txt')]);
    await page.getByRole('link', { name: '川.txt' }).waitFor();
    await page.reload();
    expect(await page.locator('[data-file] a').allInnerTexts()).toEqual(['<img src=x onerror=alert(1)>.txt', '川.txt']);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Remove 川/ }).click();
    await expect.poll(() => page.locator('[data-file]').count()).toBe(1);
    await page.reload();
    expect(await page.locator('[data-file]').count()).toBe(1);
    await page.context().close();
  });

  test('a connection that drops is tried again, what is refused says so', async () => {
    const page = await start();
    await page.route(`${server.storage}/**`, (route) => route.abort());
    await page.locator('input[type=file]').setInputFiles(file('lost.txt'));
    await page.getByText('lost.txt could not be uploaded.').waitFor();
    await expectAccessible(page);
    await page.unroute(`${server.storage}/**`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'lost.txt' }).waitFor();
    await page.locator('input[type=file]').setInputFiles(file('song.mp3'));
    await page.getByText('Not uploaded: song.mp3. Only files of type PNG or TXT are allowed.').waitFor();
    await page.context().close();
  });

  test('the page is left only after an upload has ended', async () => {
    const page = await start();
    const held = Promise.withResolvers<void>();
    await page.route(`${server.storage}/**`, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(file('slow.txt'));
    const sent = page.waitForRequest(`${server.storage}/**`);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await sent;
    held.resolve();
    await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
    expect(await page.locator('.answers').innerText()).toContain('slow.txt');
    await page.context().close();
  });

  test('an upload can be cancelled', async () => {
    const page = await start();
    await page.route(`${server.storage}/**`, () => undefined);
    await page.locator('input[type=file]').setInputFiles(file('slow.txt'));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.locator('.files li').count()).toBe(0);
    await page.context().close();
  });
});

describe('without scripts', () => {
  const next = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click();

  test('two tabs: a stale form overwrites nothing and shows both texts', async () => {
    const first = await start(false);
    const second = await first.context().newPage();
    const address = first.url();
    await second.goto(address);
    await first.getByLabel('Name').fill('From the first tab');
    await first.getByLabel('Story').fill('A story');
    await next(first);
    await second.getByLabel('Name').fill('From the second tab');
    await next(second);
    await second.getByText('This answer was changed in another tab').waitFor();
    expect(await second.locator('[data-conflict] blockquote').innerText()).toBe('From the first tab');
    expect([await shownIn(second, 'Name'), await shownIn(second, 'Story')]).toEqual(['From the second tab', 'A story']);
    await expectAccessible(second, false);
    // Continue alone does not decide between the two.
    await next(second);
    await second.getByText('This answer was changed in another tab').waitFor();
    await second.getByRole('button', { name: 'Keep my answer' }).click();
    await second.locator('[data-conflict]').waitFor({ state: 'detached' });
    await next(second);
    await second.getByRole('heading', { name: 'Check your answers' }).waitFor();
    expect(await second.locator('.answers').innerText()).toContain('From the second tab');
    await first.context().close();
  });

  test('what was typed stays when the session has ended, until somebody has signed in again', async () => {
    const page = await start(false);
    await page.getByLabel('Name').fill('Dave');
    await page.getByLabel('Story').fill('Frogs\n"and" <b>herons</b>');
    await page.getByLabel('Frogs').check();
    await page.context().clearCookies();
    await next(page);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await expectAccessible(page, false);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open sign-in in a new tab' }).click();
    const signIn = await opened;
    await signIn.locator('button[name=uid]', { hasText: 'dave' }).click();
    await signIn.waitForURL(`${server.url}/`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
    expect(await page.locator('.answers').innerText()).toMatch(/Dave[\s\S]*Frogs\n"and" <b>herons<\/b>[\s\S]*Frogs/);
    await page.context().close();
  });

  test('files are added one after the other and removed by buttons; a refused one is an error of its question', async () => {
    const page = await start(false);
    await page.getByLabel('Name').fill('Dave');
    for (const name of ['one.txt', 'two.txt']) {
      await page.locator('input[type=file]').setInputFiles(file(name));
      await page.getByRole('button', { name: 'Upload' }).click();
      await page.getByRole('link', { name }).waitFor();
    }
    expect(await shownIn(page, 'Name')).toBe('Dave');
    await page.getByRole('button', { name: 'Remove one.txt' }).click();
    await expect.poll(() => page.locator('[data-file] a').allInnerTexts()).toEqual(['two.txt']);
    await page.locator('input[type=file]').setInputFiles(file('song.mp3'));
    await page.getByLabel('Story').fill('Still here');
    await next(page);
    await page.locator('.question .error', { hasText: 'Choose at most 3 files' }).waitFor();
    expect(await shownIn(page, 'Story')).toBe('Still here');
    await expectAccessible(page, false);
    await page.context().close();
  });

  test('rankings are ordered by buttons, and the language can be changed without losing what was typed', async () => {
    const page = await start(false);
    await page.getByLabel('Name').fill('Dave');
    for (const name of ['Signs', 'Paths']) await page.getByRole('button', { name: `Add ${name} to` }).click();
    await page.getByRole('button', { name: 'Move Paths up' }).click();
    expect(await page.locator('.ranked .rank-name').allInnerTexts()).toEqual(['Paths', 'Signs']);
    await page.getByLabel('Story').fill('Typed before the language changed');
    await page.getByRole('button', { name: '繁體中文' }).click();
    await page.getByRole('button', { name: '繼續', exact: true }).waitFor();
    expect(await shownIn(page, 'Story')).toBe('Typed before the language changed');
    await page.context().close();
  });
});

test('by keyboard alone: start, answer, rank, check and submit', async () => {
  const page = await server.open('chelsea');
  await page.goto(`${server.url}/f/${form.formId}`);
  const focusOn = async (label: string | RegExp): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      const name = String(
        await page.evaluate(
          "((e) => e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent)(document.activeElement)",
        ),
      );
      if (typeof label === 'string' ? name.trim().startsWith(label) : label.test(name)) return;
    }
    throw new Error(`Tab does not reach ${label}`);
  };
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await focusOn('Start');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').waitFor();
  await focusOn('Name');
  await page.keyboard.type('Chelsea');
  await focusOn('Frogs');
  await page.keyboard.press('Space');
  await focusOn('Add Signs');
  await page.keyboard.press('Enter');
  await page.locator('.ranked', { hasText: 'Signs' }).waitFor();
  await focusOn('Continue');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
  expect(await page.locator('.answers').innerText()).toMatch(/Chelsea[\s\S]*Frogs[\s\S]*Signs/);
  await focusOn(/^Submit$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await page.context().close();
});
