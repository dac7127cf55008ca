/** The pages of organizations: created once, changed without losing what somebody else has stored, for the right people. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { insertMember } from '#core/organizations/store.ts';
import { insertUnit, replaceTree } from '#core/organizations/units.ts';
import { beforeFirstWrite, withConfig } from '#test/support/faults.ts';
import { newCast, newForm, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { browserOf, logIn, whoIs } from '#test/support/oauth.ts';
import { fillIn as fillForm, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

type Fields = readonly (readonly [string, string])[];

/** The value of a hidden field of a page. */
const hidden = (html: string, name: string): string =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? `no field: ${name}`;
const newSlug = (): string => `s-${crypto.randomUUID().slice(0, 8)}`;

/** Opens a page and posts its form with its hidden fields. */
async function fillIn(by: Person, path: string, names: readonly string[], fields: Fields): Promise<Response> {
  const pages = pagesOf(by);
  const html = await pages.show(path);
  return pages.post(path, [...names.map((name) => [name, hidden(html, name)] as const), ...fields]);
}

const get = async (by: Person, slug: string) => (await by.client.orgs.getOrganization({ params: { slug } })).body;

describe('a new organization', () => {
  test('is created once however often the button is pressed, and its creator becomes its admin', async () => {
    const { chelsea } = cast;
    const pages = pagesOf(chelsea);
    const slug = newSlug();
    const id = hidden(await pages.show('/orgs/new'), 'id');
    const fields: Fields = [
      ['id', id],
      ['name', 'Lakes'],
      ['slug', slug],
      ['description', 'Two\r\nlines'],
      ['key.0', 'contact'],
      ['value.0', 'lakes@example.org'],
      ['key.1', 'sites'],
      ['value.1', '12'],
      ['json.1', 'on'],
    ];
    for (let press = 0; press < 2; press += 1) {
      const response = await pages.post('/orgs/new', fields);
      expect([response.status, response.headers.get('location')]).toEqual([303, `/o/${slug}?done=created`]);
    }
    expect(await get(chelsea, slug)).toMatchObject({
      name: 'Lakes',
      description: 'Two\nlines',
      metadata: { contact: 'lakes@example.org', sites: 12 },
    });
    expect(textOf(await pages.show(`/o/${slug}?done=created`))).toContain('The organization was created.');
    const members = textOf(await pages.show(`/o/${slug}/members`));
    expect(members).toContain('Admin');
  });

  test.for([
    [{ name: '' }, 'Enter a name of 1 to 255 characters'],
    [{ slug: 'no slug' }, 'Enter an address of 1 to 64 letters'],
    [{ slug: 'me' }, 'Enter an address of 1 to 64 letters'],
    [{ description: 'x'.repeat(2_001) }, 'at most 2,000 characters'],
    [{ 'key.1': 'k', 'value.1': '2' }, 'Use each name once'],
    [{ 'value.0': '{', 'json.0': 'on' }, 'must stay valid JSON'],
  ] as const)('keeps what was typed and says what is wrong: %j', async ([wrong, message]) => {
    const typed = { name: 'Lakes', slug: newSlug(), description: 'Deep', 'key.0': 'k', 'value.0': '1', ...wrong };
    const response = await pagesOf(cast.chelsea).post('/orgs/new', Object.entries(typed));
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([400, expect.stringContaining(message)]);
    expect(html).toContain(`value="${typed['value.0'].replaceAll('"', '&quot;')}"`);
  });

  test('gets an address from its name if none is typed', async () => {
    const unique = newSlug();
    const name = `Café des Lacs (${unique})`;
    const create = (fields: Fields) => pagesOf(cast.chelsea).post('/orgs/new', [...fields, ['slug', '']]);
    const location = `/o/cafe-des-lacs-${unique}?done=created`;
    expect((await create([['name', name]])).headers.get('location')).toBe(location);
    const refused = await create([['name', '湖泊']]);
    expect([refused.status, textOf(await refused.text())]).toEqual([400, expect.stringContaining('Enter an address')]);
    // Its address is taken; it is shown, to be changed.
    expect(await (await create([['name', name]])).text()).toContain('value="cafe-des-lacs-');
  });

  test('does not take the address of another one', async () => {
    const response = await fillIn(
      cast.chelsea,
      '/orgs/new',
      ['id'],
      [
        ['name', 'Lakes'],
        ['slug', cast.slug],
      ],
    );
    expect([response.status, textOf(await response.text())]).toEqual([
      400,
      expect.stringContaining('Another organization uses this address'),
    ]);
  });

  test('asks for names first', async () => {
    const newcomer = await person('newcomer', { onboarded: false });
    const response = await pagesOf(newcomer).get('/orgs/new');
    expect(response.headers.get('location')).toBe('/onboarding?to=%2Forgs%2Fnew');
  });
});

