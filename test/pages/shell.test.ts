/** What all pages have in common: sign-in and back, languages, security headers, compression, renewed sessions. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, expect, test, vi } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import { StorageBusy } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { captureOutput } from '#test/support/console.ts';
import { type Cast, newCast, newForm, send } from '#test/support/fixtures.ts';
import { cookiesOf, newSession } from '#test/support/sessions.ts';
import { deliverStream } from '#test/support/workers.ts';

let cast: Cast;
let formId: string;
beforeAll(async () => {
  cast = await newCast();
  ({ formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title: '<b>Rivers</b> & "frogs"' }));
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => send('GET', path, { headers });
const as = ({ token }: { token: string }, headers: Record<string, string> = {}): Record<string, string> => ({
  cookie: `access_token=${token}`,
  ...headers,
});
const ORIGIN = 'http://127.0.0.1:3000';
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  send('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN, ...headers },
    body: new URLSearchParams(fields).toString(),
  });

test('a page leads to sign-in and back', async () => {
  const away = await get(`/f/${formId}?a=1`);
  expect([away.status, away.headers.get('location')]).toEqual([
    303,
    `/sign-in?to=${encodeURIComponent(`/f/${formId}?a=1`)}`,
  ]);
  expect(away.headers.get('cache-control')).toBe('no-store');
  const back = await post('/sign-in', { uid: cast.dave.id, to: `/f/${formId}?a=1` });
  expect([back.status, back.headers.get('location')]).toEqual([303, `/f/${formId}?a=1`]);
  const { access_token: access } = cookiesOf(back);
  expect((await get('/', { cookie: `access_token=${access?.value}` })).status).toBe(200);
});

test('sign-in leads to no other site', async () => {
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
  ]) {
    const back = await post('/sign-in', { uid: cast.dave.id, to });
    expect([to, back.headers.get('location')]).toEqual([to, '/']);
  }
});

test('the sign-in page says what waits, by the address alone', async () => {
  const form = 'You were sent a form. Sign in to open it';
  for (const [to, lead] of [
    [`/f/${formId}`, form],
    ['/f/00000000-0000-4000-8000-000000000000', form],
    [`/review/${formId}`, 'Sign in to open this page'],
    ['/', 'Sign in to fill in forms'],
    ['//evil.example/f/x', 'Sign in to fill in forms'],
  ] as const) {
    const html = await (await get(`/sign-in?${new URLSearchParams({ to })}`)).text();
    expect([to, /<p class="lead">(.*?)<\/p>/.exec(html)?.[1]]).toEqual([to, expect.stringContaining(lead)]);
  }
});

test('an expired access token is renewed in the same request, also when a form is posted', async () => {
  const { refresh } = await newSession(cast.dave);
  const cookie = `access_token=expired; refresh_token=${refresh}`;
  const started = await post(`/f/${formId}/start`, {}, { cookie });
  expect(started.headers.get('location')).toMatch(/^\/r\//);
  const { access_token: access, refresh_token: renewed } = cookiesOf(started);
  expect(access?.value).toBeTruthy();
  expect((await get('/', { cookie: `refresh_token=${renewed?.value}` })).status).toBe(200);
});

test('a session that has ended leads to sign-in and is cleared', async () => {
  const response = await get('/', { cookie: 'refresh_token=00000000-0000-4000-8000-000000000000.nothing' });
  expect(response.headers.get('location')).toBe('/sign-in?to=%2F');
  expect(cookiesOf(response).refresh_token?.value).toBe('');
});

test('what was entered stays on the page when the session has ended, and can be sent again after signing in', async () => {
  const entered = { username: 'dave.new', name: 'dave_2"><b>', to: '/f/x' };
  const refused = await post('/onboarding?a=1', entered);
  expect(refused.status).toBe(401);
  const html = await refused.text();
  expect(html).toContain('<form method="post" action="/onboarding?a=1"');
  expect(html).toContain('name="username" value="dave.new"');
  expect(html).toContain('name="name" value="dave_2&quot;&gt;&lt;b&gt;"');
  expect(html).toMatch(/<a [^>]*href="\/sign-in" target="_blank"/);
  expect(html).not.toContain('Files are not kept');
  const form = new FormData();
  form.append('username', 'x');
  form.append('q', new File(['frogs'], 'frogs.txt'));
  const upload = await send('POST', '/onboarding', { headers: { origin: ORIGIN }, body: form });
  expect(await upload.text()).toContain('Files are not kept');
  // Not for a form of another site.
  const foreign = await post('/onboarding', entered, { origin: 'https://evil.example' });
  expect(await foreign.text()).not.toContain('dave.new');
});

test('a page that is busy can be tried again, with what was entered', async () => {
  captureOutput();
  const busy = () => vi.spyOn(app().tokens, 'verify').mockRejectedValueOnce(new StorageBusy(new Error('busy')));
  busy();
  const read = await get('/?after=x', as(cast.dave));
  expect([read.status, read.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await read.text()).toContain('href="/?after=x">Try again</a>');
  busy();
  const sent = await post('/onboarding', { username: 'dave.new' }, as(cast.dave));
  expect(sent.status).toBe(503);
  expect(await sent.text()).toContain('name="username" value="dave.new"');
  vi.restoreAllMocks();
});

test('after a refused form, the language switch leads to the page of the form', async () => {
  const readReturnPath = async (path: string) =>
    /name="to" value="([^"]*)"/.exec(
      await (await post(path, {}, { ...as(cast.dave), origin: 'https://evil.example' })).text(),
    )?.[1];
  const form = `/f/${formId}`;
  expect(await readReturnPath(`${form}/start`)).toBe(form);
  expect(await readReturnPath('/r/x/submit')).toBe('/r/x');
  expect(await readReturnPath('/r/x/s/y')).toBe('/r/x/s/y');
  expect(await readReturnPath('/sign-out')).toBe('/');
  expect(await readReturnPath('/review/x/r/y/deliveries/email?view=z')).toBe('/review/x/r/y?view=z');
});

test('forms that another site posts are refused', async () => {
  const headers = as(cast.dave);
  const foreign = [{ origin: 'https://evil.example' }, { origin: 'null' }];
  for (const more of foreign) {
    const response = await post(`/f/${formId}/start`, {}, { ...headers, ...more });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Request refused');
  }
  const without = await send('POST', `/f/${formId}/start`, { headers });
  expect(without.status).toBe(403);
  const own = await send('POST', `/f/${formId}/start`, { headers: { ...headers, 'sec-fetch-site': 'same-origin' } });
  expect(own.status).toBe(303);
});

test('scripts get the address to which a page leads as data, and problems too', async () => {
  const accept = 'application/json, text/html';
  const started = await post(`/f/${formId}/start`, {}, as(cast.dave, { accept }));
  expect([started.status, started.headers.get('location')]).toEqual([200, null]);
  expect(await started.json()).toEqual({ location: expect.stringMatching(/^\/r\//) });
  const refused = await post('/onboarding', {}, { accept });
  expect([refused.status, await refused.json()]).toEqual([401, { problem: 'unauthorized' }]);
  expect((await get('/onboarding', as(cast.dave, { accept }))).headers.get('content-type')).toContain('text/html');
});

test('a page is in the language of the reader, and a chosen language is kept', async () => {
  const readLanguage = async (headers: Record<string, string>) =>
    /<html lang="([^"]+)"/.exec(await (await get('/sign-in', headers)).text())?.[1];
  expect(await readLanguage({})).toBe('en');
  expect(await readLanguage({ 'accept-language': 'de, zh-HK;q=0.9, en;q=0.5' })).toBe('zh-TW');
  expect(await readLanguage({ 'accept-language': 'zh;q=0, en' })).toBe('en');
  const chosen = await post('/language', { language: 'zh-TW', to: '/sign-in' });
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/sign-in']);
  expect(await readLanguage({ cookie: `language=${cookiesOf(chosen).language?.value}` })).toBe('zh-TW');
});

test('pages allow no inline code, no other origin and no frame', async () => {
  const response = await get(`/f/${formId}`, as(cast.dave));
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(policy).toContain(new URL(process.env.S3_PUBLIC_ENDPOINT ?? '').origin);
  expect(response.headers.get('referrer-policy')).toBe('same-origin');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const html = await response.text();
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/);
});

test('a title is shown as text', async () => {
  const html = await (await get(`/f/${formId}`, as(cast.dave))).text();
  expect(html).toContain('<h1 dir="auto">&lt;b&gt;Rivers&lt;/b&gt; &amp; &quot;frogs&quot;</h1>');
});

test('pages and assets are compressed as the browser accepts', async () => {
  const plain = await (await get(`/f/${formId}`, as(cast.dave))).text();
  const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"|name="id" value="[^"]*"/g, '');
  const sizes: number[] = [];
  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const response = await get(`/f/${formId}`, as(cast.dave, { 'accept-encoding': encoding }));
    expect(response.headers.get('content-encoding')).toBe(encoding);
    const bytes = Buffer.from(await response.arrayBuffer());
    sizes.push(bytes.length);
    expect(withoutNonce(decompress(bytes).toString())).toBe(withoutNonce(plain));
  }
  expect(Math.max(...sizes)).toBeLessThan(plain.length);
  const link = /href="(\/assets\/style[^"]+)"/.exec(plain)?.[1] ?? '';
  const style = await get(link, { 'accept-encoding': 'gzip, br' });
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(style.headers.get('content-encoding')).toBe('br');
  expect(brotliDecompressSync(Buffer.from(await style.arrayBuffer())).toString()).toContain('--accent');
});

test('an unknown asset and paths out of the directory are not found', async () => {
  for (const path of ['/assets/manifest.json', '/assets/..%2f..%2fpackage.json', '/assets/style.css']) {
    expect((await get(path)).status).toBe(404);
  }
});

test('an asset of another build is served from the bucket, and nothing else is', async () => {
  const name = 'style.0123456789.css';
  await app().bucket.put(objects.asset(name), Buffer.from('body{}'), 'text/css');
  await app().bucket.put(objects.asset('secret.txt'), Buffer.from('secret'), 'text/plain');
  const style = await get(`/assets/${name}`);
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await style.text()).toBe('body{}');
  for (const other of ['secret.txt', 'style.9876543210.css']) expect((await get(`/assets/${other}`)).status).toBe(404);
});

test('a form that is not there is a page in the language of the reader', async () => {
  const path = `/f/${formId.replace(/..$/, '00')}`;
  const response = await get(path, as(cast.dave, { 'accept-language': 'zh-TW' }));
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('找不到頁面');
});

test('an address without a page is a page for browsers and a problem for other clients', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  for (const path of ['/nope', '/f', `/f/${formId}/`, '/apis']) {
    const response = await get(path, { accept, 'accept-language': 'zh-TW' });
    expect([path, response.status]).toEqual([path, 404]);
    const html = await response.text();
    expect(html).toContain('<h1>找不到頁面</h1>');
    expect(html).toContain('href="/"');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  expect(await (await get('/nope', as(cast.dave, { accept }))).text()).toContain('Sign out');
  expect(await (await post('/nope', {}, { accept })).text()).toContain('Page not found');
  for (const [path, accepted] of [
    ['/nope', '*/*'] as const,
    ['/api', accept] as const,
    ['/api/nope', accept] as const,
  ]) {
    const response = await get(path, { accept: accepted });
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'not_found', instance: path });
  }
});

