/** Connecting an account as the answer to a question: what it stores, and where it ends. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { ProviderSettings } from '#core/identity/provider-settings.ts';
import { withConfig } from '#test/support/faults.ts';
import { local, PICTURES, upload } from '#test/support/files.ts';
import { expectProblem, newCast, newForm, send } from '#test/support/fixtures.ts';
import {
  browserOf,
  connect,
  connectPath,
  connectUrl,
  FRONT,
  locationOf,
  stateOf,
  withProviders,
} from '#test/support/oauth.ts';
import { pagesOf } from '#test/support/pages.ts';
import { pick } from '#test/support/provider.ts';
import { answerTo, branchedForm, preview, progresses, save, start, submit, text } from '#test/support/responses.ts';
import { cookiesOf } from '#test/support/sessions.ts';

const ONE = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' } as const;
const TWO = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_TWO' } as const;

const cast = await newCast();

/** A form with a question for each provider, and a response of dave to it. */
async function scene(options: { allowEditResponse?: boolean; required?: boolean } = {}) {
  const { required = false, ...form } = options;
  const built = await newForm(cast.alice, cast.slug, [[{ ...ONE, required }, TWO]], form);
  const [one = '', two = ''] = built.questionIds;
  return { ...built, one, two, responseId: await start(cast.dave, built.formId) };
}

describe('a section behind a question that was left empty', () => {
  test('takes answers, files and an account, and the response can be submitted', async () => {
    const form = await branchedForm(
      { person: cast.alice, slug: cast.slug },
      {
        first: [{ type: 'SHORT_TEXT' }],
        yes: [],
        no: [ONE, { type: 'UPLOAD_FILE', uploadFile: PICTURES }, { type: 'SHORT_TEXT', required: true }],
      },
    );
    const [one = '', files = '', why = ''] = form.no;
    const responseId = await start(cast.dave, form.formId);
    const pages = pagesOf(cast.dave);
    const sectionPath = `/r/${responseId}/s/${form.sectionIds[0]}`;
    const onward = await pages.postSection(sectionPath, [['do', 'next']]);
    expect(onward.headers.get('location')).toBe(`/r/${responseId}/s/${form.sectionIds[2]}`);
    await save(cast.dave, responseId, [text(why, 'rain')]);
    await upload(cast.dave, { responseId, questionId: files }, [local('river.txt')]);
    const target = { responseId, questionId: one, r: `${FRONT}/form` };
    expect(locationOf(await connect(browserOf(cast.dave), target, 'dave'))).toBe(`${FRONT}/form?status=success`);
    // The preview shows only what answers have decided.
    expect(progresses(await preview(cast.dave, form.formId, responseId))).toEqual([
      'NOT_STARTED',
      'SKIPPED',
      'SKIPPED',
      'SKIPPED',
    ]);
    await submit(cast.dave, responseId);
    expect(progresses(await preview(cast.dave, form.formId, responseId))).toEqual([
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
      'SKIPPED',
    ]);
  });
});

