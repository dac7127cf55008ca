/** A real browser for the tests in `test/browser`: Debian's Chromium, driven by playwright-core, no download. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { ServerOptions } from '#stacks/local/gateway/server.ts';

/** Chromium without windows, which takes less processor time, and the whole one, where Debian installs them. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const CHROMIUM = process.env.CHROMIUM ?? INSTALLED.find(existsSync) ?? INSTALLED[0];

/** What Playwright turns off and is on in Chromium, and the pages of its own that Chromium opens for each context. */
const DISABLED_FEATURES = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'PreloadTopChromeWebUI',
  'ThirdPartyStoragePartitioning',
];

/** No network traffic but that of the page. */
const OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** Starts the browser with further options, and without some that Playwright sets. Throws when it is not installed, and says how to install it. */
export async function startBrowser(options: readonly string[] = [], withoutDefaults: string[] = []): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `no browser at ${CHROMIUM}: install one (Debian: apt-get install -y chromium-headless-shell), or name it in the variable CHROMIUM`,
    );
  }
  return chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    args: [...OPTIONS, ...options],
    ignoreDefaultArgs: withoutDefaults,
  });
}

let shared: Browser | undefined;

/** The browser that the files of a worker share, one after the other: each closes the pages that it has opened. It ends with the worker. */
export async function shareBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await startBrowser();
  return shared;
}

/** Closes all pages of the shared browser. */
export async function closePages(): Promise<void> {
  await Promise.all((shared?.contexts() ?? []).map((context) => context.close()));
}

/** Serves an empty page at every path but those of the API, and the built client of a directory below `/client/`. */
export const clientPages =
  (directory: string): NonNullable<ServerOptions['pages']> =>
  (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path.startsWith('/api/')) return false;
    const isCode = path.startsWith('/client/');
    const code = () => readFileSync(join(directory, 'core/api', basename(path)));
    const body = isCode ? code() : '<!doctype html><title>A page</title>';
    response.writeHead(200, { 'content-type': isCode ? 'text/javascript' : 'text/html' }).end(body);
    return true;
  };

/** The URLs that a page requested, and its errors and warnings. */
export type Activity = { requested: string[]; errors: string[] };

/** Records the activity of a page from now on. */
export function record(page: Page): Activity {
  const activity: Activity = { requested: [], errors: [] };
  page.on('request', (request) => activity.requested.push(request.url()));
  page.on('requestfailed', (request) => {
    // A picture that still loads is given up when the page is left.
    const isLeft = request.resourceType() === 'image' && request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isLeft) activity.errors.push(`failed: ${request.url()}`);
  });
  page.on('pageerror', (error) => activity.errors.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) activity.errors.push(message.text());
  });
  return activity;
}
