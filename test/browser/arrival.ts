/** Waits for the page to which a press leads: a check that runs before it is there sees half of it, or the page before. */
import { setTimeout } from 'node:timers/promises';
import type { BrowserContext, Page, Request } from 'playwright-core';

/** The requests of each page that have not ended. */
const requests = new WeakMap<Page, Set<Request>>();

/** A page that still waits for a response after this long, in milliseconds, is as it is meant to be. */
const MAX_WAIT_MS = 10_000;
const PAUSE_MS = 20;

/** Lets the scripts of a page have a turn. It is no timer, which tests stop, and needs no page with scripts to be sent. */
const TURN = `new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve(true);
  port2.postMessage(0);
})`;

/** Follows the requests of all pages of a context from now on. */
export function followRequests(context: BrowserContext): void {
  context.on('page', pendingRequests);
}

function pendingRequests(page: Page): Set<Request> {
  const known = requests.get(page);
  if (known) return known;
  const pending = new Set<Request>();
  requests.set(page, pending);
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return pending;
}

/**
 * Waits until a page has loaded and has received all that it has requested, also what its scripts request because of a
 * response. Without scripts (`hasScripts`), a page requests nothing after it has loaded.
 */
export async function arrive(page: Page, hasScripts = true): Promise<void> {
  const pending = pendingRequests(page);
  const end = performance.now() + MAX_WAIT_MS;
  // A response may lead to a request, or to another page, a moment after it has come.
  for (let quiet = 0; quiet < 2 && performance.now() < end; ) {
    await page.waitForLoadState();
    const isThere = await page.evaluate(hasScripts ? TURN : 'true').catch(() => false);
    quiet = isThere && pending.size === 0 ? quiet + 1 : 0;
    if (quiet === 0) await setTimeout(PAUSE_MS);
  }
}
