/** The forms of a respondent: the open public ones and those they have responded to. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { draftForm, readPages, requestAs } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { type Cast, type FormSettings, newCast, type Person, person, seedForms } from '#test/support/fixtures.ts';
import { respond, start } from '#test/support/responses.ts';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const at = (minutes: number): string => new Date(NOW.getTime() + minutes * 60_000).toISOString();

let cast: Cast;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  cast = await newCast();
});
afterAll(() => {
  vi.useRealTimers();
});

// Everybody sees the open PUBLIC forms, so every test begins with none.
let created: string[] = [];
beforeEach(async () => {
  vi.setSystemTime(NOW);
  await Promise.all(created.map((formId) => cast.alice.client.forms.archiveForm({ params: { formId } })));
  created = [];
});

/** New published forms; their ids. */
async function openForms(seeds: readonly FormSettings[]): Promise<string[]> {
  const ids = await seedForms(
    cast.orgId,
    cast.alice.id,
    seeds.map((seed) => ({ ...seed, status: 'PUBLISHED' as const })),
  );
  created.push(...ids);
  return ids;
}

/** A new published form; its id. */
const open = async (title: string, more: FormSettings = {}): Promise<string> =>
  (await openForms([{ title, ...more }]))[0] ?? '';

const readSummaries = async (someone: Person) => (await someone.client.forms.listMyForms()).body;
const titles = async (someone: Person) => (await readSummaries(someone)).map(({ title }) => title);

test('is an empty array for a user without forms, and 401 without a credential', async () => {
  expect(await readSummaries(cast.dave)).toEqual([]);
  expect((await requestAs(undefined, 'GET', '/api/forms/me')).status).toBe(401);
});

test('has the open PUBLIC forms and every form that the user has a response to', async () => {
  await open('open');
  await open('private', { visibility: 'PRIVATE' });
  await open('not yet', { publishTime: at(1) });
  await open('over', { deadline: at(-1) });
  await draftForm(cast.alice, cast.slug, { title: 'draft' });
  const answeredPrivate = await open('answered, private', { visibility: 'PRIVATE' });
  const answeredOver = await open('answered, over', { deadline: at(1) });
  const answeredArchived = await open('answered, archived');
  for (const formId of [answeredPrivate, answeredOver, answeredArchived]) await start(cast.dave, formId);
  await cast.alice.client.forms.archiveForm({ params: { formId: answeredArchived } });
  vi.setSystemTime(at(2));
  await requestAs(cast.alice, 'PATCH', `/api/forms/${created[2]}`, { publishTime: at(5) });
  expect(await titles(cast.erin)).toEqual(['open']);
  expect((await titles(cast.dave)).sort()).toEqual([
    'answered, archived',
    'answered, over',
    'answered, private',
    'open',
  ]);
});

test('has a summary of each form: NOT_STARTED, IN_PROGRESS or COMPLETED', async () => {
  const someone = await person('mary');
  const fresh = await open('a', { deadline: at(10) });
  const draft = await open('b');
  const done = await open('c');
  const both = await open('d', { allowEditResponse: false });
  const [d1, s1] = [await start(someone, draft), await respond(someone, done)];
  const [s2, d2] = [await respond(someone, both), await start(someone, both)];
  expect(await readSummaries(someone)).toEqual([
    { id: fresh, title: 'a', deadline: at(10), allowEditResponse: false, status: 'NOT_STARTED', responseIds: [] },
    { id: draft, title: 'b', deadline: null, allowEditResponse: true, status: 'IN_PROGRESS', responseIds: [d1] },
    { id: done, title: 'c', deadline: null, allowEditResponse: true, status: 'COMPLETED', responseIds: [s1] },
    { id: both, title: 'd', deadline: null, allowEditResponse: false, status: 'IN_PROGRESS', responseIds: [s2, d2] },
  ]);
});

