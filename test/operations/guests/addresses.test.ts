/**
 * Forms for people who confirm an address: the link that is mailed, what is stored and when, who may start, and what somebody gets who
 * tries to find out whose addresses are known, to flood an address, or to come in with another link.
 */
import { describe, expect, test } from 'vitest';
import { formKey, keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { admitLinked, openGuestLink } from '#core/identity/guests.ts';
import { hashAddress, unsubscribe } from '#core/organizations/guest-mails.ts';
import { sha256 } from '#core/schema/hash.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';
import { askForLink, become, linkIn, newAddress, newAddressed, personIn, tokenIn } from '#test/support/addresses.ts';
import { muteErrors } from '#test/support/console.ts';
import { measureCost } from '#test/support/cost.ts';
import { listTraces } from '#test/support/deletion.ts';
import { withApp, withConfig } from '#test/support/faults.ts';
import { type Built, expectProblem, newForm, newGuest, type Person, send } from '#test/support/fixtures.ts';
import { newInvitation, newInvited, sendCode } from '#test/support/invitations.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { newProof } from '#test/support/prepared.ts';
import { castAt, preview, respond, start, submit, text } from '#test/support/responses.ts';
import { everythingStored, itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions, sweepIn } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const { alice, bob, dave, slug, orgId } = await castAt();
const ownMail = ownSes();
muteErrors();

const ORIGIN = 'http://127.0.0.1:3000';
const DAY = 86_400;

type Settings = Parameters<typeof newForm>[3];

/** A form for people with an address that asks one question. */
async function formForAddresses(settings: Settings = {}): Promise<Built & { questionId: string }> {
  const kinds = [{ type: 'SHORT_TEXT' as const }];
  const form = await newForm(alice, slug, [kinds], {
    ...{ audience: 'EMAIL', visibility: 'PRIVATE', title: 'Lakes' },
    ...settings,
  });
  return { ...form, questionId: form.questionIds[0] ?? '' };
}

/** Sweeps, and lets the events of SES arrive. */
async function sendAll(): Promise<void> {
  await sweepIn(0);
  await receiveEvents(ownMail());
}

const mailsFor = (email: string) => mailsTo(ownMail(), { email });

/** The path of the newest link that was mailed to an address; empty without one. */
async function newestLink(email: string): Promise<string> {
  await sendAll();
  return linkIn(mailsFor(email).at(-1)?.text);
}

/** Asks for a link to a form and reads it in the mailbox. */
async function mailedLink(formId: string, email: string): Promise<string> {
  expect((await askForLink(formId, email)).status).toBe(202);
  return newestLink(email);
}

/** The guest who comes to a form by the link that was mailed to an address. */
const guestBy = async (formId: string, email = newAddress()): Promise<Person> =>
  personIn(await become(formId, { link: tokenIn(await mailedLink(formId, email)) }), email);

/** Posts the form of the page that a link opens. */
const press = async (path: string, page: string, headers: Record<string, string> = {}) =>
  send('POST', path.split('?')[0] ?? '', {
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fieldsOf(page)).toString(),
  });

const cookieIn = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

const update = (formId: string, body: object) => alice.client.forms.updateForm({ params: { formId }, body });

/** Runs something some seconds from now. */
const later = <T>(seconds: number, run: () => Promise<T>): Promise<T> =>
  withApp(({ now }) => ({ now: () => new Date(now().getTime() + seconds * 1_000) }), run);

test('EMAIL needs the visibility PRIVATE, in any order and for copies', async () => {
  const { formId } = await newForm(alice, slug, [[]]);
  const refused = { status: 400, errors: [{ pointer: '/body/audience' }] };
  expect(await expectProblem(update(formId, { audience: 'EMAIL' }))).toMatchObject(refused);
  await update(formId, { audience: 'EMAIL', visibility: 'PRIVATE' });
  expect(await expectProblem(update(formId, { visibility: 'PUBLIC' }))).toMatchObject(refused);
  const copy = await alice.client.forms.duplicateForm({ params: { formId }, body: {} });
  expect(copy.body).toMatchObject({ audience: 'EMAIL', visibility: 'PRIVATE' });
  const { body: definition } = await alice.client.forms.getDefinition({ params: { formId } });
  const imported = await alice.client.forms.importForm({ params: { slug }, body: definition });
  expect(imported.body).toMatchObject({ audience: 'EMAIL', visibility: 'PRIVATE' });
});