test('the account shows the services that are linked to it, and those that are not', async () => {
  const browser = browserOf();
  await logIn(browser, 'chelsea');
  const { id } = await whoIs(browser);
  const titles = { LOGIN_PROVIDER_1: 'River Login', LOGIN_PROVIDER_2: 'Lake Login' };
  const caller = { token: await app().tokens.sign({ id, roles: ['USER'] }, app().now()) };
  const html = await withConfig({ loginTitles: titles }, () => pagesOf(caller).show('/account'));
  expect(textOf(html)).toMatch(/River Login Linked since \d.*Lake Login Not linked/);
  expect(html).toContain('chelsea@example.org');
});

describe('the settings', () => {
  test.for([
    ['as rows', { list: [1, { a: null }], text: 'line\nline', '': 'no name', flag: false, plain: ' spaces "\'' }],
    ['with a name of two lines', { 'two\r\nlines': 1, other: '<b>&amp;' }],
    ['with a name of half a character', { '\ud83c': '\ud83c', '\u2028': '\u2029\u0000' }],
    ['with a blank member', { '': '' }],
    ['with 1,000 members', Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}`, 0]))],
    ['that is deep', { deep: JSON.parse(`${'['.repeat(125)}${']'.repeat(125)}`) }],
  ] as const)('keep metadata of programs exactly, %s', async ([, metadata]) => {
    const { slug } = await newOrganization(cast.alice, cast.bob);
    const before = { name: ' Lakes ', description: 'Two\r\nlines', slug, metadata };
    await cast.alice.client.orgs.updateOrganization({ params: { slug }, body: before });
    const path = `/o/${slug}/settings`;
    const unchanged = await fillForm(cast.alice, path, [['description', 'Other']]);
    expect(unchanged.status).toBe(303);
    expect(await get(cast.alice, slug)).toMatchObject({ ...before, description: 'Other' });
    expect(JSON.stringify((await get(cast.alice, slug)).metadata)).toBe(JSON.stringify(metadata));
    expect((await fillForm(cast.alice, path, [['description', before.description]])).status).toBe(303);
    expect((await get(cast.alice, slug)).description).toBe('Two\nlines');
  });

  test('take metadata that rows cannot show as JSON, and refuse what is no object', async () => {
    const { slug } = await newOrganization(cast.alice);
    const { name } = await get(cast.alice, slug);
    const body = { name, description: '', slug, metadata: { '': '' } };
    await cast.alice.client.orgs.updateOrganization({ params: { slug }, body });
    const path = `/o/${slug}/settings`;
    for (const wrong of [
      '{',
      '[]',
      'null',
      `{"a":"${'x'.repeat(8_192)}"}`,
      `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    ]) {
      const refused = await fillForm(cast.alice, path, [['metadata', wrong]]);
      const html = await refused.text();
      expect([refused.status, textOf(html)]).toEqual([400, expect.stringContaining('Enter a JSON object')]);
      expect(html).toContain(wrong.replaceAll('"', '&quot;'));
    }
    await fillForm(cast.alice, path, [['metadata', '{"a": [1, "\\n"]}']]);
    expect((await get(cast.alice, slug)).metadata).toEqual({ a: [1, '\n'] });
    expect(await pagesOf(cast.alice).show(path)).toContain('name="value.0" value="[1,&quot;\\n&quot;]"');
  });

  test('that two people change show both, and lose nothing until the second one has decided', async () => {
    const { slug } = await newOrganization(cast.alice);
    const path = `/o/${slug}/settings`;
    const hash = hidden(await pagesOf(cast.alice).show(path), 'hash');
    const other = { name: 'Theirs', description: 'Other', slug, metadata: {} };
    await cast.alice.client.orgs.updateOrganization({ params: { slug }, body: other });
    const mine: Fields = [
      ['name', 'Mine'],
      ['slug', slug],
      ['description', ''],
    ];
    const refused = await pagesOf(cast.alice).post(path, [['hash', hash], ...mine]);
    const html = await refused.text();
    expect(refused.status).toBe(409);
    expect(textOf(html)).toContain('Theirs');
    expect(html).toContain('value="Mine"');
    expect((await get(cast.alice, slug)).name).toBe('Theirs');
    const saved = await pagesOf(cast.alice).post(path, [['hash', hidden(html, 'hash')], ...mine]);
    expect(saved.status).toBe(303);
    expect((await get(cast.alice, slug)).name).toBe('Mine');
  });

  test('that somebody changes while they are saved are compared again', async () => {
    const { slug } = await newOrganization(cast.alice);
    const path = `/o/${slug}/settings`;
    const hash = hidden(await pagesOf(cast.alice).show(path), 'hash');
    const refused = await beforeFirstWrite(
      () =>
        pagesOf(cast.alice).post(path, [
          ['hash', hash],
          ['name', 'Mine'],
          ['slug', slug],
        ]),
      () =>
        cast.alice.client.orgs.updateOrganization({
          params: { slug },
          body: { name: 'Theirs', description: '', slug, metadata: {} },
        }),
    );
    expect([refused.status, textOf(await refused.text())]).toEqual([409, expect.stringContaining('Name Theirs')]);
    expect((await get(cast.alice, slug)).name).toBe('Theirs');
  });

  test('lead to the new address after it was changed, and show who has used it', async () => {
    const { slug } = await newOrganization(cast.alice);
    const next = newSlug();
    const fields: Fields = [
      ['name', 'Lakes'],
      ['slug', next],
    ];
    const response = await fillIn(cast.alice, `/o/${slug}/settings`, ['hash'], fields);
    expect(response.headers.get('location')).toBe(`/o/${next}/settings?done=saved`);
    expect((await pagesOf(cast.alice).get(`/o/${slug}`)).status).toBe(404);
    await fillIn(
      cast.alice,
      `/o/${next}/settings`,
      ['hash'],
      [
        ['name', 'Lakes'],
        ['slug', slug],
      ],
    );
    expect(textOf(await pagesOf(cast.alice).show(`/o/${slug}/settings`))).toContain(`Who has used “${slug}”`);
    const refused = await fillForm(cast.alice, `/o/${slug}/settings`, [['name', '']]);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      400,
      expect.stringContaining(`Who has used “${slug}”`),
    ]);
  });
});

