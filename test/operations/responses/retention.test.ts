/** Submitted responses and drafts are deleted for their age, if the form says so; what would go sooner goes 48 hours later. */
import { describe, expect, test } from 'vitest';
import { tallyResponses } from '#core/counts/tally.ts';
import { app } from '#core/http/app.ts';
import { ensureExpiry } from '#core/jobs/expiry.ts';
import type { Response } from '#core/responses/model.ts';
import { loadResponses } from '#core/responses/store.ts';
import { newAddressed } from '#test/support/addresses.ts';
import { muteErrors } from '#test/support/console.ts';
import { withTable } from '#test/support/faults.ts';
import { PICTURES, pdf, uploaded } from '#test/support/files.ts';
import {
  clientWith,
  expectProblem,
  newForm,
  newGuest,
  type Person,
  type QuestionKind,
} from '#test/support/fixtures.ts';
import { newInvited } from '#test/support/invitations.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import {
  cancel,
  castAt,
  draftOf,
  pass,
  respond,
  save,
  start,
  store,
  submissionOf,
  text,
} from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions, runSweep, sweepIn } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const { alice, bob, chelsea, dave, erin, slug } = await castAt();
const ownMail = ownSes();
muteErrors();
const DAY = 86_400;

type Settings = Parameters<typeof newForm>[3];

/** A form that bob has created with settings. */
async function formWith(settings: Settings = {}, kinds: QuestionKind[] = [{ type: 'SHORT_TEXT' }]) {
  const form = await newForm(bob, slug, [kinds], settings);
  // As the operation that creates a form does.
  await app().table.write(ensureExpiry(form.formId, undefined, app().now()));
  return { ...form, questionId: form.questionIds[0] ?? '', params: { formId: form.formId } };
}

/** Lets some seconds pass; everybody signs in again then. */
async function passSeconds(seconds: number): Promise<void> {
  pass(seconds);
  const { tokens, now } = app();
  for (const one of [alice, bob, chelsea, dave, erin]) {
    const token = await tokens.sign({ id: one.id, roles: ['USER'] }, now());
    Object.assign(one, { token, client: clientWith(token) });
  }
}

/** Lets some days pass; then the workers run. */
async function passDays(count: number): Promise<void> {
  await passSeconds(count * DAY);
  await deliverStream();
  await runSweep();
}

const isKept = async (id: string): Promise<boolean> => (await loadResponses(app().table, [id])).length > 0;
const change = (person: Person, { params }: { params: { formId: string } }, body: object) =>
  person.client.forms.updateForm({ params, body });
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY * 1_000).toISOString();

describe('submitted responses', () => {
  test('are deleted with all of them so many days after they were submitted, and not before', async () => {
    const kinds = [{ type: 'SHORT_TEXT' as const }, { type: 'UPLOAD_FILE' as const, uploadFile: PICTURES }];
    const form = await formWith({ retentionDays: 90, allowEditResponse: true }, kinds);
    const [questionId = '', fileQuestionId = ''] = form.questionIds;
    const old = await respond(dave, form.formId, [text(questionId, 'Loch Ness')]);
    await uploaded(dave, { responseId: old, questionId: fileQuestionId }, pdf('a.pdf', 100));
    await passDays(60);
    const younger = await respond(erin, form.formId, [text(questionId, 'Loch Lomond')]);
    // Saved later, and yet as old.
    await save(dave, old, [text(questionId, 'Loch Awe')]);
    await passDays(29);
    expect([await isKept(old), await isKept(younger)]).toEqual([true, true]);
    await passDays(2);
    expect([await isKept(old), await isKept(younger)]).toEqual([false, true]);
    await finishDeletions();
    await deliverStream();
    expect(await itemsMentioning(old)).toEqual([]);
    const { submittedCount } = (await bob.client.responses.listResponses({ params: { formId: form.formId } })).body;
    expect(submittedCount).toBe(1);
    await passDays(60);
    expect(await isKept(younger)).toBe(false);
  });

  test('are all deleted in one run, however many are due', async () => {
    const form = await formWith({ retentionDays: 5 });
    const old = Array.from({ length: 230 }, () => submissionOf(form, dave.id, daysAgo(6)));
    await store(old);
    await passSeconds(DAY + 1);
    await runSweep();
    expect(
      await loadResponses(
        app().table,
        old.map(({ id }) => id),
      ),
    ).toEqual([]);
  });

  test('begin anew when they were cancelled and submitted again', async () => {
    const form = await formWith({ retentionDays: 10 });
    const id = await respond(dave, form.formId);
    await passDays(9);
    await cancel(dave, id);
    await dave.client.responses.submitResponse({ params: { responseId: id }, body: { answers: [] } });
    await passDays(9);
    expect(await isKept(id)).toBe(true);
    await passDays(2);
    expect(await isKept(id)).toBe(false);
  });

  test('keep their places, also after the places were counted again', async () => {
    const form = await formWith({ retentionDays: 5, maxResponses: 2 });
    const places = async () => (await erin.client.responses.getPlaces({ params: form.params })).body.left;
    await respond(dave, form.formId);
    const [later] = [await respond(dave, form.formId)];
    await passDays(6);
    expect([await isKept(later), await places()]).toEqual([false, 0]);
    expect(await expectProblem(respond(erin, form.formId))).toMatchObject({ status: 409, code: 'no_place_left' });
    for (const seconds of [1, 122, 243, 364, 485, 606]) await sweepIn(seconds);
    expect(await places()).toBe(0);
    await change(bob, form, { maxResponses: 3 });
    const last = await respond(erin, form.formId);
    await cancel(erin, last);
    expect(await places()).toBe(1);
  });

  test.for([
    'ACCOUNT',
    'INVITED',
    'EMAIL',
  ] as const)('of %s, who respond once, leave that they have', async (audience) => {
    const form = await formWith({ audience, visibility: 'PRIVATE', oncePerPerson: true, retentionDays: 5 });
    const people = {
      ACCOUNT: async () => dave,
      INVITED: async () => (await newInvited({ formId: form.formId, member: bob })).guest,
      EMAIL: () => newAddressed(form.formId),
    };
    const person = await people[audience]();
    const id = await respond(person, form.formId);
    await passDays(6);
    expect(await isKept(id)).toBe(false);
    await finishDeletions();
    expect(await expectProblem(respond(person, form.formId))).toMatchObject({ status: 409 });
  });
});