test('a guest of one form is not that of a copy, with the same address', async () => {
  const { formId } = await formForAddresses();
  const email = newAddress();
  const guest = await guestBy(formId, email);
  const copy = (await alice.client.forms.duplicateForm({ params: { formId }, body: {} })).body.id;
  await alice.client.forms.publishForm({ params: { formId: copy } });
  const other = await guestBy(copy, email);
  expect(other.id.slice(18)).not.toBe(guest.id.slice(18));
});

describe('the request for a link', () => {
  test('is 400 without an address, for a text that is none, and where the form asks for none', async () => {
    const { formId } = await formForAddresses();
    const { formId: forAnyone } = await newForm(alice, slug, [[]], { audience: 'ANYONE' });
    for (const [id, body] of [
      [formId, {}],
      [formId, { email: null }],
      [formId, { email: 'ada' }],
      [formId, { email: `${'a'.repeat(250)}@example.org` }],
      [forAnyone, { email: newAddress() }],
    ] as const) {
      const refused = await become(id, body);
      expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ pointer: '/body/email' }] }]);
    }
  });

  test('needs a proof of work, for each mail another one', async () => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    const asked = await become(formId, { email });
    expect([asked.status, await asked.json()]).toMatchObject([429, { code: 'proof_needed' }]);
    expect(asked.headers.get('guest-challenge')).not.toBe('');
    const proof = await newProof(formId);
    const statuses = [];
    for (let count = 0; count < 2; count += 1) statuses.push((await become(formId, { email, proof })).status);
    expect(statuses).toEqual([202, 429]);
    await sendAll();
    expect(mailsFor(email)).toHaveLength(1);
  });

  test('gets the same answer and does the same work for an address that is known, new, revoked or invited', async () => {
    const { formId, questionId } = await formForAddresses();
    const [known, fresh, revoked, invited] = [newAddress(), newAddress(), newAddress(), newAddress()];
    await respond(await guestBy(formId, known), formId, [text(questionId, 'Clear')]);
    const gone = await guestBy(formId, revoked);
    await bob.client.invitations.updateInvitation({ params: { formId, guestId: gone.id }, body: { revoked: true } });
    await newInvited({ formId, member: bob }, { email: invited });
    const seen = [];
    for (const email of [known, fresh, revoked, invited]) {
      const proof = await newProof(formId);
      const { cost, result } = await measureCost(() => become(formId, { email, proof }));
      const headers = [...result.headers].filter(([name]) => name !== 'x-request-id');
      seen.push(JSON.stringify([result.status, await result.json(), headers, cost]));
    }
    expect(new Set(seen).size).toBe(1);
    expect(JSON.parse(seen[0] ?? '')[0]).toBe(202);
    await sendAll();
    expect([known, fresh, revoked, invited].map((email) => mailsFor(email).length)).toEqual([2, 1, 1, 1]);
  });

  test('is 401 alike for unknown forms, drafts, archived ones, those for accounts, and where no guests are taken', async () => {
    const { formId } = await formForAddresses();
    const { formId: forAccounts } = await newForm(alice, slug, [[]]);
    const archived = (await formForAddresses()).formId;
    await alice.client.forms.archiveForm({ params: { formId: archived } });
    for (const id of [forAccounts, archived, crypto.randomUUID()])
      expect((await become(id, { email: newAddress() })).status).toBe(401);
    await withConfig({ guests: false }, async () =>
      expect((await become(formId, { email: newAddress() })).status).toBe(401),
    );
  });

  test.for([
    ['en', /^Rivers: your link to “Lakes”$/, 'Open the form: '],
    ['zh-TW', /^Rivers：「Lakes」的填寫連結$/, '開啟表單: '],
  ] as const)('mails a link in the language %s, which names the organization first', async ([
    language,
    subject,
    button,
  ]) => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    await askForLink(formId, email, { 'accept-language': language });
    await sendAll();
    const [mail, ...others] = mailsFor(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toMatch(subject);
    expect(mail?.text.startsWith('Rivers\n')).toBe(true);
    expect(mail?.text).toContain(`${button}http://127.0.0.1:3000/f/${formId}/resume?guest=`);
    expect(textOf(mail?.html ?? '')).toContain(linkIn(mail?.text));
  });

  test('mails three links an hour to one address, for whatever forms and in whatever case, and says so to nobody', async () => {
    const [form, other] = [await formForAddresses(), await formForAddresses()];
    const email = newAddress();
    const capital = email.replace('ada', 'Ada');
    const inAnHour = async () => {
      const statuses = [];
      for (const [id, address] of [
        [form.formId, email],
        [other.formId, capital],
        [form.formId, email],
        [other.formId, email],
        [form.formId, capital],
      ] as const) {
        statuses.push((await askForLink(id, address)).status);
        await sendAll();
      }
      return statuses;
    };
    expect(await inAnHour()).toEqual([202, 202, 202, 202, 202]);
    const sent = () => [...mailsFor(email), ...mailsFor(capital)].length;
    expect(sent()).toBe(3);
    const another = newAddress();
    await mailedLink(form.formId, another);
    expect(mailsFor(another)).toHaveLength(1);
    await later(3_600, () => mailedLink(form.formId, email));
    expect(sent()).toBe(4);
  });

  test('mails once, and counts once, however often the mail is attempted', async () => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    ownMail().ses.behave({ failWith: new SesError('ServiceUnavailable', 'try later', 503) });
    await askForLink(formId, email);
    for (const minutes of [0, 2, 5, 10]) await sweepIn(minutes * 60);
    ownMail().ses.behave({ failWith: null });
    await sweepIn(20 * 60);
    await receiveEvents(ownMail());
    expect(mailsFor(email)).toHaveLength(1);
    for (let count = 0; count < 2; count += 1) await mailedLink(formId, email);
    expect(mailsFor(email)).toHaveLength(3);
  });
});

