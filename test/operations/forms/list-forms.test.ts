/** The lists of forms: those of an organization and all that a user can see, newest first, in full pages. */
import { describe, expect, test } from 'vitest';
import { keys, partitions } from '#core/db/keys.ts';
import type { Item, Table } from '#core/db/table.ts';
import type { FormStatus } from '#core/forms/model.ts';
import { app } from '#core/http/app.ts';
import { draftForm, nextOf, openForm, readPages, requestAs } from '#test/support/building.ts';
import { withTable } from '#test/support/faults.ts';
import { type FormSettings, newCast, newOrganization, type Person, person, seedForms } from '#test/support/fixtures.ts';
import { start } from '#test/support/responses.ts';
import { doc, p, text } from '#test/support/rich-text.ts';

const cast = await newCast();

const START = Date.parse('2026-05-01T12:00:00.000Z');

type Seed = FormSettings & { minute: number };

/** Forms of an organization, each created at its minute; their ids in the same order. */
const newForms = (orgId: string, seeds: readonly Seed[]): Promise<string[]> =>
  seedForms(
    orgId,
    cast.alice.id,
    seeds.map(({ minute, ...seed }) => ({ ...seed, createdAt: new Date(START + minute * 60_000) })),
  );

/** An organization with a form of each kind, in the order of their creation. */
async function organizationOfForms(admin: Person, member?: Person) {
  const { slug, orgId } = await newOrganization(admin, member);
  const [draft = '', open = '', hidden = '', archived = ''] = await newForms(orgId, [
    { minute: 1 },
    { minute: 2, status: 'PUBLISHED' },
    { minute: 3, status: 'PUBLISHED', visibility: 'PRIVATE' },
    { minute: 4, status: 'ARCHIVED' },
  ]);
  return { slug, orgId, draft, open, hidden, archived };
}

const listed = async (someone: Person, path: string) => (await readPages(someone, path)).flat();

describe('the forms of an organization', () => {
  test('are its DRAFT and PUBLISHED ones, newest first; any given status replaces the default', async () => {
    const { slug, draft, open, hidden, archived } = await organizationOfForms(cast.alice, cast.bob);
    const list = (query: string) => listed(cast.bob, `/api/orgs/${slug}/forms${query}`);
    expect(await list('')).toEqual([hidden, open, draft]);
    expect(await list('?status=ARCHIVED')).toEqual([archived]);
    expect(await list('?status=DRAFT')).toEqual([draft]);
    expect(await list('?status=ARCHIVED&status=PUBLISHED')).toEqual([archived, hidden, open]);
    expect(await list('?status=ARCHIVED&status=PUBLISHED&status=DRAFT&status=DRAFT')).toHaveLength(4);
  });

  test('cost one query for each status, however often it is repeated', async () => {
    const { slug, draft } = await organizationOfForms(cast.alice);
    let queries = 0;
    const counting = (table: Table): Partial<Table> => ({
      list: (request) => {
        queries += 1;
        return table.list(request);
      },
    });
    const path = `/api/orgs/${slug}/forms?${'status=DRAFT&'.repeat(500)}`;
    expect(await withTable(counting, () => listed(cast.alice, path))).toEqual([draft]);
    expect(queries).toBe(1);
  });

  test('are listed to members only: 403 for others, 401 without a credential, 404 for an unknown organization', async () => {
    expect((await requestAs(cast.chelsea, 'GET', `/api/orgs/${cast.slug}/forms`)).status).toBe(403);
    expect((await requestAs(undefined, 'GET', `/api/orgs/${cast.slug}/forms`)).status).toBe(401);
    expect((await requestAs(cast.alice, 'GET', '/api/orgs/no-such-org/forms')).status).toBe(404);
  });

  test('fill every page while there are more, whatever the status; Link keeps the query', async () => {
    const { slug, orgId } = await newOrganization(cast.alice);
    const cycle = ['DRAFT', 'ARCHIVED', 'PUBLISHED', 'DRAFT'] as const;
    const seeds = Array.from(
      { length: 160 },
      (_, minute): Seed => ({ minute, status: cycle[minute % 4] ?? 'DRAFT', visibility: 'PRIVATE' }),
    );
    const newestFirst = (await newForms(orgId, seeds)).reverse();
    const ofStatus = (...statuses: FormStatus[]) =>
      newestFirst.filter((_, index) => statuses.includes(seeds[159 - index]?.status ?? 'DRAFT'));
    const path = `/api/orgs/${slug}/forms`;
    const sizes = (pages: string[][]) => pages.map((page) => page.length);

    const archived = await readPages(cast.alice, `${path}?status=ARCHIVED&limit=15`);
    expect(archived.flat()).toEqual(ofStatus('ARCHIVED'));
    expect(sizes(archived)).toEqual([15, 15, 10]);
    const merged = await readPages(cast.alice, `${path}?limit=100`);
    expect(merged.flat()).toEqual(ofStatus('DRAFT', 'PUBLISHED'));
    expect(sizes(merged)).toEqual([100, 20]);
    expect(sizes(await readPages(cast.alice, `${path}?limit=60`))).toEqual([60, 60]);
    expect(sizes(await readPages(cast.alice, path))).toEqual([120]);
    const first = await requestAs(cast.alice, 'GET', `${path}?status=DRAFT&limit=2`);
    expect(nextOf(first.headers)).toMatch(/status=DRAFT&limit=2&cursor=/);
  });
});

