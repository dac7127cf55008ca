/** Checks see the page to which a press leads, and say why a page cannot be examined. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { arrive } from './arrival.ts';
import { expectAccessible, servePages } from './page-server.ts';

const server = servePages();

const PAGE = (title: string, content = '') =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${content}</main></html>`;

/** A page whose button does something; each address in `later` responds after a while. */
async function openPage(script: string, later: Record<string, string>): Promise<Page> {
  const page = await server().open('nobody');
  await page.route('**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname !== '/') await new Promise((resolve) => setTimeout(resolve, 300));
    const button = `<button style="block-size: 50px" onclick="${script}">Go</button>`;
    await route.fulfill({ contentType: 'text/html', body: later[pathname] ?? PAGE('First', button) });
  });
  await page.goto('http://pages.test/');
  return page;
}

test('a press that fetches a page and then opens another one has led there', async () => {
  const page = await openPage(`fetch('/data').then((r) => r.text()).then(() => location.assign('/next'))`, {
    '/data': '',
    '/next': PAGE('Next'),
  });
  await page.getByRole('button').click();
  await arrive(page);
  expect(await page.title()).toBe('Next');
  await page.context().close();
});

test('what a response changes is changed', async () => {
  const page = await openPage(`fetch('/data').then((r) => r.text()).then((text) => { document.title = text; })`, {
    '/data': 'Replaced',
  });
  await page.getByRole('button').click();
  await arrive(page);
  expect(await page.title()).toBe('Replaced');
  await page.context().close();
});

const FAULTY = PAGE('Next', '<img src="data:,">');

test('the page that comes is the one that is examined', async () => {
  const page = await openPage(`fetch('/data').then(() => location.assign('/next'))`, { '/next': FAULTY });
  await page.getByRole('button').click();
  await expect(expectAccessible(page)).rejects.toThrow('/next');
  await page.context().close();
});

test('of a page that is left while it is examined, the one that comes is examined', async () => {
  const page = await openPage('', { '/next': FAULTY });
  // It has to be scrolled before it is examined, which leads to the next page; until then it is not at rest.
  await page.evaluate(`{
    document.body.style.blockSize = '9000px';
    scrollTo(0, 9000);
    document.body.animate({ opacity: [0.9, 1] }, 600_000);
  }`);
  await page.evaluate(`new Promise(requestAnimationFrame)`);
  await page.evaluate(`addEventListener('scroll', () => location.assign('/next'))`);
  await expect(expectAccessible(page)).rejects.toThrow('/next');
  await page.context().close();
});

test('a page that cannot be examined is no page without faults', async () => {
  const page = await openPage('', {});
  await page.evaluate('document.documentElement.remove()');
  await expect(expectAccessible(page)).rejects.toThrow('null');
  await page.context().close();
});
