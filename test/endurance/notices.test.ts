/**
 * Members get one mail for the responses of an interval, and read of each response: workers that die at any call, batches that come twice
 * and shuffled, and several workers at once.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { app } from '#core/http/app.ts';
import { muteErrors } from '#test/support/console.ts';
import { clientWith, newForm, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { castAt, NOW, pass, respond } from '#test/support/responses.ts';
import { deliverStream, type Kill, runWorker } from '#test/support/workers.ts';

const cast = await castAt();
const ownMail = ownSes();
muteErrors();

let slug: string;
let admin: Person;
let readers: Person[];
beforeEach(async () => {
  vi.setSystemTime(NOW);
  readers = [await person('rita'), await person('otto')];
  const [first, second] = readers;
  admin = await person('gina');
  ({ slug } = await newOrganization(admin, first));
  await admin.client.orgs.addMember({ params: { slug }, body: { email: second?.email ?? '' } });
});

/** A form of which both readers get mails. */
async function read() {
  const { formId } = await newForm(admin, slug, [[]], { title: 'Lakes' });
  for (const { id } of readers) {
    const client = clientWith(await app().tokens.sign({ id, roles: ['USER'] }, app().now()));
    await client.forms.setMyNotices({ params: { formId }, body: { frequency: 'SOON' } });
  }
  // What was written before is not new any more.
  await deliverStream();
  return formId;
}

/** The numbers of new responses in the mails to each reader. */
const counts = () =>
  readers.map((reader) =>
    mailsTo(ownMail(), reader).flatMap(({ subject }) => /^(\d+) new response/.exec(subject)?.[1] ?? []),
  );
const total = (numbers: readonly string[]) => numbers.reduce((sum, each) => sum + Number(each), 0);

/** Lets the time pass, with what workers do. */
async function live(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    pass(60);
    await runWorker('sweep');
    await deliverStream();
    await receiveEvents(ownMail());
  }
}

/** The largest numbers of calls of ports that collecting a response, and queueing and sending two mails, take. */
const TALLY_CALLS = 14;
const SWEEP_CALLS = 60;
const killsUpTo = (calls: number): Kill[] =>
  Array.from({ length: calls }, (_, index) => index + 1).flatMap((call): Kill[] => [
    { call, when: 'before' },
    { call, when: 'after' },
  ]);

describe('a worker that dies while it collects', () => {
  test('makes no more calls than are tried', async () => {
    const formId = await read();
    await respond(cast.dave, formId);
    expect((await deliverStream({ only: ['tally'] })).calls).toBeLessThanOrEqual(TALLY_CALLS);
  });

  test.for(killsUpTo(TALLY_CALLS))('$when its call $call: each reads of each response once', async (kill) => {
    const formId = await read();
    await respond(cast.dave, formId);
    await deliverStream({ only: ['tally'], kill });
    await respond(cast.erin, formId);
    await live(8);
    expect(counts()).toEqual([['2'], ['2']]);
  });
});

describe('a worker that dies while it mails', () => {
  test('makes no more calls than are tried', async () => {
    const formId = await read();
    await respond(cast.dave, formId);
    await deliverStream();
    pass(301);
    expect((await runWorker('sweep')).calls).toBeLessThanOrEqual(SWEEP_CALLS);
  });

  test.for(killsUpTo(SWEEP_CALLS))('$when its call $call: each gets one mail', async (kill) => {
    const formId = await read();
    await respond(cast.dave, formId);
    await deliverStream();
    pass(301);
    await runWorker('sweep', { kill });
    // What arrives meanwhile is not lost.
    await respond(cast.erin, formId);
    await live(30);
    for (const numbers of counts()) {
      expect(total(numbers)).toBe(2);
      expect(numbers.length).toBeLessThanOrEqual(2);
    }
  });
});

test('two workers at once queue each mail once, whatever arrives meanwhile', async () => {
  const formId = await read();
  for (let round = 0; round < 5; round += 1) {
    await respond(cast.dave, formId);
    await deliverStream({ twice: true, shuffle: 'all' });
    pass(301);
    await Promise.all([
      runWorker('sweep'),
      runWorker('sweep'),
      respond(cast.erin, formId),
      deliverStream({ twice: true }),
    ]);
  }
  await live(30);
  for (const numbers of counts()) {
    expect(total(numbers)).toBe(10);
    expect(numbers.length).toBeLessThanOrEqual(7);
  }
});

test('300 responses at once come in one mail, while workers die and batches come twice', async () => {
  const formId = await read();
  for (let batch = 0; batch < 10; batch += 1)
    await Promise.all(Array.from({ length: 30 }, async () => respond(await person('hank'), formId)));
  for (const call of [5, 12, 19, 40])
    await deliverStream({ only: ['tally'], twice: true, shuffle: 'all', kill: { call, when: 'after' } });
  await live(8);
  expect(counts()).toEqual([['300'], ['300']]);
});