describe('a connected account', () => {
  test('is the answer to the question, and r gets the success', async () => {
    const { responseId, one } = await scene();
    const answer = await connect(
      browserOf(cast.dave),
      { responseId, questionId: one, r: `${FRONT}/form?a=b#c` },
      'dave',
    );
    expect(locationOf(answer)).toBe(`${FRONT}/form?a=b&status=success#c`);
    const stored = await answerTo(cast.dave, responseId, one);
    expect(stored.answer).toEqual({
      questionId: one,
      questionType: 'OAUTH_CONNECT',
      value: {
        provider: 'PROVIDER_ONE',
        providerId: 'person-dave',
        username: 'dave',
        email: 'dave@example.org',
        avatar_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pictures\/dave\.svg$/),
        avatarUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pictures\/dave\.svg$/),
      },
    });
  });

  test('is read by the mapping of its own provider', async () => {
    const { responseId, two } = await scene();
    await connect(browserOf(cast.dave), { responseId, questionId: two }, 'chelsea');
    expect((await answerTo(cast.dave, responseId, two)).answer.value).toMatchObject({
      provider: 'PROVIDER_TWO',
      username: 'Chelsea Clark',
    });
  });

  test.for([
    ['e-mail address', { username: '' }, 'dave@example.org', 'dave@example.org'],
    ['identifier', { username: '', email: '' }, 'person-dave', null],
    [
      'identifier, if the provider did not verify the address',
      { username: '', emailVerified: '' },
      'person-dave',
      null,
    ],
  ] as const)('without a username is shown by its %s', async ([, profile, shown, email]) => {
    const { responseId, one } = await scene();
    const settings = ProviderSettings().parse({ ...JSON.parse(process.env.PROVIDER_ONE ?? ''), profile });
    await withProviders({ PROVIDER_ONE: settings }, () =>
      connect(browserOf(cast.dave), { responseId, questionId: one }, 'dave'),
    );
    const stored = await answerTo(cast.dave, responseId, one);
    expect(stored.displayValue).toBe(shown);
    expect(stored.answer.value).toMatchObject({ email });
  });

  test('may belong to any person at the provider: the callback signs nobody in and creates no user', async () => {
    const { responseId, one } = await scene();
    const answer = await connect(browserOf(cast.dave), { responseId, questionId: one }, 'frank');
    expect(Object.keys(cookiesOf(answer))).toEqual([expect.stringMatching(/^oauth_/)]);
    const [identity] = await app().table.read([{ pk: 'IDENTITY#PROVIDER_ONE#person-frank', sk: 'IDENTITY' }]);
    expect(identity).toBeUndefined();
  });

  test('replaces another one; the same one again changes nothing', async () => {
    const { responseId, one } = await scene();
    const connection = { responseId, questionId: one };
    await connect(browserOf(cast.dave), connection, 'dave');
    const before = await answerTo(cast.dave, responseId, one);
    await connect(browserOf(cast.dave), connection, 'dave');
    expect(await answerTo(cast.dave, responseId, one)).toEqual(before);
    await connect(browserOf(cast.dave), connection, 'bob');
    const after = await answerTo(cast.dave, responseId, one);
    expect(after.answer.value).toMatchObject({ username: 'bob' });
    expect(after.createdAt).toBe(before.createdAt);
  });

  test('needs no session at the callback', async () => {
    const { responseId, one } = await scene();
    const browser = browserOf(cast.dave);
    const callback = await pick(await connectUrl(browser, { responseId, questionId: one }), 'dave');
    const cookies = Object.entries(browser.cookiesFor(new URL(callback).pathname)).filter(
      ([name]) => name !== 'access_token',
    );
    const { pathname, search } = new URL(callback);
    const answer = await send('GET', pathname + search, {
      headers: { cookie: cookies.map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    expect(answer.status).toBe(200);
    expect((await answerTo(cast.dave, responseId, one)).answer.value).toMatchObject({ username: 'dave' });
  });

  test('completes a response whose question is required', async () => {
    const { responseId, one } = await scene({ required: true });
    expect(await expectProblem(submit(cast.dave, responseId))).toMatchObject({ code: 'response_incomplete' });
    await connect(browserOf(cast.dave), { responseId, questionId: one }, 'dave');
    expect((await submit(cast.dave, responseId)).body.progress).toBe('SUBMITTED');
  });

  test('is edited in place in a submitted response that may be edited', async () => {
    const { formId, responseId, one } = await scene({ allowEditResponse: true });
    await submit(cast.dave, responseId);
    await connect(browserOf(cast.dave), { responseId, questionId: one }, 'dave');
    const { progress, sections } = await preview(cast.dave, formId, responseId);
    expect(progress).toBe('SUBMITTED');
    expect(sections[0]?.answerDetails[0]?.payload?.answer.value).toMatchObject({ username: 'dave' });
  });

  test('decides the path through the form by its username', async () => {
    const { formId, asked, yes } = await branchedForm(
      { person: cast.alice, slug: cast.slug },
      { first: [ONE], yes: [{ type: 'SHORT_TEXT' }], no: [] },
      { pattern: '^dave$' },
    );
    const responseId = await start(cast.dave, formId);
    const [onYes = ''] = yes;
    await connect(browserOf(cast.dave), { responseId, questionId: asked }, 'bob');
    expect((await expectProblem(save(cast.dave, responseId, [text(onYes, 'a')]))).errors?.[0]?.detail).toMatch(
      /^SKIPPED/,
    );
    await connect(browserOf(cast.dave), { responseId, questionId: asked }, 'dave');
    expect((await save(cast.dave, responseId, [text(onYes, 'a')])).status).toBe(200);
  });

  test('can be connected again in a submitted response, whatever the path would be without it', async () => {
    const { formId, asked } = await branchedForm(
      { person: cast.alice, slug: cast.slug },
      { first: [ONE], yes: [], no: [{ type: 'SHORT_TEXT', required: true }] },
      { pattern: '^dave$' },
      { allowEditResponse: true },
    );
    const responseId = await start(cast.dave, formId);
    const connection = { responseId, questionId: asked };
    await connect(browserOf(cast.dave), connection, 'dave');
    await submit(cast.dave, responseId);
    expect((await connect(browserOf(cast.dave), connection, 'dave')).status).toBe(200);
  });

  test('is kept beside answers that are saved in the meantime', async () => {
    const built = await newForm(cast.alice, cast.slug, [[ONE, { type: 'SHORT_TEXT' }]]);
    const [one = '', other = ''] = built.questionIds;
    const responseId = await start(cast.dave, built.formId);
    const browser = browserOf(cast.dave);
    const callback = await pick(await connectUrl(browser, { responseId, questionId: one }), 'dave');
    await save(cast.dave, responseId, [text(other, 'meanwhile')]);
    await browser.visit(callback);
    expect((await answerTo(cast.dave, responseId, other)).answer.value).toBe('meanwhile');
    expect((await answerTo(cast.dave, responseId, one)).answer.value).toMatchObject({ username: 'dave' });
  });
});

describe('the redirect to the provider', () => {
  test('is with PKCE, a nonce and a state of ten minutes that names response, question, user and r', async () => {
    const { responseId, one } = await scene();
    const browser = browserOf(cast.dave);
    const started = await browser.visit(connectPath({ responseId, questionId: one, r: '/form' }));
    const page = new URL(locationOf(started));
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      redirect_uri: `${FRONT}/api/oauth/callback/PROVIDER_ONE`,
      scope: expect.stringMatching(/^openid /),
      code_challenge_method: 'S256',
      nonce: expect.any(String),
    });
    const claims = JSON.parse(Buffer.from(stateOf(page.href).split('.')[1] ?? '', 'base64url').toString());
    expect(claims.payload).toEqual({ responseId, questionId: one, userId: cast.dave.id, target: `${FRONT}/form` });
    expect(claims.exp - claims.iat).toBe(600);
    const [cookie] = Object.values(cookiesOf(started));
    const path = '/api/oauth/callback/PROVIDER_ONE';
    expect(cookie?.attributes).toEqual({ httponly: '', samesite: 'Lax', path, 'max-age': '600' });
  });

  test('is the same for a caller with a header instead of a cookie', async () => {
    const { responseId, one } = await scene();
    const { headers } = await cast.dave.client.connections.startConnection({ params: { responseId, questionId: one } });
    expect(headers.get('location')).toContain('code_challenge=');
  });
});

