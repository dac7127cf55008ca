/** The pages in a real browser: the service with the demo, people who sign in with one click, and accessibility checks. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { app, createApp, replaceApp } from '#core/http/app.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { startServer } from '#stacks/local/gateway/server.ts';
import { startS3 } from '#stacks/local/s3/s3.ts';
import { PEOPLE, seed } from '#stacks/local/seed.ts';
import { type Built, clientWith, newForm } from '#test/support/fixtures.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { type Branched, branchedForm } from '#test/support/responses.ts';
import { arrive, followRequests } from './arrival.ts';
import { closePages, shareBrowser } from './browser.ts';

export type PageServer = Awaited<ReturnType<typeof startPageServer>>;

type FormArguments = Parameters<typeof newForm> extends [unknown, unknown, ...infer Rest] ? Rest : never;

/** Starts the service with the demo form, on a table of its own, for pages of the shared browser, or of one that ends with it. */
export async function startPageServer(ownBrowser?: Browser) {
  const bucketName = 'pages-test';
  const browser = ownBrowser ?? (await shareBrowser());
  const server = await startServer({ routes: routes(), port: 0 });
  const s3 = await startS3({ directory: null, buckets: [bucketName], origins: () => [server.url] });
  const storage = { bucketName, s3Endpoint: s3.endpoint, s3PublicEndpoint: s3.publicEndpoint };
  const { config } = app();
  replaceApp(
    createApp({ ...config, ...storage, storageOrigin: s3.publicEndpoint, publicUrl: server.url, demoPeople: PEOPLE }),
  );
  await seed();
  /** An empty page of a person who is signed in; `nobody` is not. */
  const open = async (who: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    followRequests(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    if (who !== 'nobody') await signIn(context, who);
    return page;
  };
  const signIn = async (context: BrowserContext, who: string): Promise<void> => {
    const data = { uid: PEOPLE.find(({ name }) => name === who)?.id };
    const headers = { origin: server.url };
    const response = await context.request.post(`${server.url}/api/auth/login/internal`, { data, headers });
    if (!response.ok()) throw new Error(`${who} could not sign in: ${await response.text()}`);
  };
  const stop = async () => {
    await (ownBrowser?.close() ?? closePages());
    await server.stop();
    await s3.stop();
  };
  const alice = { id: PEOPLE[0].id, email: '', token: '', client: clientWith() };
  /** A published form of the demo organization. */
  const createForm = (...args: FormArguments): Promise<Built> => newForm(alice, 'demo', ...args);
  const createBranch = (branches: Parameters<typeof branchedForm>[1]): Promise<Branched> =>
    branchedForm({ person: alice, slug: 'demo' }, branches, undefined, { allowEditResponse: true });
  return {
    newForm: createForm,
    newBranch: createBranch,
    url: server.url,
    browser,
    storage: s3.publicEndpoint,
    open,
    stop,
  };
}

/** Starts the service for the tests of a file. */
export function servePages(): () => PageServer {
  let server: PageServer | undefined;
  beforeAll(async () => {
    server = await startPageServer();
  });
  afterAll(() => server?.stop());
  return () => {
    if (!server) throw new Error('the service starts before the first test');
    return server;
  };
}

/** Signs out, where that is in the menu of the account and where it is not. */
export async function signOut(page: Page): Promise<void> {
  const button = page.locator('form[action="/sign-out"] button');
  if (!(await button.isVisible())) await page.locator('.account-menu > summary').click();
  await button.click();
}

/** Waits until the editor says that it has saved, or why it has not; `text`: how that begins. */
export const state = (page: Page, text: string) =>
  page.locator('[data-save-state]', { hasText: new RegExp(`^${text}`) }).waitFor();

/** Waits until an element has the focus. */
export const isFocused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor();

/** Closes a tab as people do, and waits until it is gone. */
export async function closeTab(page: Page): Promise<void> {
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
}

/** Pastes a text into the field with the focus. */
export const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);