describe('members', () => {
  test('are added by their address, made admins, and removed', async () => {
    const { alice } = cast;
    const { slug } = await newOrganization(alice);
    const path = `/o/${slug}/members`;
    const erin = await person('erin');
    const pages = pagesOf(alice);
    const add = (email: string) =>
      pages.post(path, [
        ['email', email],
        ['do', 'add'],
      ]);
    for (const [email, message] of [
      ['erin', 'Enter an e-mail address'],
      ['nobody@example.org', 'Nobody who has signed in uses this address'],
    ] as const) {
      const refused = await add(email);
      expect([refused.status, textOf(await refused.text())]).toEqual([400, expect.stringContaining(message)]);
    }
    const added = (await add(erin.email.toUpperCase())).headers.get('location') ?? '';
    expect(added).toBe(`${path}?done=memberMailed`);
    expect(textOf(await pages.show(added))).toContain('The person is a member now, and gets a mail');
    expect((await add(erin.email)).headers.get('location')).toBe(`${path}?done=memberAdded`);
    await pages.post(path, [['do', `ADMIN:${erin.id}`]]);
    expect((await pagesOf(erin).get(`/o/${slug}/delete`)).status).toBe(200);
    await pages.post(path, [['do', `MEMBER:${erin.id}`]]);
    expect((await pagesOf(erin).get(`/o/${slug}/delete`)).status).toBe(403);
    const removal = `${path}/${erin.id}/remove`;
    expect(textOf(await pages.show(removal))).toContain('loses access');
    for (let press = 0; press < 2; press += 1) {
      expect((await pages.post(removal)).headers.get('location')).toBe(`${path}?done=memberRemoved`);
    }
    expect((await pagesOf(erin).get(`/o/${slug}`)).status).toBe(403);
  });

  test('keep a last admin', async () => {
    const { alice } = cast;
    const { slug } = await newOrganization(alice, cast.bob);
    const path = `/o/${slug}/members`;
    for (const refused of [
      await pagesOf(alice).post(path, [['do', `MEMBER:${alice.id}`]]),
      await pagesOf(alice).post(`${path}/${alice.id}/remove`),
    ]) {
      expect([refused.status, textOf(await refused.text())]).toEqual([
        400,
        expect.stringContaining('The last admin stays'),
      ]);
    }
  });

  test('offer the only admin nothing that would be refused', async () => {
    const { alice, bob } = cast;
    const { slug } = await newOrganization(alice, bob);
    const path = `/o/${slug}/members`;
    const isOffered = async () => {
      const html = await pagesOf(alice).show(path);
      return [`MEMBER:${alice.id}"`, `${path}/${alice.id}/remove"`].map((part) => html.includes(part));
    };
    expect(await isOffered()).toEqual([false, false]);
    await pagesOf(alice).post(path, [['do', `ADMIN:${bob.id}`]]);
    expect(await isOffered()).toEqual([true, true]);
  });
});

