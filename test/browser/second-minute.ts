/**
 * The second minute of a respondent: a page that has been open for a while when something changes around it. Actions are
 * what a respondent does on the page, situations what happens meanwhile, each with the way back to normal.
 */
import type { BrowserContext, Page, Route } from 'playwright-core';
import { attached } from '#test/support/files.ts';
import { type Built, linkInOrder, type Person } from '#test/support/fixtures.ts';
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
import { type PageServer, signInAs } from './page-server.ts';

/** A page with the first section of a draft: Signs and Paths are ranked, nothing else is answered. */
export type Scene = {
  server: PageServer;
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
export type Action = keyof typeof ACTS;
export const ACTIONS = Object.keys(ACTS) as Action[];

/** Carries out an action on the page. */
export const act = ({ page }: Scene, action: Action): Promise<void> => ACTS[action][1](page);

/** Opens the page as dave. */
export async function openScene(server: PageServer, situation: Situation): Promise<Scene> {
  const [alice, dave] = [await signInAs('alice'), await signInAs('dave')];
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 3, maxFileSizeLimit: 1_000 };
  const form = await server.newForm([
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
  const context = await server.browser.newContext({ locale: 'en-GB', viewport: size, hasTouch: true });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const scene = { server, context, page, form, responseId, alice, dave, questionOf, choiceOf };
  await signIn(scene, dave.token);
  await page.goto(sectionUrl(scene));
  return scene;
}

export const sectionUrl = ({ server, responseId, form }: Scene): string =>
  `${server.url}/r/${responseId}/s/${form.sectionIds[0]}`;

const signIn = ({ context, server }: Pick<Scene, 'context' | 'server'>, token: string): Promise<void> =>
  context.addCookies([{ name: 'access_token', value: token, url: server.url }]);

/** What the server has stored for the question of an action, as people read it; the swipe and the ranking share one. */
export async function stored({ dave, form, responseId, questionOf }: Scene, action: Action): Promise<string> {
  return displays(await preview(dave, form.formId, responseId))[questionOf(action)] ?? '';
}

export const ranking = (page: Page): Promise<string[]> => page.locator('.ranked .rank-name').allInnerTexts();

/** Puts a finger on the second ranked choice and moves it up, as people scroll. */
async function swipe(page: Page): Promise<void> {
  const row = page.locator('.ranked > li .rank-name').nth(1);
  await row.scrollIntoViewIfNeeded();
  const box = await row.boundingBox();
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
  'slow storage': ({ page, server }) =>
    hold(page, ({ url, method }) => method === 'POST' && url.startsWith(server.url)),
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
  'upload in progress': async ({ page, server }) => {
    const release = await hold(page, ({ url }) => url.startsWith(server.storage));
    await page.locator('input[type=file]').setInputFiles({ ...FILE, name: 'first.txt' });
    await page.getByRole('progressbar', { name: 'Uploading first.txt' }).waitFor();
    return release;
  },
  'zoom of 400 %': async () => undefined,
} satisfies Record<string, (scene: Scene, action: Action) => Promise<Lift>>;
export type Situation = keyof typeof EVENTS;
export const SITUATIONS = Object.keys(EVENTS) as Situation[];

/** Brings about a situation around the page; `action` is what the respondent does next. Returns the way back. */
export async function bringAbout(scene: Scene, situation: Situation, action: Action): Promise<() => Promise<void>> {
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
