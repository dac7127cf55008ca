/** The size of posted forms: few fields, few bytes, and little of them repeated to somebody who is not signed in. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cast, newCast, newForm, send } from '#test/support/fixtures.ts';

let cast: Cast;
let formId: string;
let responseId: string;
let section: string;
beforeAll(async () => {
  cast = await newCast();
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  formId = form.formId;
  responseId = (await cast.dave.client.responses.startResponse({ params: { formId } })).body.id;
  section = `/r/${responseId}/s/${form.sectionIds[0]}`;
});

type Who = { token: string } | undefined;

const post = (path: string, body: string, who: Who): Promise<Response> =>
  send('POST', path, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://127.0.0.1:3000',
      ...(who && { cookie: `access_token=${who.token}` }),
    },
    body,
  });

/** The status of a response, and how many fields its page repeats. */
async function repeated(response: Response): Promise<{ status: number; fields: number; bytes: number }> {
  const text = await response.text();
  return {
    status: response.status,
    fields: text.split('<input type="hidden" name="a"').length - 1,
    bytes: text.length,
  };
}

describe('a form of a few short fields with more than 16 KB is 413', () => {
  test.for([
    ['/sign-in', () => '/sign-in'],
    ['/sign-out', () => '/sign-out'],
    ['/language', () => '/language'],
    ['/onboarding', () => '/onboarding'],
    ['/f/{formId}/start', () => `/f/${formId}/start`],
    ['/r/{responseId}/submit', () => `/r/${responseId}/submit`],
    ['/r/{responseId}/cancel', () => `/r/${responseId}/cancel`],
  ] satisfies [string, () => string][])('%s', async ([, path]) => {
    const response = await post(path(), `a=${'b'.repeat(16_384)}`, cast.dave);
    expect(response.status).toBe(413);
  });
});

test('a section takes 10,000 fields, and is 400 with more', async () => {
  expect((await post(section, 'a&'.repeat(9_999), cast.dave)).status).toBe(303);
  expect((await post(section, 'a&'.repeat(10_000), cast.dave)).status).toBe(400);
});

describe('a button that a page does not have is refused, and changes nothing', () => {
  test.for([
    ['/build/{formId}', () => `/build/${formId}`, 'do=delete'],
    ['/build/{formId}, without a button', () => `/build/${formId}`, 'title=Lakes'],
    ['/build/{formId}, a member of every object', () => `/build/${formId}`, 'do=toString'],
    ['/build/{formId}/settings', () => `/build/${formId}/settings`, 'do=close&title=Lakes'],
    ['/build/{formId}/changes, without a button', () => `/build/${formId}/changes`, 'revision=1'],
    ['/o/{slug}/members', () => `/o/${cast.slug}/members`, 'do=OWNER:0'],
  ] satisfies [string, () => string, string][])('%s', async ([, path, body]) => {
    const before = (await cast.alice.client.forms.getForm({ params: { formId } })).body;
    expect((await post(path(), body, cast.alice)).status).toBe(404);
    expect((await cast.alice.client.forms.getForm({ params: { formId } })).body).toEqual(before);
  });
});

describe('a form that was sent without being signed in', () => {
  test('is repeated', async () => {
    const result = await repeated(await post(section, `a=${'b'.repeat(200_000)}`, undefined));
    expect(result).toMatchObject({ status: 401, fields: 1 });
  });

  test.for([
    ['with more than 256 KB', `a=${'b'.repeat(262_144)}`],
    ['that is longer than 256 KB as a page', `a=${'%22'.repeat(80_000)}`],
    ['with many short fields', 'a&'.repeat(9_000)],
    ['with too many fields', 'a&'.repeat(800_000)],
  ] as const)('is not repeated %s', async ([, body]) => {
    const result = await repeated(await post(section, body, undefined));
    expect(result).toMatchObject({ status: 401, fields: 0 });
    expect(result.bytes).toBeLessThan(20_000);
  });
});
