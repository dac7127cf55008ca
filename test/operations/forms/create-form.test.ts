/** Creating a form, and the rules of its settings. */
import { beforeAll, expect, test } from 'vitest';
import { draftForm, readFaults, requestAs, settings } from '#test/support/building.ts';
import { type Cast, newCast, person } from '#test/support/fixtures.ts';

let cast: Cast;
let path: string;
beforeAll(async () => {
  cast = await newCast();
  path = `/api/orgs/${cast.slug}/forms`;
});

const faults = (more: object) => readFaults(cast.bob, 'POST', path, settings(more));

test('a member creates a form: 201, a DRAFT whose unitId is the organization’s id, everything optional at its default', async () => {
  const { status, body, headers } = await requestAs(cast.bob, 'POST', path, settings({ visibility: 'PRIVATE' }));
  expect(status).toBe(201);
  expect(headers.get('etag')).toBe('"1"');
  const me = (await cast.bob.client.users.getCurrentUser()).body;
  const bob = { id: me.id, name: me.name, username: me.username, emails: me.emails };
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
    title: 'Spring survey',
    description: null,
    descriptionHtml: '',
    previewMessage: '',
    status: 'DRAFT',
    unitId: cast.orgId,
    creator: bob,
    lastEditor: bob,
    deadline: null,
    publishTime: null,
    messageAfterSubmission: '',
    audience: 'ACCOUNT',
    noticesWithAnswers: false,
    oncePerPerson: false,
    maxResponses: null,
    retentionDays: null,
    draftDays: null,
    retentionFrom: null,
    closedMessage: null,
    sendResponseEmail: false,
    dressing: {},
    layout: 'SECTIONS',
    coverImage: null,
    spreadsheetUrl: null,
    spreadsheet: null,
    visibility: 'PRIVATE',
    allowEditResponse: true,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: body.createdAt,
  });
  expect((await cast.bob.client.forms.getForm({ params: { formId: body.id } })).body).toEqual(body);
});

test('every setting that is sent comes back as it was sent', async () => {
  const sent = {
    title: 'Frogs',
    visibility: 'PUBLIC' as const,
    allowEditResponse: false,
    description: { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }] },
    previewMessage: 'Come and count',
    publishTime: '2026-05-01T00:00:00.000Z',
    deadline: '2026-05-02T00:00:00.000Z',
    messageAfterSubmission: 'Thank you',
    sendResponseEmail: true,
    dressing: { color: '#a1B2c3', headerFont: 'inter', questionFont: 'lora', textFont: 'noto-sans-tc' },
    layout: 'ONE_QUESTION' as const,
    coverImage: null,
    spreadsheetUrl: 'https://sheets.example.org/d/1',
  };
  expect(await draftForm(cast.bob, cast.slug, sent)).toMatchObject({ ...sent, descriptionHtml: '<p>Hi</p>' });
});

test('null is the same as leaving an optional setting out', async () => {
  const nothing = {
    description: null,
    previewMessage: null,
    deadline: null,
    publishTime: null,
    messageAfterSubmission: null,
    sendResponseEmail: null,
    dressing: null,
    layout: null,
    coverImage: null,
    spreadsheetUrl: null,
  };
  const { id: _1, createdAt: _2, updatedAt: _3, ...nulled } = await draftForm(cast.bob, cast.slug, nothing);
  const { id: _4, createdAt: _5, updatedAt: _6, ...absent } = await draftForm(cast.bob, cast.slug);
  expect(nulled).toEqual(absent);
});

test('title, visibility and allowEditResponse are required, and all that are missing are reported at once', async () => {
  expect(await readFaults(cast.bob, 'POST', path, {})).toEqual([
    '/body/allowEditResponse',
    '/body/title',
    '/body/visibility',
  ]);
  expect(await faults({ title: null, visibility: 'public', allowEditResponse: 'yes' })).toEqual([
    '/body/allowEditResponse',
    '/body/title',
    '/body/visibility',
  ]);
});

test('title is 1 to 200, messageAfterSubmission up to 2,000, previewMessage up to 200 characters', async () => {
  const longest = {
    title: '🐸'.repeat(200),
    messageAfterSubmission: '水'.repeat(2_000),
    previewMessage: 'x'.repeat(200),
  };
  expect(await draftForm(cast.bob, cast.slug, longest)).toMatchObject(longest);
  const longer = Object.fromEntries(Object.entries(longest).map(([name, value]) => [name, `${value}x`]));
  expect(await faults(longer)).toEqual(['/body/messageAfterSubmission', '/body/previewMessage', '/body/title']);
  expect(await faults({ title: '' })).toEqual(['/body/title']);
});

