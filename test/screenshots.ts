/**
 * Takes the screenshots of the documentation from a service of its own with the demo data: `npm run screenshots`. Chromium must
 * be installed. Each picture is a person, a device and the steps to a page; with names as arguments, only these are taken.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from '#test/browser/browser.ts';
import { startChild } from '#test/support/child-service.ts';
import { ROOT } from '#test/support/sources.ts';

type Shot = {
  name: string;
  who: string;
  device: BrowserContextOptions;
  /** From the home page to the page of the picture. */
  steps(page: Page): Promise<unknown>;
};

const DESKTOP: BrowserContextOptions = { viewport: { width: 1_024, height: 720 }, locale: 'en-GB' };
const WIDE: BrowserContextOptions = { viewport: { width: 1_280, height: 800 }, locale: 'en-GB' };
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 720 }, locale: 'zh-TW' };
const DARK: BrowserContextOptions = { colorScheme: 'dark' };

const openForm = (page: Page) => page.getByRole('link', { name: 'Visitor survey' }).first().click();
const openResponses = (page: Page) => page.locator('a[href^="/review/"]').first().click();
/** Opens a page of the demo form for its authors or reviewers: `build` and `/questions`, for example. */
async function openPage(page: Page, area: 'build' | 'review', path: string): Promise<void> {
  const link = await page.locator('a[href^="/review/"]').first().getAttribute('href');
  const [, , formId] = (link ?? '').split('/');
  await page.goto(new URL(`/${area}/${formId}${path}`, page.url()).href);
}
/** Opens a question of the demo form in the editor. */
async function editQuestion(page: Page, title: string): Promise<void> {
  await openPage(page, 'build', '');
  await page.locator('.canvas a[data-edit]', { hasText: title }).click();
  await page.locator('.canvas-open #title').waitFor();
  await page.evaluate('scrollTo(0, 0)');
}
/** Opens a page of the demo organization: `/members`, for example. */
const openOrganization = (page: Page, path: string) => page.goto(new URL(`/o/demo${path}`, page.url()).href);

/** Makes some units, and shows them. */
async function arrangeUnits(page: Page): Promise<void> {
  await openOrganization(page, '/units');
  for (const [name, place] of [
    ['Northern lakes', 0],
    ['Boats and volunteers', 1],
    ['Education', 0],
  ] as const) {
    const field = page.locator('#name');
    if (!(await field.isVisible())) await page.locator('details.card > summary').click();
    await page.locator('#parent').selectOption({ index: place });
    await field.fill(name);
    await field.press('Enter');
    await page.locator('.tree a', { hasText: name }).waitFor();
  }
  await openOrganization(page, '/units');
}
/** Opens the draft of the demo at one of its sections, from the list of all answers. */
async function openSection(page: Page, question: string): Promise<void> {
  await openForm(page);
  await page.locator('.actions a.button').first().click();
  await page.waitForURL('**/r/**');
  const [, response = ''] = /(\/r\/[^/]+)/.exec(page.url()) ?? [];
  await page.goto(new URL(`${response}/check`, page.url()).href);
  await page.locator('.answer', { hasText: question }).locator('.change a').click();
  await page.evaluate('document.activeElement?.blur(), scrollTo(0, 0)');
}

/** Lets the demo show one question at a time, and begins to answer it. */
async function showOneQuestion(page: Page): Promise<void> {
  await openPage(page, 'build', '/look');
  await page.getByLabel('One question at a time').check();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.locator('.flash').waitFor();
  const [, , formId] = new URL(page.url()).pathname.split('/');
  await page.goto(new URL(`/f/${formId}`, page.url()).href);
  await page.locator('form[action$="/start"] button').click();
  await page.locator('[data-question-step]').waitFor();
}