describe('of an address', () => {
  test('nothing is stored before its link is used, but a hash for an hour', async () => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    await mailedLink(formId, email);
    expect(await itemsMentioning(email)).toEqual([]);
  });

  test('a mail that cannot be sent is kept for four days at most', async () => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    await askForLink(formId, email);
    const [item] = await app().table.read([keys.linkMail(formId, sha256(email, 'hex'))]);
    expect(item?.data).toContain(email);
    expect(item?.expiresAt).toBe(Math.floor(app().now().getTime() / 1_000) + 4 * DAY);
  });

  test('what is stored goes 30 days later if nothing is begun, and 30 days after the last response was deleted', async () => {
    const { formId } = await formForAddresses();
    const guest = await guestBy(formId);
    const stored = async () => (await app().table.read([keys.guest(guest.id)]))[0];
    const now = () => Math.floor(app().now().getTime() / 1_000);
    expect(await stored()).toMatchObject({ number: 0, expiresAt: now() + 30 * DAY });
    const ids = [];
    for (const value of ['one', 'two'])
      ids.push(await respond(guest, formId, [text(await formQuestion(formId), value)]));
    expect((await stored())?.expiresAt).toBeUndefined();
    for (const responseId of ids) {
      expect((await stored())?.expiresAt).toBeUndefined();
      await alice.client.responses.deleteResponse({ params: { formId, responseId } });
      await finishDeletions();
    }
    expect(Number((await stored())?.expiresAt)).toBeGreaterThanOrEqual(now() + 30 * DAY);
    await start(guest, formId);
    expect((await stored())?.expiresAt).toBeUndefined();
  });

  test('nothing is left once the form is deleted, also of a mail that was not sent', async () => {
    const { formId, questionId } = await formForAddresses();
    const email = newAddress();
    await respond(await guestBy(formId, email), formId, [text(questionId, 'Clear')]);
    await askForLink(formId, email);
    await alice.client.forms.deleteForm({ params: { formId } });
    await finishDeletions();
    expect(await itemsMentioning(email)).toEqual([]);
    expect(await listTraces(formId)).toEqual([]);
  });
});