describe('units', () => {
  test('are created once below others, moved, changed and deleted', async () => {
    const { alice } = cast;
    const { slug } = await newOrganization(alice);
    const path = `/o/${slug}/units`;
    const pages = pagesOf(alice);
    const create = async (name: string, parent = '') => {
      const id = hidden(await pages.show(path), 'id');
      const fields: Fields = [
        ['id', id],
        ['parent', parent],
        ['name', name],
      ];
      for (let press = 0; press < 2; press += 1) expect((await pages.post(path, fields)).status).toBe(303);
      const html = await pages.show(path);
      return new RegExp(`href="${path}/([^"]+)" dir="auto">${name}<`).exec(html)?.[1] ?? `no unit ${name}`;
    };
    const north = await create('North');
    const lake = await create('Lake', north);
    const boat = await create('Boat', lake);
    const tree = async () => (await alice.client.units.listUnits({ params: { slug } })).body.map(({ name }) => name);
    expect(await tree()).toEqual(['North']);
    const below = await pages.post(`${path}/${north}`, [
      ['do', 'move'],
      ['parent', boat],
    ]);
    expect([below.status, textOf(await below.text())]).toEqual([
      400,
      expect.stringContaining('cannot be below itself'),
    ]);
    expect(
      (
        await pages.post(`${path}/${boat}`, [
          ['do', 'move'],
          ['parent', ''],
        ])
      ).status,
    ).toBe(303);
    expect(await tree()).toEqual(['North', 'Boat']);
    const saved = await fillIn(
      alice,
      `${path}/${lake}`,
      ['hash'],
      [
        ['name', 'Loch'],
        ['do', 'save'],
      ],
    );
    expect(saved.status).toBe(303);
    expect(textOf(await pages.show(`${path}/${north}/delete`))).toContain('1 unit directly below it');
    expect((await pages.post(`${path}/${north}/delete`)).status).toBe(303);
    expect(await tree()).toEqual(['Loch', 'Boat']);
  });
});

