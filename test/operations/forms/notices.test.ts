/** Mails to members about new responses: one for all of an interval, to those who want it, until they or their mail server say otherwise. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { formKey, keys } from '#core/db/keys.ts';
import { inRequestContext, requestContext } from '#core/db/request-context.ts';
import { deletePerson } from '#core/deletion/person.ts';
import { app } from '#core/http/app.ts';
import { nextMorning } from '#core/mail/notice-text.ts';
import { muteErrors } from '#test/support/console.ts';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite, withConfig } from '#test/support/faults.ts';
import {
  clientWith,
  expectProblem,
  newForm,
  newOrganization,
  type Person,
  person,
  send,
  writingApp,
} from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { cancel, castAt, NOW, pass, respond, sent, text } from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions } from '#test/support/sweeps.ts';
import { deliverStream, runWorker } from '#test/support/workers.ts';

const cast = await castAt();
const ownMail = ownSes();
muteErrors();

let place: { slug: string; orgId: string };
/** Members who get no other mails. */
let reader: Person;
let other: Person;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  [reader, other] = [await person('rita'), await person('otto')];
  place = await newOrganization(cast.alice, reader);
  await cast.alice.client.orgs.addMember({ params: { slug: place.slug }, body: { email: other.email } });
});

const form = async (title = 'Lakes') => {
  const { formId, questionIds } = await newForm(
    cast.alice,
    place.slug,
    [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]],
    {
      title,
    },
  );
  return { formId, questionId: questionIds[0] ?? '' };
};
type Frequency = 'SOON' | 'DAILY' | 'OFF';
/** A token lasts an hour. */
const signedIn = async (who: Person): Promise<Person> => ({
  ...who,
  client: clientWith(await app().tokens.sign({ id: who.id, roles: ['USER'] }, app().now())),
});
const choose = async (who: Person, formId: string, frequency: Frequency) =>
  (
    await (
      await signedIn(who)
    ).client.forms.setMyNotices({
      params: { formId },
      body: { frequency },
    })
  ).body;
const chosen = async ({ client }: Person, formId: string) =>
  (await client.forms.getMyNotices({ params: { formId } })).body;
const mailsOf = ({ email }: Person) =>
  mailsTo(ownMail(), { email }).filter(({ subject }) => subject.includes('new response'));
const subjects = (of: Person) => mailsOf(of).map(({ subject }) => subject);

/** Lets the workers see what was written. */
const collect = () => deliverStream();
/** Lets some minutes pass with the workers. */
async function live(minutes = 6): Promise<void> {
  await deliverStream();
  for (let passed = 0; passed < minutes; passed += 1) {
    pass(60);
    await runWorker('sweep');
    await deliverStream();
    await receiveEvents(ownMail());
  }
}

