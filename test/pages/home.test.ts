/** The home page and the pages of organizations: every form of an organization can be reached by its members. */
import { describe, expect, test } from 'vitest';
import { counterKeys } from '#core/counts/counters.ts';
import type { Key } from '#core/db/keys.ts';
import { type App, app } from '#core/http/app.ts';
import { measureCost } from '#test/support/cost.ts';
import { withApp } from '#test/support/faults.ts';
import { newCast, newForm, newOrganization, person, seedForms } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { respond, start } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await newCast();

/** The forms to whose responses a page links, in order. */
const formsOn = (html: string): string[] =>
  [...html.matchAll(/<a class="button secondary" href="\/review\/([^"]+)"/g)].map(([, id = '']) => id);
const linkTo = (html: string, name: string): string =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
    .find(([, , content = '']) => content.startsWith(name))?.[1]
    ?.replaceAll('&amp;', '&') ?? `no link: ${name}`;

test('members come from the home page to every form of their organization, page by page', async () => {
  const { alice, bob } = cast;
  const { slug } = await newOrganization(alice, bob);
  const titles = Array.from({ length: 23 }, (_, index) => `Form ${index}`);
  const ids: string[] = [];
  for (const title of titles) {
    ids.unshift((await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { title, visibility: 'PRIVATE' })).formId);
  }
  const [archived = ''] = ids.slice(-1);
  await alice.client.forms.archiveForm({ params: { formId: archived } });
  const { show } = pagesOf(bob);
  expect(formsOn(await show('/'))).toEqual(ids.slice(0, 10));
  const first = await show(`/o/${slug}`);
  expect(await show('/')).toContain(`href="/o/${slug}"`);
  expect(formsOn(first)).toEqual(ids.slice(0, 20));
  const second = await show(linkTo(first, 'Next page'));
  expect(formsOn(second)).toEqual(ids.slice(20));
  expect(textOf(second)).toContain('Form 0 Archived · 0 responses, 0 drafts');
  expect(second).not.toContain('Next page');
  expect(linkTo(second, 'Back to the first page')).toBe(`/o/${slug}`);
  expect(formsOn(await show(linkTo(first, 'Archived')))).toEqual([archived]);
  const published = await show(linkTo(first, 'Published'));
  expect(formsOn(published)).toEqual(ids.slice(0, 20));
  expect(formsOn(await show(linkTo(published, 'Next page')))).toEqual(ids.slice(20, -1));
  expect(textOf(await show(linkTo(first, 'Draft')))).toContain('There are no forms here.');
  // A cursor belongs to its list.
  const foreign = linkTo(published, 'Next page').replace(/status=PUBLISHED&?/, '');
  expect((await pagesOf(bob).get(foreign)).status).toBe(400);
});

test('a row says when the form closes and who edited it last, and copies or archives it from there', async () => {
  const { alice, bob } = cast;
  const { slug } = await newOrganization(alice, bob);
  const path = `/o/${slug}`;
  const titles = ['Lakes', 'Rivers'];
  const [lakes = '', rivers = ''] = await Promise.all(
    titles.map(async (title) => (await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { title })).formId),
  );
  const change = (body: { deadline?: string; publishTime?: string }) =>
    bob.client.forms.updateForm({ params: { formId: lakes }, body });
  await change({ deadline: '2099-05-01T08:00:00.000Z' });
  const { name } = (await bob.client.users.getCurrentUser()).body;
  const closes = `Lakes Published · 0 responses, 0 drafts · Closes 1 May 2099, 08:00 UTC · last edited by ${name}`;
  const html = await pagesOf(bob).show(path);
  expect(textOf(html)).toContain(closes);
  expect(textOf(await pagesOf(bob).show('/'))).toContain(closes);
  expect(html).not.toContain('value="archive"');
  await change({ publishTime: '2099-04-01T08:00:00.000Z' });
  expect(textOf(await pagesOf(bob).show(path))).toContain('· Opens 1 Apr 2099, 08:00 UTC ·');

  const pages = pagesOf(alice);
  const fields = fieldsOf(
    (await pages.show(`${path}?status=PUBLISHED`)).replace(/^.*(?=<form method="post" id)/s, '<main>'),
  );
  expect(fields.map(([field]) => field)).toEqual(['id', 'to']);
  const act = async (formId: string, action: string) =>
    (await pages.post(`/build/${formId}`, [...fields, ['do', action]])).headers.get('location') ?? '';
  const copies = [await act(lakes, 'duplicate'), await act(rivers, 'duplicate'), await act(lakes, 'duplicate')];
  expect(copies).toEqual([copies[0], copies[1], copies[0]]);
  expect(new Set(copies).size).toBe(2);
  expect(await act(rivers, 'archive')).toBe(`${path}?status=PUBLISHED&done=archived`);
  const list = await pages.show(`${path}?status=PUBLISHED&done=archived`);
  expect(textOf(list)).toContain('The form is archived.');
  expect(textOf(list)).not.toContain('Rivers Published');
  expect(await pages.show(`${path}?status=ARCHIVED`)).toMatch(
    new RegExp(`formaction="/build/${rivers}" name="do" value="unarchive"`),
  );
  // An address of another site is none to return to.
  const elsewhere = await pages.post(`/build/${rivers}`, [
    ['do', 'unarchive'],
    ['to', 'https://example.org/'],
  ]);
  expect(elsewhere.headers.get('location')).toBe('/?done=unarchived');
});

