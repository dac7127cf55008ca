/**
 * The second minute of a respondent: a page that has been open for a while when something changes around it. Actions are
 * what a respondent does on the page, situations what happens meanwhile, each with the way back to normal.
 */
import type { BrowserContext, Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { Client } from '#core/api/client.ts';
import { announced, local, sendTo } from '#test/support/files.ts';
import { type Built, linkInOrder } from '#test/support/fixtures.ts';
import { type PageServer, personOf } from './page-server.ts';

export const ACTIONS = ['type', 'enter', 'choose', 'rank', 'swipe', 'upload', 'continue'] as const;
export type Action = (typeof ACTIONS)[number];

export const SITUATIONS = [
  'normal',
  'slow storage',
  'offline',
  'session ended',
  'form closed',
  'question deleted',
  'choice removed',
  'section deleted',
  'saved in another tab',
  'another person signed in',
  'upload in progress',
  'zoom of 400 %',
] as const;
export type Situation = (typeof SITUATIONS)[number];

/** A page with the first section of a draft: Signs and Paths are ranked, nothing else is answered. */
export type Scene = {
  server: PageServer;
  context: BrowserContext;
  page: Page;
  form: Built;
  responseId: string;
  alice: Client;
  dave: Awaited<ReturnType<typeof personOf>>;
  /** The id of the question of an action. */
  questionOf(action: Action): string;
  /** The id of a choice of the first section by its name. */
  choiceOf(name: string): string;
};

const TITLES: Record<Action, string> = {
  type: 'Name',
  enter: 'Name',
  continue: 'Name',
  choose: 'Seen',
  rank: 'Rank',
  swipe: 'Rank',
  upload: 'Pictures',
};

/** Opens the page as dave. */
export async function openScene(server: PageServer, situation: Situation): Promise<Scene> {
  const [alice, dave] = [(await personOf('alice')).client, await personOf('dave')];
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
  const [section] = (await alice.sections.listSections({ params: { formId } })).body;
  const questions = section?.questions ?? [];
  const choices = questions.flatMap((each) => each.choices ?? []);
  const questionOf = (action: Action): string => questions.find(({ title }) => title === TITLES[action])?.id ?? '';
  const choiceOf = (name: string): string => choices.find((each) => each.name === name)?.id ?? '';
  const { id: responseId } = (await dave.client.responses.startResponse({ params: { formId } })).body;
  const ranked = [choiceOf('Signs'), choiceOf('Paths')];
  const answers = [{ questionId: questionOf('rank'), questionType: 'RANKING' as const, value: ranked }];
  await dave.client.responses.updateAnswers({ params: { responseId }, body: { answers } });
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
  const { body } = await dave.client.responses.getResponse({ params: { formId: form.formId, responseId } });
  const answers = body.sections.flatMap(({ answerDetails }) => answerDetails);
  return answers.find(({ question }) => question.id === questionOf(action))?.payload?.displayValue ?? '';
}

const FILE = { name: 'frogs.txt', mimeType: 'text/plain', buffer: Buffer.from('frogs') };

/** Carries out an action on the page. */
export async function act(scene: Scene, action: Action): Promise<void> {
  const { page } = scene;
  const name = page.getByLabel('Name');
  switch (action) {
    case 'type':
      return name.fill('Typed');
    case 'enter':
      await name.fill('Typed');
      return name.press('Enter');
    case 'continue':
      await name.fill('Typed');
      return page.locator('.section-actions [value="next"]').click({ noWaitAfter: true });
    case 'choose':
      return page.getByLabel('Herons').check();
    case 'rank':
      return page.getByRole('button', { name: 'Add Benches to' }).click();
    case 'swipe':
      return swipe(page);
    case 'upload':
      return page.locator('input[type=file]').setInputFiles(FILE);
  }
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

/** Brings about a situation around the page; `action` is what the respondent does next. Returns the way back. */
export async function bringAbout(scene: Scene, situation: Situation, action: Action): Promise<() => Promise<void>> {
  const { page, context, form, alice, dave, server } = scene;
  const [sectionId = '', secondId = ''] = form.sectionIds;
  const params = { formId: form.formId };
  const again = async (): Promise<void> => void (await page.evaluate("dispatchEvent(new Event('online'))"));
  const nothing = async (): Promise<void> => undefined;
  switch (situation) {
    case 'normal':
    case 'zoom of 400 %':
      return nothing;
    case 'slow storage':
      return hold(page, ({ url, method }) => method === 'POST' && url.startsWith(server.url));
    case 'upload in progress': {
      const release = await hold(page, ({ url }) => url.startsWith(server.storage));
      await page.locator('input[type=file]').setInputFiles({ ...FILE, name: 'first.txt' });
      await page.getByRole('progressbar', { name: 'Uploading first.txt' }).waitFor();
      return release;
    }
    case 'offline':
      await context.setOffline(true);
      return () => context.setOffline(false);
    case 'session ended':
      await context.clearCookies();
      return async () => {
        await signIn(scene, dave.token);
        await again();
      };
    case 'another person signed in':
      await signIn(scene, (await personOf('chelsea')).token);
      return async () => {
        await signIn(scene, dave.token);
        await again();
      };
    case 'form closed':
      await alice.forms.archiveForm({ params });
      return async () => {
        await alice.forms.unarchiveForm({ params });
        await alice.forms.publishForm({ params });
        await again();
      };
    case 'question deleted':
      await alice.questions.deleteQuestion({ params: { sectionId, questionId: scene.questionOf(action) } });
      return nothing;
    case 'choice removed':
      await removeChoices(scene);
      return nothing;
    case 'section deleted':
      await alice.workflow.deleteNode({ params: { ...params, nodeId: sectionId } });
      await linkInOrder(alice, form.formId, [secondId]);
      return nothing;
    case 'saved in another tab':
      await saveElsewhere(scene);
      return nothing;
  }
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
async function removeChoices({ alice, form, questionOf }: Scene): Promise<void> {
  const [sectionId = ''] = form.sectionIds;
  const [section] = (await alice.sections.listSections({ params: { formId: form.formId } })).body;
  for (const each of section?.questions ?? []) {
    if (each.id !== questionOf('choose') && each.id !== questionOf('rank')) continue;
    const { type, title, required, order, choices = [] } = each;
    const left = choices.filter(({ name }) => name !== 'Herons' && name !== 'Benches');
    const body = { type, title, required, description: null, order, choices: left };
    await alice.questions.updateQuestion({ params: { sectionId, questionId: each.id }, body });
  }
}

/** Another tab of dave's saves another answer to each question. */
async function saveElsewhere({ dave, responseId, questionOf, choiceOf }: Scene): Promise<void> {
  await dave.client.responses.updateAnswers({
    params: { responseId },
    body: {
      answers: [
        { questionId: questionOf('type'), questionType: 'SHORT_TEXT', value: 'Other' },
        { questionId: questionOf('choose'), questionType: 'MULTIPLE_CHOICE', value: [choiceOf('Frogs')] },
        { questionId: questionOf('rank'), questionType: 'RANKING', value: [choiceOf('Bridges')] },
      ],
    },
  });
  const at = { responseId, questionId: questionOf('upload') };
  const file = local('other.txt');
  const entry = await announced(dave, at, file);
  expect((await sendTo(entry, file.bytes)).status).toBe(200);
  await dave.client.files.completeUploads({ params: at, body: { fileIds: [entry.fileId] } });
}