test('forms that create or change something are sent once by a double click', async () => {
  const landing = await (await get(`/f/${formId}`, as(cast.dave))).text();
  expect(landing).toContain(`action="/f/${formId}/start" data-once`);
  const onboarding = await (await get('/onboarding', as(cast.dave))).text();
  expect(onboarding).toMatch(/action="\/onboarding" [^>]*data-once/);
});

test('HEAD is a page without its body', async () => {
  const link = /href="(\/assets\/style[^"]+)"/.exec(await (await get('/sign-in')).text())?.[1] ?? '';
  for (const path of ['/sign-in', '/', link]) {
    const shown = await get(path);
    const response = await send('HEAD', path);
    expect([path, response.status, await response.text()]).toEqual([path, shown.status, '']);
    for (const name of ['content-type', 'location', 'cache-control']) {
      expect([path, name, response.headers.get(name)]).toEqual([path, name, shown.headers.get(name)]);
    }
  }
});

test.each([
  ['HEAD', '/language', 'POST'],
  ['GET', '/language', 'POST'],
  ['PUT', '/sign-in', 'GET, HEAD, POST'],
  ['DELETE', '/onboarding', 'GET, HEAD, POST'],
  ['OPTIONS', '/', 'GET, HEAD'],
])('%s of %s is refused, with the methods that it has', async (method, path, allow) => {
  const response = await send(method, path);
  expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  expect(await response.text()).toBe(method === 'HEAD' ? '' : `This address takes ${allow} only.\n`);
});