test('a page ends early where the result would exceed 5 MB, and the next one continues there', async () => {
  const { slug, orgId } = await newOrganization(cast.alice);
  // A form is shown with its description and the HTML of it.
  const description = doc(p(text('x'.repeat(60_000))));
  const seeds = Array.from({ length: 45 }, (_, minute) => ({ minute, description }));
  const newestFirst = (await newForms(orgId, seeds)).reverse();
  const pages = await readPages(cast.alice, `/api/orgs/${slug}/forms`);
  expect(pages.flat()).toEqual(newestFirst);
  expect(pages).toHaveLength(2);
});

describe('the forms that a user can see', () => {
  test('are those of their organizations and the PUBLIC published ones of others', async () => {
    const member = await person('mary');
    const [own, other] = [await organizationOfForms(cast.alice, member), await organizationOfForms(cast.alice)];
    const known = [own, other].flatMap(({ draft, open, hidden, archived }) => [draft, open, hidden, archived]);
    const seen = async (query: string) =>
      (await listed(member, `/api/forms${query}`)).filter((id) => known.includes(id)).sort();
    expect(await seen('')).toEqual([own.draft, own.open, own.hidden, other.open].sort());
    expect(await seen('?status=ARCHIVED')).toEqual([own.archived]);
    expect(await seen('?status=DRAFT')).toEqual([own.draft]);
  });

  test('are merged newest first, each once, in full pages of any size', async () => {
    const member = await person('mary');
    const [one, two, foreign] = [
      await newOrganization(cast.alice, member),
      await newOrganization(cast.bob, member),
      await newOrganization(cast.bob),
    ];
    const published = (minute: number) => ({ minute, status: 'PUBLISHED' as const });
    const minutes = [1_000, 1_003, 1_006, 1_009, 1_012];
    const ids = [
      await newForms(one.orgId, minutes.map(published)),
      await newForms(two.orgId, [...minutes.map((minute) => ({ minute: minute + 1 })), published(1_020)]),
      await newForms(
        foreign.orgId,
        minutes.map((minute) => published(minute + 2)),
      ),
    ].flat();
    // Ids begin with the time of creation.
    const expected = ids.toSorted().reverse();
    const all = await listed(member, '/api/forms');
    expect(all.slice(0, expected.length)).toEqual(expected);
    for (const limit of [1, 7]) {
      const pages = await readPages(member, `/api/forms?limit=${limit}`);
      expect(pages.flat()).toEqual(all);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
  });

  test('continue after a title with line breaks', async () => {
    const member = await person('mary');
    const { slug, orgId } = await newOrganization(cast.alice, member);
    const title = 'a\nb\r\n\u2028c#d';
    const seeds = [1, 2, 3].map((minute): Seed => ({ minute: 5_000 + minute, status: 'PUBLISHED', title }));
    const newestFirst = (await newForms(orgId, seeds)).reverse();
    expect(await listed(member, `/api/orgs/${slug}/forms?limit=1`)).toEqual(newestFirst);
    expect((await listed(member, '/api/forms?limit=1')).slice(0, 3)).toEqual(newestFirst);
  });

  test('do not include those of an organization that the user has left, whatever the cursor', async () => {
    const member = await person('mary');
    const { orgId, draft } = await organizationOfForms(cast.alice, member);
    const [newest = ''] = await newForms(orgId, [{ minute: 9_000 }]);
    const first = await requestAs(member, 'GET', '/api/forms?limit=1');
    expect(first.body).toMatchObject([{ id: newest }]);
    await app().table.write([{ update: keys.account(member.id), unset: [`memberships.${orgId}`] }]);
    expect(await listed(member, nextOf(first.headers) ?? '')).not.toContain(draft);
  });

  test('show allowEditResponse as the form itself does', async () => {
    const editor = await person('mary');
    const { slug } = await newOrganization(editor);
    const started = (await openForm(editor, slug)).id;
    const untouched = (await openForm(editor, slug)).id;
    await start(cast.dave, started);
    const flag = async (someone: Person, id: string) =>
      (await someone.client.forms.listForms()).body.find((form) => form.id === id)?.allowEditResponse;
    expect([await flag(cast.dave, started), await flag(cast.dave, untouched)]).toEqual([true, false]);
    expect(await flag(editor, untouched)).toBe(true);
  });
});

test('an index that lags doubles no form and shows none with another status or after its deletion', async () => {
  const { slug, orgId } = await newOrganization(cast.alice);
  const [draft = '', open = '', archived = '', removed = ''] = await newForms(orgId, [
    { minute: 1 },
    { minute: 2, status: 'PUBLISHED' },
    { minute: 3, status: 'ARCHIVED' },
    { minute: 4 },
  ]);
  const entries = [draft, open, archived, removed].map((id, index): Item => {
    const gsi1sk = `${new Date(START + (index + 1) * 60_000).toISOString()}#${id}`;
    return { ...keys.formHead(id), gsi1sk };
  });
  await app().table.write([{ remove: keys.formHead(removed) }]);
  // Every partition still has the entries of all four forms.
  const stale = (): Partial<Table> => ({ list: async () => ({ items: entries.toReversed(), last: null }) });
  const list = (query: string) => withTable(stale, () => listed(cast.alice, `/api/orgs/${slug}/forms${query}`));
  expect(await list('')).toEqual([open, draft]);
  expect(await list('?status=ARCHIVED')).toEqual([archived]);
});

test('an unknown status, a limit of 0 and a broken cursor are 400', async () => {
  for (const path of [`/api/orgs/${cast.slug}/forms`, '/api/forms']) {
    for (const query of ['status=draft', 'status=DRAFT&status=GONE', 'status=', 'status=DRAFT,PUBLISHED']) {
      const { status, body } = await requestAs(cast.alice, 'GET', `${path}?${query}`);
      expect(status).toBe(400);
      expect(body.errors[0].pointer).toMatch(/^\/query\/status\/\d$/);
    }
    for (const query of ['limit=0', 'cursor=abc']) {
      expect((await requestAs(cast.alice, 'GET', `${path}?${query}`)).status).toBe(400);
    }
  }
});

test('fonts are listed by name to everybody signed in, each with the id that a dressing names', async () => {
  const { body: fonts } = await cast.dave.client.forms.listFonts();
  expect(fonts.length).toBeGreaterThan(5);
  const names = fonts.map(({ name }) => name);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  expect(new Set(fonts.map(({ id }) => id)).size).toBe(fonts.length);
  const textFont = fonts.at(-1)?.id ?? '';
  expect((await draftForm(cast.alice, cast.slug, { dressing: { textFont } })).dressing).toEqual({ textFont });
  expect((await requestAs(undefined, 'GET', '/api/forms/fonts')).status).toBe(401);
});

test('the index entry of a form follows its title', async () => {
  const { alice } = cast;
  const { slug, orgId } = await newOrganization(alice);
  const form = await draftForm(alice, slug);
  await alice.client.forms.updateForm({ params: { formId: form.id }, body: { title: 'Pond survey' } });
  const { items } = await app().table.list({ ...partitions.formsOf(orgId, 'DRAFT'), limit: 10 });
  expect(items.map(({ title }) => title)).toEqual(['Pond survey']);
});
