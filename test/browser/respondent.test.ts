/**
 * Answering a form in a browser: sign in through the provider, upload large files directly to storage, connect an
 * account, submit, and read the response. It uses the demo form, the local provider and the local S3.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { app, createApp, replaceApp } from '#core/http/app.ts';
import { buildClient } from '#stacks/build/client.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { type RunningServer, type ServerOptions, startServer } from '#stacks/local/gateway/server.ts';
import { type LocalS3, startS3 } from '#stacks/local/s3/s3.ts';
import { PEOPLE, seed } from '#stacks/local/seed.ts';
import { clientPages, closePages, record, shareBrowser } from './browser.ts';

const home = mkdtempSync(join(tmpdir(), 'respondent-'));
const BUCKET = 'browser-test';
let browser: Browser;
let server: RunningServer;
let s3: LocalS3;
/** The size of each request body that the API received. */
const apiBytes: number[] = [];

const clientPage = clientPages(home);
const pages: ServerOptions['pages'] = (request, response) => {
  const isPage = clientPage(request, response);
  if (!isPage) apiBytes.push(Number(request.headers['content-length'] ?? 0));
  return isPage;
};

beforeAll(async () => {
  buildClient(home);
  browser = await shareBrowser();
  server = await startServer({ routes: routes(), port: 0, pages });
  s3 = await startS3({ directory: null, buckets: [BUCKET], origins: () => [server.url] });
  const config = {
    ...app().config,
    publicUrl: server.url,
    bucketName: BUCKET,
    s3Endpoint: s3.endpoint,
    s3PublicEndpoint: s3.publicEndpoint,
  };
  replaceApp(createApp(config));
  await seed();
});