describe('drafts', () => {
  test('of accounts stay without a setting, and go so many days after they were saved last', async () => {
    const form = await formWith();
    const kept = await start(dave, form.formId);
    const settled = await formWith({ draftDays: 10 });
    const old = await start(dave, settled.formId);
    const saved = await start(erin, settled.formId);
    await passDays(8);
    await save(erin, saved, [text(settled.questionId, 'Loch Ness')]);
    await passDays(3);
    expect([await isKept(kept), await isKept(old), await isKept(saved)]).toEqual([true, false, true]);
    await passDays(9);
    expect([await isKept(kept), await isKept(saved)]).toEqual([true, false]);
  });

  test('of guests are kept for as long as those of others, once that acts', async () => {
    const form = await formWith({ audience: 'ANYONE' });
    const responseId = await start(await newGuest(form.formId), form.formId);
    await deliverStream();
    await change(bob, form, { draftDays: 100 });
    await passDays(60);
    expect(await isKept(responseId)).toBe(true);
    await passDays(42);
    expect(await isKept(responseId)).toBe(false);
  });

  test('that were submitted meanwhile are kept as long as submitted responses', async () => {
    const form = await formWith({ draftDays: 5, retentionDays: 50 });
    const id = await start(dave, form.formId);
    await passDays(4);
    await dave.client.responses.submitResponse({ params: { responseId: id }, body: { answers: [] } });
    await passDays(20);
    expect(await isKept(id)).toBe(true);
  });
});