describe('without r', () => {
  /** The text of the page, which must be safe to show in a browser. */
  async function readPage(answer: Response): Promise<string> {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('location')).toBeNull();
    const page = await answer.text();
    for (const part of ['<!doctype html>', '<html lang="en">', '<title>', '<main>', '<h1>', 'name="viewport"']) {
      expect(page).toContain(part);
    }
    expect(page).not.toMatch(/<script|<img|<link|https?:|\son\w+=/i);
    return page;
  }

  test('a page says that the account is connected', async () => {
    const { responseId, one } = await scene();
    const answer = await connect(browserOf(cast.dave), { responseId, questionId: one }, 'dave');
    expect(await readPage(answer)).toContain('<h1>Account connected</h1>');
  });

  test('a page says why it is not', async () => {
    const { responseId, one } = await scene();
    const answer = await connect(browserOf(cast.dave), { responseId, questionId: one }, 'deny');
    expect(await readPage(answer)).toMatch(/<h1>Account not connected<\/h1>[\s\S]*<code>access_denied<\/code>/);
    expect((await expectProblem(answerTo(cast.dave, responseId, one))).status).toBe(404);
  });

  test.for([
    '<b>&</b>',
    "'x' & y",
    '__proto__',
    'constructor',
    '</code></main>',
  ])('a page escapes the code %s', async (error) => {
    const { responseId, one } = await scene();
    const browser = browserOf(cast.dave);
    const page = await connectUrl(browser, { responseId, questionId: one });
    const query = new URLSearchParams({ state: stateOf(page), error });
    const shown = await readPage(await browser.visit(`/api/oauth/callback/PROVIDER_ONE?${query}`));
    const escaped = error
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll("'", '&#39;');
    expect(shown).toContain(`<code>${escaped}</code>`);
  });
});

test('r may be on an allowed origin, its own query kept, an earlier outcome replaced', async () => {
  const { responseId, one } = await scene();
  await withConfig({ allowedOrigins: ['https://app.example.org'] }, async () => {
    const r = 'https://app.example.org/in?x=1&status=error&error=access_denied';
    const answer = await connect(browserOf(cast.dave), { responseId, questionId: one, r }, 'dave');
    expect(locationOf(answer)).toBe('https://app.example.org/in?x=1&status=success');
  });
});

test('an edit of the form in the meantime does not matter as long as the question stays', async () => {
  const { responseId, one, formId } = await scene();
  const browser = browserOf(cast.dave);
  const callback = await pick(await connectUrl(browser, { responseId, questionId: one }), 'dave');
  await cast.alice.client.forms.updateForm({ params: { formId }, body: { title: 'Another title' } });
  expect((await browser.visit(callback)).status).toBe(200);
  expect(await answerTo(cast.dave, responseId, one)).toBeDefined();
});
