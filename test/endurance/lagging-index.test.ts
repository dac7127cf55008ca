/**
 * Workers while indexes lag: entries of what was written lately are missing, stale or doubled, until the test lets them
 * settle. Whatever a worker does with them, in the end nothing is left undone and nothing was done twice. Each kind of
 * delivery has a row here.
 */
import { describe, expect, test } from 'vitest';
import { loadCounters } from '#core/counts/counters.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { objects } from '#core/db/bucket.ts';
import { formKey, idWithin, type Key, keys } from '#core/db/keys.ts';
import { deletePerson } from '#core/deletion/person.ts';
import { parseGate } from '#core/forms/gate.ts';
import { app } from '#core/http/app.ts';
import { findOrCreateAccount } from '#core/identity/identities.ts';
import { scheduleCleanUp } from '#core/jobs/clean-up.ts';
import { type JobKind, queueJob } from '#core/jobs/job.ts';
import { remindOfDrafts } from '#core/responses/drafts.ts';
import { loadResponses } from '#core/responses/store.ts';
import { attemptNewJobs } from '#core/workers/kinds.ts';
import { askForLink, newAddress } from '#test/support/addresses.ts';
import { choiceCounts, newPoll, recountNow, seedSubmissions } from '#test/support/counts.ts';
import { askForExport, buildExports, readExport } from '#test/support/exports.ts';
import { newForm, newOrganization, person, seedForms, writingApp } from '#test/support/fixtures.ts';
import { expectReadsBy, LAGS, type Lag, type Settle, withLaggingIndex } from '#test/support/lagging-index.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { cancel, castAt, draftOf, NOW, respond, start, store, submit, text } from '#test/support/responses.ts';
import { addressOf, answersIn, ownSheets, readStatus, setSpreadsheet, sheetForm } from '#test/support/sheets.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { sweepIn } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';
import { open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();
const sheets = ownSheets();
const ownMail = ownSes();
const HOUR_AGO = Date.parse(NOW) - 3_600_000;

/** When a test sweeps: for some minutes, and for the second passes of deletions. */
const MINUTES = [0, 20, 80, 140, 200];
const HOURS = [...MINUTES, 3_900, 3_960, 4_020, 7_800, 7_860];

/** Sweeps now, before the indexes settle, and then from time to time. */
async function sweepOn(settle: Settle, times = HOURS): Promise<void> {
  for (const seconds of times) {
    await sweepIn(seconds);
    settle();
  }
}

/** A published form with one question. */
const oneQuestion = async () => {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  return { formId, questionIds, questionId: questionIds[0] ?? '' };
};

/** A person submits a form that mails copies and has a spreadsheet. */
async function submitForMail() {
  const { alice, slug } = cast;
  const form = await sheetForm(alice, slug);
  await alice.client.forms.updateForm({ params: form, body: { sendResponseEmail: true } });
  const dave = await person('dave');
  const id = await respond(dave, form.formId, [text(form.questionId, 'Loch Ness')]);
  return { dave, form, id };
}

/** A form with two invited guests with addresses. */
async function invitedTogether() {
  const settings = { audience: 'INVITED', visibility: 'PRIVATE' } as const;
  const { formId } = await newForm(cast.alice, cast.slug, [[]], settings);
  const emails = [1, 2].map(() => `${app().uuid()}@example.org`);
  const body = { guests: emails.map((email) => ({ email })) };
  await cast.alice.client.invitations.createInvitations({ params: { formId }, body });
  return { formId, emails };
}

const sendAll = (formId: string) =>
  cast.alice.client.invitations.sendInvitations({
    params: { formId },
    body: { to: 'ALL', subject: 'Lakes', text: 'Please answer.' },
  });

/** A form, and the subjects of the mails about its responses to a member. */
async function withReader() {
  const reader = await person('rita');
  const { slug } = await newOrganization(cast.alice, reader);
  const { formId } = await newForm(cast.alice, slug, [[]], { title: 'Lakes' });
  await reader.client.forms.setMyNotices({ params: { formId }, body: { frequency: 'SOON' } });
  const subjects = () => mailsTo(ownMail(), reader).map(({ subject }) => subject);
  return { formId, subjects };
}

/** Attempts a new delivery as the worker of the stream does, which finds it without an index. */
const deliver = (key: Key) => attemptNewJobs(app(), [key]);

type Row = (settle: Settle) => Promise<void>;

const ROWS: Record<JobKind, Record<string, Row>> = {
  'clean-up': {
    'sixty that are due in one shard are done in one sweep': async (settle) => {
      const owners = Array.from({ length: 60 }, () => keys.response(`${app().uuid().slice(0, -1)}0`));
      await app().table.write(owners.map((owner) => scheduleCleanUp(app(), owner, 'no-object')));
      settle();
      await sweepIn(0);
      expect(await itemsMentioning('no-object')).toEqual([]);
    },
  },
  deletion: {
    'of a form removes all of its responses, also one that was started last': async (settle) => {
      const { alice, dave, erin } = cast;
      const form = await newForm(alice, cast.slug, [[]]);
      await store(Array.from({ length: 250 }, (_, n) => draftOf(form, erin.id, new Date(HOUR_AGO + n).toISOString())));
      settle();
      await start(dave, form.formId);
      await alice.client.forms.deleteForm({ params: form });
      await sweepOn(settle);
      expect(await itemsMentioning(formKey(form.formId))).toEqual([]);
    },
    'of an organization removes all of its forms, also one that was created last': async (settle) => {
      const { slug, orgId } = await newOrganization(cast.alice, cast.bob);
      const formIds = await seedForms(orgId, cast.alice.id, Array(110).fill({ status: 'PUBLISHED' }));
      settle();
      const { formId } = await newForm(cast.bob, slug, [[]]);
      await cast.alice.client.orgs.deleteOrganization({ params: { slug } });
      await sweepOn(settle, MINUTES);
      expect((await app().table.read(formIds.map(keys.formHead))).filter(Boolean)).toEqual([]);
      await sweepOn(settle);
      const [usage, ...others] = await itemsMentioning(orgId);
      expect(usage).toContain(`SLUG#${slug} USAGE#`);
      expect(others).toEqual([]);
      for (const id of [formId, formIds[0] ?? '', formIds.at(-1) ?? '']) {
        expect(await itemsMentioning(formKey(id))).toEqual([]);
      }
    },
    'of a response removes all of it': async (settle) => {
      const { formId, questionId } = await oneQuestion();
      const responseId = await respond(cast.dave, formId, [text(questionId, 'Loch Ness')]);
      await cast.alice.client.responses.deleteResponse({ params: { formId, responseId } });
      await sweepOn(settle);
      expect(await itemsMentioning(responseId)).toEqual([]);
    },
    'of a person removes all of them once it is repeated': async (settle) => {
      const hank = await person('hank');
      const { formId, questionId } = await oneQuestion();
      const profile = { subject: hank.id, username: '', email: hank.email, emailVerified: true, avatarUrl: '' };
      await findOrCreateAccount(app(), 'LOGIN_PROVIDER_1', profile);
      await respond(hank, formId, [text(questionId, 'By the river')]);
      await deletePerson(writingApp(), hank.id);
      settle();
      await deletePerson(writingApp(), hank.id);
      await sweepOn(settle);
      expect(await itemsMentioning(hank.id)).toEqual([]);
    },
  },
  recount: {
    'counts each response once, also those that changed right before': async (settle) => {
      const { erin } = cast;
      const poll = await newPoll(cast);
      const ids = (await seedSubmissions(poll, 9, erin.id, HOUR_AGO)).map(({ id }) => id);
      await tallyResponses(app(), ids.slice(0, 1));
      settle();
      await sweepOn(settle);
      const [cancelled = '', again = ''] = ids;
      for (const id of [cancelled, again]) await cancel(erin, id);
      await submit(erin, again);
      await tallyResponses(app(), ids);
      await recountNow(poll);
      await deliver(keys.recount(poll.formId));
      await sweepOn(settle);
      const { drafts, submitted } = (await loadCounters(app().table, poll.formId)) ?? {};
      expect({ drafts, submitted }).toEqual({ drafts: 1, submitted: 8 });
      const { id = '', choiceIds = [] } = poll.questions[1] ?? {};
      // Red and green in turn, without the first red one.
      expect(await choiceCounts(poll.formId, id, choiceIds)).toEqual([4, 4, 0]);
    },
  },
  expiry: {
    'deletes a draft of a guest that was begun while nothing was left but the last look': async (settle) => {
      const DAY = 86_400;
      const form = await newForm(cast.alice, cast.slug, [[]], { audience: 'ANYONE' });
      const guestId = () => idWithin(form.formId, app().uuid());
      const old = draftOf(form, guestId(), new Date(Date.parse(NOW) - 31 * DAY * 1_000).toISOString());
      await store([old]);
      await tallyResponses(app(), [old.id]);
      settle();
      await sweepIn(DAY + 60);
      settle();
      await sweepIn(DAY + 120);
      settle();
      const begun = draftOf(form, guestId(), NOW);
      await store([begun]);
      await tallyResponses(app(), [begun.id]);
      await sweepOn(
        settle,
        [1, 2, 3, 29, 31, 32, 33].map((days) => days * DAY + 3_900),
      );
      expect(await loadResponses(app().table, [old.id, begun.id])).toEqual([]);
      await sweepOn(
        settle,
        [65, 66, 67].map((days) => days * DAY),
      );
      expect(await app().table.read([keys.expiry(form.formId)])).toEqual([undefined]);
    },
    'deletes a response for its age that was submitted right before the job looked': async (settle) => {
      const DAY = 86_400;
      const form = await newForm(cast.alice, cast.slug, [[]], { retentionDays: 5 });
      const { formId } = form;
      await cast.alice.client.forms.updateForm({ params: { formId }, body: { retentionDays: 6 } });
      settle();
      const id = await respond(cast.dave, formId);
      await sweepIn(60);
      settle();
      await sweepOn(
        settle,
        [5, 5.9].map((days) => days * DAY),
      );
      expect(await loadResponses(app().table, [id])).toHaveLength(1);
      await sweepOn(
        settle,
        [6, 7.1, 8.2].map((days) => days * DAY + 120),
      );
      expect(await loadResponses(app().table, [id])).toEqual([]);
    },
  },
  places: {
    'counts a limit that is younger than responses': async (settle) => {
      const { alice, dave, slug } = cast;
      const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
      const ids = [];
      for (let n = 0; n < 3; n += 1) ids.push(await respond(dave, formId, [text(questionIds[0] ?? '', `${n}`)]));
      await cancel(dave, ids[0] ?? '');
      await alice.client.forms.updateForm({ params: { formId }, body: { maxResponses: 5 } });
      settle();
      await cancel(dave, ids[1] ?? '');
      await submit(dave, ids[0] ?? '');
      await sweepOn(settle, [61, 182, 303, 424, 545]);
      expect((await dave.client.responses.getPlaces({ params: { formId } })).body).toEqual({ left: 3, choices: [] });
    },
  },
  'due-deliveries': {
    'of the version before lead to a mail and a row': async (settle) => {
      const { dave, form, id } = await submitForMail();
      const { table, now } = app();
      await table.remove([keys.delivery(id, 'email'), keys.delivery(id, 'spreadsheet')]);
      const reminder = { key: { ...keys.response(id), sk: 'DUE' }, kind: 'due-deliveries' as const, data: {} };
      await table.write([queueJob(reminder, now())]);
      for (const seconds of [0, 61, 122]) {
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect(mailsTo(ownMail(), dave)).toHaveLength(1);
      expect(answersIn(sheets(), form)).toEqual(['Loch Ness']);
    },
  },
  'response-mail': {
    'is sent once, by the stream or by a sweep': async (settle) => {
      const { dave, form } = await submitForMail();
      await deliverStream({ only: ['deliver'], twice: true });
      for (const seconds of [61, 122]) {
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect(mailsTo(ownMail(), dave)).toHaveLength(1);
      expect(answersIn(sheets(), form)).toEqual(['Loch Ness']);
    },
  },
  statistics: {
    'count a response that was submitted last, when the index has it': async (settle) => {
      const erin = await person('erin');
      const { slug } = await newOrganization(cast.alice, erin);
      const { formId } = await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]]);
      await respond(cast.dave, formId, []);
      settle();
      const params = { formId };
      await erin.client.responses.countStatistics({ params, body: { filters: [] } });
      for (const _ of [1, 2]) {
        await buildExports();
        settle();
      }
      const { body } = await erin.client.responses.getStatisticsCount({ params });
      expect(body).toMatchObject({ state: 'DONE', processed: 1, statistics: { countedResponses: 1 } });
    },
  },
  'export-mail': {
    'is sent once': async (settle) => {
      const erin = await person('erin');
      const { slug } = await newOrganization(cast.alice, erin);
      const { formId, questionIds } = await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]]);
      await askForExport(erin, formId, questionIds);
      for (const seconds of [0, 60, 120]) {
        await buildExports();
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect(mailsTo(ownMail(), erin)).toHaveLength(1);
    },
  },
  'member-mail': {
    'is sent once, and not to a person who was removed': async (settle) => {
      const { alice, slug } = cast;
      const [erin, frank] = [await person('erin'), await person('frank')];
      for (const { email } of [erin, frank]) await alice.client.orgs.addMember({ params: { slug }, body: { email } });
      await alice.client.orgs.removeMember({ params: { slug, memberId: frank.id } });
      for (const seconds of [0, 60, 120]) {
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect([erin, frank].map((one) => mailsTo(ownMail(), one).length)).toEqual([1, 0]);
    },
  },
  'retention-notice': {
    'tells an admin who was added right before': async (settle) => {
      const [owner, erin] = [await person('olivia'), await person('erin')];
      const { slug } = await newOrganization(owner, erin);
      const { formId } = await newForm(owner, slug, [[]]);
      await owner.client.orgs.updateMember({ params: { slug, memberId: erin.id }, body: { role: 'ADMIN' } });
      await owner.client.forms.updateForm({ params: { formId }, body: { retentionDays: 90 } });
      await sweepOn(settle, [0, 61, 122]);
      await receiveEvents(ownMail());
      expect([owner, erin].map((one) => mailsTo(ownMail(), one).length)).toEqual([1, 1]);
    },
  },
  'retention-mail': {
    'is sent once': async (settle) => {
      const owner = await person('olivia');
      const { slug } = await newOrganization(owner);
      const { formId } = await newForm(owner, slug, [[]]);
      await owner.client.forms.updateForm({ params: { formId }, body: { draftDays: 9 } });
      for (const seconds of [0, 60, 120]) {
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect(mailsTo(ownMail(), owner)).toHaveLength(1);
    },
  },
  notices: {
    'mails what arrived once, and what arrived last later': async (settle) => {
      const { formId, subjects } = await withReader();
      await respond(cast.dave, formId);
      await deliverStream({ only: ['tally'] });
      settle();
      await respond(cast.erin, formId);
      await deliverStream({ only: ['tally'] });
      await sweepOn(settle, [299, 301, 360, 420]);
      await receiveEvents(ownMail());
      expect(subjects()).toEqual(['2 new responses: Lakes']);
    },
  },
  'notice-mail': {
    'is sent once, by the stream or by a sweep': async (settle) => {
      const { formId, subjects } = await withReader();
      await respond(cast.dave, formId);
      await deliverStream({ only: ['tally'] });
      settle();
      await sweepIn(301);
      await deliverStream({ only: ['deliver'], twice: true });
      for (const seconds of [361, 421, 1_500]) {
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect(subjects()).toEqual(['1 new response: Lakes']);
    },
  },
  'draft-reminder': {
    'is sent once, by the stream or by a sweep': async (settle) => {
      const { formId } = await oneQuestion();
      const dave = await person('dave');
      const id = await start(dave, formId);
      settle();
      const [gate] = await app().table.read([keys.formGate(formId)]);
      expect(await remindOfDrafts(app(), { formId, orgId: String(parseGate(gate)?.orgId) }, [id])).toBe(1);
      await deliverStream({ only: ['deliver'], twice: true });
      for (const seconds of [61, 121, 1_500]) {
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect(mailsTo(ownMail(), dave)).toHaveLength(1);
    },
  },
  leaving: {
    'ends the mails of who has left, by the stream or by a sweep': async (settle) => {
      const reader = await person('rita');
      const { slug } = await newOrganization(cast.alice, reader);
      const { formId } = await newForm(cast.alice, slug, [[]]);
      await reader.client.forms.setMyNotices({ params: { formId }, body: { frequency: 'SOON' } });
      await cast.alice.client.orgs.removeMember({ params: { slug, memberId: reader.id } });
      await sweepOn(settle, MINUTES);
      expect(await itemsMentioning(`"${reader.id}"`)).not.toContainEqual(expect.stringContaining('NOTICES'));
      expect(await itemsMentioning(`LEFT#${reader.id}`)).toEqual([]);
    },
  },
  'guest-link-mail': {
    'is sent once': async (settle) => {
      const { formId } = await newForm(cast.alice, cast.slug, [[]], { audience: 'EMAIL', visibility: 'PRIVATE' });
      const email = newAddress();
      await askForLink(formId, email);
      for (const seconds of [0, 60, 120]) {
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect(mailsTo(ownMail(), { email })).toHaveLength(1);
    },
  },
  'invitation-sending': {
    'queues a mail to each guest once, also to one who was invited right before': async (settle) => {
      const { formId, emails } = await invitedTogether();
      settle();
      const last = `${app().uuid()}@example.org`;
      await cast.alice.client.invitations.createInvitations({
        params: { formId },
        body: { guests: [{ email: last }] },
      });
      await sendAll(formId);
      await sweepOn(settle, [0, 61, 122, 183]);
      await receiveEvents(ownMail());
      expect([...emails, last].map((email) => mailsTo(ownMail(), { email }).length)).toEqual([1, 1, 1]);
    },
  },
  'invitation-mail': {
    'is sent once, by the stream or by a sweep': async (settle) => {
      const { formId, emails } = await invitedTogether();
      await sendAll(formId);
      await deliverStream({ only: ['deliver'], twice: true });
      for (const seconds of [61, 122, 183]) {
        await sweepIn(seconds);
        settle();
        await receiveEvents(ownMail());
      }
      expect(emails.map((email) => mailsTo(ownMail(), { email }).length)).toEqual([1, 1]);
    },
  },
  export: {
    'writes each response once, and misses none that stays submitted': async (settle) => {
      const { alice, dave } = cast;
      const { formId, questionIds, questionId } = await oneQuestion();
      const ids: string[] = [];
      for (const value of ['a', 'b', 'c', 'd']) ids.push(await respond(dave, formId, [text(questionId, value)]));
      settle();
      const [cancelled = '', again = '', ...kept] = ids;
      for (const id of [cancelled, again]) await cancel(dave, id);
      await submit(dave, again);
      const job = await askForExport(alice, formId, questionIds);
      await buildExports();
      settle();
      await buildExports();
      expect(await readExport(alice, job)).toMatchObject({ state: 'DONE' });
      const file = await app().bucket.inspect(objects.export(job.id), 1_000_000);
      const rows = valuesOf(sheetOf(await open(Buffer.from(file?.start ?? []))), 1).map(([id]) => String(id));
      expect(rows).toEqual([...new Set(rows)]);
      expect(rows).toEqual(expect.arrayContaining(kept));
      expect(rows).not.toContain(cancelled);
    },
  },
  'spreadsheet-row': {
    'that is written after it failed leaves no failure behind': async (settle) => {
      const { alice, bob, dave, slug } = cast;
      const form = await sheetForm(alice, slug);
      await sweepOn(settle);
      sheets().interfere(() => ({ status: 403 }));
      const responseId = await respond(dave, form.formId, [text(form.questionId, 'Loch Ness')]);
      await deliverStream({ only: ['deliver'] });
      expect(await readStatus(bob, form.formId)).toMatchObject({ state: 'FAILED' });
      settle();
      sheets().interfere(() => undefined);
      await bob.client.deliveries.retryDelivery({ params: { ...form, responseId, kind: 'spreadsheet' } });
      await deliver(keys.delivery(responseId, 'spreadsheet'));
      expect(answersIn(sheets(), form)).toEqual(['Loch Ness']);
      expect(await readStatus(bob, form.formId)).toMatchObject({ state: 'READY' });
    },
  },
  'spreadsheet-backfill': {
    'adds each submission once, also one that was made last': async (settle) => {
      const { alice, dave } = cast;
      const form = await oneQuestion();
      const spreadsheetId = `sheet-${form.formId}`;
      for (const value of ['a', 'b', 'c']) await respond(dave, form.formId, [text(form.questionId, value)]);
      settle();
      await respond(dave, form.formId, [text(form.questionId, 'd')]);
      await setSpreadsheet(alice, form.formId, addressOf(spreadsheetId));
      await deliver(keys.formBackfill(form.formId));
      await sweepOn(settle);
      expect(answersIn(sheets(), { ...form, spreadsheetId }).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    },
  },
};

expectReadsBy('workers');

const CASES = Object.entries(ROWS).flatMap(([kind, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ kind, name, row })),
);
/** In every run a row is tried under one of the lags, and each of them with a third of the rows. */
const isTried = (lag: Lag, index: number): boolean => IS_NIGHTLY || LAGS[(index + 1) % LAGS.length] === lag;

describe.each(LAGS)('while entries are %s', (lag) => {
  const tried = CASES.filter((_, index) => isTried(lag, index));
  test.for(tried)('$kind $name', ({ row }) => withLaggingIndex(lag, row));
});