const formQuestion = async (formId: string): Promise<string> => {
  const { body } = await alice.client.sections.listSections({ params: { formId } });
  return body[0]?.questions?.[0]?.id ?? '';
};

describe('the link', () => {
  test('changes nothing when it is opened, however often, and lets in by a press', async () => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    const path = await mailedLink(formId, email);
    const before = await everythingStored();
    for (let count = 0; count < 2; count += 1) {
      const opened = await send('GET', path);
      expect([opened.status, opened.headers.getSetCookie()]).toEqual([200, []]);
      expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
      expect(opened.headers.get('x-robots-tag')).toBe('noindex');
      expect(opened.headers.get('cache-control')).toBe('no-store');
      const page = textOf(await opened.text());
      expect(page).toContain('Begin with this address?');
      expect(page).toContain(`You answer as ${email}`);
    }
    expect((await send('HEAD', path)).status).toBeLessThan(500);
    expect(await everythingStored()).toEqual(before);
    const pressed = await press(path, await (await send('GET', path)).text());
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `/f/${formId}`]);
    expect(pressed.headers.getSetCookie()).toEqual([
      expect.stringMatching(`^guest_${formKey(formId)}=[^;]+; Path=/; HttpOnly; SameSite=Lax$`),
    ]);
    const landing = await send('GET', `/f/${formId}`, { headers: { cookie: cookieIn(pressed) } });
    expect(textOf(await landing.text())).toContain(`You respond as ${email}`);
  });

  test('makes one guest in two tabs, two browsers and at once', async () => {
    const { formId } = await formForAddresses();
    const path = await mailedLink(formId, newAddress());
    const page = await (await send('GET', path)).text();
    const answers = await Promise.all([1, 2, 3, 4].map(() => press(path, page)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const tokens = answers.map((answer) => cookieIn(answer).split('=')[1] ?? '');
    const ids = await Promise.all(
      tokens.map(async (token) => (await app().tokens.verifyGuest(token, app().now()))?.id),
    );
    expect(new Set(ids).size).toBe(1);
  });

  test('leads a guest back to what they have begun, in another browser too', async () => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    const guest = await guestBy(formId, email);
    const responseId = await start(guest, formId);
    const path = await mailedLink(formId, email);
    const page = await (await send('GET', path)).text();
    expect(textOf(page)).toContain('Continue these answers?');
    const cookie = cookieIn(await press(path, page));
    const landing = await (await send('GET', `/f/${formId}`, { headers: { cookie } })).text();
    expect(landing).toContain(`href="/r/${responseId}">Continue</a>`);
  });

  test('is refused for another form, altered, as a credential, in place of one, and after 30 days', async () => {
    const [form, other] = [await formForAddresses(), await formForAddresses()];
    const path = await mailedLink(form.formId, newAddress());
    const token = tokenIn(path);
    const [head = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, email: dave.email })).toString('base64url');
    const { token: credential } = await newGuest(form.formId);
    const before = await everythingStored();
    for (const [formId, link] of [
      [other.formId, token],
      [form.formId, `${head}.${forged}.${signature}`],
      [form.formId, `${token}x`],
      [form.formId, credential],
      [form.formId, dave.token],
      [form.formId, ''],
    ] as const) {
      expect((await become(formId, { link })).status).toBe(404);
      expect((await send('GET', `/f/${formId}/resume?${new URLSearchParams({ guest: link })}`)).status).toBe(404);
    }
    const bearer = { authorization: `Bearer ${token}` };
    expect((await send('GET', `/api/forms/${form.formId}`, { headers: bearer })).status).toBe(401);
    const cookie = `guest_${formKey(form.formId)}=${token}`;
    expect((await send('GET', `/api/forms/${form.formId}`, { headers: { cookie } })).status).toBe(401);
    expect(await everythingStored()).toEqual(before);
    expect((await later(30 * DAY - 60, () => send('GET', path))).status).toBe(200);
    expect((await later(30 * DAY + 1, () => become(form.formId, { link: token }))).status).toBe(404);
  });

  test('is refused, as the credentials are, once the guest is revoked or has a newer link', async () => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    const old = tokenIn(await mailedLink(formId, email));
    const guest = await personIn(await become(formId, { link: old }));
    const params = { formId, guestId: guest.id };
    const read = (person: Person) => person.client.forms.getForm({ params: { formId } });
    expect((await read(guest)).status).toBe(200);
    const { body } = await bob.client.invitations.updateInvitation({ params, body: { newCode: true } });
    expect(body).toMatchObject({ number: 0, code: '', link: '', email, state: 'NOT_STARTED' });
    expect(await expectProblem(read(guest))).toMatchObject({ status: 401 });
    expect((await become(formId, { link: old })).status).toBe(404);
    const again = await guestBy(formId, email);
    expect(again.id).toBe(guest.id);
    expect((await read(again)).status).toBe(200);
    const unused = tokenIn(await mailedLink(formId, email));
    await bob.client.invitations.updateInvitation({ params, body: { revoked: true } });
    expect(await expectProblem(read(again))).toMatchObject({ status: 401 });
    expect((await become(formId, { link: unused })).status).toBe(404);
  });

  test('is refused, as the credentials are, once the guest was deleted and has come again', async () => {
    const { formId } = await formForAddresses();
    const email = newAddress();
    const mailAt = (seconds: number) => later(seconds, async () => tokenIn(await mailedLink(formId, email)));
    const comeAt = (seconds: number, link: string) =>
      later(seconds, async () => personIn(await become(formId, { link }), email));
    const read = async ({ token }: Person) =>
      (await send('GET', `/api/forms/${formId}`, { headers: { authorization: `Bearer ${token}` } })).status;
    const first = await mailAt(0);
    const earlier = await comeAt(10, first);
    const known = await mailAt(15);
    await alice.client.invitations.deleteInvitation({ params: { formId, guestId: earlier.id } });
    expect(await read(earlier)).toBe(401);
    const again = await comeAt(30, await mailAt(20));
    expect([again.id, await read(again), await read(earlier)]).toEqual([earlier.id, 200, 401]);
    for (const link of [first, known]) expect((await become(formId, { link })).status).toBe(404);
  });

  test('admits also after an older one that was mailed before it, and ends an older one that was never used', async () => {
    const inOrder = async (first: number, second: number) => {
      const { formId } = await formForAddresses();
      const email = newAddress();
      const mailAt = (seconds: number) => later(seconds, async () => tokenIn(await mailedLink(formId, email)));
      const links = [await mailAt(0), await mailAt(5)];
      const press = (seconds: number, index: number) =>
        later(seconds, async () => (await become(formId, { link: links[index] ?? '' })).status);
      return [await press(10, first), await press(20, second), await press(30, first)];
    };
    expect(await inOrder(0, 1)).toEqual([201, 201, 201]);
    expect(await inOrder(1, 0)).toEqual([201, 404, 201]);
  });

  test('is refused when the guest is revoked between its check and the press', async () => {
    const { formId } = await formForAddresses();
    const link = tokenIn(await mailedLink(formId, newAddress()));
    const opened = await openGuestLink(app(), formId, link);
    const guest = await personIn(await become(formId, { link }));
    const params = { formId, guestId: guest.id };
    await bob.client.invitations.updateInvitation({ params, body: { revoked: true } });
    await expect(admitLinked(app(), opened)).rejects.toMatchObject({ status: 404 });
  });

  test('admits nobody new to a form that asks for no address any more', async () => {
    for (const audience of ['ACCOUNT', 'ANYONE', 'INVITED'] as const) {
      const { formId } = await formForAddresses();
      const token = tokenIn(await mailedLink(formId, newAddress()));
      await update(formId, { audience });
      expect((await send('GET', `/f/${formId}/resume?${new URLSearchParams({ guest: token })}`)).status).toBe(404);
    }
  });
});