const SHOTS: readonly Shot[] = [
  { name: 'home', who: 'alice', device: DESKTOP, steps: async () => undefined },
  { name: 'welcome', who: 'chelsea', device: DESKTOP, steps: async () => undefined },
  { name: 'landing', who: 'dave', device: DESKTOP, steps: openForm },
  { name: 'landing-phone', who: 'dave', device: { ...PHONE, ...DARK }, steps: openForm },
  { name: 'section', who: 'dave', device: DESKTOP, steps: (page) => openSection(page, 'What did you see?') },
  { name: 'section-phone', who: 'dave', device: PHONE, steps: (page) => openSection(page, 'What did you see?') },
  {
    name: 'section-dark',
    who: 'dave',
    device: { ...PHONE, ...DARK },
    steps: (page) => openSection(page, 'How was it?'),
  },
  {
    name: 'done',
    who: 'dave',
    device: { ...DESKTOP, ...DARK },
    steps: async (page) => {
      await openForm(page);
      await page.locator('a.row-link[href$="/done"]').first().click();
    },
  },
  { name: 'responses', who: 'alice', device: DESKTOP, steps: openResponses },
  { name: 'responses-phone', who: 'alice', device: PHONE, steps: openResponses },
  {
    name: 'response',
    who: 'alice',
    device: { ...DESKTOP, ...DARK, locale: 'zh-TW' },
    steps: async (page) => {
      await openResponses(page);
      await page.locator('.responses tbody th a').first().click();
    },
  },
  {
    name: 'statistics',
    who: 'alice',
    device: DESKTOP,
    steps: (page) => openPage(page, 'review', '/statistics'),
  },
  {
    name: 'organization',
    who: 'alice',
    device: DESKTOP,
    steps: (page) => openOrganization(page, ''),
  },
  { name: 'members', who: 'alice', device: DESKTOP, steps: (page) => openOrganization(page, '/members') },
  { name: 'units', who: 'alice', device: DESKTOP, steps: arrangeUnits },
  {
    name: 'organization-settings',
    who: 'alice',
    device: { ...DESKTOP, ...DARK },
    steps: (page) => openOrganization(page, '/settings'),
  },
  { name: 'new-form', who: 'alice', device: DESKTOP, steps: (page) => openOrganization(page, '/new') },
  {
    name: 'account',
    who: 'alice',
    device: PHONE,
    steps: (page) => page.goto(new URL('/account', page.url()).href),
  },
  { name: 'build', who: 'alice', device: WIDE, steps: (page) => editQuestion(page, 'Was this your first visit?') },
  {
    name: 'build-dark',
    who: 'alice',
    device: { ...WIDE, ...DARK },
    steps: (page) => openPage(page, 'build', ''),
  },
  { name: 'settings', who: 'alice', device: DESKTOP, steps: (page) => openPage(page, 'build', '/settings') },
  { name: 'share', who: 'alice', device: DESKTOP, steps: (page) => openPage(page, 'build', '/share') },
  { name: 'questions', who: 'alice', device: DESKTOP, steps: (page) => openPage(page, 'build', '/questions') },
  {
    name: 'question',
    who: 'alice',
    device: { ...DESKTOP, ...DARK },
    steps: async (page) => {
      await openPage(page, 'build', '/questions');
      await page.getByRole('link', { name: 'What did you see?' }).first().click();
    },
  },
  { name: 'rules', who: 'alice', device: DESKTOP, steps: (page) => openPage(page, 'build', '/rules') },
  {
    name: 'styles',
    who: 'alice',
    device: DESKTOP,
    steps: async (page) => {
      await page.goto(new URL('/styles', page.url()).href);
      await page.locator('.account-menu > summary').click();
    },
  },
  { name: 'look', who: 'alice', device: DESKTOP, steps: (page) => openPage(page, 'build', '/look') },
  {
    name: 'build-phone',
    who: 'alice',
    device: { ...PHONE, ...DARK },
    steps: (page) => openPage(page, 'build', ''),
  },
  // The last one: it changes the demo.
  { name: 'one-question', who: 'alice', device: DESKTOP, steps: showOneQuestion },
];

async function take(browser: Browser, url: string, { name, who, device, steps }: Shot): Promise<void> {
  const page = await (await browser.newContext(device)).newPage();
  await page.goto(`${url}/sign-in`);
  await page.locator('button[name=uid]', { hasText: who }).click();
  await page.waitForURL(`${url}/`);
  await steps(page);
  await page.waitForLoadState('networkidle');
  const directory = join(ROOT, 'docs/screenshots');
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`) });
  await page.context().close();
}

const names = process.argv.slice(2);
const data = mkdtempSync(join(tmpdir(), 'screenshots-'));
const service = await startChild(data, '--fresh');
const browser = await startBrowser();
try {
  for (const shot of SHOTS.filter(({ name }) => names.length === 0 || names.includes(name)))
    await take(browser, service.url, shot);
} finally {
  await browser.close();
  await service.end('SIGTERM');
  rmSync(data, { recursive: true, force: true });
}
