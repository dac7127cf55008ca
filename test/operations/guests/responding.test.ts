/** Responding as a guest: how many responses, what guests read of others, and how reviewers see guests. */
import { expect, test } from 'vitest';
import { respondentName } from '#core/accounts/model.ts';
import { keys } from '#core/db/keys.ts';
import { type App, app } from '#core/http/app.ts';
import { loadStoredBytes } from '#core/organizations/store.ts';
import { withApp, withConfig } from '#test/support/faults.ts';
import { about, announce, clearFiles, local, PICTURES, pdf, refusals, upload, uploaded } from '#test/support/files.ts';
import { expectProblem, newForm, newGuest, newOrganization } from '#test/support/fixtures.ts';
import { castAt, preview, respond, start, submit, text } from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt();
const { alice, bob, dave, slug } = cast;

/** A published form for anyone, with a text and a question for files. */
async function formForAnyone() {
  const kinds = [{ type: 'SHORT_TEXT' as const }, { type: 'UPLOAD_FILE' as const, uploadFile: PICTURES }];
  const { formId, questionIds } = await newForm(alice, slug, [kinds], { audience: 'ANYONE' });
  const [questionId = '', fileQuestionId = ''] = questionIds;
  return { formId, questionId, fileQuestionId };
}

/** The end of the id of the guest who is called 7QK3. */
const NAMED = '00000000-0000-4000-8000-00000003de63';

test('the audience of a form is for accounts unless its authors choose, and clears to that', async () => {
  const { formId } = await newForm(alice, slug, [[]]);
  const params = { formId };
  const read = async () => (await alice.client.forms.getForm({ params })).body.audience;
  expect(await read()).toBe('ACCOUNT');
  await bob.client.forms.updateForm({ params, body: { audience: 'ANYONE' } });
  expect(await read()).toBe('ANYONE');
  const copy = await bob.client.forms.duplicateForm({ params, body: {} });
  const { body: definition } = await bob.client.forms.getDefinition({ params });
  const imported = await bob.client.forms.importForm({ params: { slug }, body: definition });
  for (const { id } of [copy.body, imported.body]) {
    expect((await alice.client.forms.getForm({ params: { formId: id } })).body.audience).toBe('ANYONE');
  }
  await bob.client.forms.updateForm({ params, body: { audience: null } });
  expect(await read()).toBe('ACCOUNT');
});

test('an access token is verified once: never as the credential of a guest, too', async () => {
  const { formId, questionId } = await formForAnyone();
  const verified: string[] = [];
  const counting = ({ tokens }: App): Partial<App> => ({
    tokens: {
      ...tokens,
      verifyGuest: (token, now) => {
        verified.push(token);
        return tokens.verifyGuest(token, now);
      },
    },
  });
  const guest = await newGuest(formId);
  await withApp(counting, async () => {
    await respond(dave, formId, [text(questionId, 'Ness')]);
    expect(verified).toEqual([]);
    await respond(guest, formId, [text(questionId, 'Erie')]);
    expect(new Set(verified)).toEqual(new Set([guest.token]));
  });
});

test('an audience that the service does not know yet, or that the installation does not admit, is 400', async () => {
  const { formId } = await newForm(alice, slug, [[]]);
  const set = (audience: unknown) =>
    expectProblem(alice.client.forms.updateForm({ params: { formId }, body: { audience } as never }));
  for (const audience of ['EMAIL', 'EVERYBODY', 1]) {
    expect(await set(audience)).toMatchObject({ status: 400, errors: [{ pointer: '/body/audience' }] });
  }
  await withConfig({ guests: false }, async () => {
    const refused = {
      status: 400,
      errors: [{ pointer: '/body/audience', detail: expect.stringContaining('ACCOUNT') }],
    };
    expect(await set('ANYONE')).toMatchObject(refused);
    const body = { title: 'Lakes', visibility: 'PRIVATE', allowEditResponse: true, audience: 'ANYONE' } as const;
    expect(await expectProblem(alice.client.forms.createForm({ params: { slug }, body }))).toMatchObject(refused);
  });
});

test('a guest has one draft at a time, and three responses', async () => {
  const { formId, questionId } = await formForAnyone();
  const guest = await newGuest(formId);
  const draftId = await start(guest, formId);
  const second = await expectProblem(start(guest, formId));
  expect(second).toMatchObject({ status: 409, code: 'already_started', detail: expect.stringContaining(draftId) });
  await submit(guest, draftId, [text(questionId, 'Clear water')]);
  for (const value of ['two', 'three']) await respond(guest, formId, [text(questionId, value)]);
  expect(await expectProblem(respond(guest, formId, []))).toMatchObject({ status: 400, code: 'too_many_responses' });
  const { body } = await guest.client.responses.listMyResponses({ params: { formId } });
  expect(body).toMatchObject({ totalCount: 3, draftCount: 0, submittedCount: 3 });
  // A draft that is deleted makes room for another.
  const other = await newGuest(formId);
  const responseId = await start(other, formId);
  await other.client.responses.deleteResponse({ params: { formId, responseId } });
  await start(other, formId);
});

