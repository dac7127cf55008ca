/** The pages for respondents without an account, as browsers without scripts request them: from the bare link to the answers. */
import { afterAll, describe, expect, test, vi } from 'vitest';
import { formKey } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { loadResponses } from '#core/responses/store.ts';
import { sha256 } from '#core/schema/hash.ts';
import { newAddressed } from '#test/support/addresses.ts';
import { pages } from '#test/support/declared-pages.ts';
import { withConfig } from '#test/support/faults.ts';
import { newForm, newGuest, send } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { pass, start, text } from '#test/support/responses.ts';
import { newResourcesOfAddressed, newResourcesOfGuest, newScene } from '#test/support/scene.ts';
import { filesOf } from '#test/support/sources.ts';
import { allItems, changesDuring, everythingStored } from '#test/support/stored.ts';
import { locationOf, newBrowser } from '#test/support/visitor.ts';

const ORIGIN = 'http://127.0.0.1:3000';
vi.useFakeTimers({ toFake: ['Date'] });
afterAll(() => {
  vi.useRealTimers();
});
const scene = await newScene();
const { places, cast } = scene;

/** A browser whose reader looks at each page for three seconds. */
const newReader = () => newBrowser({ read: () => pass(3) });

/** A published form for anyone with a question. */
async function formForAnyone() {
  const { formId, questionIds, sectionIds } = await newForm(
    cast.alice,
    cast.slug,
    [[{ type: 'SHORT_TEXT', required: true, title: 'Which lake?' }]],
    { audience: 'ANYONE', title: 'Lakes' },
  );
  return { formId, questionId: questionIds[0] ?? '', sectionId: sectionIds[0] ?? '' };
}

