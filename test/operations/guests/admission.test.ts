/**
 * What a guest may do: respond to one form, and nothing else. The tables of permissions try every operation by a guest
 * without a response (`permission-matrix.test.ts`); here is a guest who has one, and what forged credentials get.
 */
import { describe, expect, test } from 'vitest';
import { parameterNames } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { formKey, idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { GUEST_SECONDS } from '#core/identity/tokens.ts';
import { newAddressed } from '#test/support/addresses.ts';
import { withApp, withConfig } from '#test/support/faults.ts';
import { expectProblem, newForm, newGuest, send } from '#test/support/fixtures.ts';
import { buildSending, find, named, nameOf, perform, type Sending } from '#test/support/requests.ts';
import { respond, start, text } from '#test/support/responses.ts';
import { newResources, newResourcesOfAddressed, newResourcesOfGuest, newScene } from '#test/support/scene.ts';
import { changesDuring } from '#test/support/stored.ts';
import { newBrowser } from '#test/support/visitor.ts';

const scene = await newScene();
const { places, own, foreign } = scene;

/** The operations that the contract opens to guests. */
const ADMITTED = [
  'forms.getForm',
  'forms.getCover',
  'sections.listSections',
  'workflow.getWorkflow',
  'responses.startResponse',
  'responses.getPlaces',
  'responses.getResponse',
  'responses.deleteResponse',
  'responses.updateAnswers',
  'responses.getAnswer',
  'responses.clearAnswer',
  'responses.submitResponse',
  'responses.cancelResponse',
  'responses.listMyResponses',
  'files.uploadFiles',
  'files.completeUploads',
  'files.clearFiles',
  'files.downloadFile',
  'files.getFile',
  'files.deleteFile',
  'connections.startConnection',
];

const admitted = operations.filter((declaration) => ADMITTED.includes(nameOf(declaration)));

/** Guests of forms for anyone, and of forms for people who confirm an address. */
const KINDS = ['for anyone', 'with an address'] as const;
type Kind = (typeof KINDS)[number];
const newGuestOf = (kind: Kind, formId: string) => (kind === 'for anyone' ? newGuest(formId) : newAddressed(formId));

/** The request of a guest to what is theirs. */
async function ofGuest(declaration: (typeof operations)[number], kind: Kind = 'for anyone'): Promise<Sending> {
  const resources =
    kind === 'for anyone' ? await newResourcesOfGuest(places.own) : await newResourcesOfAddressed(places.own);
  if (declaration.name !== 'startResponse')
    return withDraft(declaration, await buildSending(declaration, resources, 'nobody'), resources);
  // Somebody who has a draft already starts no other.
  const fresh = await newGuestOf(kind, resources.formId);
  return { ...(await buildSending(declaration, resources, 'nobody')), by: fresh };
}

/** Only drafts are deleted by those who began them. */
const withDraft = (
  { name }: (typeof operations)[number],
  sending: Sending,
  { respondent, draftId }: Awaited<ReturnType<typeof newResourcesOfGuest>>,
): Sending => ({
  ...sending,
  by: respondent,
  params: name === 'deleteResponse' ? { ...sending.params, responseId: draftId } : sending.params,
});

test('no other operation declares that guests may call it', () => {
  const declared = operations.filter(({ access }) => access.guests).map(nameOf);
  expect(declared.toSorted()).toEqual(ADMITTED.toSorted());
});

describe.for(KINDS)('a guest %s who has a response may', (kind) => {
  test.for(named(admitted))('%s', async ([, declaration]) => {
    const sending = await ofGuest(declaration, kind);
    expect((await perform(sending)).status).toBe(declaration.success.status);
  });

  test.for(named(admitted))('%s, by the cookie of the form', async ([, declaration]) => {
    const { by, ...sending } = await ofGuest(declaration, kind);
    const key = formKey(Object.values(sending.params)[0] ?? '');
    const headers = { cookie: `guest_${key}=${by?.token}` };
    expect((await perform({ ...sending, by: undefined }, { headers })).status).toBe(declaration.success.status);
  });

  test.for(named(admitted))('%s, beside the session of somebody else', async ([, declaration]) => {
    // What belongs to the form, the account may see as well.
    const { by, ...sending } = await ofGuest(declaration, kind);
    const key = formKey(Object.values(sending.params)[0] ?? '');
    const headers = { cookie: `access_token=${scene.cast.chelsea.token}; guest_${key}=${by?.token}` };
    expect((await perform({ ...sending, by: undefined }, { headers })).status).toBe(declaration.success.status);
  });
});

describe.for(KINDS)('what belongs to a guest %s is closed to', (kind) => {
  const owned = admitted.filter(({ access }) => access.target === 'response' || access.target === 'file');

  test.for(named(owned))('another guest of the form: %s', async ([, declaration]) => {
    const sending = await ofGuest(declaration, kind);
    const other = await newGuestOf(kind, Object.values(sending.params)[0] ?? '');
    expect((await perform({ ...sending, by: other })).status).toBe(404);
  });

  test.for(named(admitted))('a guest of another form: %s', async ([, declaration]) => {
    const sending = await ofGuest(declaration, kind);
    const other = await newGuestOf(kind, own.PUBLISHED.formId);
    const changes = await changesDuring(async () => {
      expect((await perform({ ...sending, by: other })).status).toBe(401);
      const key = formKey(own.PUBLISHED.formId);
      for (const cookie of [`guest_${key}`, `guest_${formKey(Object.values(sending.params)[0] ?? '')}`]) {
        const headers = { cookie: `${cookie}=${other.token}` };
        expect((await perform({ ...sending, by: undefined }, { headers })).status, cookie).toBe(401);
      }
    });
    expect(changes).toEqual([]);
  });

  test.for(named(admitted))('a path with the id of another form: %s', async ([, declaration]) => {
    const sending = await ofGuest(declaration, kind);
    const names = parameterNames(declaration.path);
    for (const name of names) {
      const id = idWithin(foreign.PUBLISHED.formId, sending.params[name] ?? '');
      const mixed = { ...sending, params: { ...sending.params, [name]: id } };
      expect((await perform(mixed)).status, name).toBe(401);
    }
  });
});

describe('a credential is refused that is', () => {
  const { formId } = own.PUBLISHED;
  const get = (token: string) => send('GET', `/api/forms/${formId}`, { headers: { authorization: `Bearer ${token}` } });
  const asGuest = (id: string, guestOf: string, time = app().now()) =>
    app().tokens.signGuest({ id, roles: [], guestOf }, time);

  test('older than 30 days', async () => {
    const now = app().now().getTime();
    const issuedBefore = async (seconds: number) =>
      (await get(await asGuest(idWithin(formId, app().uuid()), formKey(formId), new Date(now - seconds * 1_000))))
        .status;
    expect(GUEST_SECONDS).toBe(2_592_000);
    expect(await issuedBefore(2_592_000 - 60)).toBe(200);
    expect(await issuedBefore(2_592_000 + 1)).toBe(401);
  });

  test('for an id outside of the form that it names', async () => {
    expect((await get(await asGuest(scene.cast.dave.id, formKey(formId)))).status).toBe(401);
    expect((await get(await asGuest(idWithin(foreign.PUBLISHED.formId, app().uuid()), formKey(formId)))).status).toBe(
      401,
    );
  });

  test('an access token that names a guest, or a guest credential where an account is asked for', async () => {
    const guest = await newGuest(formId);
    const accessToken = await app().tokens.sign({ id: guest.id, roles: ['ADMIN'] }, app().now());
    const cookie = `guest_${formKey(formId)}=${accessToken}`;
    expect((await send('GET', `/api/forms/${formId}`, { headers: { cookie } })).status).toBe(401);
    for (const path of [
      '/api/forms',
      '/api/users/me',
      `/api/orgs/${own.PUBLISHED.slug}`,
      '/api/files',
      '/api/files/me',
    ]) {
      const headers = { authorization: `Bearer ${guest.token}` };
      expect((await send('GET', path, { headers })).status, path).toBe(401);
      expect((await send('GET', path, { headers: { cookie: `access_token=${guest.token}` } })).status, path).toBe(401);
    }
  });

  test('one of two cookies of the form', async () => {
    const [one, other] = [await newGuest(formId), await newGuest(formId)];
    const name = `guest_${formKey(formId)}`;
    const cookie = `${name}=${one.token}; ${name}=${other.token}`;
    expect((await send('GET', `/api/forms/${formId}`, { headers: { cookie } })).status).toBe(401);
  });
});

describe.for(KINDS)('where the installation takes no guests any more, one %s', (kind) => {
  test.for(named(admitted))('who has begun a response may still finish it: %s', async ([, declaration]) => {
    const sending = await ofGuest(declaration, kind);
    const status = await withConfig({ guests: false }, async () => (await perform(sending)).status);
    // A new one starts nothing.
    expect(status).toBe(declaration.name === 'startResponse' ? 404 : declaration.success.status);
  });

  test('starts no other response after the first was submitted', async () => {
    const { formId, respondent, draftId } =
      kind === 'for anyone' ? await newResourcesOfGuest(places.own) : await newResourcesOfAddressed(places.own);
    await withConfig({ guests: false }, async () => {
      await respondent.client.responses.submitResponse({ params: { responseId: draftId }, body: { answers: [] } });
      const code = kind === 'for anyone' ? 'account_needed' : 'invitation_needed';
      expect(await expectProblem(start(respondent, formId))).toMatchObject({ status: 403, code });
    });
  });

  test('who has begun nothing sees no form', async () => {
    const { formId } =
      kind === 'for anyone' ? await newResourcesOfGuest(places.own) : await newResourcesOfAddressed(places.own);
    const guest = await newGuestOf(kind, formId);
    await withConfig({ guests: false }, async () => {
      expect(await expectProblem(guest.client.forms.getForm({ params: { formId } }))).toMatchObject({ status: 404 });
    });
  });
});

test('a write with the cookie of a guest from a foreign origin is 403', async () => {
  const resources = await newResourcesOfGuest(places.own);
  const sending = { ...(await buildSending(find('submitResponse'), resources, 'nobody')) };
  const cookie = `guest_${formKey(resources.formId)}=${resources.respondent.token}`;
  const from = (origin: string) => perform(sending, { headers: { cookie, origin } });
  expect((await from('https://evil.example')).status).toBe(403);
  expect((await from(new URL(app().config.publicUrl).origin)).status).toBe(201);
});

describe('becoming a guest', () => {
  const { admin, slug } = places.own;
  const formForAnyone = async () =>
    (await newForm(admin, slug, [[{ type: 'SHORT_TEXT' }]], { audience: 'ANYONE' })).formId;
  const become = (formId: string, headers: Record<string, string> = {}) =>
    send('POST', `/api/forms/${formId}/guests`, { headers });

  test('gives a credential for this form that expires with the browser session, or after 30 days', async () => {
    const formId = await formForAnyone();
    const response = await become(formId);
    const { token, expiresAt } = (await response.json()) as { token: string; expiresAt: string };
    expect(response.status).toBe(201);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(2_591_000_000);
    const [cookie = '', ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toBe(`guest_${formKey(formId)}=${token}; Path=/; HttpOnly; SameSite=Lax`);
    const guest = await app().tokens.verifyGuest(token, app().now());
    expect(guest).toMatchObject({ guestOf: formKey(formId), roles: [] });
  });

  test('is 401 alike for unknown forms, drafts, archived ones, those for accounts, and in an installation without guests', async () => {
    const { formId: forAccounts } = await newResources(places.own, 'PUBLISHED');
    const params = { formId: forAccounts };
    await places.own.admin.client.forms.updateForm({ params, body: { audience: 'ACCOUNT' } });
    const bodies = [];
    for (const formId of [crypto.randomUUID(), own.DRAFT.formId, own.ARCHIVED.formId, forAccounts]) {
      const response = await become(formId);
      bodies.push({ ...((await response.json()) as object), instance: '' });
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    await withConfig({ guests: false }, async () => {
      expect((await become(own.PUBLISHED.formId)).status).toBe(401);
    });
  });

  test('gives a Secure cookie where the service is at HTTPS, of its domain', async () => {
    const formId = await formForAnyone();
    const cookies = { secure: true, sameSite: 'lax' as const, domain: 'forms.example.org' };
    const response = await withConfig({ cookies }, () => become(formId));
    const [, ...attributes] = response.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(attributes.toSorted()).toEqual(['Domain=forms.example.org', 'HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
  });

  test('is refused from a foreign origin', async () => {
    expect((await become(own.PUBLISHED.formId, { origin: 'https://evil.example' })).status).toBe(403);
  });

  test('of a sixth form drops the oldest credential of the browser', async () => {
    const browser = newBrowser();
    const keys: string[] = [];
    const start = Date.now();
    for (let index = 0; index < 7; index += 1) {
      const formId = await formForAnyone();
      keys.push(formKey(formId));
      await withApp(
        () => ({ now: () => new Date(start + index * 1_000) }),
        () => browser.post(`/api/forms/${formId}/guests`),
      );
    }
    expect([...browser.jar.keys()].toSorted()).toEqual(
      keys
        .slice(2)
        .map((key) => `guest_${key}`)
        .toSorted(),
    );
  });
});

test.for(KINDS)('a form that is closed takes nothing more of a guest %s, also of what was begun', async (kind) => {
  const { formId, questionId, admin, respondent, draftId } =
    kind === 'for anyone' ? await newResourcesOfGuest(places.own) : await newResourcesOfAddressed(places.own);
  const deadline = new Date(app().now().getTime() - 1_000).toISOString();
  await admin.client.forms.updateForm({ params: { formId }, body: { deadline } });
  const params = { responseId: draftId };
  const answers = [text(questionId, 'Nothing that was answered before')];
  for (const attempt of [
    () => respondent.client.responses.updateAnswers({ params, body: { answers } }),
    () => respondent.client.responses.submitResponse({ params, body: { answers } }),
    async () => start(await newGuestOf(kind, formId), formId),
  ])
    expect(await expectProblem(attempt())).toMatchObject({ status: 400, code: 'form_not_open' });
});

describe('when the audience of a form becomes ACCOUNT', () => {
  test('guests start nothing new, and finish what they have begun', async () => {
    const { formId, questionId, admin } = await newResources(places.own, 'PUBLISHED');
    const [begun, late] = [await newGuest(formId), await newGuest(formId)];
    const responseId = await start(begun, formId, [text(questionId, 'Clear water')]);
    await admin.client.forms.updateForm({ params: { formId }, body: { audience: 'ACCOUNT' } });
    expect(await expectProblem(start(late, formId))).toMatchObject({ status: 404 });
    expect(await expectProblem(late.client.forms.getForm({ params: { formId } }))).toMatchObject({ status: 404 });
    await begun.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
    expect(await expectProblem(start(begun, formId))).toMatchObject({ status: 403, code: 'account_needed' });
  });

  test('an account starts as before', async () => {
    const { formId, questionId, admin, otherRespondent } = await newResources(places.own, 'PUBLISHED');
    await admin.client.forms.updateForm({ params: { formId }, body: { audience: 'ACCOUNT' } });
    expect(await respond(otherRespondent, formId, [text(questionId, 'Clear water')])).not.toBe('');
  });
});