test('two admins who change the same unit both see what the other one did, and lose nothing', async () => {
  const { alice } = cast;
  const { slug } = await newOrganization(alice);
  const unit = { name: 'North', description: '', metadata: {} };
  const { id: unitId } = (await alice.client.units.createUnit({ params: { slug }, body: unit })).body;
  const path = `/o/${slug}/units/${unitId}`;
  const theirs = (name: string) => () =>
    alice.client.units.updateUnit({ params: { slug, unitId }, body: { ...unit, name, metadata: { theirs: [1] } } });
  const stored = async () => (await alice.client.units.getUnit({ params: { slug, unitId } })).body.name;
  const hash = hidden(await pagesOf(alice).show(path), 'hash');
  const save = (fields: Fields) =>
    pagesOf(alice).post(path, [['name', 'Mine'], ['description', 'Deep'], ['do', 'save'], ...fields]);
  await theirs('Theirs')();
  const refused = await save([['hash', hash]]);
  const html = await refused.text();
  expect([refused.status, textOf(html)]).toEqual([409, expect.stringMatching(/Name Theirs .* theirs: \[1\]/)]);
  expect(html).toMatch(/value="Mine".*>\nDeep</s);
  expect(await stored()).toBe('Theirs');
  // Somebody saves between the comparison and the write.
  const later = await beforeFirstWrite(() => save([['hash', hidden(html, 'hash')]]), theirs('Later'));
  expect([later.status, textOf(await later.text())]).toEqual([409, expect.stringContaining('Name Later')]);
  const last = hidden(await pagesOf(alice).show(path), 'hash');
  expect((await save([['hash', last]])).status).toBe(303);
  expect(await stored()).toBe('Mine');
});

test('a unit that cannot be created keeps its chosen parent and what was typed', async () => {
  const { alice } = cast;
  const { slug } = await newOrganization(alice);
  const path = `/o/${slug}/units`;
  const pages = pagesOf(alice);
  const body = { name: 'North', description: '', metadata: {} };
  const { id: north } = (await alice.client.units.createUnit({ params: { slug }, body })).body;
  const create = async (name: string, parent: string) => {
    const id = hidden(await pages.show(path), 'id');
    return pages.post(path, [
      ['id', id],
      ['parent', parent],
      ['name', name],
      ['description', 'Deep'],
    ]);
  };
  const unnamed = await (await create('', north)).text();
  expect(unnamed).toMatch(
    new RegExp(`<details class="[^"]*" open>.*<option dir="auto" value="${north}" selected>`, 's'),
  );
  const gone = await create('Lake', crypto.randomUUID());
  const html = await gone.text();
  expect([gone.status, textOf(html)]).toEqual([400, expect.stringContaining('Choose another unit above')]);
  expect(html).toMatch(/<details class="[^"]*" open>.*value="Lake".*>\nDeep</s);
  expect((await alice.client.units.listUnits({ params: { slug } })).body.map(({ name }) => name)).toEqual(['North']);
});

test('an organization is deleted by its typed name', async () => {
  const { slug } = await newOrganization(cast.alice);
  const { name } = await get(cast.alice, slug);
  const pages = pagesOf(cast.alice);
  await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  const extent = 'It has 2 forms, 1 member and 0 units.';
  expect(textOf(await pages.show(`/o/${slug}/delete`))).toContain(extent);
  const refused = await pages.post(`/o/${slug}/delete`, [['name', 'Something else']]);
  expect([refused.status, textOf(await refused.text())]).toEqual([400, expect.stringContaining(extent)]);
  expect((await pages.post(`/o/${slug}/delete`, [['name', name]])).headers.get('location')).toBe(
    '/?done=organizationDeleted',
  );
  expect((await pages.get(`/o/${slug}`)).status).toBe(404);
});