describe('who wants mails soon', () => {
  test('gets one for all responses of five minutes, and the next one for later ones', async () => {
    const { formId, questionId } = await form();
    expect(await chosen(reader, formId)).toEqual({ frequency: 'OFF' });
    expect(await choose(reader, formId, 'SOON')).toEqual({ frequency: 'SOON' });
    expect(await chosen(reader, formId)).toEqual({ frequency: 'SOON' });
    expect(await chosen(other, formId)).toEqual({ frequency: 'OFF' });
    const first = await respond(cast.dave, formId, [text(questionId, 'Loch Ness')]);
    await live(3);
    const second = await respond(cast.erin, formId);
    expect(subjects(reader)).toEqual([]);
    await live(4);
    expect(subjects(reader)).toEqual(['2 new responses: Lakes']);
    const [mail] = mailsOf(reader);
    const link = `${app().config.publicUrl}/review/${formId}`;
    for (const id of [first, second]) expect(mail?.text).toContain(`${link}/r/${id}\n`);
    expect(mail?.text).toContain(`All responses:\n${link}\n`);
    expect(mail?.text).not.toContain('Loch Ness');
    await live(10);
    expect(subjects(reader)).toHaveLength(1);
    await respond(cast.dave, formId);
    await live(7);
    expect(subjects(reader)).toEqual(['2 new responses: Lakes', '1 new response: Lakes']);
    expect(mailsOf(other)).toEqual([]);
    expect(await itemsMentioning(`${formKey(formId)}`)).not.toContainEqual(expect.stringMatching(/NOTICES#/));
  });

  test('gets links to 20 of many, and the number of all', async () => {
    const { formId } = await form();
    await choose(reader, formId, 'SOON');
    for (let count = 0; count < 23; count += 1) {
      await respond(count % 2 === 0 ? cast.dave : cast.erin, formId);
      if (count % 8 === 0) await collect();
    }
    await live();
    expect(subjects(reader)).toEqual(['23 new responses: Lakes']);
    expect(mailsOf(reader)[0]?.text.match(/\/r\//g)).toHaveLength(20);
  });

  test('reads nothing of a response that is withdrawn before, nor of an edit', async () => {
    const { formId, questionId } = await form();
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { allowEditResponse: true } });
    await choose(reader, formId, 'SOON');
    const withdrawn = await respond(cast.dave, formId, [text(questionId, 'a')]);
    await collect();
    await cancel(cast.dave, withdrawn);
    await live();
    expect(mailsOf(reader)).toEqual([]);
    const kept = await respond(cast.erin, formId, [text(questionId, 'b')]);
    await live();
    await cast.erin.client.responses.submitResponse({
      params: { responseId: kept },
      body: { answers: [text(questionId, 'c')] },
    });
    await live();
    expect(subjects(reader)).toEqual(['1 new response: Lakes']);
  });

  test('reads of responses from then on only, not of earlier ones that are counted again', async () => {
    const { formId } = await form();
    await respond(cast.dave, formId);
    pass(60);
    await choose(reader, formId, 'SOON');
    await live(7);
    expect(mailsOf(reader)).toEqual([]);
  });
});

describe('who wants a mail a day', () => {
  test('gets one at seven in the configured zone, if there was a response', async () => {
    await withConfig({ timeZone: 'Asia/Taipei' }, async () => {
      const { formId } = await form();
      await choose(reader, formId, 'DAILY');
      vi.setSystemTime('2026-05-01T21:00:00.000Z');
      await respond(await signedIn(cast.dave), formId);
      await live(2);
      await respond(await signedIn(cast.erin), formId);
      await collect();
      vi.setSystemTime('2026-05-01T22:58:30.000Z');
      await live(1);
      expect(mailsOf(reader)).toEqual([]);
      await live(3);
      expect(subjects(reader)).toEqual(['2 new responses: Lakes']);
      expect(mailsOf(reader)[0]?.text).toContain('at most once a day');
      vi.setSystemTime('2026-05-03T00:00:00.000Z');
      await live(2);
      expect(mailsOf(reader)).toHaveLength(1);
    });
  });

  test.for([
    ['2026-05-01T12:00:00.000Z', 'UTC', '2026-05-02T07:00:00.000Z'],
    ['2026-05-01T07:00:00.000Z', 'UTC', '2026-05-02T07:00:00.000Z'],
    ['2026-05-01T06:59:59.000Z', 'UTC', '2026-05-01T07:00:00.000Z'],
    ['2026-05-01T12:00:00.000Z', 'Asia/Kathmandu', '2026-05-02T01:15:00.000Z'],
    ['2026-03-28T12:00:00.000Z', 'Europe/Berlin', '2026-03-29T05:00:00.000Z'],
    ['2026-10-24T12:00:00.000Z', 'Europe/Berlin', '2026-10-25T06:00:00.000Z'],
  ] as const)('after %s the next morning in %s is %s', ([after, zone, expected]) => {
    expect(nextMorning(new Date(after), zone).toISOString()).toBe(expected);
  });
});

describe('who changes how often', () => {
  test('gets at once what waited for the morning, and the others get it then', async () => {
    const { formId } = await form();
    await choose(reader, formId, 'DAILY');
    await choose(other, formId, 'DAILY');
    for (const who of [cast.dave, cast.erin]) await respond(who, formId);
    await live(2);
    for (const _press of [1, 2]) await choose(reader, formId, 'SOON');
    await live(1);
    expect(subjects(reader)).toEqual(['2 new responses: Lakes']);
    expect(subjects(other)).toEqual([]);
    vi.setSystemTime('2026-05-02T07:01:00.000Z');
    await live(2);
    expect([subjects(reader), subjects(other)]).toEqual([['2 new responses: Lakes'], ['2 new responses: Lakes']]);
  });

  test('gets it also as the only reader, and what comes from then on as they have chosen', async () => {
    const { formId } = await form();
    await choose(reader, formId, 'SOON');
    await respond(cast.dave, formId);
    await live(1);
    await choose(reader, formId, 'DAILY');
    await live(1);
    expect(subjects(reader)).toEqual(['1 new response: Lakes']);
    await respond(await signedIn(cast.erin), formId);
    await live(8);
    expect(subjects(reader)).toHaveLength(1);
    vi.setSystemTime('2026-05-02T07:01:00.000Z');
    await live(2);
    expect(subjects(reader)).toEqual(['1 new response: Lakes', '1 new response: Lakes']);
  });

  test('gets what is collected at the same time, and nothing of what was withdrawn', async () => {
    const { formId } = await form();
    await choose(reader, formId, 'DAILY');
    const first = await respond(cast.dave, formId);
    await live(1);
    await beforeFirstWrite(
      () => choose(reader, formId, 'SOON'),
      async () => {
        await respond(cast.erin, formId);
        await collect();
      },
    );
    await cancel(cast.dave, first);
    await live(7);
    expect(subjects(reader)).toEqual(['1 new response: Lakes']);
  });

  test('to off gets nothing of it', async () => {
    const { formId } = await form();
    await choose(reader, formId, 'DAILY');
    await respond(cast.dave, formId);
    await live(1);
    await choose(reader, formId, 'OFF');
    vi.setSystemTime('2026-05-02T07:01:00.000Z');
    await live(2);
    expect(subjects(reader)).toEqual([]);
  });
});

test('the mails are in the language of who asked for them, and each can change how often', async () => {
  const { formId } = await form('Seen');
  const response = await send('PUT', `/api/forms/${formId}/notices/me`, {
    headers: {
      ...{ authorization: `Bearer ${reader.token}`, 'content-type': 'application/json', 'accept-language': 'zh-TW' },
    },
    body: JSON.stringify({ frequency: 'SOON' }),
  });
  expect(response.status).toBe(200);
  await choose(other, formId, 'SOON');
  await respond(cast.dave, formId);
  await collect();
  await choose(other, formId, 'OFF');
  await live();
  expect(mailsTo(ownMail(), reader).map(({ subject }) => subject)).toContain('1 份新回覆：Seen');
  expect(mailsOf(other)).toEqual([]);
});

describe('answers', () => {
  test('are in the mails once an admin allows it, and nobody else can', async () => {
    const { formId, questionId } = await form();
    await choose(reader, formId, 'SOON');
    const update = (by: Person, noticesWithAnswers: boolean) =>
      by.client.forms.updateForm({ params: { formId }, body: { noticesWithAnswers } });
    expect(await expectProblem(update(reader, true))).toMatchObject({ status: 403 });
    const created = reader.client.forms.createForm({
      params: { slug: place.slug },
      body: { title: 'Mine', visibility: 'PUBLIC', allowEditResponse: true, noticesWithAnswers: true },
    });
    expect(await expectProblem(created)).toMatchObject({ status: 403 });
    expect((await update(cast.alice, true)).body.noticesWithAnswers).toBe(true);
    await respond(cast.dave, formId, [text(questionId, 'Loch Ness')]);
    await live();
    expect(mailsOf(reader)[0]?.text).toContain('Which lake?: Loch Ness');
    expect((await update(reader, false)).body.noticesWithAnswers).toBe(false);
    await respond(cast.erin, formId, [text(questionId, 'Como')]);
    await live();
    expect(mailsOf(reader)[1]?.text).not.toContain('Como');
  });

  test('that are longer than a mail takes are left to the page', async () => {
    const { formId, questionIds } = await newForm(cast.alice, place.slug, [[{ type: 'LONG_TEXT' }]]);
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { noticesWithAnswers: true } });
    await choose(reader, formId, 'SOON');
    const long = sent(questionIds[0] ?? '', 'LONG_TEXT', 'x'.repeat(9_000));
    for (const who of [cast.dave, cast.erin, cast.dave, cast.erin, cast.dave, cast.erin, cast.dave])
      await respond(who, formId, [long]);
    await live();
    const mail = mailsOf(reader)[0]?.text ?? '';
    expect(mail.length).toBeLessThan(60_000);
    expect(mail.match(/Its answers are too long for this mail\./g)).toHaveLength(2);
    expect(mail.match(/\/r\//g)).toHaveLength(7);
  });
});

describe('mails end', () => {
  /** A member of whom a mail was sent, with its text and headers. */
  async function mailed() {
    const { formId } = await form();
    await choose(reader, formId, 'SOON');
    await choose(other, formId, 'SOON');
    await respond(cast.dave, formId);
    await live();
    const [mail] = mailsOf(reader);
    return { formId, mail, address: new URL(/http\S+unsubscribe\S+/.exec(mail?.text ?? '')?.[0] ?? '') };
  }

  test('by one press in a program of mail, which the header names; opening the link only asks', async () => {
    const { formId, mail, address } = await mailed();
    expect(mail?.headers).toMatchObject({
      'List-Unsubscribe': `<${address}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    const path = `${address.pathname}${address.search}`;
    const shown = await send('GET', path);
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain('You will get no more mails about new responses to “Lakes”.');
    expect(await chosen(reader, formId)).toEqual({ frequency: 'SOON' });
    const posted = await send('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(posted.status).toBe(200);
    expect(await posted.text()).toContain('You get no more mails about new responses');
    expect(await chosen(reader, formId)).toEqual({ frequency: 'OFF' });
    expect(await chosen(other, formId)).toEqual({ frequency: 'SOON' });
    // Again, and of a form that was deleted.
    expect(
      (await send('POST', path, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' })).status,
    ).toBe(200);
    await cast.alice.client.forms.deleteForm({ params: { formId } });
    expect(await (await send('GET', path)).text()).toContain('The form does not exist any more.');
    expect((await send('GET', `${path}x`)).status).toBe(404);
  });

  const event = (id: string, eventType: string, bounce?: object) => ({
    detail: { eventType, mail: { tags: { delivery: [id] } }, ...(bounce && { bounce }) },
  });

  test.for([
    ['Bounce', { bounceType: 'Permanent', bounceSubType: 'General' }, 'OFF'],
    ['Bounce', { bounceType: 'Transient', bounceSubType: 'General' }, 'SOON'],
    ['Complaint', undefined, 'OFF'],
    ['Delivery', undefined, 'SOON'],
  ] as const)('%s %o: they are %s', async ([type, bounce, frequency]) => {
    const { formId, mail } = await mailed();
    const report = event(String(mail?.tags.delivery), type, bounce) as never;
    await receiveEvents(ownMail(), [report, report]);
    expect(await chosen(reader, formId)).toEqual({ frequency });
    expect(await chosen(other, formId)).toEqual({ frequency: 'SOON' });
    // Who asks for them after that keeps them, whatever comes late.
    pass(60);
    await choose(reader, formId, 'SOON');
    if (frequency === 'OFF') await receiveEvents(ownMail(), [report]);
    expect(await chosen(reader, formId)).toEqual({ frequency: 'SOON' });
  });

  test('by leaving the organization, also after coming back', async () => {
    const { formId } = await mailed();
    const second = (await form()).formId;
    await choose(reader, second, 'DAILY');
    const params = { slug: place.slug, memberId: reader.id };
    await cast.alice.client.orgs.removeMember({ params });
    await collect();
    for (const each of [formId, second])
      expect(JSON.stringify(await app().table.read([keys.notices(each)]))).not.toContain(reader.id);
    await respond(cast.erin, formId);
    await live();
    expect(mailsOf(reader)).toHaveLength(1);
    expect(mailsOf(other)).toHaveLength(2);
    await cast.alice.client.orgs.addMember({ params: { slug: place.slug }, body: { email: reader.email } });
    expect(await chosen(reader, formId)).toEqual({ frequency: 'OFF' });
  });

  test('of many forms by leaving in one transaction, after which a job ends them and is repeated where it ended', async () => {
    const forms = await Promise.all(Array.from({ length: 25 }, () => form()));
    for (const { formId } of forms) await choose(reader, formId, 'SOON');
    const params = { slug: place.slug, memberId: reader.id };
    const { cost } = await measureCost(() => cast.alice.client.orgs.removeMember({ params }));
    expect(cost.roundTrips).toBeLessThanOrEqual(4);
    const listing = async () => {
      const items = await app().table.read(forms.map(({ formId }) => keys.notices(formId)));
      return items.filter((item) => JSON.stringify(item).includes(reader.id)).length;
    };
    expect(await listing()).toBe(25);
    // The worker dies after some forms, and its claim ends minutes later.
    const run = await deliverStream({ only: ['deliver'], kill: { call: 60, when: 'before' } });
    expect(run.killed).toBe(true);
    expect(await listing()).toBeGreaterThan(0);
    pass(180);
    await runWorker('sweep');
    expect(await listing()).toBe(0);
    expect(await itemsMentioning(`LEFT#${reader.id}`)).toEqual([]);
  });

  test('and asked for again after coming back, before the job has run, are kept', async () => {
    const { formId } = await mailed();
    const params = { slug: place.slug, memberId: reader.id };
    await cast.alice.client.orgs.removeMember({ params });
    await cast.alice.client.orgs.addMember({ params: { slug: place.slug }, body: { email: reader.email } });
    pass(1);
    await choose(reader, formId, 'DAILY');
    await collect();
    expect(await chosen(reader, formId)).toEqual({ frequency: 'DAILY' });
    // Who leaves again before the job of the first time has run leaves all of them.
    await cast.alice.client.orgs.removeMember({ params });
    await collect();
    expect(await chosen(cast.alice, formId)).toEqual({ frequency: 'OFF' });
    expect(JSON.stringify(await app().table.read([keys.notices(formId)]))).not.toContain(reader.id);
  });

  test('although who leaves asks for others at the same time', async () => {
    const { formId } = await mailed();
    const second = (await form()).formId;
    await beforeFirstWrite(
      () => cast.alice.client.orgs.removeMember({ params: { slug: place.slug, memberId: reader.id } }),
      () => choose(reader, second, 'DAILY'),
    );
    await collect();
    for (const each of [formId, second])
      expect(JSON.stringify(await app().table.read([keys.notices(each)]))).not.toContain(reader.id);
    expect(await itemsMentioning(`MEMBER#${reader.id}`)).toEqual([]);
  });

  test('not for the last admin, who cannot leave', async () => {
    const { formId } = await form();
    await choose(cast.alice, formId, 'SOON');
    const params = { slug: place.slug, memberId: cast.alice.id };
    expect(await expectProblem(cast.alice.client.orgs.removeMember({ params }))).toMatchObject({ status: 400 });
    expect(await chosen(cast.alice, formId)).toEqual({ frequency: 'SOON' });
  });
});

describe('nothing stays', () => {
  test('of a form that was deleted, also at its members', async () => {
    const { formId } = await form();
    await choose(reader, formId, 'SOON');
    await choose(other, formId, 'DAILY');
    await respond(cast.dave, formId);
    await collect();
    await cast.alice.client.forms.deleteForm({ params: { formId } });
    await finishDeletions();
    expect(await itemsMentioning(formKey(formId))).toEqual([]);
    const [member] = await app().table.read([keys.member(place.orgId, reader.id)]);
    expect(member).toMatchObject({ notices: {}, noticeCount: 0 });
    await cast.alice.client.orgs.removeMember({ params: { slug: place.slug, memberId: reader.id } });
  });

  test('of an organization that was deleted', async () => {
    const { formId } = await form();
    await choose(reader, formId, 'SOON');
    await cast.alice.client.orgs.deleteOrganization({ params: { slug: place.slug } });
    await finishDeletions();
    expect(await itemsMentioning(formKey(formId))).toEqual([]);
    expect(await itemsMentioning(`MEMBER#${reader.id}`)).toEqual([]);
  });

  test('of a person who was deleted', async () => {
    const { formId } = await form();
    await choose(reader, formId, 'SOON');
    await respond(cast.dave, formId);
    await collect();
    await deletePerson(writingApp(), reader.id);
    await live();
    expect(mailsOf(reader)).toEqual([]);
    expect(await itemsMentioning(reader.id)).toEqual([]);
  });
});

describe('the number of mails is limited', () => {
  test('to 50 members of a form, and the 51st is told so', async () => {
    const { formId } = await form();
    const members = Object.fromEntries(
      Array.from({ length: 49 }, () => [app().uuid(), { frequency: 'SOON', since: NOW, language: null }]),
    );
    const data = JSON.stringify({ orgId: place.orgId, members });
    await app().table.write([{ put: { ...keys.notices(formId), data, schema: 1, version: 1 } }]);
    await choose(reader, formId, 'SOON');
    expect(await expectProblem(choose(other, formId, 'DAILY'))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/frequency', detail: 'must be OFF: at most 50 members get mails about a form' }],
    });
    // Who gets them can still choose how often.
    expect(await choose(reader, formId, 'DAILY')).toEqual({ frequency: 'DAILY' });
    expect(await choose(reader, formId, 'OFF')).toEqual({ frequency: 'OFF' });
    expect(await choose(other, formId, 'DAILY')).toEqual({ frequency: 'DAILY' });
  });

  test('to 200 forms of a member', async () => {
    const { formId } = await form();
    await app().table.write([
      { update: keys.member(place.orgId, reader.id), set: { notices: {}, noticeCount: 200 }, when: { absent: false } },
    ]);
    expect(await expectProblem(choose(reader, formId, 'SOON'))).toMatchObject({
      errors: [{ detail: 'must be OFF: at most 200 forms of an organization mail one member' }],
    });
  });
});

test('a form without readers costs what it cost, and with one a few units for all responses of a batch', async () => {
  /** The capacity units of the worker for ten responses to a form, after its counters were made. */
  const units = async (frequency: Frequency, before: Frequency = frequency): Promise<number> => {
    const { formId } = await form();
    await respond(cast.dave, formId);
    await collect();
    if (before !== 'OFF') await choose(reader, formId, before);
    if (frequency !== before) await choose(reader, formId, frequency);
    await collect();
    for (let count = 0; count < 10; count += 1) await respond(count % 2 === 0 ? cast.dave : cast.erin, formId);
    let used = 0;
    await inRequestContext({ calls: 0, capacityUnits: 0, deadline: performance.now() + 60_000 }, async () => {
      await deliverStream({ only: ['tally'] });
      used = requestContext()?.capacityUnits ?? 0;
    });
    return used;
  };
  const without = await units('OFF');
  expect(await units('OFF', 'SOON')).toBe(without);
  expect(await units('SOON')).toBeLessThanOrEqual(without + 10);
});