test('a guest sees the form without addresses, and their own response with their name', async () => {
  const { formId, questionId } = await formForAnyone();
  const guest = await newGuest(formId, NAMED);
  const { body: form } = await guest.client.forms.getForm({ params: { formId } });
  expect(form).toMatchObject({ creator: { id: alice.id, emails: [] }, lastEditor: { emails: [] } });
  expect(form).toMatchObject({ spreadsheetUrl: null, spreadsheet: null });
  expect(JSON.stringify(form)).not.toContain('@');
  const responseId = await respond(guest, formId, [text(questionId, 'Clear water')]);
  const respondent = { id: guest.id, name: 'Guest 7QK3', username: '', emails: [] };
  expect(await preview(guest, formId, responseId)).toMatchObject({ submittedBy: guest.id, respondent });
});

test('reviewers see guests by the same name in lists, previews, searches and exports', async () => {
  const { formId, questionId } = await formForAnyone();
  const guest = await newGuest(formId, NAMED);
  const responseId = await respond(guest, formId, [text(questionId, 'Clear water')]);
  await respond(dave, formId, [text(questionId, 'Muddy')]);
  const params = { formId };
  const list = (await bob.client.responses.listResponses({ params })).body;
  expect(list.responses.map(({ respondent }) => respondent.name)).toContain('Guest 7QK3');
  expect((await preview(bob, formId, responseId)).respondent.name).toBe('Guest 7QK3');
  const found = await bob.client.responses.filterResponses({ params, body: { filters: [], respondent: 'guest 7qk' } });
  expect(found.body.responses.map(({ id }) => id)).toEqual([responseId]);
  // In spreadsheets and exports.
  expect(respondentName(guest.id, undefined)).toBe('Guest 7QK3');
  expect(respondentName(dave.id, undefined)).toBe(dave.id);
});

test('a submission of a guest queues no mail, although the form sends copies', async () => {
  const { formId, questionId } = await formForAnyone();
  await bob.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
  const guest = await newGuest(formId);
  const responseId = await respond(guest, formId, [text(questionId, 'Clear water')]);
  expect((await preview(bob, formId, responseId)).deliveries).toEqual({});
  const ofAccount = await respond(dave, formId, [text(questionId, 'Muddy')]);
  expect((await preview(bob, formId, ofAccount)).deliveries).toMatchObject({ email: { state: 'QUEUED' } });
});

test('files of guests count for the form and the organization, and for no person', async () => {
  const { alice: admin } = cast;
  const place = await newOrganization(admin);
  const kinds = [{ type: 'UPLOAD_FILE' as const, uploadFile: PICTURES }];
  const built = await newForm(admin, place.slug, [kinds], { audience: 'ANYONE' });
  const { formId } = built;
  const questionId = built.questionIds[0] ?? '';
  const guest = await newGuest(formId);
  const at = { responseId: await start(guest, formId), questionId };
  await uploaded(guest, at, pdf('a.pdf', 1_000));
  const ofAccount = { responseId: await start(dave, formId), questionId };
  await uploaded(dave, ofAccount, pdf('b.pdf', 200));
  const bytes = async () => {
    await deliverStream({ twice: true, shuffle: 'all', random: () => 0.3 });
    const [item] = await app().table.read([keys.guestStorage(formId)]);
    return { guests: Number(item?.bytes), organization: await loadStoredBytes(app().table, place.orgId) };
  };
  expect(await bytes()).toEqual({ guests: 1_000, organization: 1_200 });
  await withConfig({ maxGuestBytes: 1_050 }, async () => {
    const more = pdf('c.pdf', 51);
    const problems = await refusals([() => upload(guest, at, [more]), () => announce(guest, at, [about(more)])]);
    for (const problem of problems) expect(problem).toMatchObject({ status: 413, code: 'storage_full' });
    await uploaded(guest, at, pdf('d.pdf', 50));
    // People with an account have the room of the organization.
    await uploaded(dave, ofAccount, local('e.txt', 'x'.repeat(2_000)));
  });
  expect(await bytes()).toEqual({ guests: 50, organization: 2_050 });
  await clearFiles(guest, at);
  expect(await bytes()).toEqual({ guests: 0, organization: 2_000 });
  expect(await app().table.read([keys.fileCount(guest.id)])).toEqual([undefined]);
});

test('a deleted form leaves nothing of its guests', async () => {
  const { formId, questionId, fileQuestionId } = await formForAnyone();
  const guests = await Promise.all(Array.from({ length: 5 }, () => newGuest(formId)));
  for (const guest of guests) {
    const responseId = await start(guest, formId, [text(questionId, 'Clear water')]);
    await uploaded(guest, { responseId, questionId: fileQuestionId }, pdf('a.pdf', 100));
    await submit(guest, responseId);
  }
  await deliverStream();
  await alice.client.forms.deleteForm({ params: { formId } });
  await finishDeletions();
  await deliverStream();
  expect(await itemsMentioning(formId.slice(0, 18))).toEqual([]);
});