test('an organization without forms offers to create one, also from a template', async () => {
  const { slug } = await newOrganization(cast.chelsea);
  for (const path of ['/', `/o/${slug}`]) {
    expect(await pagesOf(cast.chelsea).show(path)).toContain(`href="/o/${slug}/new#templates"`);
  }
  expect(await pagesOf(cast.chelsea).show(`/o/${slug}/new`)).toContain('id="templates"');
});

test('the page of an organization is for its members', async () => {
  const { slug } = await newOrganization(cast.alice);
  const empty = textOf(await pagesOf(cast.alice).show(`/o/${slug}`));
  expect(empty).toContain('This organization has no forms yet.');
  expect(empty).not.toContain('API');
  expect((await pagesOf(cast.chelsea).get(`/o/${slug}`)).status).toBe(403);
  for (const path of ['/o/there-is-none', '/o/NO%20SLUG']) {
    expect([path, (await pagesOf(cast.alice).get(path)).status]).toEqual([path, 404]);
  }
});

test('a member sees the own organizations before the forms of everybody', async () => {
  const html = await pagesOf(cast.bob).show('/');
  expect(html.indexOf('<h1>Your forms</h1>')).toBeGreaterThan(0);
  expect(html.indexOf('<h1>Your forms</h1>')).toBeLessThan(html.indexOf('Forms for you'));
  const others = await pagesOf(cast.erin).show('/');
  expect(others.indexOf('<h1>Welcome</h1>')).toBeLessThan(others.indexOf('Forms for you'));
});

test('somebody in more organizations than the home page shows finds the others linked', async () => {
  const member = await person('gina');
  const slugs: string[] = [];
  for (let count = 0; count < 12; count += 1) slugs.push((await newOrganization(member)).slug);
  const html = await pagesOf(member).show('/');
  expect(slugs.filter((slug) => !html.includes(`href="/o/${slug}"`))).toEqual([]);
  expect(slugs.filter((slug) => !new RegExp(`<a href="/o/${slug}/new"[^>]*>(?:<bdi>)?Rivers<`).test(html))).toEqual([]);
  expect(html).toContain('More organizations');
});

test('a draft of a form that was archived is not in progress', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Gone' });
  await start(cast.erin, formId);
  const { show } = pagesOf(cast.erin);
  expect(textOf(await show('/'))).toMatch(/Gone No deadline · \d of 1 section complete In progress/);
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  expect(textOf(await show('/'))).toContain('Gone This form is archived Not submitted');
});

test('the home page of a member waits for storage three times, the page of an organization twice', async () => {
  const { show } = pagesOf(cast.bob);
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Begun' });
  await start(cast.bob, formId);
  await deliverStream();
  for (const [path, roundTrips] of [
    ['/', 3],
    [`/o/${cast.slug}`, 2],
  ] as const) {
    await show(path);
    const { cost, result } = await measureCost(() => show(path));
    expect(cost.roundTrips, path).toBeLessThanOrEqual(roundTrips);
    expect(textOf(result)).toMatch(/Begun Published · 0 responses, 1 draft/);
  }
});

