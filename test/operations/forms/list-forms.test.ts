/** The lists of forms of an organization and of all that a user can see (contract section 4, interface "Limits"). */
import { beforeAll, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { ask, draftForm, draftResponse, nextOf, openForm, pagesOf } from '#test/support/building.ts';
import { type Cast, newCast, newOrganization, type Person, person } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

/** An organization with a form in each status. */
async function organizationOfForms(admin: Person, member?: Person) {
  const { slug, orgId } = await newOrganization(admin, member);
  const draft = (await draftForm(admin, slug, { title: 'draft' })).id;
  const open = (await openForm(admin, slug, { title: 'public' })).id;
  const hidden = (await openForm(admin, slug, { title: 'private', visibility: 'PRIVATE' })).id;
  const archived = (await openForm(admin, slug, { title: 'archived' })).id;
  await admin.client.forms.archiveForm({ params: { formId: archived } });
  return { slug, orgId, draft, open, hidden, archived };
}

const listed = async (someone: Person, path: string) => (await pagesOf(someone, path)).flat();

test('an organization lists its DRAFT and PUBLISHED forms to members, oldest first; archived ones are hidden', async () => {
  const { slug, draft, open, hidden } = await organizationOfForms(cast.alice, cast.bob);
  expect(await listed(cast.bob, `/api/orgs/${slug}/forms`)).toEqual([draft, open, hidden]);
});

test('any given status replaces the default; several are given by repeating the parameter', async () => {
  const { slug, draft, open, hidden, archived } = await organizationOfForms(cast.alice);
  const list = (query: string) => listed(cast.alice, `/api/orgs/${slug}/forms?${query}`);
  expect(await list('status=ARCHIVED')).toEqual([archived]);
  expect(await list('status=DRAFT')).toEqual([draft]);
  expect(await list('status=ARCHIVED&status=PUBLISHED')).toEqual([open, hidden, archived]);
  expect(await list('status=ARCHIVED&status=PUBLISHED&status=DRAFT&status=DRAFT')).toHaveLength(4);
});

test('a status that is none is 400, whatever stands beside it', async () => {
  for (const query of ['status=draft', 'status=DRAFT&status=GONE', 'status=', 'status=DRAFT,PUBLISHED']) {
    for (const path of [`/api/orgs/${cast.slug}/forms`, '/api/forms']) {
      const { status, body } = await ask(cast.alice, 'GET', `${path}?${query}`);
      expect(status).toBe(400);
      expect(body.errors[0].pointer).toMatch(/^\/query\/status\/\d$/);
    }
  }
});

test('an organization’s forms are listed to members only: 403 for others, 401 for nobody, 404 for no organization', async () => {
  expect((await ask(cast.chelsea, 'GET', `/api/orgs/${cast.slug}/forms`)).status).toBe(403);
  expect((await ask(undefined, 'GET', `/api/orgs/${cast.slug}/forms`)).status).toBe(401);
  expect((await ask(cast.alice, 'GET', '/api/orgs/no-such-org/forms')).status).toBe(404);
});

test('a list that goes on says so in Link, with everything that was asked; its pages hold each form once', async () => {
  const { slug } = await newOrganization(cast.alice);
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push((await draftForm(cast.alice, slug)).id);
  await cast.alice.client.forms.archiveForm({ params: { formId: ids[2] ?? '' } });
  const first = await ask(cast.alice, 'GET', `/api/orgs/${slug}/forms?status=DRAFT&limit=2`);
  expect(nextOf(first.headers)).toMatch(/status=DRAFT&limit=2&cursor=/);
  expect(await listed(cast.alice, `/api/orgs/${slug}/forms?status=DRAFT&limit=2`)).toEqual(ids.toSpliced(2, 1));
  expect((await ask(cast.alice, 'GET', `/api/orgs/${slug}/forms?limit=0`)).status).toBe(400);
  expect((await ask(cast.alice, 'GET', `/api/orgs/${slug}/forms?cursor=abc`)).status).toBe(400);
});

test('the forms one can see are all of one’s organizations and the PUBLIC published ones of others', async () => {
  const member = await person('mary');
  const [mine, other] = [await organizationOfForms(cast.alice, member), await organizationOfForms(cast.alice)];
  const seen = await listed(member, '/api/forms');
  const known = Object.values({ ...mine, other }).flatMap((each) =>
    typeof each === 'string' ? [each] : Object.values(each),
  );
  expect(seen.filter((id) => known.includes(id)).sort()).toEqual(
    [mine.draft, mine.open, mine.hidden, other.open].sort(),
  );
  const archived = await listed(member, '/api/forms?status=ARCHIVED');
  expect(archived).toEqual([mine.archived]);
  const drafts = await listed(member, '/api/forms?status=DRAFT');
  expect(drafts).toEqual([mine.draft]);
});

test('page by page one sees each form once, organizations and public forms together', async () => {
  const member = await person('mary');
  await organizationOfForms(cast.alice, member);
  await organizationOfForms(cast.bob, member);
  await organizationOfForms(cast.bob);
  const whole = await listed(member, '/api/forms?limit=100');
  const pages = await pagesOf(member, '/api/forms?limit=2');
  expect(pages.every((page) => page.length <= 2)).toBe(true);
  expect(pages.flat()).toEqual(whole);
  expect(new Set(whole).size).toBe(whole.length);
});

test('a cursor does not lead into an organization that one has left meanwhile', async () => {
  const member = await person('mary');
  const { orgId, draft, hidden } = await organizationOfForms(cast.alice, member);
  const first = await ask(member, 'GET', '/api/forms?limit=1');
  expect(first.body).toMatchObject([{ id: draft }]);
  await app().table.write([{ update: keys.account(member.id), unset: [`memberships.${orgId}`] }]);
  const rest = (await pagesOf(member, nextOf(first.headers) ?? '')).flat();
  expect(rest).not.toContain(hidden);
  expect(rest).toHaveLength(new Set(rest).size);
});

test('a respondent’s allowEditResponse in the list is the one of the form itself', async () => {
  const editor = await person('mary');
  const { slug } = await newOrganization(editor);
  const started = (await openForm(editor, slug)).id;
  const untouched = (await openForm(editor, slug)).id;
  await draftResponse(cast.dave, started);
  const forms = (await cast.dave.client.forms.listForms()).body;
  const flag = (id: string) => forms.find((form) => form.id === id)?.allowEditResponse;
  expect([flag(started), flag(untouched)]).toEqual([true, false]);
  const asEditor = (await editor.client.forms.listForms()).body;
  expect(asEditor.find((form) => form.id === untouched)?.allowEditResponse).toBe(true);
});

test('fonts are listed by name to everybody signed in, each with the id that a dressing names', async () => {
  const { body: fonts } = await cast.dave.client.forms.listFonts();
  expect(fonts.length).toBeGreaterThan(5);
  const names = fonts.map(({ name }) => name);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  expect(new Set(fonts.map(({ id }) => id)).size).toBe(fonts.length);
  const last = fonts.at(-1)?.id ?? '';
  expect((await draftForm(cast.alice, cast.slug, { dressing: { textFont: last } })).dressing).toEqual({
    textFont: last,
  });
  expect((await ask(undefined, 'GET', '/api/forms/fonts')).status).toBe(401);
});