afterAll(async () => {
  await closePages();
  await server?.stop();
  await s3?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** A page of the service in a new browser context, signed in through the provider. */
async function signIn(who: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const c = `${server.url}/home?tab=1`;
  await page.goto(`${server.url}/api/auth/login/oauth/LOGIN_PROVIDER_1?c=${encodeURIComponent(c)}`);
  await page.getByRole('button', { name: `Continue as ${who}` }).click();
  await page.waitForURL(c);
  return page;
}

/** Runs a function in the page, with the client of the package and `input` as its argument. */
async function inPage<T>(page: Page, script: string, input: unknown = {}): Promise<T> {
  const source = `(async (input) => {
    const { createClient, uploadFiles, addressOf } = await import('/client/client.js');
    return (${script})({ client: createClient({ baseUrl: '' }), uploadFiles, addressOf, ...input });
  })(${JSON.stringify(input)})`;
  return (await page.evaluate(source)) as T;
}

type Started = { formId: string; responseId: string; ids: Record<string, string> };

/** Finds the demo form and starts a response to it. */
const START = `async ({ client }) => {
  const formId = (await client.forms.listMyForms()).body[0].id;
  const responseId = (await client.responses.startResponse({ params: { formId } })).body.id;
  const sections = (await client.sections.listSections({ params: { formId } })).body;
  const questions = sections.flatMap(({ questions }) => questions ?? []);
  const ids = Object.fromEntries(questions.map(({ type, id }) => [type, id]));
  const visitor = questions.find(({ name }) => name === 'visitor').id;
  const choice = questions.find(({ type }) => type === 'SINGLE_CHOICE').choices[1].id;
  const answers = [
    { questionId: visitor, questionType: 'SHORT_TEXT', value: 'Dave' },
    { questionId: ids.SINGLE_CHOICE, questionType: 'SINGLE_CHOICE', value: [choice] },
    { questionId: ids.RATING, questionType: 'RATING', value: 5 },
  ];
  await client.responses.updateAnswers({ params: { responseId }, body: { answers } });
  return { formId, responseId, ids };
}`;

/** A picture of 9 MB: the first bytes of a PNG, then one byte repeated. */
const SIZE = 9_000_000;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
const picture = (fill: number): Buffer => Buffer.concat([Buffer.from(PNG), Buffer.alloc(SIZE - PNG.length, fill)]);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Uploaded = { fileId: string; originalFilename: string; contentType: string; size: number }[];

const UPLOAD = `async ({ client, uploadFiles, responseId, ids, size, png }) => {
  const picture = (fill, name) => {
    const bytes = new Uint8Array(size).fill(fill);
    bytes.set(png);
    return new File([bytes], name, { type: 'image/png' });
  };
  const files = [picture(1, 'Reiher "grün".png'), picture(2, '川の写真.png')];
  return uploadFiles(client, { responseId, questionId: ids.UPLOAD_FILE }, files);
}`;

test('dave uploads two files of 9 MB directly to storage, removes one, connects an account and submits', async () => {
  const page = await signIn('dave');
  const activity = record(page);
  const dave = PEOPLE.find(({ name }) => name === 'dave');
  const me = await inPage<{ id: string }>(page, 'async ({ client }) => (await client.users.getCurrentUser()).body');
  expect(me.id).toBe(dave?.id);
  const started = await inPage<Started>(page, START);
  const { responseId, ids, formId } = started;

  apiBytes.length = 0;
  const uploaded = await inPage<Uploaded>(page, UPLOAD, { ...started, size: SIZE, png: PNG });
  expect(uploaded).toMatchObject([
    { originalFilename: 'Reiher "grün".png', contentType: 'image/png', size: SIZE },
    { originalFilename: '川の写真.png', contentType: 'image/png', size: SIZE },
  ]);
  expect(Math.max(...apiBytes)).toBeLessThan(2_000);
  const puts = activity.requested.filter((url) => url.startsWith(s3.publicEndpoint));
  expect(puts.length).toBeGreaterThanOrEqual(2);

  const [first, second] = uploaded;
  await inPage(page, 'async ({ client, fileId }) => void (await client.files.deleteFile({ params: { fileId } }))', {
    fileId: first?.fileId,
  });

  const connect = `/api/responses/${responseId}/questions/${ids.OAUTH_CONNECT}/oauth`;
  await page.goto(`${server.url}${connect}?r=${encodeURIComponent(`${server.url}/form?step=2`)}`);
  await page.getByRole('button', { name: 'Continue as dave' }).click();
  await page.waitForURL(`${server.url}/form?step=2&status=success`);

  const submit = `async ({ client, responseId }) =>
    (await client.responses.submitResponse({ params: { responseId }, body: { answers: [] } })).body.progress`;
  expect(await inPage(page, submit, { responseId })).toBe('SUBMITTED');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.evaluate(`location.href = '/api/files/${second?.fileId}'`),
  ]);
  expect(download.suggestedFilename()).toBe('川の写真.png');
  expect(digest(readFileSync(await download.path()))).toBe(digest(picture(2)));

  const answers = await inPage<{ questionType: string; value: unknown; displayValue: string }[]>(
    page,
    `async ({ client, formId, responseId }) =>
      (await client.responses.getResponse({ params: { formId, responseId } })).body.sections
        .flatMap(({ answerDetails }) => answerDetails)
        .flatMap(({ payload }) => payload ? [{ ...payload.answer, displayValue: payload.displayValue }] : [])`,
    { formId, responseId },
  );
  expect(answers).toContainEqual(
    expect.objectContaining({
      questionType: 'OAUTH_CONNECT',
      displayValue: 'dave',
      value: expect.objectContaining({ provider: 'PROVIDER_ONE', username: 'dave' }),
    }),
  );
  expect(answers).toContainEqual(
    expect.objectContaining({
      questionType: 'UPLOAD_FILE',
      value: [expect.objectContaining({ fileId: second?.fileId })],
    }),
  );
  // The browser reports a navigation that becomes a download as failed.
  expect(activity.errors.filter((text) => !text.includes('x-id=GetObject'))).toEqual([]);
  await page.context().close();
});

test('frank, who has no account, signs in and chooses his names', async () => {
  const page = await signIn('frank');
  const before = await inPage(page, 'async ({ client }) => (await client.users.getCurrentUser()).body');
  expect(before).toMatchObject({ require_onboarding: true, emails: ['frank@example.org'] });
  const onboard = `async ({ client }) =>
    (await client.users.onboardUser({ body: { username: 'frank', name: 'frank' } })).body`;
  expect(await inPage(page, onboard)).toMatchObject({ require_onboarding: false, username: 'frank' });
  await page.context().close();
});

test('denying a connection returns with status=error&error=access_denied, and the question stays unanswered', async () => {
  const page = await signIn('chelsea');
  const { responseId, ids } = await inPage<Started>(page, START);
  const connect = `${server.url}/api/responses/${responseId}/questions/${ids.OAUTH_CONNECT}/oauth`;
  await page.goto(`${connect}?r=${encodeURIComponent(`${server.url}/form`)}`);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.waitForURL(`${server.url}/form?status=error&error=access_denied`);
  const answer = `async ({ client, responseId, questionId }) =>
    client.responses.getAnswer({ params: { responseId, questionId } }).catch((error) => error.problem.status)`;
  expect(await inPage(page, answer, { responseId, questionId: ids.OAUTH_CONNECT })).toBe(404);

  await page.goto(connect);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'Account not connected' }).waitFor();
  expect(await page.locator('code').innerText()).toBe('access_denied');
  await page.context().close();
});
