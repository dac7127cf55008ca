/** Sending invitations: to whom, how often, how many, and what comes of mails that come back or are unwanted. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { isWithoutMails } from '#core/organizations/guest-mails.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';
import { muteErrors } from '#test/support/console.ts';
import { withConfig } from '#test/support/faults.ts';
import { clientWith, expectProblem, newForm, newOrganization, type Person, send } from '#test/support/fixtures.ts';
import { guestWith, newInvitation } from '#test/support/invitations.ts';
import { mailsTo, ownSes, receiveEvents, workForMinutes } from '#test/support/mail.ts';
import { castAt, NOW, pass, start, submit, text } from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions } from '#test/support/sweeps.ts';
import { deliverStream, runWorker } from '#test/support/workers.ts';

const cast = await castAt();
const ownMail = ownSes();
muteErrors();

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** An organization of its own, so that no test counts the mails of another one. */
let place: { slug: string; orgId: string };
beforeEach(async () => {
  vi.setSystemTime(NOW);
  place = await newOrganization(cast.alice, cast.bob);
});

/** A token lasts an hour. */
const signedIn = async ({ id }: Pick<Person, 'id'> = cast.alice) =>
  clientWith(await app().tokens.sign({ id, roles: ['USER'] }, app().now()));

const newAddress = (): string => `guest-${app().uuid().slice(0, 8)}@example.org`;

/** A published form for invited guests, and invitations of some addresses. */
async function invited(count: number, settings: { deadline?: string } = {}) {
  const { formId, questionIds } = await newForm(cast.alice, place.slug, [[{ type: 'SHORT_TEXT' }]], {
    ...{ audience: 'INVITED', visibility: 'PRIVATE', title: 'Lakes' },
    ...settings,
  });
  const emails = Array.from({ length: count }, newAddress);
  const client = await signedIn();
  for (let from = 0; from < count; from += 90) {
    const guests = emails.slice(from, from + 90).map((email) => ({ email }));
    await client.invitations.createInvitations({ params: { formId }, body: { guests } });
  }
  return { formId, questionId: questionIds[0] ?? '', emails };
}

const TEXT = { subject: 'Your lake', text: 'Dear guest,\r\nplease answer by Friday.' };

const sendTo = async (formId: string, to: 'ALL' | 'NOT_ANSWERED' = 'ALL', more: Partial<typeof TEXT> = {}) =>
  (await signedIn()).invitations.sendInvitations({ params: { formId }, body: { to, ...TEXT, ...more } });
const sending = async (formId: string) =>
  (await (await signedIn()).invitations.getSending({ params: { formId } })).body;
const list = async (formId: string) =>
  (await (await signedIn()).invitations.listInvitations({ params: { formId }, query: { limit: 100 } })).body
    .invitations;
const mailsOf = (email: string) => mailsTo(ownMail(), { email });
const counts = (emails: readonly string[]) => emails.map((email) => mailsOf(email).length);
const guestMails = async () => (await (await signedIn()).orgs.getGuestMails({ params: { slug: place.slug } })).body;

const work = () => workForMinutes(ownMail());

/** Runs something while SES takes no mail, so that what is queued is tried again later. */
async function outage(run: () => Promise<unknown>): Promise<void> {
  ownMail().ses.behave({ failWith: new SesError('ServiceUnavailable', 'try later', 503) });
  await run();
  ownMail().ses.behave({ failWith: null });
}

test('each guest gets a mail with the organization first, the text as it is, and their own link', async () => {
  const { formId, emails } = await invited(3);
  const { body } = await sendTo(formId);
  expect(body).toEqual({
    ...{ to: 'ALL', ...TEXT, startedAt: NOW, state: 'SENDING', queued: 0, continuesAt: null, stoppedAt: null },
    nextAt: '2026-05-02T12:00:00.000Z',
  });
  await work();
  expect(counts(emails)).toEqual([1, 1, 1]);
  const invitations = await list(formId);
  for (const { email, code, link, sentAt, remindedAt, mailFault } of invitations) {
    const [mail] = mailsOf(email ?? '');
    expect(mail).toMatchObject({ subject: 'Your lake', html: '' });
    const [first, empty, ...rest] = mail?.text.split('\n') ?? [];
    expect([first, empty]).toEqual(['Rivers asks you to fill in “Lakes”.', '']);
    expect(rest.join('\n')).toMatch(/^Dear guest,\r\nplease answer by Friday\.\n\n/);
    expect(mail?.text).toContain(`\n${link}\n\nYour code: ${code}\n`);
    expect(mail?.text).toContain('because Rivers has invited this address');
    expect([sentAt, remindedAt, mailFault]).toEqual([expect.stringMatching(/^2026-05-01T12:0/), null, null]);
    expect((await guestWith(formId, code)).id).toMatch(formId.slice(0, 18));
  }
  expect(await sending(formId)).toMatchObject({ state: 'DONE', queued: 3 });
  expect(await guestMails()).toMatchObject({ perDay: 50, today: 3, queued: 3, bounced: 0, pausedAt: null });
});