describe('of somebody in ten organizations with ten forms each', () => {
  const setUp = async () => {
    const member = await person('petra');
    const kinds = [[{ type: 'SHORT_TEXT' as const }]];
    const slugs: string[] = [];
    const formIds: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      const { slug } = await newOrganization(member);
      slugs.push(slug);
      const ids = Array.from({ length: 10 }, async () => (await newForm(member, slug, kinds)).formId);
      const ofOrganization = await Promise.all(ids);
      await Promise.all(ofOrganization.map((id) => respond(cast.dave, id)));
      formIds.push(...ofOrganization);
    }
    return { member, slugs, formIds };
  };
  /** Counts the responses; the counters are as after or before the end of the first recount. */
  const setComplete = async (formIds: readonly string[], isComplete: boolean) => {
    await deliverStream();
    const base = (key: Key) => ({ update: key, set: { base: Number(isComplete) }, when: { absent: false } });
    for (const id of formIds) await app().table.write(counterKeys(id).map(base));
  };
  const countsOn = (html: string): number => [...textOf(html).matchAll(/Published · 1 response, 0 drafts/g)].length;

  test('home takes at most thirty calls in three round trips, and a page of an organization fifteen in two', async () => {
    const { member, slugs, formIds } = await setUp();
    await setComplete(formIds, true);
    const { show } = pagesOf(member);
    for (const [path, calls, roundTrips, forms] of [
      ['/', 30, 3, 100],
      [`/o/${slugs[0]}`, 15, 2, 10],
    ] as const) {
      await show(path);
      const { cost, result } = await measureCost(() => show(path));
      expect([path, countsOn(result)]).toEqual([path, forms]);
      expect(cost.calls, path).toBeLessThanOrEqual(calls);
      expect(cost.roundTrips, path).toBeLessThanOrEqual(roundTrips);
    }
  });

  test('the lists of the API take at most thirty calls in three round trips, and eight in three', async () => {
    const { member, slugs } = await setUp();
    const { forms } = member.client;
    await forms.listForms({});
    const visible = await measureCost(() => forms.listForms({ query: { limit: 100 } }));
    expect(visible.result.body).toHaveLength(100);
    expect(visible.cost.calls).toBeLessThanOrEqual(30);
    expect(visible.cost.roundTrips).toBeLessThanOrEqual(3);
    const params = { slug: slugs[0] ?? '' };
    const ofOne = await measureCost(() => forms.listOrganizationForms({ params }));
    expect(ofOne.result.body).toHaveLength(10);
    expect(ofOne.cost.calls).toBeLessThanOrEqual(8);
    expect(ofOne.cost.roundTrips).toBeLessThanOrEqual(3);
  });

  test('while counters are being made, few of their calls are made at once', async () => {
    const { member, formIds } = await setUp();
    await setComplete(formIds, false);
    let [running, most] = [0, 0];
    const counting = ({ table }: App): Partial<App> => {
      const count: App['table']['count'] = async (...args) => {
        running += 1;
        most = Math.max(most, running);
        try {
          return await table.count(...args);
        } finally {
          running -= 1;
        }
      };
      return { table: { ...table, count } };
    };
    const html = await withApp(counting, () => pagesOf(member).show('/'));
    expect(countsOn(html)).toBe(100);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(40);
  });
});

test.for([
  [1, 1],
  [1, 100],
  [19, 1],
] as const)('home and lists of %s organizations with %s forms each take no call for each form', async ([
  orgs,
  forms,
]) => {
  const member = await person('quinn');
  const slugs: string[] = [];
  for (let at = 0; at < orgs; at += 1) {
    const { slug, orgId } = await newOrganization(member);
    slugs.push(slug);
    await seedForms(
      orgId,
      member.id,
      Array.from({ length: forms }, () => ({ status: 'PUBLISHED' as const })),
    );
  }
  const { show } = pagesOf(member);
  const { client } = member;
  const works: Record<string, () => Promise<unknown>> = {
    home: () => show('/'),
    organization: () => show(`/o/${slugs[0]}`),
    'GET /forms': () => client.forms.listForms({ query: { limit: 100 } }),
    'GET /orgs/{slug}/forms': () => client.forms.listOrganizationForms({ params: { slug: slugs[0] ?? '' } }),
  };
  for (const [name, work] of Object.entries(works)) {
    await work();
    const { cost } = await measureCost(work);
    // A query for each organization and status, and a batch for each hundred items.
    expect(cost.calls, name).toBeLessThanOrEqual(16 + 3 * orgs);
    expect(cost.roundTrips, name).toBeLessThanOrEqual(3);
  }
});

test('the switch of organizations has the first ones, and a link to all when there are more', async () => {
  const reader = await person('hana');
  const { slug } = await newOrganization(reader);
  const { formId } = await newForm(reader, slug, [[{ type: 'SHORT_TEXT' }]]);
  const switchOn = async (path: string) => {
    const [menu = ''] =
      /<details class="menu"><summary><span class="visually-hidden">Switch organization.*?<\/details>/s.exec(
        await pagesOf(reader).show(path),
      ) ?? [''];
    return [(menu.match(/href="\/o\//g) ?? []).length, menu.includes('<a href="/" dir="auto">All organizations</a>')];
  };
  for (const [others, links, hasMore] of [
    [20, 20, false],
    [1, 20, true],
  ] as const) {
    for (let index = 0; index < others; index++) await newOrganization(reader);
    for (const path of [`/o/${slug}`, `/o/${slug}/new`, `/build/${formId}`]) {
      expect([path, ...(await switchOn(path))]).toEqual([path, links, hasMore]);
    }
  }
});