test('times are RFC 3339 with any offset and kept as UTC', async () => {
  const form = await draftForm(cast.bob, cast.slug, {
    publishTime: '2026-05-01T00:30:00.5+08:00',
    deadline: '2026-04-30T23:59:59-05:30',
  });
  expect(form).toMatchObject({ publishTime: '2026-04-30T16:30:00.500Z', deadline: '2026-05-01T05:29:59.000Z' });
});

test.each([
  '2026-05-01',
  '2026-05-01T12:00:00',
  '2026-02-30T12:00:00Z',
  'tomorrow',
  '',
  1_777_593_600_000,
])('a time that is not RFC 3339 is refused: %j', async (deadline) => {
  expect(await faults({ deadline, publishTime: deadline })).toEqual(['/body/deadline', '/body/publishTime']);
});

test('a time that no four-digit year of UTC holds is refused', async () => {
  expect(await faults({ deadline: '9999-12-31T23:59:59-01:00' })).toEqual(['/body/deadline']);
});

test('the deadline must be after publishTime, by the moment and not by the text', async () => {
  expect(await faults({ publishTime: '2026-05-01T10:00:00+02:00', deadline: '2026-05-01T08:00:00Z' })).toEqual([
    '/body/deadline',
  ]);
  expect(await faults({ publishTime: '2026-05-01T09:00:00Z', deadline: '2026-05-01T10:30:00+02:00' })).toEqual([
    '/body/deadline',
  ]);
  const right = { publishTime: '2026-05-01T10:00:00+02:00', deadline: '2026-05-01T08:00:00.001Z' };
  expect((await requestAs(cast.bob, 'POST', path, settings(right))).status).toBe(201);
});

test('a dressing’s colour is #rgb or #rrggbb and its fonts are from the list', async () => {
  const wrong = { color: 'red', headerFont: 'Comic Sans', questionFont: 'Inter', textFont: '' };
  expect(await faults({ dressing: wrong })).toEqual([
    '/body/dressing/color',
    '/body/dressing/headerFont',
    '/body/dressing/questionFont',
    '/body/dressing/textFont',
  ]);
  for (const color of ['#12', '#1234', '#12345g', '123456', '#1234567', '#123;x']) {
    expect(await faults({ dressing: { color } })).toEqual(['/body/dressing/color']);
  }
  expect(await faults({ dressing: '#fff' })).toEqual(['/body/dressing']);
  const short = await draftForm(cast.bob, cast.slug, { dressing: { color: '#Fa0', textFont: null } });
  expect(short.dressing).toEqual({ color: '#Fa0' });
});

test('the layout is one of two', async () => {
  for (const layout of ['PAGES', 'sections', '', 1]) expect(await faults({ layout })).toEqual(['/body/layout']);
});

test.each([
  'https://example.org/a.webp',
  '/api/forms/00000000-0000-4000-8000-000000000000/cover',
  'x',
  '',
])('coverImage takes the path that the cover upload returned and nothing else: %j', async (coverImage) => {
  expect(await faults({ coverImage })).toEqual(['/body/coverImage']);
});

test.each([
  'javascript:alert(1)',
  'ftp://example.org/x',
  'sheet',
  '',
])('spreadsheetUrl is an http or https URL: %j is refused', async (spreadsheetUrl) => {
  expect(await faults({ spreadsheetUrl })).toEqual(['/body/spreadsheetUrl']);
});

test('unknown members of the body are ignored', async () => {
  const unknown = { status: 'PUBLISHED', unitId: cast.dave.id, creator: cast.dave.id, dressing: { shade: 1 } };
  const { status, body } = await requestAs(cast.bob, 'POST', path, { ...settings(), ...unknown });
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'DRAFT', unitId: cast.orgId, dressing: {} } });
  expect(body.creator.id).toBe(cast.bob.id);
});

test('only onboarded members create forms: 403 for others, 401 without a credential, 404 for an unknown organization', async () => {
  expect((await requestAs(cast.chelsea, 'POST', path, settings())).status).toBe(403);
  expect((await requestAs(undefined, 'POST', path, settings())).status).toBe(401);
  expect((await requestAs(cast.bob, 'POST', '/api/orgs/no-such-slug/forms', {})).status).toBe(404);
  const newcomer = await person('newcomer', { onboarded: false });
  await cast.alice.client.orgs.addMember({ params: { slug: cast.slug }, body: { email: newcomer.email } });
  expect((await requestAs(newcomer, 'POST', path, settings())).body).toMatchObject({
    status: 403,
    code: 'onboarding_required',
  });
});
