/**
 * A mail is sent once for each submission and never lost: workers that die, lost responses of SES, batches that come
 * twice and out of order, outages of a day and of four.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { app } from '#core/http/app.ts';
import { loadDeliveryStatuses } from '#core/responses/deliveries.ts';
import { loadResponses } from '#core/responses/store.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';
import { muteErrors } from '#test/support/console.ts';
import { clientWith, newForm, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { cancel, castAt, NOW, pass, submit } from '#test/support/responses.ts';
import { deliverStream, type Kill, runWorker } from '#test/support/workers.ts';

const cast = await castAt();
const ownMail = ownSes();
muteErrors();

const MINUTE = 60;
const HOUR = 60 * MINUTE;
let dave: Person;
let formId: string;

beforeEach(async () => {
  // The tokens of the cast have not expired.
  vi.setSystemTime(NOW);
  const { alice, slug } = cast;
  dave = await person('dave');
  formId = (await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]])).formId;
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
});

/** Submits a response; its id. */
const submitted = async (by = dave): Promise<string> =>
  (await by.client.responses.startResponse({ params: { formId }, body: { submit: true } })).body.id;

const status = async (responseId: string) => {
  const [response] = await loadResponses(app().table, [responseId]);
  return response && (await loadDeliveryStatuses(app().table, responseId)).email;
};

/** Lets the time pass in steps, with a sweep and the events of SES after each. */
async function live(seconds: number, step = 15 * MINUTE): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step) {
    pass(step);
    await runWorker('sweep');
    await receiveEvents(ownMail());
  }
}

describe('a worker that dies', () => {
  /** The largest number of calls of ports that one mail takes. */
  const CALLS = 14;
  const KILLS = Array.from({ length: CALLS }, (_, index) => index + 1).flatMap((call): Kill[] => [
    { call, when: 'before' },
    { call, when: 'after' },
  ]);

  test.for(KILLS)('$when its call $call sends one mail in the end', async (kill) => {
    const id = await submitted();
    await deliverStream({ only: ['deliver'], kill });
    await receiveEvents(ownMail());
    await live(HOUR);
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
    expect(await status(id)).toMatchObject({ state: 'SENT' });
  });

  test('and whose Send event is lost sends a second mail only after 15 minutes', async () => {
    await submitted();
    const { calls } = await deliverStream({ only: ['deliver'] });
    expect(calls).toBeLessThanOrEqual(CALLS);
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
    ownMail().events.splice(0);
    const other = await person('erin');
    await submitted(other);
    // The last call stores that the mail was sent.
    await deliverStream({ only: ['deliver'], kill: { call: calls, when: 'before' } });
    ownMail().events.splice(0);
    await live(14 * MINUTE, MINUTE);
    expect(mailsTo(ownMail(), other)).toHaveLength(1);
    pass(2 * MINUTE);
    await runWorker('sweep');
    expect(mailsTo(ownMail(), other)).toHaveLength(2);
  });
});

describe('a response of SES that is lost', () => {
  test('leaves one mail, because its Send event tells', async () => {
    const id = await submitted();
    ownMail().ses.behave({ loseResponse: true });
    await deliverStream({ only: ['deliver'] });
    ownMail().ses.behave({ loseResponse: false });
    expect(await status(id)).toMatchObject({ state: 'QUEUED' });
    await receiveEvents(ownMail());
    expect(await status(id)).toMatchObject({ state: 'SENT' });
    await live(HOUR);
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
  });
});

describe('records of the stream', () => {
  test('that come twice and out of order send one mail for each submission', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => person('somebody')));
    const ids = await Promise.all(people.map((each) => submitted(each)));
    pass(1);
    for (const [index, each] of people.slice(0, 5).entries()) {
      await cancel(each, ids[index] ?? '');
      await submit(each, ids[index] ?? '');
    }
    await deliverStream({ only: ['deliver'], twice: true, shuffle: 'all' });
    await receiveEvents(ownMail());
    await live(HOUR);
    expect(people.map((each) => mailsTo(ownMail(), each).length)).toEqual(people.map(() => 1));
  });
});

test('more submissions than SES accepts per second are mailed at its rate, without long pauses', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => person('somebody')));
  const ids = await Promise.all(people.map((each) => submitted(each)));
  ownMail().ses.behave({ rate: 8 });
  await deliverStream({ only: ['deliver'] });
  ownMail().ses.behave({ rate: 1e6 });
  expect(people.map((each) => mailsTo(ownMail(), each).length)).toEqual(people.map(() => 1));
  for (const id of ids) expect(await status(id)).toMatchObject({ state: 'SENT', attempts: 1 });
});

test('1,000 submissions send 1,000 mails while workers die and every batch comes twice and shuffled', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => person('somebody')));
  // A worker dies in the first batch, then later and later.
  for (const call of [40, 150, 400, 900]) {
    for (let count = 0; count < 25; count += 1) await Promise.all(people.map((each) => submitted(each)));
    const kill: Kill = { call, when: 'after' };
    expect((await deliverStream({ only: ['deliver'], twice: true, shuffle: 'all', kill })).killed).toBe(true);
  }
  await receiveEvents(ownMail());
  await live(HOUR);
  const mails = people.flatMap((each) => mailsTo(ownMail(), each));
  expect(mails).toHaveLength(1_000);
  expect(new Set(mails.map(({ tags }) => tags.delivery)).size).toBe(1_000);
});

describe('an outage of SES', () => {
  const outage = async (responseId: string, hours: number): Promise<void> => {
    ownMail().ses.behave({ failWith: new SesError('AccountSendingPausedException', 'paused') });
    await deliverStream({ only: ['deliver'] });
    await live(hours * HOUR, HOUR);
    ownMail().ses.behave({ failWith: null });
    expect(mailsTo(ownMail(), dave), responseId).toEqual([]);
  };

  test('of a day delays the mail', async () => {
    const id = await submitted();
    await outage(id, 24);
    expect(await status(id)).toMatchObject({ state: 'QUEUED', reason: 'AccountSendingPausedException' });
    await live(7 * HOUR, HOUR);
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
    expect(await status(id)).toMatchObject({ state: 'SENT' });
  });

  test('of more than 72 hours ends with FAILED, and a member can send it again', async () => {
    const id = await submitted();
    await outage(id, 96);
    expect(await status(id)).toMatchObject({ state: 'FAILED', reason: 'AccountSendingPausedException' });
    await live(24 * HOUR, HOUR);
    expect(mailsTo(ownMail(), dave)).toEqual([]);
    const { bob } = cast;
    const client = clientWith(await app().tokens.sign({ id: bob.id, roles: ['USER'] }, app().now()));
    await client.deliveries.retryDelivery({ params: { formId, responseId: id, kind: 'email' } });
    await deliverStream({ only: ['deliver'] });
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
    expect(await status(id)).toMatchObject({ state: 'SENT' });
  });
});