describe('a response is started', () => {
  test('with the credential of a guest only, whoever is signed in', async () => {
    const { formId } = await formForAddresses();
    for (const person of [alice, bob, dave])
      expect(await expectProblem(start(person, formId))).toMatchObject({ status: 403, code: 'invitation_needed' });
    const guest = await guestBy(formId);
    const cookie = `access_token=${dave.token}; guest_${formKey(formId)}=${guest.token}`;
    const started = await send('POST', `/api/forms/${formId}/responses`, { headers: { cookie } });
    expect(started.status).toBe(201);
    const { body } = await bob.client.responses.listResponses({ params: { formId } });
    expect(body.responses.map(({ submittedBy }) => submittedBy)).toEqual([guest.id]);
  });

  test('not by a guest of a form for anyone, or with a code but no address, after the audience has changed', async () => {
    const { formId } = await formForAddresses();
    const stranger = await newGuest(formId);
    expect(await expectProblem(start(stranger, formId))).toMatchObject({ status: 404 });
    const { guest } = await newInvited({ formId, member: bob });
    expect(await expectProblem(start(guest, formId))).toMatchObject({ status: 404 });
    const email = newAddress();
    const { guest: named } = await newInvited({ formId, member: bob }, { email });
    expect(await start(named, formId)).not.toBe('');
  });

  test.for([
    'ACCOUNT',
    'INVITED',
  ] as const)('not after the audience has become %s; what was begun is finished', async (audience) => {
    const { formId, questionId } = await formForAddresses();
    const [begun, late] = [await guestBy(formId), await guestBy(formId)];
    const responseId = await start(begun, formId);
    await update(formId, { audience });
    expect(await expectProblem(start(late, formId))).toMatchObject({ status: 404 });
    await submit(begun, responseId, [text(questionId, 'Clear')]);
    const code = audience === 'INVITED' ? 'invitation_needed' : 'account_needed';
    expect(await expectProblem(start(begun, formId))).toMatchObject({ status: 403, code });
  });
});

