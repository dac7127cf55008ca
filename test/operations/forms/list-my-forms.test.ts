/** The forms of the current user (contract section 4, "`/forms/me`"; interface "Per-user form summary"). */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ask, draftForm, draftResponse, openForm, pagesOf, submittedResponse } from '#test/support/building.ts';
import { type Cast, newCast, type Person, person } from '#test/support/world.ts';

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

// Everybody sees the open PUBLIC forms, so every test ends with none.
let made: string[] = [];
beforeEach(async () => {
  vi.setSystemTime(NOW);
  for (const formId of made) await cast.alice.client.forms.archiveForm({ params: { formId } });
  made = [];
});

async function open(title: string, more: Parameters<typeof openForm>[2] = {}): Promise<string> {
  const { id } = await openForm(cast.alice, cast.slug, { title, ...more });
  made.push(id);
  return id;
}

const mine = async (someone: Person) => (await someone.client.forms.listMyForms()).body;
const titles = async (someone: Person) => (await mine(someone)).map(({ title }) => title);

test('an empty array when the user has no forms; 401 for nobody', async () => {
  expect(await mine(cast.dave)).toEqual([]);
  expect((await ask(undefined, 'GET', '/api/forms/me')).status).toBe(401);
});

test('the list holds open PUBLIC forms and every form one has a response to', async () => {
  await open('open');
  await open('private', { visibility: 'PRIVATE' });
  await open('not yet', { publishTime: at(1) });
  await open('over', { deadline: at(-1) });
  await draftForm(cast.alice, cast.slug, { title: 'draft' });
  const answeredPrivate = await open('answered, private', { visibility: 'PRIVATE' });
  const answeredOver = await open('answered, over', { deadline: at(1) });
  const answeredArchived = await open('answered, archived');
  for (const formId of [answeredPrivate, answeredOver, answeredArchived]) await draftResponse(cast.dave, formId);
  await cast.alice.client.forms.archiveForm({ params: { formId: answeredArchived } });
  vi.setSystemTime(at(2));
  await ask(cast.alice, 'PATCH', `/api/forms/${made[2]}`, { publishTime: at(5) });
  expect(await titles(cast.erin)).toEqual(['open']);
  expect((await titles(cast.dave)).sort()).toEqual([
    'answered, archived',
    'answered, over',
    'answered, private',
    'open',
  ]);
});

test('a summary holds what the interface says, for each of NOT_STARTED, IN_PROGRESS and COMPLETED', async () => {
  const someone = await person('mary');
  const fresh = await open('a', { deadline: at(10) });
  const draft = await open('b');
  const done = await open('c');
  const both = await open('d', { allowEditResponse: false });
  const [d1, s1] = [await draftResponse(someone, draft), await submittedResponse(someone, done)];
  const [s2, d2] = [await submittedResponse(someone, both), await draftResponse(someone, both)];
  expect(await mine(someone)).toEqual([
    { id: fresh, title: 'a', deadline: at(10), allowEditResponse: false, status: 'NOT_STARTED', responseIds: [] },
    { id: draft, title: 'b', deadline: null, allowEditResponse: true, status: 'IN_PROGRESS', responseIds: [d1] },
    { id: done, title: 'c', deadline: null, allowEditResponse: true, status: 'COMPLETED', responseIds: [s1] },
    { id: both, title: 'd', deadline: null, allowEditResponse: false, status: 'IN_PROGRESS', responseIds: [s2, d2] },
  ]);
});

test('allowEditResponse ends with the form: not when it is closed', async () => {
  const someone = await person('mary');
  await submittedResponse(someone, await open('over', { deadline: at(1) }));
  expect(await mine(someone)).toMatchObject([{ allowEditResponse: true }]);
  vi.setSystemTime(at(2));
  expect(await mine(someone)).toMatchObject([{ allowEditResponse: false, status: 'COMPLETED' }]);
});

test('responseIds: the submitted ones first, newest first, then the drafts', async () => {
  const someone = await person('mary');
  const formId = await open('many');
  const ids: string[] = [];
  for (let minute = 0; minute < 5; minute += 1) {
    vi.setSystemTime(at(minute));
    ids.push(await draftResponse(someone, formId));
  }
  const submit = async (minute: number, index: number) => {
    vi.setSystemTime(at(minute));
    const responseId = ids[index] ?? '';
    await someone.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
  };
  await submit(10, 3);
  await submit(11, 0);
  expect((await mine(someone))[0]?.responseIds).toEqual([ids[0], ids[3], ids[4], ids[2], ids[1]]);
  await submit(12, 3);
  expect((await mine(someone))[0]?.responseIds).toEqual([ids[0], ids[3], ids[4], ids[2], ids[1]]);
});

test('open before closed, then the earlier deadline, none last, then the title', async () => {
  const wanted = [
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
  for (const [title, deadline] of [...over, ...wanted].toReversed()) await open(title, { deadline });
  const someone = await person('mary');
  for (const formId of made.slice(-2)) await draftResponse(someone, formId);
  const hidden = await open('none AA', { visibility: 'PRIVATE' });
  await draftResponse(someone, hidden);
  vi.setSystemTime(at(3));
  const order = [...wanted, ...over].map(([title]): string => title).toSpliced(6, 0, 'none AA');
  expect(await titles(someone)).toEqual(order);
});

test('page by page, whatever the size of a page, each form stands there once and in the same order', async () => {
  const someone = await person('mary');
  const names = ['#', 'a#b', 'ａ fullwidth', '🐸 frog', '\u{10ffff}', '\uffee', 'é', 'Zebra', '水', 'a', 'a ', 'A/B'];
  for (const [index, title] of names.entries()) {
    await open(title, { deadline: index % 3 === 0 ? null : at(60 + (index % 2)) });
    await open(title);
  }
  const hidden = await open('🐸 private', { visibility: 'PRIVATE' });
  const over = await open('over', { deadline: at(1) });
  for (const formId of [hidden, over, made[4] ?? '']) await draftResponse(someone, formId);
  vi.setSystemTime(at(2));
  const whole = (await mine(someone)).map(({ id }) => id);
  expect([...whole].sort()).toEqual([...made].sort());
  for (const limit of [1, 2, 5, 7, 25]) {
    const pages = await pagesOf(someone, `/api/forms/me?limit=${limit}`);
    expect(pages.flat()).toEqual(whole);
    expect(Math.max(...pages.map((page) => page.length))).toBe(limit);
  }
});