describe('a shorter time', () => {
  async function formWithOld(settings: Settings = {}) {
    const form = await formWith(settings);
    const old = submissionOf(form, dave.id, daysAgo(30));
    await store([old]);
    await tallyResponses(app(), [old.id]);
    return { ...form, old };
  }

  const forget = async (): Promise<void> => {
    for (const seconds of [0, 60, 120]) await sweepIn(seconds);
  };

  test('acts after 48 hours', async () => {
    const form = await formWithOld();
    const { body } = await change(bob, form, { retentionDays: 10 });
    expect(body).toMatchObject({
      retentionDays: 10,
      retentionFrom: new Date(Date.now() + 2 * DAY * 1_000).toISOString(),
    });
    await passDays(1.9);
    await forget();
    expect(await isKept(form.old.id)).toBe(true);
    await passDays(1.2);
    expect(await isKept(form.old.id)).toBe(false);
    expect((await bob.client.forms.getForm({ params: form.params })).body.retentionFrom).toBe(null);
  });

  test('that is taken back deletes nothing', async () => {
    const form = await formWithOld({ retentionDays: 100 });
    await change(bob, form, { retentionDays: 10 });
    await passDays(1);
    const { body } = await change(alice, form, { retentionDays: 100 });
    expect(body).toMatchObject({ retentionDays: 100, retentionFrom: null });
    await passDays(3);
    expect(await isKept(form.old.id)).toBe(true);
    await passDays(70);
    expect(await isKept(form.old.id)).toBe(false);
  });

  test('that is lengthened before it acts, acts then, and a shorter one 48 hours later', async () => {
    const form = await formWithOld();
    const first = (await change(bob, form, { retentionDays: 10 })).body.retentionFrom;
    await passDays(1);
    expect((await change(bob, form, { retentionDays: 20 })).body.retentionFrom).toBe(first);
    const second = (await change(bob, form, { retentionDays: 15 })).body.retentionFrom;
    expect(second).toBe(new Date(Date.now() + 2 * DAY * 1_000).toISOString());
    await passDays(1.5);
    expect(await isKept(form.old.id)).toBe(true);
    await passDays(2);
    expect(await isKept(form.old.id)).toBe(false);
  });

  test('and clearing the other setting at the same time: what is longer acts at once', async () => {
    const form = await formWith({ draftDays: 10 });
    const draft = draftOf(form, dave.id, daysAgo(9));
    await store([draft]);
    await change(bob, form, { draftDays: null, retentionDays: 10 });
    await passDays(5);
    expect(await isKept(draft.id)).toBe(true);
  });

  test.for([
    ['retentionDays', { retentionDays: 10 }, {}],
    ['retentionDays', { retentionDays: 10 }, { retentionDays: 11 }],
    ['draftDays', { draftDays: 10 }, {}],
    ['draftDays for guests', { draftDays: null }, { draftDays: 60 }],
  ] as const)('of %s needs who may delete responses: %j', async ([, body, settings]) => {
    const form = await newForm(alice, slug, [[]], settings);
    const params = { formId: form.formId };
    expect(await expectProblem(bob.client.forms.updateForm({ params, body }))).toMatchObject({ status: 403 });
    expect((await alice.client.forms.updateForm({ params, body })).body).toMatchObject(body);
  });

  test('cannot be had by a member who may not delete, who can keep responses for longer', async () => {
    const form = await newForm(alice, slug, [[]], { retentionDays: 10 });
    const params = { formId: form.formId };
    const longer = await bob.client.forms.updateForm({ params, body: { retentionDays: 20, title: 'Rivers' } });
    expect(longer.body).toMatchObject({ retentionDays: 20, retentionFrom: null });
    await bob.client.forms.updateForm({ params, body: { retentionDays: 20, title: 'Lakes' } });
  });

  test('is announced once to each admin, and to nobody if it was taken back before', async () => {
    const admins = [alice, chelsea];
    const subject = async (title: string) => {
      for (const seconds of [0, 60, 120]) {
        await sweepIn(seconds);
        await receiveEvents(ownMail());
      }
      return [...admins, bob].map(
        (one) => mailsTo(ownMail(), one).filter((mail) => mail.subject.endsWith(title)).length,
      );
    };
    await alice.client.orgs.updateMember({ params: { slug, memberId: bob.id }, body: { role: 'MEMBER' } });
    const form = await formWith({ title: 'Told' });
    await change(bob, form, { retentionDays: 10 });
    const told = await subject('Told');
    expect(told[0]).toBe(1);
    expect(told[2]).toBe(0);
    const [mail] = mailsTo(ownMail(), alice).filter(({ subject: each }) => each.endsWith('Told'));
    expect(mail?.text).toContain('responses are deleted 10 days after they were submitted');
    expect(mail?.text).toContain(`/build/${form.formId}/settings`);
    await passSeconds(3_600);
    await change(bob, form, { retentionDays: 5 });
    expect((await subject('Told'))[0]).toBe(2);
    const back = await formWith({ title: 'Back' });
    await change(bob, back, { retentionDays: 10 });
    await change(bob, back, { retentionDays: null });
    expect(await subject('Back')).toEqual([0, 0, 0]);
  });
});

test('what is kept for longer while the job runs, stays', async () => {
  const form = await formWith({ retentionDays: 5 });
  const old: Response[] = Array.from({ length: 60 }, () => submissionOf(form, dave.id, daysAgo(6)));
  await store(old);
  await passSeconds(DAY + 1);
  let deletions = 0;
  await withTable(
    ({ write }) => ({
      write: async (...args) => {
        const deletes = args[0].some((each) => 'put' in each && each.put.progress === 'DELETED');
        if (deletes) deletions += 1;
        if (deletes && deletions === 15) await change(bob, form, { retentionDays: 50 });
        await write(...args);
      },
    }),
    () => runSweep(),
  );
  for (const seconds of [60, DAY, 2 * DAY]) await sweepIn(seconds);
  const left = await loadResponses(
    app().table,
    old.map(({ id }) => id),
  );
  // 14 were deleted before; with the one of the change goes its group, ten at most, and no other one.
  expect(left.length).toBeGreaterThanOrEqual(60 - 14 - 10);
  expect(left.length).toBeLessThan(60);
});

test('copies, definitions and forms that are created keep the settings', async () => {
  const form = await formWith({ retentionDays: 3_650, draftDays: 365 });
  const { body: copy } = await bob.client.forms.duplicateForm({ params: form.params, body: {} });
  expect(copy).toMatchObject({ retentionDays: 3_650, draftDays: 365, retentionFrom: null });
  const { body: definition } = await bob.client.forms.getDefinition({ params: form.params });
  const { body: imported } = await bob.client.forms.importForm({ params: { slug }, body: definition as never });
  expect(imported).toMatchObject({ retentionDays: 3_650, draftDays: 365 });
  for (const body of [{ retentionDays: 0 }, { retentionDays: 3_651 }, { draftDays: 366 }, { draftDays: 1.5 }]) {
    expect(await expectProblem(change(bob, form, body))).toMatchObject({ status: 400 });
  }
});