test('members see the address as the name of the respondent', async () => {
  const { formId, questionId } = await formForAddresses();
  const email = newAddress();
  const guest = await guestBy(formId, email);
  const responseId = await respond(guest, formId, [text(questionId, 'Clear')]);
  const respondent = { id: guest.id, name: email, username: '', emails: [email] };
  expect((await preview(bob, formId, responseId)).respondent).toEqual(respondent);
});

test('a guest is invited by the address as the same guest, and is deleted with all they have', async () => {
  const { formId, questionId } = await formForAddresses();
  const email = newAddress();
  const guest = await guestBy(formId, email);
  const responseId = await start(guest, formId);
  const list = async () => (await bob.client.invitations.listInvitations({ params: { formId } })).body.invitations;
  expect(await list()).toMatchObject([{ id: guest.id, number: 0 }]);
  await update(formId, { audience: 'INVITED' });
  const body = { guests: [{ email: email.toUpperCase(), label: 'Ada' }] };
  const { body: created } = await bob.client.invitations.createInvitations({ params: { formId }, body });
  const [invitation] = created.invitations;
  expect(invitation).toMatchObject({ id: guest.id, number: 1, label: 'Ada', state: 'DRAFT' });
  expect(await list()).toMatchObject([{ id: guest.id, number: 1 }]);
  expect((await sendCode(formId, invitation?.code ?? '')).status).toBe(201);
  await submit(guest, responseId, [text(questionId, 'Clear')]);
  expect(await start(guest, formId)).not.toBe('');
  const other = await guestOnceMore(formId);
  await alice.client.invitations.deleteInvitation({ params: { formId, guestId: guest.id } });
  await alice.client.invitations.deleteInvitation({ params: { formId, guestId: other.id } });
  expect(await itemsMentioning(email)).toEqual([]);
  expect(await app().table.read([keys.guest(other.id)])).toEqual([undefined]);
  expect((await app().table.read([keys.invitations(formId)]))[0]).toMatchObject({ count: 0, lastNumber: 1 });
});