test('a stranger submits a form from its link in three presses', async () => {
  const { formId, questionId } = await formForAnyone();
  const browser = newReader();
  const landing = await browser.show(`/f/${formId}`);
  expect(textOf(landing)).toContain('You need no account. Stored are your answers and the time of your submission.');
  expect(landing).toContain(`<a href="/sign-in?to=${encodeURIComponent(`/f/${formId}`)}">Sign in instead</a>`);
  expect(browser.jar.size).toBe(0);
  const started = await browser.post(`/f/${formId}/start`, fieldsOf(landing));
  expect(started.status).toBe(303);
  expect(browser.lines).toEqual([
    expect.stringMatching(/^guest_[0-9a-f-]{18}=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const section = locationOf(await browser.get(locationOf(started)));
  const page = await browser.show(section);
  const saved = await browser.post(section, [
    ...fieldsOf(page).filter(([name]) => !name.startsWith('q.')),
    [`q.${questionId}`, 'Loch Ness'],
    ['do', 'next'],
  ]);
  const check = locationOf(saved);
  expect(check).toMatch(/\/check$/);
  const submitted = await browser.post(check.replace(/check$/, 'submit'), fieldsOf(await browser.show(check)));
  const done = await browser.show(locationOf(submitted));
  expect(textOf(done)).toContain('Loch Ness');
  expect(textOf(done)).toContain('Link to my answers');
  expect(done).not.toContain('class="button secondary" href="/"');
  const { body } = await cast.bob.client.responses.listResponses({ params: { formId } });
  expect(body.responses.map(({ respondent, progress }) => [respondent.name.slice(0, 6), progress])).toEqual([
    ['Guest ', 'SUBMITTED'],
  ]);
});

test('what was submitted is changed where the form allows it, by the cookie and by the link, and by nobody else', async () => {
  const { formId, questionId, sectionId } = await formForAnyone();
  const browser = newReader();
  const draft = locationOf(await browser.post(`/f/${formId}/start`, fieldsOf(await browser.show(`/f/${formId}`))));
  const section = `${draft}/s/${sectionId}`;
  const answer = async (by: ReturnType<typeof newBrowser>, value: string) =>
    by.post(section, [
      ...fieldsOf(await by.show(section)).filter(([name]) => !name.startsWith('q.')),
      [`q.${questionId}`, value],
      ['do', 'next'],
    ]);
  await answer(browser, 'Loch Ness');
  await browser.post(`${draft}/submit`, fieldsOf(await browser.show(`${draft}/check`)));
  const done = await browser.show(`${draft}/done`);
  expect(done).toContain(`href="${section}`);
  const stored = async () => (await loadResponses(app().table, [draft.slice('/r/'.length)]))[0];
  const edited = await answer(browser, 'Windermere');
  expect(locationOf(edited)).toContain(`${draft}/done`);
  expect(await stored()).toMatchObject({ progress: 'SUBMITTED', answers: { [questionId]: { value: 'Windermere' } } });
  const link = /href="(\/f\/[^"]*\/resume\?[^"]*)"/.exec(done)?.[1] ?? '';
  const other = newReader();
  expect(locationOf(await other.get(section))).toMatch(/^\/sign-in/);
  await other.post(`/f/${formId}/resume`, fieldsOf(await other.show(link)));
  await answer(other, 'Titisee');
  expect(await stored()).toMatchObject({ progress: 'SUBMITTED', answers: { [questionId]: { value: 'Titisee' } } });
  await cast.alice.client.forms.updateForm({ params: { formId }, body: { allowEditResponse: false } });
  expect(textOf(await browser.show(`${draft}/done`))).not.toContain('Change');
});

describe('the button that starts', () => {
  test('pressed twice before the first response arrives starts one response', async () => {
    const { formId } = await formForAnyone();
    const [one, other] = [newReader(), newReader()];
    const fields = fieldsOf(await one.show(`/f/${formId}`));
    const locations = await Promise.all(
      [one, other].map(async (each) => locationOf(await each.post(`/f/${formId}/start`, fields))),
    );
    expect(new Set(locations).size).toBe(1);
    expect((await other.get(locations[0] ?? '')).status).toBe(303);
    expect((await cast.bob.client.responses.listResponses({ params: { formId } })).body.totalCount).toBe(1);
  });

  test('pressed again on a page in the history, after answers were given or deleted, opens nobody’s answers', async () => {
    const { formId, questionId } = await formForAnyone();
    for (const finish of ['answer', 'delete'] as const) {
      const browser = newReader();
      const fields = fieldsOf(await browser.show(`/f/${formId}`));
      const first = locationOf(await browser.post(`/f/${formId}/start`, fields));
      const responseId = first.slice('/r/'.length);
      const token = [...browser.jar.values()][0]?.value ?? '';
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const done =
        finish === 'answer'
          ? await send('PATCH', `/api/responses/${responseId}/answers`, {
              headers,
              body: JSON.stringify({ answers: [text(questionId, 'Loch Ness')] }),
            })
          : await send('DELETE', `/api/forms/${formId}/responses/${responseId}`, { headers });
      expect(done.status).toBeLessThan(300);
      const next = newReader();
      const second = locationOf(await next.post(`/f/${formId}/start`, fields));
      expect(second).toMatch(/^\/r\//);
      expect(second).not.toBe(first);
      expect(locationOf(await next.get(first))).toMatch(/^\/sign-in|^$/);
      const guests = await Promise.all(
        [token, [...next.jar.values()][0]?.value ?? ''].map((each) => app().tokens.verifyGuest(each, app().now())),
      );
      expect(guests[0]?.id).not.toBe(guests[1]?.id);
    }
  });

  test('keeps the credential on the device for 30 days only when asked to', async () => {
    const { formId } = await formForAnyone();
    const browser = newReader();
    await browser.post(`/f/${formId}/start`, [...fieldsOf(await browser.show(`/f/${formId}`)), ['keep', 'on']]);
    expect(browser.lines).toEqual([expect.stringContaining('Max-Age=2592000;')]);
  });

  test('is not offered while there is a draft, which the page continues, also from an old page', async () => {
    const { formId } = await formForAnyone();
    const browser = newReader();
    const old = fieldsOf(await browser.show(`/f/${formId}`));
    const draft = locationOf(await browser.post(`/f/${formId}/start`, old));
    const landing = await browser.show(`/f/${formId}`);
    expect(landing).toContain(`<a class="button large" href="${draft}">Continue</a>`);
    expect(landing).not.toContain(`action="/f/${formId}/start"`);
    expect(locationOf(await browser.post(`/f/${formId}/start`, [['id', crypto.randomUUID()]]))).toBe(`/f/${formId}`);
  });

  test('from a foreign origin is refused', async () => {
    const { formId } = await formForAnyone();
    const browser = newReader();
    expect((await browser.post(`/f/${formId}/start`, [], 'https://evil.example')).status).toBe(403);
    expect(browser.jar.size).toBe(0);
  });
});

test('of a guest no network address is stored, and none is counted', async () => {
  const { formId, questionId } = await formForAnyone();
  const browser = newReader();
  const before = (await allItems()).length;
  const draft = locationOf(await browser.post(`/f/${formId}/start`, fieldsOf(await browser.show(`/f/${formId}`))));
  const guest = [...browser.jar.values()][0]?.value ?? '';
  const response = await send('POST', `/api/responses/${draft.slice('/r/'.length)}/submit`, {
    headers: { authorization: `Bearer ${guest}`, 'content-type': 'application/json' },
    body: JSON.stringify({ answers: [text(questionId, 'Clear water')] }),
  });
  expect(response.status).toBe(201);
  const items = await allItems();
  expect(items.length).toBeGreaterThan(before);
  // Where all requests of tests come from, as it is and as a fingerprint.
  const sha = (encoding: 'hex' | 'base64url') => sha256('127.0.0.1', encoding);
  for (const address of ['127.0.0.1', sha('hex'), sha('base64url')])
    expect(JSON.stringify(items.filter(({ sk }) => sk?.S !== 'HEAD'))).not.toContain(address);
});

test('no page and no mail says that answers are anonymous: they say what is stored', () => {
  const texts = filesOf('core/pages/**/*.ts', 'core/mail/*.ts');
  expect(texts.length).toBeGreaterThan(200);
  for (const { path, text: source } of texts) expect([path, /anonym|匿名/i.test(source)]).toEqual([path, false]);
});

test('a form for accounts, a draft, an unknown form and an installation without guests lead to sign-in alike', async () => {
  const { formId } = await formForAnyone();
  const forAccounts = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  const visit = async (id: string) => {
    const browser = newReader();
    const shown = await browser.get(`/f/${id}`);
    const started = await browser.post(`/f/${id}/start`, [['id', crypto.randomUUID()]]);
    expect(browser.jar.size).toBe(0);
    return [shown.status, locationOf(shown).replaceAll(id, '…'), started.status];
  };
  const refused = [303, `/sign-in?to=${encodeURIComponent('/f/')}…`, 401];
  const before = await everythingStored();
  for (const id of [forAccounts.formId, scene.own.DRAFT.formId, scene.own.ARCHIVED.formId, crypto.randomUUID()])
    expect(await visit(id)).toEqual(refused);
  await withConfig({ guests: false }, async () => expect(await visit(formId)).toEqual(refused));
  expect(await everythingStored()).toEqual(before);
});

describe('the link to continue later', () => {
  /** A browser whose guest has begun a response, and the link of that guest. */
  async function begun() {
    const { formId } = await formForAnyone();
    const browser = newReader();
    const draft = locationOf(await browser.post(`/f/${formId}/start`, fieldsOf(await browser.show(`/f/${formId}`))));
    const link = /href="(\/f\/[^"]*\/resume\?[^"]*)"/.exec(await browser.show(`/f/${formId}`))?.[1] ?? '';
    return { formId, browser, draft, link };
  }

  test('asks, and makes another browser that of the guest by a press', async () => {
    const { formId, draft, link } = await begun();
    const other = newReader();
    const response = await other.get(link);
    const page = await response.text();
    expect(textOf(page)).toContain('They were begun on');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(other.jar.size).toBe(0);
    expect(page).toContain(`href="/f/${formId}">Start new</a>`);
    const resumed = await other.post(`/f/${formId}/resume`, fieldsOf(page));
    expect(locationOf(resumed)).toBe(`/f/${formId}`);
    expect(await other.show(`/f/${formId}`)).toContain(`href="${draft}">Continue</a>`);
  });

  test('is no credential, and not that of another form', async () => {
    const { formId, link } = await begun();
    const token = new URLSearchParams(link.split('?')[1]).get('guest') ?? '';
    const cookie = `guest_${formKey(formId)}=${token}`;
    expect((await send('GET', `/api/forms/${formId}`, { headers: { cookie } })).status).toBe(401);
    expect((await send('GET', `/api/forms/${formId}`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
    const other = await formForAnyone();
    const browser = newReader();
    const { token: credential } = await newGuest(formId);
    for (const [path, guest] of [
      [`/f/${other.formId}/resume`, token],
      [`/f/${formId}/resume`, credential],
      [`/f/${formId}/resume`, ''],
    ] as const) {
      expect((await browser.get(`${path}?${new URLSearchParams({ guest })}`)).status).toBe(404);
      expect((await browser.post(path, [['guest', guest]])).status).toBe(404);
    }
    // What was begun is finished also where the installation takes no guests any more.
    await withConfig({ guests: false }, async () => expect((await browser.get(link)).status).toBe(200));
    expect(browser.jar.size).toBe(0);
  });

  test('expires after 30 days', async () => {
    const { tokens, now } = app();
    const { formId } = await formForAnyone();
    const { id } = await newGuest(formId);
    const at = (seconds: number) => new Date(now().getTime() - seconds * 1_000);
    const sign = (time: Date) => tokens.signGuestLink({ id, roles: [], guestOf: formKey(formId) }, time);
    expect(await tokens.verifyGuestLink(await sign(at(2_591_900)), now())).toMatchObject({ id });
    expect(await tokens.verifyGuestLink(await sign(at(2_592_001)), now())).toBeUndefined();
  });

  test('is all that leads to the answers once the device has forgotten the guest', async () => {
    const { formId, browser, draft, link } = await begun();
    await browser.show(`/f/${formId}/forget`);
    const forgotten = await browser.post(`/f/${formId}/forget`);
    expect(browser.jar.size).toBe(0);
    expect(textOf(await browser.show(locationOf(forgotten)))).toContain('This device has forgotten you.');
    expect(locationOf(await browser.get(draft))).toMatch(/^\/sign-in/);
    await browser.post(`/f/${formId}/resume`, fieldsOf(await browser.show(link)));
    expect((await browser.get(draft)).status).toBe(303);
    expect(locationOf(await browser.get(draft))).toMatch(/\/s\//);
  });
});

test('somebody who signs in half-way keeps the draft of the guest in this browser', async () => {
  const { formId } = await formForAnyone();
  const browser = newReader();
  const draft = locationOf(await browser.post(`/f/${formId}/start`, fieldsOf(await browser.show(`/f/${formId}`))));
  browser.jar.set('access_token', { value: cast.chelsea.token, path: '/' });
  expect(locationOf(await browser.get(draft))).toMatch(/\/s\//);
  // An account starts a response of its own.
  const own = locationOf(await browser.post(`/f/${formId}/start`, fieldsOf(await browser.show(`/f/${formId}`))));
  const { body } = await cast.chelsea.client.responses.listMyResponses({ params: { formId } });
  expect(body.responses.map(({ id }) => `/r/${id}`)).toEqual([own]);
});

/** Where a stranger gets in, beside the pages that need no credential: of forms for anyone, and for people with an address. */
const OPEN = {
  'for anyone': ['/f/{formId}', '/f/{formId}/privacy', '/f/{formId}/start'],
  'with an address': ['/f/{formId}', '/f/{formId}/privacy'],
} as const;
type Kind = keyof typeof OPEN;

describe.for(
  Object.keys(OPEN) as Kind[],
)('every page, by a guest %s of the form and by one of another form', (kind) => {
  const others = pages.filter(({ audience }) => audience !== 'assets');
  const RESPONDING = [...OPEN['for anyone'], '/f/{formId}/mail-link', '/files/{fileId}'];
  const isForGuests = (path: string): boolean => path.startsWith('/r/{responseId}') || RESPONDING.includes(path);

  test('the pages that admit guests are those of responding', () => {
    const admitting = others.filter(({ access }) => access.guests).map(({ path }) => path);
    expect(new Set(admitting)).toEqual(new Set(others.map(({ path }) => path).filter(isForGuests)));
  });

  test.for(others.map((page) => [`${page.method} ${page.path}`, page] as const))('%s', async ([, page]) => {
    const resources =
      kind === 'for anyone' ? await newResourcesOfGuest(places.own) : await newResourcesOfAddressed(places.own);
    const ids: Record<string, unknown> = {
      ...resources,
      version: '1',
      memberId: resources.admin.id,
      responseId: resources.draftId,
    };
    const path = page.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? resources.formId));
    const visit = (token: string, key: string) => {
      const headers = {
        cookie: `guest_${key}=${token}`,
        origin: ORIGIN,
        'content-type': 'application/x-www-form-urlencoded',
      };
      return send(page.method, path, { headers });
    };
    const isRefused = (response: Response): boolean =>
      page.method === 'GET' ? locationOf(response).startsWith('/sign-in') : response.status === 401;
    const key = formKey(resources.formId);
    const { formId: otherId } = scene.own.PUBLISHED;
    const other = kind === 'for anyone' ? await newGuest(otherId) : await newAddressed(otherId);
    // A guest of another form is a stranger to this one.
    const asksForAddress = page.path === '/f/{formId}/address';
    const isOpen =
      asksForAddress || page.access.credential !== 'none'
        ? [...OPEN[kind], ...(kind === 'with an address' ? ['/f/{formId}/address'] : [])].some(
            (path) => path === page.path,
          )
        : true;
    const changes = await changesDuring(async () => {
      for (const [token, name] of [
        [other.token, formKey(scene.own.PUBLISHED.formId)],
        [other.token, key],
      ] as const) {
        const response = await visit(token, name);
        expect([isRefused(response), response.status < 500], name).toEqual([!isOpen, true]);
      }
    });
    if (!isOpen) expect(changes).toEqual([]);
    const response = await visit(resources.respondent.token, key);
    expect([isRefused(response), response.status < 500]).toEqual([!(isOpen || isForGuests(page.path)), true]);
  });
});

test('the page of sharing chooses in words who may respond', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  const { show, post } = pagesOf(cast.bob);
  const path = `/build/${formId}/share`;
  const page = await show(path);
  expect(page).toContain('name="audience" value="ACCOUNT" checked');
  expect(textOf(page)).toContain('Everybody who has the link can read the title, the texts and the questions.');
  const audience = async () => (await cast.bob.client.forms.getForm({ params: { formId } })).body.audience;
  expect(
    (
      await post(path, [
        ['audience', 'ANYONE'],
        ['do', 'audience'],
      ])
    ).status,
  ).toBe(303);
  expect(await audience()).toBe('ANYONE');
  expect(textOf(await show(path))).toContain('Everybody who has the link, without signing in.');
  for (const value of ['EVERYBODY', ''])
    expect(
      (
        await post(path, [
          ['audience', value],
          ['do', 'audience'],
        ])
      ).status,
    ).toBe(400);
  expect(await audience()).toBe('ANYONE');
  await withConfig({ guests: false }, async () => {
    expect(await show(path)).not.toContain('name="audience"');
    expect(
      (
        await post(path, [
          ['audience', 'ANYONE'],
          ['do', 'audience'],
        ])
      ).status,
    ).toBe(400);
  });
  expect(
    (
      await pagesOf(cast.chelsea).post(path, [
        ['audience', 'ACCOUNT'],
        ['do', 'audience'],
      ])
    ).status,
  ).toBe(403);
});

test('a guest whose form was closed sees that and what was submitted', async () => {
  const { formId, questionId } = await formForAnyone();
  const guest = await newGuest(formId);
  const responseId = await start(guest, formId, [text(questionId, 'Loch Ness')]);
  await guest.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  const browser = newReader();
  browser.jar.set(`guest_${formKey(formId)}`, { value: guest.token, path: '/' });
  expect(textOf(await browser.show(`/r/${responseId}/done`))).toContain('Loch Ness');
  expect(textOf(await browser.show(`/f/${formId}`))).toContain('This form is archived');
});
