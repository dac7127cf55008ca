/** Pages that are open while their reader loses access: what was typed stays, and nothing is stored. */
import { describe, expect, test } from 'vitest';
import { newCast, newForm, newOrganization } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

const TYPED = 'Loch <b>Ness</b> & "others"';
const ESCAPED = 'Loch &lt;b&gt;Ness&lt;/b&gt; &amp; &quot;others&quot;';

/** An organization in which bob is an admin, with a unit and a form; bob's pages are below its paths. */
async function open(publish: boolean) {
  const { slug } = await newOrganization(cast.alice, cast.bob);
  const { client } = cast.alice;
  const params = { slug, memberId: cast.bob.id };
  const setRole = (role: 'ADMIN' | 'MEMBER') => client.orgs.updateMember({ params, body: { role } });
  const remove = () => client.orgs.removeMember({ params });
  const add = () => client.orgs.addMember({ params: { slug }, body: { email: cast.bob.email } });
  await setRole('ADMIN');
  const unit = { name: 'North', description: '', metadata: {} };
  const { id: unitId } = (await client.units.createUnit({ params: { slug }, body: unit })).body;
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]], { publish });
  const build = `/build/${formId}`;
  const paths = {
    organization: `/o/${slug}/settings`,
    units: `/o/${slug}/units`,
    unit: `/o/${slug}/units/${unitId}`,
    settings: `${build}/settings`,
    look: `${build}/look`,
    section: `${build}/s/${sectionIds[0]}`,
    question: `${build}/q/${questionIds[0]}`,
    'new question': `${build}/s/${sectionIds[0]}/new?type=LONG_TEXT`,
  };
  return { slug, formId, paths, setRole, remove, add };
}

type Opened = Awaited<ReturnType<typeof open>>;
type PageName = keyof Opened['paths'];

/** Opens a page as bob, lets something happen, and posts what is typed. */
async function typeInto({ paths }: Opened, page: PageName, meanwhile: () => Promise<unknown>) {
  const pages = pagesOf(cast.bob);
  const path = paths[page];
  const shown = fieldsOf(await pages.show(path));
  await meanwhile();
  const typed = page === 'look' ? 'color' : /^(?:organization|units?)$/.test(page) ? 'name' : 'title';
  const fields = [...shown.filter(([name]) => name !== typed), [typed, TYPED] as const];
  const post = () => pages.post(path.replace(/\?.*/, ''), [...fields, ['do', 'save']]);
  const refused = await post();
  return { status: refused.status, html: await refused.text(), post };
}

const PAGES: readonly PageName[] = [
  'organization',
  'units',
  'unit',
  'settings',
  'look',
  'section',
  'question',
  'new question',
];

describe.for([
  ['a published form', true, 403],
  ['a draft, which is visible to members only', false, 404],
] as const)('somebody who is removed meanwhile, with %s', ([, publish, formStatus]) => {
  test.for(PAGES)('keeps what was typed into the page: %s', async (page) => {
    const opened = await open(publish);
    const { status, html } = await typeInto(opened, page, opened.remove);
    const isOfForm = opened.paths[page].startsWith('/build/');
    expect(status).toBe(isOfForm ? formStatus : 403);
    expect(textOf(html)).toContain('What you typed It was not saved.');
    expect(html).toContain(`<span class="pre-line" dir="auto">${ESCAPED}</span>`);
    expect(html).toContain(`value="${ESCAPED}"`);
  });

  test('sees no page of the form any more, and cannot publish or close it', async () => {
    const { formId, remove } = await open(publish);
    await remove();
    const pages = pagesOf(cast.bob);
    for (const action of ['publish', 'close', 'duplicate']) {
      const refused = await pages.post(`/build/${formId}`, [['do', action]]);
      expect([action, refused.status]).toEqual([action, formStatus]);
      // Nothing was typed.
      expect(textOf(await refused.text())).not.toContain('What you typed');
    }
    expect((await pages.get(`/build/${formId}/settings`)).status).toBe(formStatus);
  });
});

test('somebody who is a member again saves what was typed before with one press', async () => {
  const opened = await open(true);
  const { post } = await typeInto(opened, 'settings', opened.remove);
  await opened.add();
  expect((await post()).status).toBe(303);
  const { body } = await cast.alice.client.forms.getForm({ params: { formId: opened.formId } });
  expect(body.title).toBe(TYPED);
});

test.for([
  'organization',
  'units',
  'unit',
] as const)('an admin who becomes a member keeps what was typed: %s', async (page) => {
  const opened = await open(true);
  const { status, html } = await typeInto(opened, page, () => opened.setRole('MEMBER'));
  expect(status).toBe(403);
  expect(html).toContain(`<span class="pre-line" dir="auto">${ESCAPED}</span>`);
  expect(textOf(await pagesOf(cast.bob).show(opened.paths[page]))).toContain('Only admins');
});

test('an admin who becomes a member of the own accord sees the members, and one who leaves the home page', async () => {
  const { slug, setRole } = await open(true);
  const pages = pagesOf(cast.bob);
  const path = `/o/${slug}/members`;
  const demoted = await pages.post(path, [['do', `MEMBER:${cast.bob.id}`]]);
  expect(demoted.headers.get('location')).toBe(`${path}?done=roleChanged`);
  expect(await pages.show(`${path}?done=roleChanged`)).not.toContain('value="add"');
  await setRole('ADMIN');
  expect(textOf(await pages.show(`${path}/${cast.bob.id}/remove`))).toContain('You lose access');
  const left = await pages.post(`${path}/${cast.bob.id}/remove`);
  expect(left.headers.get('location')).toBe('/?done=left');
  expect(textOf(await pages.show('/?done=left'))).toContain('You are no longer a member of the organization.');
  expect((await pages.get(path)).status).toBe(403);
  const again = await pages.post(`${path}/${cast.bob.id}/remove`);
  expect(again.headers.get('location')).toBe('/?done=left');
});

test('somebody who was removed meanwhile reads why a press changes nothing', async () => {
  const { slug, formId, remove } = await open(true);
  await remove();
  const pages = pagesOf(cast.bob);
  for (const [path, action] of [
    [`/o/${slug}/members`, `ADMIN:${cast.bob.id}`],
    [`/o/${slug}/members/${cast.alice.id}/remove`, ''],
    [`/build/${formId}`, 'publish'],
  ] as const) {
    const refused = await pages.post(path, [['do', action]]);
    const text = textOf(await refused.text());
    expect([path, refused.status, text]).toEqual([path, 403, expect.stringContaining('Nothing was changed. You may')]);
  }
});

test('somebody whom another admin has removed meanwhile is not asked about again, and a unit is deleted twice', async () => {
  const { slug, paths, remove } = await open(true);
  await remove();
  const pages = pagesOf(cast.alice);
  const members = `/o/${slug}/members`;
  const asked = await pages.get(`${members}/${cast.bob.id}/remove`);
  expect(asked.headers.get('location')).toBe(`${members}?done=memberRemoved`);
  for (let press = 0; press < 2; press += 1) {
    const deleted = await pages.post(`${paths.unit}/delete`);
    expect(deleted.headers.get('location')).toBe(`${paths.units}?done=unitDeleted`);
  }
});