describe('the list of guests', () => {
  const list = async (
    formId: string,
    query: Parameters<typeof bob.client.invitations.listInvitations>[0]['query'] = {},
  ) => (await bob.client.invitations.listInvitations({ params: { formId }, query })).body;

  test('has those who have confirmed an address, newest first, with how far each is, page by page', async () => {
    const { formId, questionId } = await formForAddresses();
    expect(await list(formId)).toEqual({ invitations: [], nextCursor: null });
    const guests: Person[] = [];
    for (const seconds of [1, 2, 3, 4]) guests.push(await later(seconds, () => newAddressed(formId)));
    const [submitted, drafting, revoked] = guests as [Person, Person, Person];
    await respond(submitted, formId, [text(questionId, 'Clear')]);
    await start(drafting, formId);
    const params = { formId, guestId: revoked.id };
    await bob.client.invitations.updateInvitation({ params, body: { revoked: true } });
    await deliverStream({ twice: true });
    const all = await list(formId);
    expect(all.invitations.map(({ email, state }) => [email, state])).toEqual([
      [guests[3]?.email, 'NOT_STARTED'],
      [revoked.email, 'REVOKED'],
      [drafting.email, 'DRAFT'],
      [submitted.email, 'SUBMITTED'],
    ]);
    expect(all.invitations[3]).toMatchObject({ id: submitted.id, number: 0, code: '', link: '', label: null });
    const first = await list(formId, { limit: 3 });
    expect(first.invitations).toEqual(all.invitations.slice(0, 3));
    const rest = await list(formId, { limit: 3, cursor: first.nextCursor ?? '' });
    expect(rest).toEqual({ invitations: all.invitations.slice(3), nextCursor: null });
    expect((await list(formId, { state: 'DRAFT' })).invitations).toEqual([all.invitations[2]]);
  });

  test('has them after those who are invited, whom no file of links and no mail reaches', async () => {
    const { formId } = await formForAddresses();
    const confirmed = [await later(1, () => newAddressed(formId)), await later(2, () => newAddressed(formId))];
    await update(formId, { audience: 'INVITED' });
    const invited = [await newInvitation({ formId, member: bob }), await newInvitation({ formId, member: bob })];
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(formId, { limit: 1, ...(cursor && { cursor }) });
      expect(page.invitations).toHaveLength(1);
      ids.push(...page.invitations.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(ids).toEqual([...invited, ...confirmed.toReversed()].map(({ id }) => id));
    const csv = await (await pagesOf(bob).get(`/build/${formId}/invitation-links`)).text();
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + invited.length);
    const body = { to: 'ALL', subject: 'Hello', text: 'Please answer.' } as const;
    await alice.client.invitations.sendInvitations({ params: { formId }, body });
    await sendAll();
    expect(confirmed.map(({ email }) => mailsFor(email))).toEqual([[], []]);
  });

  test('finds the one with an address, of both kinds, in any case, and nobody else', async () => {
    const { formId } = await formForAddresses();
    const [guest, other] = [await newAddressed(formId), await newAddressed((await formForAddresses()).formId)];
    const invited = await newInvitation({ formId, member: bob }, { email: newAddress() });
    const find = async (email: string) => (await list(formId, { email })).invitations.map(({ id }) => id);
    expect(await find(guest.email.toUpperCase())).toEqual([guest.id]);
    expect(await find(invited.email ?? '')).toEqual([invited.id]);
    expect([await find(other.email), await find(newAddress())]).toEqual([[], []]);
    expect((await list(formId, { email: guest.email, state: 'DRAFT' })).invitations).toEqual([]);
    const refused = list(formId, { email: 'ada' });
    expect(await expectProblem(refused)).toMatchObject({ status: 400, errors: [{ pointer: '/query/email' }] });
  });
});