test('names are checked where they are chosen, and what was typed is kept', async () => {
  const refused = await post('/onboarding', { username: 'no spaces', name: '<b>', to: '/f/x' }, as(cast.erin));
  expect(refused.status).toBe(400);
  const html = await refused.text();
  expect(html).toContain('value="no spaces"');
  expect(html).toContain('value="&lt;b&gt;"');
  expect(html.match(/Enter a username of 1 to 64/g)).toHaveLength(2);
  const name = `erin.${cast.erin.id.slice(0, 6)}`;
  const accepted = await post('/onboarding', { username: name, name: 'erin_2', to: '/f/x' }, as(cast.erin));
  expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/f/x']);
});

test('storage that fails is a page that says so', async () => {
  captureOutput();
  vi.spyOn(app().tokens, 'verify').mockRejectedValueOnce(new Error('broken'));
  const response = await get('/', as(cast.dave));
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('Something went wrong');
  vi.restoreAllMocks();
});

test('the landing page says when a form opens, and home shows the progress of a draft', async () => {
  const later = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Later' });
  await cast.alice.client.forms.updateForm({
    params: { formId: later.formId },
    body: { publishTime: '2100-01-01T10:30:00Z' },
  });
  const notYet = await (await get(`/f/${later.formId}`, as(cast.dave))).text();
  expect(notYet).toContain('This form is not open yet');
  expect(notYet).toMatch(/<time datetime="2100-01-01T10:30:00.000Z"[^>]*>1 Jan 2100, 10:30 UTC<\/time>/);
  const two = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }], [{ type: 'LONG_TEXT' }]]);
  const [questionId = ''] = two.questionIds;
  const answers = [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'x' }];
  await cast.chelsea.client.responses.startResponse({ params: { formId: two.formId }, body: { answers } });
  expect(await (await get('/', as(cast.chelsea))).text()).toContain('1 of 2 sections complete');
  // Lists count from the counters, which follow the stream.
  await deliverStream();
  const members = await (await get('/', as(cast.bob))).text();
  expect(members).toContain(`href="/review/${two.formId}"`);
  expect(members).toContain('0 responses, 1 draft');
});
