/**
 * Invitations are sent once to each guest, and counted once: workers that die at any call, batches that come twice and out of order,
 * and several forms at once at the limit of a day.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { app } from '#core/http/app.ts';
import { muteErrors } from '#test/support/console.ts';
import { withConfig } from '#test/support/faults.ts';
import { clientWith, newForm, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { castAt, NOW, pass } from '#test/support/responses.ts';
import { deliverStream, type Kill, runWorker } from '#test/support/workers.ts';

await castAt();
const ownMail = ownSes();
muteErrors();

const MINUTE = 60;
const DAY = 86_400;

/** An organization of its own, so that no test counts the mails of another one. */
let slug: string;
let admin: Person;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  admin = await person('gina');
  slug = (await newOrganization(admin)).slug;
});

/** A token lasts an hour. */
const signedIn = async () => clientWith(await app().tokens.sign({ id: admin.id, roles: ['USER'] }, app().now()));

/** A form for invited guests, with some of them. */
async function formWith(count: number) {
  const settings = { audience: 'INVITED', visibility: 'PRIVATE' } as const;
  const { formId } = await newForm({ ...admin, client: await signedIn() }, slug, [[]], settings);
  const emails = Array.from({ length: count }, () => `${app().uuid()}@example.org`);
  const client = await signedIn();
  for (let from = 0; from < count; from += 90) {
    const guests = emails.slice(from, from + 90).map((email) => ({ email }));
    await client.invitations.createInvitations({ params: { formId }, body: { guests } });
  }
  return { formId, emails };
}

const send = async (formId: string) =>
  (await signedIn()).invitations.sendInvitations({
    params: { formId },
    body: { to: 'ALL', subject: 'Lakes', text: 'Please answer.' },
  });
const stateOf = async (formId: string) =>
  (await (await signedIn()).invitations.getSending({ params: { formId } })).body;
const today = async () => (await (await signedIn()).orgs.getGuestMails({ params: { slug } })).body.today;
const counts = (emails: readonly string[]) => emails.map((email) => mailsTo(ownMail(), { email }).length);

/** Lets the time pass in steps, with a sweep and the events of SES after each. */
async function live(minutes: number, step = 10): Promise<void> {
  for (let passed = 0; passed < minutes; passed += step) {
    pass(step * MINUTE);
    await runWorker('sweep');
    await deliverStream({ only: ['deliver'] });
    await receiveEvents(ownMail());
  }
}

describe('a worker that dies', () => {
  /** The largest number of calls of ports that it takes to queue and send two mails. */
  const CALLS = 26;
  const KILLS = Array.from({ length: CALLS }, (_, index) => index + 1).flatMap((call): Kill[] => [
    { call, when: 'before' },
    { call, when: 'after' },
  ]);

  test('makes no more calls than are tried', async () => {
    const { formId } = await formWith(2);
    // What was written before is not new any more.
    await deliverStream({ only: ['deliver'] });
    await send(formId);
    const { calls } = await deliverStream({ only: ['deliver'] });
    expect(calls).toBeLessThanOrEqual(CALLS);
  });

  test.for(KILLS)('$when its call $call sends one mail to each guest in the end', async (kill) => {
    const { formId, emails } = await formWith(2);
    await deliverStream({ only: ['deliver'] });
    await send(formId);
    await deliverStream({ only: ['deliver'], kill });
    await receiveEvents(ownMail());
    await live(60);
    expect(counts(emails)).toEqual([1, 1]);
    expect(await stateOf(formId)).toMatchObject({ state: 'DONE', queued: expect.any(Number) });
    expect(await today()).toBe(2);
    const { invitations } = (
      await (await signedIn()).invitations.listInvitations({ params: { formId }, query: { limit: 10 } })
    ).body;
    expect(invitations.map(({ sentAt }) => sentAt !== null)).toEqual([true, true]);
  });
});

test('300 guests get a mail each while workers die and every batch comes twice and shuffled', async () => {
  const { formId, emails } = await formWith(300);
  pass(15 * DAY);
  await deliverStream({ only: ['deliver'] });
  await send(formId);
  for (const call of [8, 30, 90, 200, 500]) {
    const kill: Kill = { call, when: 'after' };
    await deliverStream({ only: ['deliver'], twice: true, shuffle: 'all', kill });
    await receiveEvents(ownMail());
  }
  await live(90, 5);
  expect(new Set(counts(emails))).toEqual(new Set([1]));
  expect(await today()).toBe(300);
  expect(await stateOf(formId)).toMatchObject({ state: 'DONE' });
});

test('forms that are sent at once never exceed the limit of a day, whoever dies', async () => {
  pass(15 * DAY);
  await withConfig({ maxGuestMails: 40 }, async () => {
    const forms = [await formWith(30), await formWith(30), await formWith(30)];
    const emails = forms.flatMap((form) => form.emails);
    await deliverStream({ only: ['deliver'] });
    await Promise.all(forms.map(({ formId }) => send(formId)));
    for (const call of [12, 60])
      await deliverStream({ only: ['deliver'], twice: true, shuffle: 'all', kill: { call, when: 'after' } });
    const sent = () => counts(emails).filter((count) => count > 0).length;
    for (const most of [40, 80, 90]) {
      await receiveEvents(ownMail());
      await live(60);
      expect(sent()).toBe(most);
      pass(DAY);
    }
    expect(new Set(counts(emails))).toEqual(new Set([1]));
  });
});
