/** Invitations: guests of a form whom its organization has named, with codes. */
import { describe, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { withConfig, withTable } from '#test/support/faults.ts';
import { PICTURES, pdf, uploaded } from '#test/support/files.ts';
import { clientWith, expectProblem, newForm, newGuest, type Person, send } from '#test/support/fixtures.ts';
import { guestWith, newInvitation, newInvited, sendCode } from '#test/support/invitations.ts';
import { withLaggingIndex } from '#test/support/lagging-index.ts';
import { castAt, pass, preview, respond, start, submit, text } from '#test/support/responses.ts';
import { everythingStored, itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const { alice, bob, chelsea, dave, slug } = await castAt();
const member = bob;

/** A published form for invited guests, with one question. */
async function formForInvited(settings: { oncePerPerson?: boolean } = {}) {
  const kinds = [{ type: 'SHORT_TEXT' as const }];
  const { formId, questionIds } = await newForm(alice, slug, [kinds], {
    audience: 'INVITED',
    visibility: 'PRIVATE',
    ...settings,
  });
  return { formId, questionId: questionIds[0] ?? '', member, params: { formId } };
}

const list = async (formId: string, query: { state?: 'SUBMITTED' | 'REVOKED' | 'DRAFT'; limit?: number } = {}) =>
  (await bob.client.invitations.listInvitations({ params: { formId }, query })).body;
const change = (
  formId: string,
  guestId: string,
  body: Parameters<typeof bob.client.invitations.updateInvitation>[0]['body'],
) => bob.client.invitations.updateInvitation({ params: { formId, guestId }, body });
const statusOf = (person: Person, formId: string) =>
  send('GET', `/api/forms/${formId}`, { headers: { authorization: `Bearer ${person.token}` } }).then(
    ({ status }) => status,
  );

test('INVITED needs the visibility PRIVATE, in any order and for copies', async () => {
  const { formId } = await newForm(alice, slug, [[]], { visibility: 'PUBLIC' });
  const update = (body: object) => alice.client.forms.updateForm({ params: { formId }, body });
  const refused = { status: 400, errors: [{ pointer: '/body/audience', detail: expect.stringContaining('PUBLIC') }] };
  expect(await expectProblem(update({ audience: 'INVITED' }))).toMatchObject(refused);
  await update({ audience: 'INVITED', visibility: 'PRIVATE' });
  expect(await expectProblem(update({ visibility: 'PUBLIC' }))).toMatchObject(refused);
  const copy = await alice.client.forms.duplicateForm({ params: { formId }, body: {} });
  expect(copy.body).toMatchObject({ audience: 'INVITED', visibility: 'PRIVATE' });
});

test('a guest responds with the code of an invitation, whatever way it is typed', async () => {
  const form = await formForInvited();
  const { formId, questionId } = form;
  const { code, link, ...invitation } = await newInvitation(form, { label: 'Ms Lin, row 3' });
  expect(invitation).toEqual({
    id: expect.stringMatching(`^${formId.slice(0, 18)}-be1e-`),
    number: 1,
    email: null,
    label: 'Ms Lin, row 3',
    prefill: null,
    state: 'NOT_STARTED',
    createdAt: expect.any(String),
    revokedAt: null,
    sentAt: null,
    remindedAt: null,
    mailFault: null,
  });
  expect(code).toMatch(/^0001(-[0-9A-HJKMNP-TV-Z]{4}){2}-[0-9A-HJKMNP-TV-Z]{3}$/);
  expect(link).toBe(`http://127.0.0.1:3000/f/${formId}/code?code=${code}`);
  const guest = await guestWith(formId, code);
  expect(guest.id).toBe(invitation.id);
  const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  expect((await guestWith(formId, typed)).id).toBe(invitation.id);
  const responseId = await respond(guest, formId, [text(questionId, 'Clear water')]);
  expect(await preview(guest, formId, responseId)).toMatchObject({ submittedBy: invitation.id });
});

test('nobody starts without an invitation, whoever is signed in, and nothing is stored of the attempt', async () => {
  const form = await formForInvited();
  const { formId, questionId } = form;
  const stranger = await newGuest(formId);
  const before = await everythingStored();
  for (const person of [chelsea, dave, alice]) {
    expect(await expectProblem(start(person, formId))).toMatchObject({ status: 403, code: 'invitation_needed' });
    expect(await expectProblem(respond(person, formId, [text(questionId, 'Muddy')]))).toMatchObject({ status: 403 });
  }
  // A guest who came when the form was for anyone learns nothing of it.
  expect(await expectProblem(start(stranger, formId))).toMatchObject({ status: 404 });
  expect(await everythingStored()).toEqual(before);
  // With an account and the cookie of an invited guest, the guest starts.
  const { guest } = await newInvited(form);
  const cookie = `access_token=${dave.token}; guest_${formId.slice(0, 18)}=${guest.token}`;
  const started = await send('POST', `/api/forms/${formId}/responses`, { headers: { cookie } });
  const { id } = (await started.json()) as { id: string };
  expect((await preview(guest, formId, id)).submittedBy).toBe(guest.id);
});

test('without a code, or for a form that takes none, nobody becomes a guest', async () => {
  const form = await formForInvited();
  const { code } = await newInvitation(form);
  const become = (formId: string) => send('POST', `/api/forms/${formId}/guests`);
  expect((await become(form.formId)).status).toBe(400);
  const { formId: other } = await formForInvited();
  expect((await sendCode(other, code)).status).toBe(400);
  const { formId: forAccounts } = await newForm(alice, slug, [[]]);
  expect((await sendCode(forAccounts, code)).status).toBe(401);
  await withConfig({ guests: false }, async () => expect((await sendCode(form.formId, code)).status).toBe(401));
});

test('an address that is invited twice has its first invitation, also in one request and with other capitals', async () => {
  const { formId, params } = await formForInvited();
  const invite = async (...guests: { email?: string; label?: string }[]) =>
    (await bob.client.invitations.createInvitations({ params, body: { guests } })).body.invitations;
  const [lin, anonymous, again] = await invite(
    { email: 'lin@example.org', label: 'Ms Lin' },
    {},
    { email: 'LIN@example.org' },
  );
  expect([lin?.number, anonymous?.number, again?.number]).toEqual([1, 2, 1]);
  const [later, next] = await invite({ email: 'Lin@Example.org', label: 'Somebody else' }, {});
  expect([later?.id, later?.label, next?.number]).toEqual([lin?.id, 'Ms Lin', 3]);
  expect((await list(formId)).invitations.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test('a repeated request with its key invites nobody again, and concurrent ones give each number once', async () => {
  const { formId, params } = await formForInvited();
  const post = (key: string) =>
    send('POST', `/api/forms/${formId}/invitations`, {
      headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ guests: [{}, {}] }),
    });
  const key = crypto.randomUUID();
  const [first, second] = [await post(key), await post(key)];
  expect(await second.json()).toEqual(await first.json());
  const body = { guests: [{}, {}, {}] };
  await Promise.all([1, 2, 3, 4].map(() => bob.client.invitations.createInvitations({ params, body })));
  expect((await list(formId)).invitations.map(({ number }) => number)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  ]);
});

test('90 invitations fit into a request, and 10,000 into a form', async () => {
  const { formId, params } = await formForInvited();
  const invite = (count: number) =>
    bob.client.invitations.createInvitations({ params, body: { guests: Array.from({ length: count }, () => ({})) } });
  expect(await expectProblem(invite(91))).toMatchObject({ status: 400 });
  expect((await invite(90)).body.invitations).toHaveLength(90);
  await app().table.write([{ update: keys.invitations(formId), set: { count: 9_998 } }]);
  expect(await expectProblem(invite(3))).toMatchObject({ status: 400, errors: [{ pointer: '/body/guests' }] });
  await invite(2);
});

test(
  'a wrong code is 400, after twenty in a minute 429, and a right one always passes',
  { timeout: 120_000 },
  async () => {
    const form = await formForInvited();
    const { formId } = form;
    const { code } = await newInvitation(form);
    const statuses: number[] = [];
    for (let tried = 0; tried < 500; tried += 1) {
      // Nobody finds a code by trying numbers and generations of one that they have.
      const wrong = code.replace(/^\d+/, String(tried + 2));
      statuses.push((await sendCode(formId, wrong)).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 400));
    expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
    expect((await sendCode(formId, code)).status).toBe(201);
    pass(61);
    expect((await sendCode(formId, 'not a code')).status).toBe(400);
  },
);

test('a wrong code is refused before anything of an invitation is read', async () => {
  const form = await formForInvited();
  const { formId } = form;
  const { code } = await newInvitation(form, { email: 'lin@example.org' });
  const touched: string[] = [];
  const watch = (table: Table): Partial<Table> => ({
    read: (read, consistency) => {
      touched.push(...read.map(({ sk }) => sk));
      return table.read(read, consistency);
    },
    list: (request) => {
      touched.push(request.pk);
      return table.list(request);
    },
  });
  const statuses = await withTable(watch, async () => [
    (await sendCode(formId, `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`)).status,
    (await sendCode(formId, 'not a code')).status,
  ]);
  expect(statuses).toEqual([400, 400]);
  expect(touched).toEqual(['GATE', 'INVITATIONS', 'GATE', 'INVITATIONS']);
});

describe('every request of a guest reads the invitation:', () => {
  const admitted = operations.filter(({ access }) => access.guests);

  test('the credential of one that was revoked, replaced its code or was deleted is 401 at once', async () => {
    expect(admitted.length).toBeGreaterThan(15);
    const form = await formForInvited();
    const { formId, questionId } = form;
    const ends = {
      revoked: (id: string) => change(formId, id, { revoked: true }),
      replaced: (id: string) => change(formId, id, { newCode: true }),
      deleted: (guestId: string) => alice.client.invitations.deleteInvitation({ params: { formId, guestId } }),
    };
    for (const [name, end] of Object.entries(ends)) {
      const { guest, invitation } = await newInvited(form);
      const responseId = await start(guest, formId, [text(questionId, 'Clear water')]);
      expect(await statusOf(guest, formId), name).toBe(200);
      await end(guest.id);
      expect(await statusOf(guest, formId), name).toBe(401);
      const before = await everythingStored();
      for (const declaration of admitted) {
        const path = declaration.path
          .replace('{formId}', formId)
          .replace('{responseId}', responseId)
          .replace(/\{\w+\}/g, questionId);
        const headers = { authorization: `Bearer ${guest.token}` };
        const { status } = await send(declaration.method, `/api${path}`, { headers });
        expect(status, `${name} ${declaration.name}`).toBe(401);
      }
      expect(await everythingStored()).toEqual(before);
      expect((await sendCode(formId, invitation.code)).status, name).toBe(400);
    }
  });

  test('a new code admits the guest again, to what they have begun', async () => {
    const form = await formForInvited();
    const { formId, questionId } = form;
    const { guest } = await newInvited(form, { email: 'lin@example.org' });
    const responseId = await start(guest, formId, [text(questionId, 'Clear water')]);
    const { body } = await change(formId, guest.id, { newCode: true, label: 'Ms Lin' });
    expect(body).toMatchObject({ id: guest.id, number: 1, email: 'lin@example.org', label: 'Ms Lin', state: 'DRAFT' });
    const again = await guestWith(formId, body.code);
    await submit(again, responseId);
    expect(again.id).toBe(guest.id);
  });
});

test('nothing of an invitation that was deleted or moved admits to a later one to the same address', async () => {
  const form = await formForInvited();
  const { formId } = form;
  const end = {
    deleted: (guestId: string) => alice.client.invitations.deleteInvitation({ params: { formId, guestId } }),
    moved: (guestId: string) => change(formId, guestId, { email: 'lin@example.com' }),
  };
  for (const [name, act] of Object.entries(end)) {
    const guest = { email: `${name}@example.org` };
    const earlier = await newInvited(form, guest);
    const stored = await app().tokens.verifyGuest(earlier.guest.token, app().now());
    const link = stored && (await app().tokens.signGuestLink({ ...stored, ...guest }, app().now()));
    await act(earlier.guest.id);
    pass(1);
    const newer = await newInvited(form, guest);
    expect(newer.guest.id, name).toBe(earlier.guest.id);
    expect(newer.invitation.code, name).not.toBe(earlier.invitation.code);
    expect(await statusOf(newer.guest, formId), name).toBe(200);
    expect(await statusOf(earlier.guest, formId), name).toBe(401);
    expect((await sendCode(formId, earlier.invitation.code)).status, name).toBe(400);
    const query = new URLSearchParams({ guest: link ?? '' });
    expect((await send('GET', `/f/${formId}/resume?${query}`)).status, name).toBe(404);
  }
});

test('the code of an invitation that was deleted does not admit to a later one while the index still names it', async () => {
  const form = await formForInvited();
  const { formId } = form;
  const guest = { email: 'lin@example.org' };
  const earlier = await newInvitation(form, guest);
  await withLaggingIndex('stale', async () => {
    await alice.client.invitations.deleteInvitation({ params: { formId, guestId: earlier.id } });
    const newer = await newInvitation(form, guest);
    expect([newer.id, newer.number]).toEqual([earlier.id, 2]);
    expect((await sendCode(formId, earlier.code)).status).toBe(400);
  });
});

test('a revoked invitation stays revoked, and has no other code', async () => {
  const form = await formForInvited();
  const { formId } = form;
  const { id } = await newInvitation(form);
  const { body } = await change(formId, id, { revoked: true });
  expect(body).toMatchObject({ state: 'REVOKED', revokedAt: expect.any(String) });
  expect((await change(formId, id, { revoked: true, label: 'Gone' })).body.revokedAt).toBe(body.revokedAt);
  expect(await expectProblem(change(formId, id, { newCode: true }))).toMatchObject({
    errors: [{ pointer: '/body/newCode' }],
  });
  expect(await expectProblem(change(formId, id, { revoked: false as never }))).toMatchObject({ status: 400 });
  expect((await list(formId, { state: 'REVOKED' })).invitations.map((each) => each.id)).toEqual([id]);
});

test('an invitation has 32 codes, one after the other', async () => {
  const form = await formForInvited();
  const { formId } = form;
  const { id, code } = await newInvitation(form);
  const codes = new Set([code]);
  for (let count = 1; count < 32; count += 1) codes.add((await change(formId, id, { newCode: true })).body.code);
  expect(codes.size).toBe(32);
  expect(await expectProblem(change(formId, id, { newCode: true }))).toMatchObject({
    errors: [{ pointer: '/body/newCode' }],
  });
});

test('another address makes another guest, unless this one has started', async () => {
  const form = await formForInvited();
  const { formId } = form;
  const lin = await newInvitation(form, { email: 'lin@example.org', label: 'Ms Lin' });
  await newInvitation(form, { email: 'wu@example.org' });
  const taken = await expectProblem(change(formId, lin.id, { email: 'WU@example.org' }));
  expect(taken).toMatchObject({ status: 400, errors: [{ pointer: '/body/email' }] });
  const { body: moved } = await change(formId, lin.id, { email: 'lin@example.com' });
  expect(moved).toMatchObject({ number: 1, label: 'Ms Lin', email: 'lin@example.com' });
  expect(moved.id).not.toBe(lin.id);
  expect((await sendCode(formId, lin.code)).status).toBe(400);
  const guest = await guestWith(formId, moved.code);
  await start(guest, formId);
  expect(await expectProblem(change(formId, guest.id, { email: null }))).toMatchObject({
    errors: [{ pointer: '/body/email' }],
  });
  expect((await list(formId)).invitations.map(({ email }) => email)).toEqual(['lin@example.com', 'wu@example.org']);
});

test('a list shows how far each guest is, page by page and by state', async () => {
  const form = await formForInvited();
  const { formId, questionId, params } = form;
  const [first, second, third] = [await newInvited(form), await newInvited(form), await newInvited(form)];
  const responseId = await respond(first.guest, formId, [text(questionId, 'Clear water')]);
  const draftId = await start(second.guest, formId);
  await deliverStream({ twice: true, shuffle: 'all', random: () => 0.3 });
  const states = async () => (await list(formId)).invitations.map(({ state }) => state);
  expect(await states()).toEqual(['SUBMITTED', 'DRAFT', 'NOT_STARTED']);
  expect((await list(formId, { state: 'SUBMITTED' })).invitations.map(({ id }) => id)).toEqual([first.guest.id]);
  await submit(second.guest, draftId, [text(questionId, 'Muddy')]);
  await first.guest.client.responses.cancelResponse({ params: { responseId } });
  await deliverStream({ twice: true, shuffle: 'all', random: () => 0.7 });
  expect(await states()).toEqual(['DRAFT', 'SUBMITTED', 'NOT_STARTED']);
  await first.guest.client.responses.deleteResponse({ params: { formId, responseId } });
  await deliverStream({ twice: true });
  expect(await states()).toEqual(['NOT_STARTED', 'SUBMITTED', 'NOT_STARTED']);
  const page = await list(formId, { limit: 2 });
  expect(page.invitations.map(({ number }) => number)).toEqual([1, 2]);
  const rest = await bob.client.invitations.listInvitations({ params, query: { cursor: page.nextCursor ?? '' } });
  expect(rest.body).toMatchObject({ invitations: [{ id: third.guest.id }], nextCursor: null });
});

test('deleting an invitation deletes the responses of its guest, and nothing else', async () => {
  const form = await formForInvited();
  const { formId, questionId } = form;
  const [gone, stays] = [await newInvited(form), await newInvited(form)];
  const responseId = await respond(gone.guest, formId, [text(questionId, 'Clear water')]);
  await start(gone.guest, formId);
  const kept = await respond(stays.guest, formId, [text(questionId, 'Muddy')]);
  const params = { formId, guestId: gone.guest.id };
  expect(await expectProblem(bob.client.invitations.deleteInvitation({ params }))).toMatchObject({ status: 403 });
  await alice.client.invitations.deleteInvitation({ params });
  expect(await expectProblem(alice.client.invitations.deleteInvitation({ params }))).toMatchObject({ status: 404 });
  await finishDeletions();
  await deliverStream();
  expect(await itemsMentioning(gone.guest.id)).toEqual([]);
  expect(await itemsMentioning(responseId)).toEqual([]);
  expect((await preview(bob, formId, kept)).submittedBy).toBe(stays.guest.id);
  expect((await list(formId)).invitations.map(({ number }) => number)).toEqual([2]);
});

test('an id of another form names no invitation of this one', async () => {
  const [form, other] = [await formForInvited(), await formForInvited()];
  const { id } = await newInvitation(other);
  expect(await expectProblem(change(form.formId, id, { newCode: true }))).toMatchObject({ status: 404 });
  const params = { formId: form.formId, guestId: id };
  expect(await expectProblem(alice.client.invitations.deleteInvitation({ params }))).toMatchObject({ status: 404 });
});

test('the key of the codes leaves the form with nothing, and is not in copies', async () => {
  const form = await formForInvited();
  const { formId, params } = form;
  await newInvitation(form, { email: 'lin@example.org' });
  const codeKey = String((await app().table.read([keys.invitations(formId)]))[0]?.codeKey);
  expect(Buffer.from(codeKey, 'base64url')).toHaveLength(32);
  const copy = await bob.client.forms.duplicateForm({ params, body: {} });
  const definition = await bob.client.forms.getDefinition({ params });
  const read = await bob.client.forms.getForm({ params });
  expect(JSON.stringify([copy.body, definition.body, read.body, await list(formId)])).not.toContain(codeKey);
  expect(await app().table.read([keys.invitations(copy.body.id)])).toEqual([undefined]);
  expect((await list(copy.body.id)).invitations).toEqual([]);
});

test('a deleted form leaves nothing of its invitations', async () => {
  const form = await formForInvited({ oncePerPerson: true });
  const { formId, questionId, params } = form;
  const { guest } = await newInvited(form, { email: 'lin@example.org' });
  await newInvitation(form);
  await respond(guest, formId, [text(questionId, 'Clear water')]);
  await deliverStream();
  await alice.client.forms.deleteForm({ params });
  expect(await statusOf(guest, formId)).toBe(404);
  await finishDeletions();
  await deliverStream();
  expect(await itemsMentioning(formId.slice(0, 18))).toEqual([]);
});

test('narrowing the audience stops new starts, and lets guests finish', async () => {
  const form = await formForInvited();
  const { formId, questionId, params } = form;
  const [begun, late] = [await newInvited(form), await newInvited(form)];
  const responseId = await start(begun.guest, formId);
  await alice.client.forms.updateForm({ params, body: { audience: 'ACCOUNT' } });
  expect(await expectProblem(start(late.guest, formId))).toMatchObject({ status: 404 });
  await submit(begun.guest, responseId, [text(questionId, 'Clear water')]);
  expect(await expectProblem(start(begun.guest, formId))).toMatchObject({ status: 403, code: 'account_needed' });
});

test('nobody without an account or of another organization sees invitations', async () => {
  const form = await formForInvited();
  const { formId, params } = form;
  const { guest } = await newInvited(form);
  expect(await expectProblem(guest.client.invitations.listInvitations({ params }))).toMatchObject({ status: 401 });
  expect(await expectProblem(clientWith().invitations.listInvitations({ params }))).toMatchObject({ status: 401 });
  expect(await expectProblem(chelsea.client.invitations.listInvitations({ params }))).toMatchObject({ status: 403 });
  expect((await list(formId)).invitations).toHaveLength(1);
});

test('a code that somebody finds shows no submitted answers, and changes none', async () => {
  const kinds = [{ type: 'SHORT_TEXT' as const }, { type: 'UPLOAD_FILE' as const, uploadFile: PICTURES }];
  const settings = { audience: 'INVITED', visibility: 'PRIVATE', allowEditResponse: true } as const;
  const { formId, questionIds } = await newForm(alice, slug, [kinds], settings);
  const [questionId = '', fileQuestionId = ''] = questionIds;
  const { guest, invitation } = await newInvited({ formId, member });
  const responseId = await start(guest, formId, [text(questionId, 'Clear water')]);
  const [fileId = ''] = await uploaded(guest, { responseId, questionId: fileQuestionId }, pdf('a.pdf', 100));
  // A draft continues on another device, where it may be submitted.
  const draft = await guestWith(formId, invitation.code);
  expect(await preview(draft, formId, responseId)).toMatchObject({ progress: 'DRAFT' });
  await submit(guest, responseId);
  pass(2);
  const finder = await guestWith(formId, invitation.code);
  const { body } = await finder.client.responses.listMyResponses({ params: { formId } });
  expect(body.responses).toMatchObject([{ id: responseId, progress: 'SUBMITTED' }]);
  const { client } = finder;
  const before = await everythingStored();
  for (const attempt of [
    () => client.responses.getResponse({ params: { formId, responseId } }),
    () => client.responses.getAnswer({ params: { responseId, questionId } }),
    () => client.responses.updateAnswers({ params: { responseId }, body: { answers: [text(questionId, 'Muddy')] } }),
    () => client.responses.submitResponse({ params: { responseId }, body: { answers: [] } }),
    () => client.responses.cancelResponse({ params: { responseId } }),
    () => client.responses.deleteResponse({ params: { formId, responseId } }),
    () => client.responses.clearAnswer({ params: { responseId, questionId } }),
    () => client.files.getFile({ params: { fileId } }),
    () => client.files.downloadFile({ params: { fileId } }),
    () => client.files.deleteFile({ params: { fileId } }),
  ])
    expect(await expectProblem(attempt())).toMatchObject({ status: 404 });
  expect(await everythingStored()).toEqual(before);
  // The device on which it was submitted.
  for (const each of [guest, draft]) expect((await preview(each, formId, responseId)).progress).toBe('SUBMITTED');
  expect((await guest.client.files.getFile({ params: { fileId } })).status).toBe(200);
});