test('a new code of a guest without one ends the links that were mailed, and the credentials from them', async () => {
  const { formId } = await formForAddresses();
  const email = newAddress();
  const old = tokenIn(await mailedLink(formId, email));
  const guest = await personIn(await become(formId, { link: old }), email);
  await start(guest, formId);
  const params = { formId, guestId: guest.id };
  const { body } = await bob.client.invitations.updateInvitation({ params, body: { newCode: true } });
  expect(body).toMatchObject({ code: '', state: 'DRAFT' });
  expect(await expectProblem(guest.client.responses.listMyResponses({ params: { formId } }))).toMatchObject({
    status: 401,
  });
  expect((await become(formId, { link: old })).status).toBe(404);
  const again = await guestBy(formId, email);
  expect((await again.client.responses.listMyResponses({ params: { formId } })).body.draftCount).toBe(1);
});

/** Another guest with an address of a form that is for invited people now. */
async function guestOnceMore(formId: string): Promise<Person> {
  await update(formId, { audience: 'EMAIL' });
  return guestBy(formId);
}

test('the address of a guest who has confirmed it is not changed', async () => {
  const { formId } = await formForAddresses();
  const guest = await guestBy(formId);
  const params = { formId, guestId: guest.id };
  const refused = bob.client.invitations.updateInvitation({ params, body: { email: newAddress() } });
  expect(await expectProblem(refused)).toMatchObject({ status: 400, errors: [{ pointer: '/body/email' }] });
});

test('an address at which the organization sends no mails gets neither a link nor a copy, and nobody learns it', async () => {
  const { formId, questionId } = await formForAddresses({ sendResponseEmail: true });
  const email = newAddress();
  const guest = await guestBy(formId, email);
  await unsubscribe(app(), { orgId, addressHash: hashAddress(orgId, email) });
  await respond(guest, formId, [text(questionId, 'Clear')]);
  const seen = [];
  for (const address of [email, newAddress()]) {
    const proof = await newProof(formId);
    const { cost, result } = await measureCost(() => become(formId, { email: address, proof }));
    seen.push(JSON.stringify([result.status, await result.json(), cost]));
  }
  expect(new Set(seen).size).toBe(1);
  await sendAll();
  expect(mailsFor(email)).toHaveLength(1);
});

describe('a form that sends copies', () => {
  test('sends one to the address of a guest, with a link that lets in', async () => {
    const { formId, questionId } = await formForAddresses({ sendResponseEmail: true });
    const email = newAddress();
    const guest = await guestBy(formId, email);
    await respond(guest, formId, [text(questionId, 'Clear water')]);
    await sendAll();
    const mail = mailsFor(email).at(-1);
    expect(mailsFor(email)).toHaveLength(2);
    expect(mail?.subject).toBe('Your response: Lakes');
    expect(mail?.text).toContain('Clear water');
    expect(mail?.text).toContain('submitted by the person with this address');
    expect(mail?.text).not.toContain('signed in');
    const { status } = await send('GET', linkIn(mail?.text));
    expect(status).toBe(200);
  });

  test('sends one to an invited guest whose address is known, and none to others', async () => {
    const settings = { audience: 'INVITED', visibility: 'PRIVATE', sendResponseEmail: true } as const;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], settings);
    const email = newAddress();
    const { guest } = await newInvited({ formId, member: bob }, { email });
    const { guest: other } = await newInvited({ formId, member: bob });
    await respond(guest, formId, [text(questionIds[0] ?? '', 'Clear water')]);
    const responseId = await respond(other, formId, [text(questionIds[0] ?? '', 'Muddy water')]);
    await sendAll();
    expect(mailsFor(email).map(({ subject }) => subject)).toHaveLength(1);
    expect((await preview(bob, formId, responseId)).deliveries).toEqual({});
  });
});