describe('who may', () => {
  const ADMIN_ONLY = ['settings', 'members', 'units', 'delete'];

  test('read: members and admins, nobody else', async () => {
    for (const page of ['', '/settings', '/members', '/units']) {
      const path = `/o/${cast.slug}${page}`;
      const read = [cast.alice, cast.bob, cast.chelsea].map(async (by) => (await pagesOf(by).get(path)).status);
      expect([path, ...(await Promise.all(read))]).toEqual([path, 200, 200, 403]);
    }
    expect(await pagesOf(cast.bob).show(`/o/${cast.slug}/settings`)).toContain('readonly');
  });

  test('write: admins only', async () => {
    for (const page of ADMIN_ONLY) {
      const path = `/o/${cast.slug}/${page}`;
      expect([path, (await pagesOf(cast.bob).post(path, [['name', 'x']])).status]).toEqual([path, 403]);
    }
  });
});

test('forms are searched by title, and counted by status', async () => {
  const { alice } = cast;
  const { slug } = await newOrganization(alice);
  for (const title of ['Lake survey', 'River survey', 'LAKE closing']) {
    await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { title });
  }
  await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Lake draft', publish: false });
  const found = textOf(await pagesOf(alice).show(`/o/${slug}?search=lake`));
  expect(found).toContain('All 4 Published 3 Draft 1 Archived 0');
  for (const title of ['Lake survey', 'LAKE closing', 'Lake draft']) expect(found).toContain(title);
  expect(found).not.toContain('River survey');
  expect(textOf(await pagesOf(alice).show(`/o/${slug}?search=ocean`))).toContain('There are no forms here.');
});

test('every member of a large organization is on some page, and every unit of a large tree can be reached', async () => {
  const { alice } = cast;
  const { slug, orgId } = await newOrganization(alice);
  const { table, now } = app();
  const addMembers = (count: number) =>
    Array.from({ length: count }, async () => {
      const { id } = await person('member');
      await table.write(insertMember(orgId, id, now().toISOString(), 10));
      return id;
    });
  const ids: string[] = [];
  // All at once would keep the storage of a busy machine waiting for more than a second.
  for (let group = 0; group < 6; group += 1) ids.push(...(await Promise.all(addMembers(20))));
  const seen = new Set<string>();
  let path: string | undefined = `/o/${slug}/members`;
  for (let pages = 0; path !== undefined && pages < 5; pages += 1) {
    const html = await pagesOf(alice).show(path);
    for (const [, id = ''] of html.matchAll(/<li id="m-([^"]+)"/g)) seen.add(id);
    path = /href="([^"]+\?cursor=[^"]+)"/.exec(html)?.[1];
  }
  expect([...seen].sort()).toEqual([...ids, alice.id].sort());

  const units = Array.from({ length: 450 }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    parentId: index === 0 ? null : `00000000-0000-4000-8000-${String(Math.floor((index - 1) / 8)).padStart(12, '0')}`,
  }));
  const createdAt = now().toISOString();
  await table.write([replaceTree(orgId, { version: 0, units: [] }, { version: 0, units })]);
  for (let from = 0; from < units.length; from += 100) {
    await table.write(
      units.slice(from, from + 100).map(({ id }) =>
        insertUnit({
          id,
          name: `Unit ${id.slice(-3)}`,
          description: '',
          metadata: {},
          createdAt,
          updatedAt: createdAt,
          orgId,
          version: 1,
        }),
      ),
    );
  }
  const list = await pagesOf(alice).show(`/o/${slug}/units`);
  expect(textOf(list)).toContain('400 of 450 units are listed');
  const deepest = units.at(-1);
  const above = await pagesOf(alice).show(`/o/${slug}/units/${deepest?.parentId}`);
  expect(above).toContain(`/o/${slug}/units/${deepest?.id}`);
});
