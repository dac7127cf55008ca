/** The home page of somebody new, and the search over all organizations. */
import { expect, test } from 'vitest';
import { withConfig } from '#test/support/faults.ts';
import { newOrganization, person, seedForms } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';

test('somebody new creates a form with one press: the organization is made on the way, once, and can be renamed', async () => {
  const newcomer = await person('ines');
  const pages = pagesOf(newcomer);
  const home = await pages.show('/');
  expect(home).toContain('<h1>Welcome</h1>');
  expect(home.indexOf('Create a form')).toBeLessThan(home.indexOf('Forms for you'));
  const fields = fieldsOf(home);
  const name = String(Object.fromEntries(fields).name);
  const first = await pages.post('/orgs/new', fields);
  const location = first.headers.get('location') ?? '';
  expect([first.status, location]).toEqual([303, expect.stringMatching(/^\/o\/[a-z0-9-]+\/new$/)]);
  // The second press, and Back, make no second organization.
  expect((await pages.post('/orgs/new', fields)).headers.get('location')).toBe(location);
  expect(textOf(await pages.show(location))).toContain('New form');
  const settings = location.replace('/new', '/settings');
  expect(await pages.show(settings)).toContain(`value="${name}"`);
  const shown = fieldsOf(await pages.show(settings)).filter(([field]) => field !== 'name');
  await pages.post(settings, [...shown, ['name', 'River friends'], ['do', 'save']]);
  const next = await pages.show('/');
  expect(next).not.toContain('Welcome');
  expect(textOf(next)).toContain('River friends');
});

test('two people with the same name get organizations of their own', async () => {
  const [one, other] = [await person('jo'), await person('jo')];
  const create = async (who: typeof one) => {
    const pages = pagesOf(who);
    const fields = fieldsOf(await pages.show('/')).filter(([field]) => field !== 'name');
    return (await pages.post('/orgs/new', [...fields, ['name', 'Forms of Jo']])).headers.get('location');
  };
  const [ofOne, ofOther] = [await create(one), await create(other)];
  expect(ofOne).toMatch(/^\/o\/forms-of-jo-/);
  expect(ofOther).toMatch(/^\/o\/forms-of-jo-/);
  expect(ofOne).not.toBe(ofOther);
});

test('who may not create organizations is not offered one, and who has no names chooses them first', async () => {
  const newcomer = await person('lee');
  const fields = fieldsOf(await pagesOf(newcomer).show('/'));
  await withConfig({ createOrganizations: 'operators' }, async () => {
    const home = await pagesOf(newcomer).show('/');
    expect(home).not.toContain('Welcome');
    expect(home).toContain('<h1>Forms for you</h1>');
    expect((await pagesOf(newcomer).post('/orgs/new', fields)).status).toBe(403);
  });
  const unnamed = await person('max', { onboarded: false });
  expect(await pagesOf(unnamed).show('/')).toContain('href="/onboarding">Create a form');
});

test('the search of the home page finds forms of all organizations, also archived ones', async () => {
  const reader = await person('kim');
  const { get, show } = pagesOf(reader);
  const [lakes, rivers] = [await newOrganization(reader), await newOrganization(reader)];
  await seedForms(lakes.orgId, reader.id, [{ title: 'Swimming in lakes' }, { title: 'Boats' }]);
  await seedForms(rivers.orgId, reader.id, [{ title: 'Swimming in rivers', status: 'ARCHIVED' }]);
  const titles = (html: string) =>
    [...html.matchAll(/<h3><a class="row-link"[^>]*>([^<]*)/g)].map(([, title]) => title);
  expect(titles(await show('/?search=swim')).sort()).toEqual(['Swimming in lakes', 'Swimming in rivers']);
  expect(titles(await show('/?search=boats'))).toEqual(['Boats']);
  const none = await show('/?search=%3Cb%3E');
  expect(titles(none)).toEqual([]);
  expect(none).toContain('No form has “&lt;b&gt;” in its title.');
  expect(textOf(none)).not.toContain('Forms for you');
  expect((await get(`/?search=${'x'.repeat(2_000)}`)).status).toBe(200);
});