test('a mail is in the language of who has sent it', async () => {
  const { formId, emails } = await invited(1);
  const response = await send('POST', `/api/forms/${formId}/invitations/send`, {
    headers: {
      authorization: `Bearer ${cast.alice.token}`,
      'content-type': 'application/json',
      'accept-language': 'zh-TW',
    },
    body: JSON.stringify({ to: 'ALL', ...TEXT }),
  });
  expect(response.status).toBe(202);
  await work();
  expect(mailsOf(emails[0] ?? '')[0]?.text).toContain('Rivers 邀請你填寫「Lakes」。');
});

test('a mail has the headers by which programs end such mails, and no others, whatever was typed', async () => {
  const { formId, emails } = await invited(1);
  const params = { formId };
  const client = await signedIn();
  for (const subject of [
    'Lakes\r\nBcc: eve@example.org',
    'Lakes\nX: y',
    'Lakes\u2028',
    'Lakes \u202e',
    ' ',
    'x'.repeat(151),
  ])
    expect(
      await expectProblem(client.invitations.sendInvitations({ params, body: { to: 'ALL', ...TEXT, subject } })),
    ).toMatchObject({ status: 400, errors: [{ pointer: '/body/subject' }] });
  for (const wrong of ['', ' \n ', 'x'.repeat(5_001)])
    expect(
      await expectProblem(client.invitations.sendInvitations({ params, body: { to: 'ALL', ...TEXT, text: wrong } })),
    ).toMatchObject({ status: 400, errors: [{ pointer: '/body/text' }] });
  await sendTo(formId, 'ALL', {
    subject: 'Bcc: =?UTF-8?Q?x?= 湖',
    text: '.\r\nBcc: eve@example.org\r\n\r\n.\r\n{{label}}',
  });
  await work();
  const [mail] = mailsOf(emails[0] ?? '');
  expect(mail?.subject).toBe('Bcc: =?UTF-8?Q?x?= 湖');
  expect(mail?.text).toContain('.\r\nBcc: eve@example.org\r\n\r\n.\r\n{{label}}');
  expect(mail?.to).toEqual(emails);
  expect(mail?.headers).toEqual({
    'List-Unsubscribe': expect.stringMatching(/^<http:\/\/127\.0\.0\.1:3000\/unsubscribe\?mail=[\w.-]+>$/),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});

describe('once a day', () => {
  test('a second request is 429 with the seconds that are left, of any number at once one is taken', async () => {
    const { formId, emails } = await invited(2);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => sendTo(formId)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await work();
    pass(HOUR);
    const retry = await send('POST', `/api/forms/${formId}/invitations/send`, {
      headers: {
        authorization: `Bearer ${await app().tokens.sign({ id: cast.alice.id, roles: ['USER'] }, app().now())}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ to: 'NOT_ANSWERED', ...TEXT }),
    });
    expect([retry.status, retry.headers.get('retry-after')]).toEqual([429, String(23 * HOUR - 3 * 61)]);
    expect(counts(emails)).toEqual([1, 1]);
    pass(23 * HOUR - 3 * 61);
    await sendTo(formId, 'NOT_ANSWERED');
    await work();
    expect(counts(emails)).toEqual([2, 2]);
  });

  test('a repeated request with its key begins nothing again', async () => {
    const { formId, emails } = await invited(1);
    const post = () =>
      send('POST', `/api/forms/${formId}/invitations/send`, {
        headers: {
          authorization: `Bearer ${cast.alice.token}`,
          'content-type': 'application/json',
          'idempotency-key': 'once',
        },
        body: JSON.stringify({ to: 'ALL', ...TEXT }),
      });
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(await second.json()).toEqual(await first.json());
    await work();
    expect(counts(emails)).toEqual([1]);
  });
});

describe('left out are', () => {
  test('guests who are revoked, have no address, or were invited later', async () => {
    const { formId, emails } = await invited(2);
    const client = await signedIn();
    const [revoked] = await list(formId);
    await newInvitation({ formId, member: { client } }, { label: 'On paper' });
    await client.invitations.updateInvitation({
      params: { formId, guestId: revoked?.id ?? '' },
      body: { revoked: true },
    });
    await sendTo(formId);
    pass(1);
    const later = newAddress();
    await newInvitation({ formId, member: { client } }, { email: later });
    await work();
    expect(counts([...emails, later])).toEqual([0, 1, 0]);
    expect(await sending(formId)).toMatchObject({ state: 'DONE', queued: 1 });
  });

  test('of a reminder, those who have submitted, also after it has begun', async () => {
    const { formId, questionId, emails } = await invited(3);
    await sendTo(formId);
    await work();
    const [first, second] = await list(formId);
    const respondAs = async (code = '') => {
      const guest = await guestWith(formId, code);
      await submit(guest, await start(guest, formId, [text(questionId, 'Clear')]));
      await deliverStream({ only: ['tally'] });
    };
    await respondAs(first?.code);
    pass(DAY);
    await sendTo(formId, 'NOT_ANSWERED', { subject: 'A reminder' });
    await outage(() => runWorker('sweep'));
    pass(HOUR);
    await respondAs(second?.code);
    await work();
    expect(counts(emails)).toEqual([1, 1, 2]);
    expect((await list(formId)).map(({ sentAt, remindedAt }) => [sentAt !== null, remindedAt !== null])).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
  });
});

describe('is refused', () => {
  test('where nobody could use an invitation, and for nobody', async () => {
    const { formId } = await invited(0);
    expect(await expectProblem(sendTo(formId))).toMatchObject({ status: 400, errors: [{ pointer: '/body/to' }] });
    await newInvitation({ formId, member: cast.alice }, { email: newAddress() });
    await withConfig({ guests: false }, async () =>
      expect(await expectProblem(sendTo(formId))).toMatchObject({ status: 400, code: 'form_not_open' }),
    );
    const update = async (body: object) => (await signedIn()).forms.updateForm({ params: { formId }, body });
    for (const settings of [{ audience: 'ACCOUNT' }, { audience: 'INVITED', deadline: '2026-05-01T11:00:00.000Z' }]) {
      await update(settings);
      expect(await expectProblem(sendTo(formId))).toMatchObject({ status: 400, code: 'form_not_open' });
    }
    await update({ deadline: null, publishTime: '2026-05-08T08:00:00.000Z' });
    expect((await sendTo(formId)).status).toBe(202);
  });
});

test('is stopped, with the mails that are queued', async () => {
  const { formId, emails } = await invited(3);
  const params = { formId };
  const client = await signedIn();
  expect(await expectProblem(client.invitations.stopSending({ params }))).toMatchObject({ status: 404 });
  await sendTo(formId);
  await outage(() => runWorker('sweep'));
  await client.invitations.stopSending({ params });
  pass(HOUR);
  await work();
  expect(counts(emails)).toEqual([0, 0, 0]);
  expect(await sending(formId)).toMatchObject({ state: 'STOPPED', stoppedAt: NOW });
  expect(await expectProblem((await signedIn()).invitations.stopSending({ params }))).toMatchObject({ status: 404 });
});

describe('the limit of a day', () => {
  test('is exact for forms that are sent at once, and the others follow on the next day', () =>
    withConfig({ maxGuestMails: 8 }, async () => {
      const forms = [await invited(6), await invited(6)];
      const emails = forms.flatMap((form) => form.emails);
      await Promise.all(forms.map(({ formId }) => sendTo(formId)));
      await Promise.all([runWorker('sweep'), runWorker('sweep'), deliverStream()]);
      await work();
      expect(counts(emails).filter((count) => count > 0)).toHaveLength(8);
      expect(await guestMails()).toMatchObject({ perDay: 8, today: 8 });
      const states = await Promise.all(forms.map(({ formId }) => sending(formId)));
      expect(states.map(({ queued }) => queued).reduce((sum, queued) => sum + queued, 0)).toBe(8);
      expect(states.find(({ queued }) => queued < 6)).toMatchObject({
        state: 'SENDING',
        continuesAt: expect.stringMatching(/^2026-05-02T00:00:0/),
      });
      pass(12 * HOUR);
      await work();
      expect(counts(emails)).toEqual(emails.map(() => 1));
      expect(await guestMails()).toMatchObject({ today: 4, queued: 12 });
    }));

  test('is 50 in the first 14 days, and then that of the installation', async () => {
    const { formId, emails } = await invited(12);
    expect((await guestMails()).perDay).toBe(50);
    pass(14 * DAY - 1);
    expect((await guestMails()).perDay).toBe(50);
    pass(1);
    expect((await guestMails()).perDay).toBe(500);
    await withConfig({ maxGuestMails: 10 }, async () => {
      await sendTo(formId);
      await work();
      expect(await guestMails()).toMatchObject({ perDay: 10, today: 10 });
    });
    expect(counts(emails).filter((count) => count > 0)).toHaveLength(10);
  });
});

describe('who wants none', () => {
  const linkIn = (email: string) => new URL(mailsOf(email)[0]?.headers['List-Unsubscribe']?.slice(1, -1) ?? '');

  test('ends the mails of the organization by one POST, and a GET only asks', async () => {
    const [first, second] = [await invited(1), await invited(1)];
    const [email = ''] = first.emails;
    const client = await signedIn();
    await newInvitation({ formId: second.formId, member: { client } }, { email: email.toUpperCase() });
    await sendTo(first.formId);
    await work();
    const { pathname, search } = linkIn(email);
    const page = await send('GET', pathname + search);
    expect([page.status, page.headers.get('referrer-policy'), page.headers.get('x-robots-tag')]).toEqual([
      200,
      'no-referrer',
      'noindex',
    ]);
    expect(await page.text()).toContain('Rivers');
    expect(await isWithoutMails(app().table, place.orgId, email)).toBe(false);
    // As a server of mail does: no cookie, no origin, and no redirect is followed.
    const multipart = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=x', multipart],
    ] as const) {
      const done = await send('POST', pathname + search, { headers: { 'content-type': type }, body });
      expect([done.status, done.headers.getSetCookie()]).toEqual([200, []]);
    }
    expect(await isWithoutMails(app().table, place.orgId, email.toUpperCase())).toBe(true);
    expect(await itemsMentioning(email)).toEqual([expect.stringContaining('GUEST#')]);
    await sendTo(second.formId);
    await work();
    expect(counts([email, email.toUpperCase(), ...second.emails])).toEqual([1, 0, 1]);
    expect((await list(second.formId)).map(({ mailFault }) => mailFault)).toEqual([null, 'UNSUBSCRIBED']);
  });

  test('is not known by another organization, nor by a link that is forged', async () => {
    const { formId, emails } = await invited(1);
    await sendTo(formId);
    await work();
    const link = linkIn(emails[0] ?? '');
    const token = link.searchParams.get('mail') ?? '';
    const guest = await app().tokens.signGuest(
      { id: (await list(formId))[0]?.id ?? '', roles: [], guestOf: formId.slice(0, 18), generation: 0 },
      app().now(),
    );
    for (const forged of ['', 'x', `${token.slice(0, -4)}AAAA`, guest]) {
      for (const method of ['GET', 'POST'])
        expect((await send(method, `/unsubscribe?${new URLSearchParams({ mail: forged })}`)).status).toBe(404);
    }
    expect(await app().tokens.verify(token, app().now())).toBeUndefined();
    expect(await app().tokens.verifyGuest(token, app().now())).toBeUndefined();
    await send('POST', link.pathname + link.search);
    expect(await isWithoutMails(app().table, place.orgId, emails[0] ?? '')).toBe(true);
    expect(await isWithoutMails(app().table, cast.alice.id, emails[0] ?? '')).toBe(false);
  });

  test('ends them after the organization was deleted too, and nothing is stored', async () => {
    const { formId, emails } = await invited(1);
    await sendTo(formId);
    await work();
    const { pathname, search } = linkIn(emails[0] ?? '');
    await (await signedIn()).orgs.deleteOrganization({ params: { slug: place.slug } });
    await finishDeletions();
    expect((await send('POST', pathname + search)).status).toBe(200);
    const left = (await itemsMentioning(place.orgId)).filter((item) => !item.startsWith('SLUG#'));
    expect(left).toEqual([]);
    expect(await itemsMentioning(formId.slice(0, 18))).toEqual([]);
  });
});

describe('mails that come back', () => {
  /** Invites addresses of the simulator of SES, and others. */
  async function withBounces(bounces: number, others: number, kind = 'bounce') {
    const form = await invited(others);
    const client = await signedIn();
    const guests = Array.from({ length: bounces }, (_, index) => ({
      email: `${kind}+${app().uuid().slice(0, 8)}${index}@simulator.amazonses.com`,
    }));
    if (bounces > 0) await client.invitations.createInvitations({ params: { formId: form.formId }, body: { guests } });
    return { ...form, bouncing: guests.map(({ email }) => email) };
  }

  const resume = async () => (await signedIn()).orgs.resumeGuestMails({ params: { slug: place.slug } });

  test('are shown, and the address gets no other', async () => {
    const { formId, bouncing } = await withBounces(1, 1);
    await sendTo(formId);
    await work();
    expect((await list(formId)).map(({ mailFault }) => mailFault)).toEqual([null, 'BOUNCED']);
    expect(await guestMails()).toMatchObject({ queued: 2, bounced: 1, pausedAt: null });
    pass(DAY);
    await sendTo(formId, 'NOT_ANSWERED');
    await work();
    expect(counts(bouncing)).toEqual([1]);
  });

  test('five of them, and more than one in twenty, pause the mails until an admin resumes', async () => {
    const { formId, emails } = await withBounces(5, 3);
    await sendTo(formId);
    await work();
    expect(await guestMails()).toMatchObject({ bounced: 5, pausedReason: 'BOUNCES' });
    const other = await invited(2);
    expect(await expectProblem(sendTo(other.formId))).toMatchObject({ status: 409, code: 'mails_paused' });
    const bob = await signedIn(cast.bob);
    expect((await bob.orgs.getGuestMails({ params: { slug: place.slug } })).body.pausedReason).toBe('BOUNCES');
    expect(await expectProblem(bob.orgs.resumeGuestMails({ params: { slug: place.slug } }))).toMatchObject({
      status: 403,
    });
    expect((await resume()).body).toMatchObject({ bounced: 0, queued: 0, pausedAt: null, today: 8 });
    await sendTo(other.formId);
    await work();
    expect(counts([...emails, ...other.emails])).toEqual([1, 1, 1, 1, 1]);
  });

  test('four of eight do not pause them, nor does one event that comes twice', async () => {
    const { formId } = await withBounces(4, 4);
    await sendTo(formId);
    await deliverStream();
    const events = [...ownMail().events];
    await receiveEvents(ownMail(), events);
    await receiveEvents(ownMail(), events);
    expect(await guestMails()).toMatchObject({ bounced: 4, pausedAt: null });
  });

  test('what is queued waits during the pause, and is sent after it', async () => {
    const { formId, emails } = await withBounces(0, 2);
    const complaint = await withBounces(1, 0, 'complaint');
    await sendTo(complaint.formId);
    await sendTo(formId);
    await deliverStream();
    // Everything was sent before the complaint came; the next day it is known.
    await receiveEvents(ownMail());
    expect(await guestMails()).toMatchObject({ pausedReason: 'COMPLAINT' });
    expect((await list(complaint.formId)).map(({ mailFault }) => mailFault)).toEqual(['COMPLAINED']);
    expect(counts(emails)).toEqual([1, 1]);
    await resume();
    await work();
    pass(DAY);
    await sendTo(formId, 'NOT_ANSWERED');
    await app().table.write([
      { update: keys.guestMails(place.orgId), set: { pausedAt: 1, pausedReason: 'COMPLAINT' } },
    ]);
    await work();
    expect(counts(emails)).toEqual([1, 1]);
    expect(await sending(formId)).toMatchObject({ state: 'SENDING', queued: 0 });
    await resume();
    pass(20 * 60);
    await work();
    expect(counts(emails)).toEqual([2, 2]);
  });
});

test('the deletion of an invitation and of a form leaves no mail and no sending', async () => {
  const { formId, emails } = await invited(2);
  await sendTo(formId);
  await work();
  const [gone] = await list(formId);
  await (await signedIn()).invitations.deleteInvitation({ params: { formId, guestId: gone?.id ?? '' } });
  expect(await itemsMentioning(gone?.id ?? '')).toEqual([]);
  await (await signedIn()).forms.deleteForm({ params: { formId } });
  await finishDeletions();
  expect(await itemsMentioning(formId.slice(0, 18))).toEqual([]);
  for (const email of emails) expect(await itemsMentioning(email)).toEqual([]);
});
