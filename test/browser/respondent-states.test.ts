/** Further states of the pages of respondents: providers, covers, forms that are not open, errors. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { clientWith } from '#test/support/fixtures.ts';
import { webp } from '#test/support/webp.ts';
import { record } from './browser.ts';
import { expectAccessible, servePages, signOut } from './page-server.ts';

const server = servePages();

const alice = async () => clientWith(await app().tokens.sign({ id: PEOPLE[0].id, roles: ['USER'] }, app().now()));

test('a person without an account signs in through a provider, chooses names and comes back', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { title: 'Invitation' });
  const page = await server().open('nobody');
  await page.goto(`${server().url}/f/${formId}`);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Continue with the demo provider' }).click();
  await page.getByRole('button', { name: 'Continue as frank' }).click();
  await page.getByRole('heading', { name: 'Invitation' }).waitFor();
  await page.getByRole('link', { name: 'Forms', exact: true }).click();
  await page.getByRole('link', { name: 'Create a form' }).click();
  await expectAccessible(page);
  await page.getByLabel('Username').fill('not a username');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('[data-error-summary]:focus').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Username').fill('frank.f');
  await page.getByLabel('Name', { exact: true }).fill('frank');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('.menu-name', { hasText: 'frank' }).waitFor();
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(server().url);
  expect(page.url()).toContain('/sign-in');
  await page.context().close();
});

test('signing in that the provider denies is said, and can be tried again', async () => {
  const page = await server().open('nobody');
  await page.goto(`${server().url}/sign-in`);
  await page.getByRole('link', { name: 'Continue with the demo provider' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Signing in did not work').waitFor();
  await expectAccessible(page);
  await page.context().close();
});

describe('an account is connected', () => {
  const connect = async (page: Page): Promise<void> => {
    const { formId } = await server().newForm([
      [
        { type: 'SHORT_TEXT', title: 'Name' },
        { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' },
      ],
    ]);
    await page.goto(`${server().url}/f/${formId}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByLabel('Name').fill('Dave');
    await page.getByRole('button', { name: 'Connect an account' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('The account was not connected').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Dave');
    await page.getByRole('button', { name: 'Connect an account' }).click();
    await page.getByRole('button', { name: 'Continue as dave' }).click();
    await page.getByText('Connected at the demo provider as dave').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No account is connected yet').waitFor();
    await page.context().close();
  };
  test('with scripts', async () => connect(await server().open('dave')));
  test('without scripts', async () => connect(await server().open('dave', { javaScriptEnabled: false })));
});

test('the cover of a form is shown from storage', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
  const form = new FormData();
  form.append('coverImage', new File([new Uint8Array(webp(40, 20))], 'cover.webp', { type: 'image/webp' }));
  await (await alice()).forms.uploadCover({ params: { formId }, form });
  const page = await server().open('dave');
  const activity = record(page);
  await page.goto(`${server().url}/f/${formId}`, { waitUntil: 'networkidle' });
  expect(activity.requested.some((url) => url.startsWith(server().storage))).toBe(true);
  expect(activity.errors.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  await expectAccessible(page);
  await page.context().close();
});

test('forms that are not open, and pages that are not there, say so in both languages', async () => {
  const client = await alice();
  const newForm = async (title: string) => (await server().newForm([[{ type: 'SHORT_TEXT' }]], { title })).formId;
  const later = await newForm('Later');
  await client.forms.updateForm({ params: { formId: later }, body: { publishTime: '2100-01-01T00:00:00Z' } });
  const over = await newForm('Over');
  await client.forms.updateForm({ params: { formId: over }, body: { deadline: '2026-01-01T00:00:00Z' } });
  const archived = await newForm('Old');
  await client.forms.archiveForm({ params: { formId: archived } });
  const states: [string, string, string][] = [
    [`/f/${later}`, 'This form is not open yet', '這份表單尚未開放'],
    [`/f/${over}`, 'This form is closed', '這份表單已截止'],
    [`/f/${archived}`, 'Page not found', '找不到頁面'],
    ['/f/nothing', 'Page not found', '找不到頁面'],
  ];
  for (const [locale, column, colorScheme] of [
    ['en-GB', 1, 'light'],
    ['zh-TW', 2, 'dark'],
  ] as const) {
    const page = await server().open('dave', { locale, colorScheme });
    for (const state of states) {
      await page.goto(server().url + state[0]);
      await page.getByText(state[column]).first().waitFor();
      await expectAccessible(page);
    }
    await page.context().close();
  }
});

test.for([
  true,
  false,
])('going back after the submit leads to the submitted response (scripts: %s)', async (javaScriptEnabled) => {
  const questions = [[{ type: 'LONG_TEXT' as const, title: 'Story' }]];
  const { formId } = await server().newForm(questions, { allowEditResponse: false });
  const page = await server().open('dave', { javaScriptEnabled });
  await page.goto(`${server().url}/f/${formId}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Story').fill('Frogs');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  // First the list of answers, then the section.
  for (let back = 0; back < 2; back += 1) {
    await page.goBack();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await page.getByRole('button', { name: 'Submit', exact: true }).count()).toBe(0);
  }
  expect(page.url()).toContain('/done');
  await page.context().close();
});

test('a form is submitted once, however often the button is pressed', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
  const page = await server().open('dave', { javaScriptEnabled: false });
  await page.goto(`${server().url}/f/${formId}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Submit' }).dblclick({ noWaitAfter: true });
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await page.goto(`${server().url}/f/${formId}`);
  expect(await page.getByText('Submitted', { exact: true }).count()).toBe(1);
  await page.context().close();
});