/** Lists how far the content of a page has moved by itself since it was opened. */
export const listShifts = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => setTimeout(() => resolve(observer.takeRecords().map(({ value }) => value)), 0));
  })`);

/** Ways to see a page: each width, colour scheme, language, and with and without scripts. */
export const WIDE = { viewport: { width: 1_280, height: 800 } } as const;
export const SMALL = { viewport: { width: 320, height: 640 }, colorScheme: 'dark', locale: 'zh-TW' } as const;
export const NO_SCRIPTS = { viewport: { width: 1_280, height: 800 }, javaScriptEnabled: false } as const;
const TABLET_NO_SCRIPTS = { viewport: { width: 768, height: 1_024 }, javaScriptEnabled: false } as const;

/** The looks of journeys: in every run those in which all values occur. */
export const LOOKS = IS_NIGHTLY ? [SMALL, NO_SCRIPTS, WIDE, TABLET_NO_SCRIPTS] : [SMALL, NO_SCRIPTS];
/** The looks of states that only scripts or only few pages have. */
export const SCRIPTED_LOOKS = IS_NIGHTLY ? [SMALL, WIDE] : [SMALL];

export type Look = (typeof LOOKS)[number];

/** The person whose account has a name in the demo, with a client for the API. */
export async function signInAs(name: 'alice' | 'dave' | 'chelsea') {
  const { id = '' } = PEOPLE.find((each) => each.name === name) ?? {};
  const token = await app().tokens.sign({ id, roles: ['USER'] }, app().now());
  return { id, email: '', token, client: clientWith(token) };
}

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2 AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What can be pressed and is not 44 pixels high, with the label that belongs to it, or 24 in a dense list; links within a
 * text may be smaller.
 */
const SMALL_TARGETS = `[...document.querySelectorAll('a, button, summary, select, textarea, input:not([type="hidden"])')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.offsetWidth > 1)
  .filter((element) => !element.closest('[inert]'))
  .filter((element) => getComputedStyle(element).display !== 'inline')
  .filter((element) => (element.closest('label') ?? element).getBoundingClientRect().height < (element.closest('.dense') ? 24 : 43.9))
  .map((element) => element.outerHTML)`;

/** Measures the page from its start: what the bar of progress covers while one scrolls is reached by scrolling on. */
const LAYOUT = `(() => {
  scrollTo({ top: 0, behavior: 'instant' });
  const { scrollWidth, clientWidth } = document.documentElement;
  return { sideways: scrollWidth - clientWidth, smallTargets: ${SMALL_TARGETS} };
})()`;

/** Runs axe once what moves has come to rest: colours that are on their way to their values have no contrast. */
const VIOLATIONS = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  .map(({ finished }) => finished))
  .then(() => axe.run({ runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'], preload: false }))
  .then(({ violations }) => violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, failureSummary }) => target + ': ' + failureSummary),
  })))`;

/** How often a page may be left while it is examined. */
const MAX_LEFT = 3;

/**
 * Expects that axe-core reports nothing on a page as it is when all that it has requested is there, that nothing scrolls
 * sideways, and that whatever can be pressed is large enough for a thumb. When the page is left meanwhile, the one that
 * comes is examined. Throws when a page cannot be examined.
 */
export async function expectAccessible(page: Page, hasScripts = true): Promise<void> {
  const session = await debuggerOf(page, hasScripts);
  for (let left = 0; ; left += 1) {
    await arrive(page, hasScripts);
    const shown = await shownDocument(session);
    const examined = await examine(page, session, hasScripts).catch((error: Error) => error);
    if ((await shownDocument(session)) === shown) {
      if (examined instanceof Error) throw examined;
      expect(examined, page.url()).toEqual({ sideways: 0, smallTargets: [], violations: [] });
      return;
    }
    if (left === MAX_LEFT) throw new Error(`${page.url()} is left again and again`);
    // Its scripts may have run while axe did.
    if (!hasScripts) await page.reload();
  }
}

/** Examines the page that is shown. The scripts of axe run beside the page, so its content security policy stays. */
async function examine(page: Page, session: CDPSession, hasScripts: boolean) {
  const layout = (await page.evaluate(LAYOUT)) as { sideways: number; smallTargets: string[] };
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  // Axe needs timers. The scripts of the page do not run: the page was read without them.
  if (!hasScripts) await session.send('Emulation.setScriptExecutionDisabled', { value: false });
  try {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: `${axe}; ${VIOLATIONS}`,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) {
      const { text, exception } = exceptionDetails;
      throw new Error(`axe did not examine ${page.url()}: ${exception?.description ?? text}`);
    }
    return { ...layout, violations: result.value as unknown };
  } finally {
    if (!hasScripts) await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  }
}

/** The id of the document that a page shows. */
const shownDocument = async (session: CDPSession): Promise<string> =>
  (await session.send('Page.getFrameTree')).frameTree.frame.loaderId;

const debuggers = new WeakMap<Page, Promise<CDPSession>>();

/** The debugger of a page, the same one as long as the page is open: scripts would be enabled again when it ends. */
function debuggerOf(page: Page, hasScripts: boolean): Promise<CDPSession> {
  const started = debuggers.get(page) ?? startDebugger(page, hasScripts);
  debuggers.set(page, started);
  return started;
}

async function startDebugger(page: Page, hasScripts: boolean): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  // Each session has a value of its own, and enables only the scripts that it has disabled.
  if (!hasScripts) await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  return session;
}
