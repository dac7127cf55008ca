/** The state of a connection: one use, one browser, one provider, ten minutes. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { app } from '#core/http/app.ts';
import { type Cast, expectProblem, newCast, newForm, send } from '#test/support/fixtures.ts';
import {
  type Browser,
  browserOf,
  connectUrl,
  FRONT,
  followToCallback,
  locationOf,
  stateOf,
  withProviders,
} from '#test/support/oauth.ts';
import { pick } from '#test/support/provider.ts';
import { answerTo, start } from '#test/support/responses.ts';

let cast: Cast;
let responseId: string;
let one: string;
let two: string;
beforeAll(async () => {
  cast = await newCast();
  const built = await newForm(cast.alice, cast.slug, [
    [
      { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' },
      { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_TWO' },
    ],
  ]);
  [one = '', two = ''] = built.questionIds;
  responseId = await start(cast.dave, built.formId);
});
afterEach(() => {
  vi.useRealTimers();
});

const CALLBACK = '/api/oauth/callback/PROVIDER_ONE';

/** Starts a connection of dave's, picks a person, and returns the callback URL. */
const callbackFor = async (browser: Browser, who = 'dave', questionId = one): Promise<string> =>
  pick(await connectUrl(browser, { responseId, questionId, r: `${FRONT}/done` }), who);

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
const cookieOf = (browser: Browser, path = CALLBACK): string =>
  Object.entries(browser.cookiesFor(path))
    .filter(([name]) => name.startsWith('oauth_'))
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

async function expectUnusable(answer: Response): Promise<void> {
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'unusable_state' });
  expect(answer.headers.get('location')).toBeNull();
}

describe('a state', () => {
  test('is refused the second time, even with the cookie of the first', async () => {
    const browser = browserOf(cast.dave);
    const callback = await callbackFor(browser);
    const cookie = cookieOf(browser);
    expect((await browser.visit(callback)).status).toBe(302);
    await expectUnusable(await browser.visit(callback));
    await expectUnusable(await send('GET', pathOf(callback), { headers: { cookie } }));
  });

  test('is used up by a denial too', async () => {
    const browser = browserOf(cast.dave);
    const callback = await callbackFor(browser, 'deny');
    const cookie = cookieOf(browser);
    expect((await browser.visit(callback)).status).toBe(302);
    await expectUnusable(await send('GET', pathOf(callback), { headers: { cookie } }));
  });

  test('is refused in another browser, so nobody can be tricked into connecting an account to another person’s response', async () => {
    const [own, victim] = [browserOf(cast.dave), browserOf(cast.erin)];
    const page = await connectUrl(own, { responseId, questionId: one });
    await expectUnusable(await victim.visit(await pick(page, 'chelsea')));
    expect((await expectProblem(answerTo(cast.dave, responseId, two))).status).toBe(404);
  });

  test('lasts ten minutes', async () => {
    // Time does not pass by itself, however long the requests take.
    vi.useFakeTimers({ toFake: ['Date'] });
    const [early, late] = [browserOf(cast.dave), browserOf(cast.dave)];
    const [inTime, tooLate] = [await callbackFor(early), await callbackFor(late)];
    vi.setSystemTime(Date.now() + 595_000);
    expect((await early.visit(inTime)).status).toBe(302);
    vi.setSystemTime(Date.now() + 10_000);
    await expectUnusable(await late.visit(tooLate));
  });

  test('of one provider is refused at the other', async () => {
    const browser = browserOf(cast.dave);
    const callback = await callbackFor(browser);
    const path = pathOf(callback).replace('PROVIDER_ONE', 'PROVIDER_TWO');
    await expectUnusable(await send('GET', path, { headers: { cookie: cookieOf(browser) } }));
  });

  test('of a connection signs nobody in, and that of a login connects nothing', async () => {
    const browser = browserOf(cast.dave);
    const login = '/api/auth/login/oauth/LOGIN_PROVIDER_1/callback';
    const connection = new URL(await callbackFor(browser));
    await expectUnusable(await send('GET', login + connection.search, { headers: { cookie: cookieOf(browser) } }));
    const signingIn = new URL(await followToCallback(browser, 'dave'));
    const cookie = cookieOf(browser, login);
    await expectUnusable(await send('GET', CALLBACK + signingIn.search, { headers: { cookie } }));
  });

  test('that names another user than the owner of the response stores nothing', async () => {
    const { states, now } = app();
    const browser = browserOf(cast.dave);
    const page = new URL(await connectUrl(browser, { responseId, questionId: one, r: `${FRONT}/done` }));
    const body = Buffer.from(stateOf(page.href).split('.')[1] ?? '', 'base64url').toString();
    const { exp: _, iat: __, aud: ___, ...claims } = JSON.parse(body);
    const payload = { ...claims.payload, userId: cast.erin.id };
    page.searchParams.set('state', await states.sign('connect', { ...claims, payload }, 600, now()));
    const answer = await browser.visit(await pick(page.href, 'dave'));
    expect(locationOf(answer)).toBe(`${FRONT}/done?status=error&error=not_editable`);
  });

  test('that is forged or missing is refused', async () => {
    const browser = browserOf(cast.dave);
    const callback = new URL(await callbackFor(browser));
    const [head, , signature] = stateOf(callback.href).split('.');
    const body = Buffer.from('{"aud":"connect","exp":99999999999}').toString('base64url');
    callback.searchParams.set('state', `${head}.${body}.${signature}`);
    await expectUnusable(await browser.visit(callback.href));
    expect((await send('GET', `${CALLBACK}?code=x`)).status).toBe(400);
  });
});

test('two tabs connect two questions side by side', async () => {
  const browser = browserOf(cast.dave);
  const [first, second] = [await callbackFor(browser, 'bob'), await callbackFor(browser, 'chelsea', two)];
  expect((await browser.visit(second)).status).toBe(302);
  expect((await browser.visit(first)).status).toBe(302);
  expect((await answerTo(cast.dave, responseId, one)).answer.value).toMatchObject({ username: 'bob' });
  expect((await answerTo(cast.dave, responseId, two)).answer.value).toMatchObject({ providerId: 'person-chelsea' });
});

describe('a provider', () => {
  test.for(['PROVIDER_THREE', 'LOGIN_PROVIDER_1', 'toString'])('called %s is 404', async (name) => {
    expect((await send('GET', `/api/oauth/callback/${name}`)).status).toBe(404);
  });

  test('that is not configured is 404', async () => {
    await withProviders({ PROVIDER_ONE: undefined }, async () => {
      expect((await send('GET', `${CALLBACK}?state=x`)).status).toBe(404);
    });
  });
});
