/** The pages in a real browser: the service with the demo, people who sign in with one click, and accessibility checks. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { app, createApp, replaceApp } from '#core/http/app.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { startServer } from '#stacks/local/gateway/server.ts';
import { startS3 } from '#stacks/local/s3/s3.ts';
import { PEOPLE, seed } from '#stacks/local/seed.ts';
import { type Built, clientWith, newForm } from '#test/support/fixtures.ts';
import { startBrowser } from './browser.ts';

export type PageServer = Awaited<ReturnType<typeof startPageServer>>;

type FormArguments = Parameters<typeof newForm> extends [unknown, unknown, ...infer Rest] ? Rest : never;

/** Starts the service with the demo form, on a table of its own, and a browser, by default that of all tests. */
export async function startPageServer(launch = startBrowser) {
  const bucketName = 'pages-test';
  const browser = await launch();
  const server = await startServer({ routes: routes(), port: 0 });
  const s3 = await startS3({ directory: null, buckets: [bucketName], origins: () => [server.url] });
  const storage = { bucketName, s3Endpoint: s3.endpoint, s3PublicEndpoint: s3.publicEndpoint };
  const { config } = app();
  replaceApp(
    createApp({ ...config, ...storage, storageOrigin: s3.publicEndpoint, publicUrl: server.url, demoPeople: PEOPLE }),
  );
  await seed();
  /** A page of a person who is signed in; `nobody` is not. */
  const open = async (who: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
    page.setDefaultTimeout(10_000);
    if (who === 'nobody') return page;
    await page.goto(`${server.url}/sign-in`);
    await page.locator('button[name=uid]', { hasText: who }).click();
    await page.waitForURL(`${server.url}/`);
    return page;
  };
  const stop = async () => {
    await browser.close();
    await server.stop();
    await s3.stop();
  };
  const alice = { id: PEOPLE[0].id, email: '', token: '', client: clientWith() };
  /** A published form of the demo organization. */
  const createForm = (...args: FormArguments): Promise<Built> => newForm(alice, 'demo', ...args);
  return { newForm: createForm, url: server.url, browser, storage: s3.publicEndpoint, open, stop };
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

/** Lists how far the content of a page has moved by itself since it was opened. */
export const listShifts = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => setTimeout(() => resolve(observer.takeRecords().map(({ value }) => value)), 0));
  })`);

/** A wide screen; a small dark one in Chinese; one without scripts. */
export const LOOKS = [
  { viewport: { width: 1_280, height: 800 } },
  { viewport: { width: 320, height: 640 }, colorScheme: 'dark', locale: 'zh-TW' },
  { viewport: { width: 768, height: 1_024 }, javaScriptEnabled: false },
] as const;

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
  .filter((element) => getComputedStyle(element).display !== 'inline')
  .filter((element) => (element.closest('label') ?? element).getBoundingClientRect().height < (element.closest('.dense') ? 24 : 43.9))
  .map((element) => element.outerHTML)`;

/** Waits for what moves to come to rest: colours that are on their way to their values have no contrast. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  .map(({ finished }) => finished)).then(() => undefined)`;

/**
 * Expects that axe-core reports nothing on a page as it is now, that nothing scrolls sideways, and that whatever can be
 * pressed is large enough for a thumb. The scripts of axe run beside the page, so its content security policy stays.
 */
export async function expectAccessible(shown: Page, hasScripts = true): Promise<void> {
  const page = hasScripts ? shown : await copyPage(shown);
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  // What the bar of progress covers while one scrolls is reached by scrolling on: only the page from its start counts.
  await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
  if (hasScripts) await page.evaluate(AT_REST);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const run = `${axe}; axe.run({ runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) => JSON.stringify(violations.map(
    ({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => target + ': ' + failureSummary) }))))`;
  const { result } = await session.send('Runtime.evaluate', {
    expression: run,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  expect(JSON.parse(String(result.value)), page.url()).toEqual([]);
  const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(width, `${page.url()} scrolls sideways`).toBe(0);
  expect(await page.evaluate(SMALL_TARGETS), `${page.url()} has small targets`).toEqual([]);
  if (page !== shown) await page.context().close();
}

/** Where scripts are off, axe does not run either: it checks a copy of the page, without the scripts of the page. */
async function copyPage(shown: Page): Promise<Page> {
  const html = (await shown.content()).replace(/<script[^>]*><\/script>/, '');
  const viewport = shown.viewportSize();
  // The style sheet comes after the content, and colours that are on their way to their values have no contrast.
  const context = await shown.context().browser()?.newContext({ viewport, reducedMotion: 'reduce' });
  if (!context) throw new Error('the page has no browser');
  const page = await context.newPage();
  await page.setContent(html.replace('<head>', `<head><base href="${shown.url()}">`));
  return page;
}