test('allowEditResponse is false once the form is closed', async () => {
  const someone = await person('mary');
  await respond(someone, await open('over', { deadline: at(1) }));
  expect(await readSummaries(someone)).toMatchObject([{ allowEditResponse: true }]);
  vi.setSystemTime(at(2));
  expect(await readSummaries(someone)).toMatchObject([{ allowEditResponse: false, status: 'COMPLETED' }]);
});

test('responseIds: the submitted ones first, newest first, then the drafts', async () => {
  const someone = await person('mary');
  const formId = await open('many');
  const ids: string[] = [];
  for (let minute = 0; minute < 5; minute += 1) {
    vi.setSystemTime(at(minute));
    ids.push(await start(someone, formId));
  }
  const submit = async (minute: number, index: number) => {
    vi.setSystemTime(at(minute));
    const responseId = ids[index] ?? '';
    await someone.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
  };
  await submit(10, 3);
  await submit(11, 0);
  expect((await readSummaries(someone))[0]?.responseIds).toEqual([ids[0], ids[3], ids[4], ids[2], ids[1]]);
  await submit(12, 3);
  expect((await readSummaries(someone))[0]?.responseIds).toEqual([ids[0], ids[3], ids[4], ids[2], ids[1]]);
});

test('open before closed, then the earlier deadline, none last, then the title', async () => {
  const inOrder = [
    ['soon', at(5)],
    ['later A', at(10)],
    ['later B', at(10)],
    ['none', null],
    ['none ', null],
    ['none A', null],
    ['none!', null],
    ['none-A', null],
    ['noneA', null],
  ] as const;
  const over = [
    ['closed early', at(1)],
    ['closed late', at(2)],
  ] as const;
  await openForms([...over, ...inOrder].map(([title, deadline]) => ({ title, deadline })).toReversed());
  const someone = await person('mary');
  for (const formId of created.slice(-2)) await start(someone, formId);
  const hidden = await open('none AA', { visibility: 'PRIVATE' });
  await start(someone, hidden);
  vi.setSystemTime(at(3));
  const order = [...inOrder, ...over].map(([title]): string => title).toSpliced(6, 0, 'none AA');
  expect(await titles(someone)).toEqual(order);
});

test('has each form once and in the same order, whatever the size of a page', async () => {
  const someone = await person('mary');
  const names = [
    '#',
    'a\nb\r\n',
    'a#b',
    'ａ fullwidth',
    '🐸 frog',
    '\u{10ffff}',
    '\uffee',
    'é',
    'Zebra',
    '水',
    'a',
    'a ',
    'A/B',
  ];
  await openForms(
    names.flatMap((title, index) => [{ title, deadline: index % 3 === 0 ? null : at(60 + (index % 2)) }, { title }]),
  );
  const hidden = await open('🐸 private', { visibility: 'PRIVATE' });
  const over = await open('over', { deadline: at(1) });
  for (const formId of [hidden, over, created[4] ?? '']) await start(someone, formId);
  vi.setSystemTime(at(2));
  const whole = (await readSummaries(someone)).map(({ id }) => id);
  expect([...whole].sort()).toEqual([...created].sort());
  for (const limit of [1, 7, 26]) {
    const pages = await readPages(someone, `/api/forms/me?limit=${limit}`);
    expect(pages.flat()).toEqual(whole);
    expect(Math.max(...pages.map((page) => page.length))).toBe(limit);
  }
});

test('a page costs the same with 110 and with 410 open public forms', async () => {
  const someone = await person('mary');
  const costOfPage = async () => {
    const { cost, result } = await measureCost(() => someone.client.forms.listMyForms({ query: { limit: 20 } }));
    expect(result.body).toHaveLength(20);
    return cost;
  };
  const openMore = (count: number) =>
    openForms(Array.from({ length: count }, (_, n) => ({ title: `open ${n}`, createdAt: new Date(at(n)) })));
  await openMore(110);
  const few = await costOfPage();
  await openMore(300);
  expect(await costOfPage()).toEqual(few);
  expect(few.roundTrips).toBe(2);
});
