/** The headers of every response that tell browsers what not to do. */
import { beforeAll, describe, expect, test } from 'vitest';
import { app, createApp, replaceApp } from '#core/http/app.ts';
import { type Cast, newCast, newForm, send } from '#test/support/fixtures.ts';

let cast: Cast;
let formId: string;
beforeAll(async () => {
  cast = await newCast();
  ({ formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]));
});

const ORIGIN = 'http://127.0.0.1:3000';
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => send('GET', path, { headers });

describe('every response', () => {
  const responses = (): [string, Promise<Response>][] => [
    ['JSON', get('/api/healthz')],
    ['a problem', get('/api/users/me')],
    ['an operation that does not exist', get('/api/none')],
    ['a page', get('/sign-in')],
    ['a page that does not exist', get('/none', { accept: 'text/html' })],
    ['a redirect', get('/')],
    ['an asset that does not exist', get('/assets/none.css')],
    ['a posted form', send('POST', '/language', { headers: { origin: ORIGIN }, body: 'language=en' })],
  ];

  test('tells browsers not to guess its type', async () => {
    for (const [name, response] of responses()) {
      expect([name, (await response).headers.get('x-content-type-options')]).toEqual([name, 'nosniff']);
    }
  });

  test.for([
    ['https://forms.example.org', 'max-age=31536000'],
    ['http://127.0.0.1:3000', null],
  ] as const)('of %s has Strict-Transport-Security %s', async ([publicUrl, expected]) => {
    const before = app();
    replaceApp(createApp({ ...before.config, publicUrl }));
    try {
      for (const path of ['/api/healthz', '/api/users/me', '/sign-in', '/']) {
        expect([path, (await get(path)).headers.get('strict-transport-security')]).toEqual([path, expected]);
      }
    } finally {
      replaceApp(before);
    }
  });
});

test('browsers keep no page with answers', async () => {
  const responseId = (await cast.dave.client.responses.startResponse({ params: { formId } })).body.id;
  const readCache = async (path: string, { token }: { token: string }) =>
    (await get(path, { cookie: `access_token=${token}` })).headers.get('cache-control');
  expect(await readCache(`/r/${responseId}/check`, cast.dave)).toBe('no-store');
  expect(await readCache(`/review/${formId}`, cast.alice)).toBe('no-store');
  expect(await readCache('/', cast.alice)).toBe('private, no-cache');
});
