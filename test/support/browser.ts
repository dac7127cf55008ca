/** A real browser for the tests in `test/browser`: Debian's Chromium, driven by playwright-core, no download. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { ServerOptions } from '#stacks/local/server.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Nothing that a page did not ask for goes over the network. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser; throws with the way to install it when it is not there. */
export async function startBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `no browser at ${CHROMIUM}: install one (Debian: apt-get install -y chromium), or name it in the variable CHROMIUM`,
    );
  }
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: QUIET });
}

/** Pages to stand on, and the built client of a directory at `/client/`, beside an API. */
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

/** What a page asked for and complained of while it was watched. */
export type Watched = { requested: string[]; complaints: string[] };

/** Watches a page from now on. */
export function watch(page: Page): Watched {
  const watched: Watched = { requested: [], complaints: [] };
  page.on('request', (request) => watched.requested.push(request.url()));
  page.on('requestfailed', (request) => watched.complaints.push(`failed: ${request.url()}`));
  page.on('pageerror', (error) => watched.complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) watched.complaints.push(message.text());
  });
  return watched;
}
