/** The mail with a copy of a submission: when it is sent, to whom, in which language, and what members see of it. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { type App, app } from '#core/http/app.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';
import { muteErrors } from '#test/support/console.ts';
import { withApp, withTable } from '#test/support/faults.ts';
import { expectProblem, newForm, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { cancel, castAt, pass, preview, save, submit, text } from '#test/support/responses.ts';
import { runSweep } from '#test/support/sweeps.ts';

const cast = await castAt();
const ownMail = ownSes();
muteErrors();
/** Longer than the pause after the first attempt; tokens work for an hour. */
const LATER = 120;
const UNVERIFIED = 'Email address is not verified. The following identities failed the check in region EU-CENTRAL-1';

/** A form that sends mails, with one question. */
async function mailForm(settings: object = {}) {
  const { alice, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]]);
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true, ...settings } });
  return { formId, questionId: questionIds[0] ?? '' };
}

/** Starts and submits a response in one request; its id. */
async function submitted(by: Person, { formId, questionId }: { formId: string; questionId: string }, headers = {}) {
  const body = { answers: [text(questionId, 'Loch Ness')], submit: true };
  return (await by.client.responses.startResponse({ params: { formId }, body, headers })).body.id;
}

/** The status of a mail as a person sees it, by default a member. */
const status = async (formId: string, responseId: string, by = cast.bob) =>
  (await preview(by, formId, responseId)).deliveries?.email;

describe('a submission', () => {
  test('sends its copy once, and members see when', async () => {
    const dave = await person('dave');
    const form = await mailForm({ title: 'Lakes', messageAfterSubmission: 'See you in May. https://example.org/map' });
    const responseId = await submitted(dave, form);
    expect(await status(form.formId, responseId)).toMatchObject({ state: 'QUEUED', attempts: 0 });
    await runSweep();
    await receiveEvents(ownMail());
    pass(LATER);
    await runSweep();
    const [mail, ...others] = mailsTo(ownMail(), dave);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: 'Form service <forms@example.org>', replyTo: ['help@example.org'] });
    for (const part of [mail?.html, mail?.text]) {
      for (const content of ['Lakes', 'Which lake?', 'Loch Ness', 'See you in May.', `/r/${responseId}`])
        expect(part).toContain(content);
    }
    expect(mail?.html).toContain('<a class="link" href="https://example.org/map" rel="noopener"');
    expect(await status(form.formId, responseId)).toMatchObject({ state: 'SENT', attempts: 1 });
  });

  test('made with save and submit sends it too; an edit sends none', async () => {
    const dave = await person('dave');
    const { formId, questionId } = await mailForm();
    const { id } = (await dave.client.responses.startResponse({ params: { formId } })).body;
    await submit(dave, id, [text(questionId, 'Loch Ness')]);
    await runSweep();
    await submit(dave, id, [text(questionId, 'Loch Lomond')]);
    await save(dave, id, [text(questionId, 'Loch Awe')]);
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
  });

  test('repeated with the same key or the same answers sends one', async () => {
    const dave = await person('dave');
    const form = await mailForm();
    const headers = { 'idempotency-key': app().uuid() };
    const ids = [await submitted(dave, form, headers), await submitted(dave, form, headers)];
    expect(ids[1]).toBe(ids[0]);
    await submit(dave, ids[0] ?? '', [text(form.questionId, 'Loch Ness')]);
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
  });

  test('cancelled and submitted again sends one more', async () => {
    const dave = await person('dave');
    const form = await mailForm();
    const id = await submitted(dave, form);
    await runSweep();
    pass(1);
    await cancel(dave, id);
    await submit(dave, id);
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toHaveLength(2);
  });

  test('cancelled before its mail was sent sends none, and one when it is submitted again', async () => {
    const dave = await person('dave');
    const form = await mailForm();
    const id = await submitted(dave, form);
    pass(1);
    await cancel(dave, id);
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toEqual([]);
    expect(await status(form.formId, id)).toBeUndefined();
    await submit(dave, id);
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
  });

  test('of a form that sends no mails any more sends none for an earlier submission', async () => {
    const dave = await person('dave');
    const form = await mailForm();
    const id = await submitted(dave, form);
    pass(1);
    await cancel(dave, id);
    await cast.alice.client.forms.updateForm({
      params: { formId: form.formId },
      body: { sendResponseEmail: false },
    });
    await submit(dave, id);
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toEqual([]);
  });

  test('to a form that stopped sending mails before this one was sent sends none, unless a member requests it', async () => {
    const { alice, bob } = cast;
    const [dave, erin] = [await person('dave'), await person('erin')];
    const { formId, questionId } = await mailForm();
    const id = await submitted(dave, { formId, questionId });
    await runSweep();
    const waiting = await submitted(erin, { formId, questionId });
    await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: false } });
    await runSweep();
    expect(mailsTo(ownMail(), erin)).toEqual([]);
    expect(await status(formId, waiting)).toBeUndefined();
    await bob.client.deliveries.retryDelivery({ params: { formId, responseId: id, kind: 'email' } });
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toHaveLength(2);
  });

  test('deleted before its mail was sent sends none', async () => {
    const dave = await person('dave');
    const form = await mailForm();
    const responseId = await submitted(dave, form);
    await cast.alice.client.responses.deleteResponse({ params: { formId: form.formId, responseId } });
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toEqual([]);
  });

  test('to a form that sends no mail queues nothing', async () => {
    const dave = await person('dave');
    const form = await mailForm({ sendResponseEmail: false });
    const id = await submitted(dave, form);
    expect((await app().table.read([keys.delivery(id, 'email')]))[0]).toBeUndefined();
  });
});

describe('the language', () => {
  test.for([
    ['zh-TW,zh;q=0.9,en;q=0.5', '你的回覆：'],
    ['zh-Hans', '你的回覆：'],
    ['en-US, zh-TW;q=0.2', 'Your response: '],
    ['fr', 'Your response: '],
  ] as const)('of a request that accepts %s', async ([accepted, subject]) => {
    const dave = await person('dave');
    const form = await mailForm({ title: 'Lakes' });
    await submitted(dave, form, { 'accept-language': accepted });
    await runSweep();
    expect(mailsTo(ownMail(), dave)[0]?.subject).toBe(`${subject}Lakes`);
  });
});

describe('a mail that cannot be sent', () => {
  test('has the reason no_address when the respondent has no address', async () => {
    const dave = await person('dave');
    const form = await mailForm();
    const id = await submitted(dave, form);
    await withoutAddress(dave);
    await runSweep();
    expect(await status(form.formId, id)).toMatchObject({ state: 'FAILED', reason: 'no_address', attempts: 1 });
  });

  test('has the reason not_verified in the sandbox, without further attempts', async () => {
    const dave = await person('dave', { email: `dave.${app().uuid()}@elsewhere.example` });
    const form = await mailForm();
    ownMail().ses.behave({ sandbox: true });
    const id = await submitted(dave, form);
    await runSweep();
    ownMail().ses.behave({ sandbox: false });
    pass(LATER);
    await runSweep();
    expect(await status(form.formId, id)).toMatchObject({ state: 'FAILED', reason: 'not_verified', attempts: 1 });
    expect(mailsTo(ownMail(), dave)).toEqual([]);
  });

  test('is not sent again within 15 minutes if the response of SES and its events are lost', async () => {
    const dave = await person('dave');
    const form = await mailForm();
    ownMail().ses.behave({ loseResponse: true });
    await submitted(dave, form);
    await runSweep();
    ownMail().ses.behave({ loseResponse: false });
    ownMail().events.length = 0;
    pass(14 * 60);
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
    pass(2 * 60);
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toHaveLength(2);
  });

  test.for([
    ['AccountSendingPausedException', 'paused', 'AccountSendingPausedException'],
    ['MessageRejected', 'Sending paused for this account. For more information, …', 'sending_paused'],
    ['MessageRejected', `${UNVERIFIED}: Form service <forms@example.org>, forms@example.org`, 'not_verified'],
    ['Throttling', 'Daily message quota exceeded.', 'daily_quota'],
  ] as const)('because of %s: %s waits and is sent when SES accepts it again', async ([code, message, reason]) => {
    const dave = await person('dave');
    const form = await mailForm();
    ownMail().ses.behave({ failWith: new SesError(code, message) });
    const id = await submitted(dave, form);
    let requests = 0;
    const counting = ({ mail }: App): Partial<App> => ({
      mail: {
        send: (...args) => {
          requests += 1;
          return mail.send(...args);
        },
      },
    });
    await withApp(counting, runSweep);
    expect(requests).toBe(1);
    expect(await status(form.formId, id)).toMatchObject({ state: 'QUEUED', reason });
    ownMail().ses.behave({ failWith: null });
    pass(60);
    await runSweep();
    expect(await status(form.formId, id)).toMatchObject({ state: 'SENT', attempts: 2 });
    expect(mailsTo(ownMail(), dave)).toHaveLength(1);
  });
});

test('a failure of storage for one mail of a batch does not repeat the others', async () => {
  const [dave, erin] = [await person('dave'), await person('erin')];
  const form = await mailForm();
  await submitted(dave, form);
  const id = await submitted(erin, form);
  const broken = keys.account(erin.id).pk;
  const failing = ({ read }: Table): Partial<Table> => ({
    read: (all) => (all.some(({ pk }) => pk === broken) ? Promise.reject(new Error('injected')) : read(all)),
  });
  await withTable(failing, runSweep);
  expect(await status(form.formId, id)).toMatchObject({ state: 'QUEUED', reason: 'internal_error' });
  pass(LATER);
  await runSweep();
  expect([mailsTo(ownMail(), dave), mailsTo(ownMail(), erin)].map(({ length }) => length)).toEqual([1, 1]);
});

/** Removes the addresses of a person, as of an account that a provider vouched for without one. */
async function withoutAddress({ id }: Person): Promise<void> {
  const { table } = app();
  const [item] = await table.read([keys.account(id)]);
  const data = JSON.parse(String(item?.data));
  await table.write([{ update: keys.account(id), set: { data: JSON.stringify({ ...data, emails: [] }) } }]);
}

describe('what SES reports', () => {
  const simulated = (kind: string) => person('sim', { email: `${kind}+${app().uuid()}@simulator.amazonses.com` });

  test.for([
    ['bounce', { state: 'FAILED', reason: 'bounced' }],
    ['suppressionlist', { state: 'FAILED', reason: 'bounced' }],
    ['complaint', { state: 'FAILED', reason: 'complained' }],
    ['ooto', { state: 'SENT' }],
    ['success', { state: 'SENT' }],
  ] as const)('of a mail to %s@ is its status, in any order and repeated', async ([kind, expected]) => {
    const recipient = await simulated(kind);
    const form = await mailForm();
    const id = await submitted(recipient, form);
    await runSweep();
    const events = ownMail().events.splice(0);
    await receiveEvents(ownMail(), [...events].reverse());
    expect(await status(form.formId, id)).toMatchObject(expected);
    await receiveEvents(ownMail(), events);
    expect(await status(form.formId, id)).toMatchObject(expected);
  });

  test.for([
    ['General', { state: 'SENT' }],
    ['MailboxFull', { state: 'FAILED', reason: 'bounced' }],
  ] as const)('as a transient bounce of type %s', async ([bounceSubType, expected]) => {
    const recipient = await simulated('bounce');
    const form = await mailForm();
    const id = await submitted(recipient, form);
    await runSweep();
    const events = ownMail().events.splice(0);
    const transient = events.map((event) => ({
      ...event,
      detail: {
        ...event.detail,
        ...('bounce' in event.detail && { bounce: { bounceType: 'Transient', bounceSubType } }),
      },
    }));
    await receiveEvents(ownMail(), transient);
    expect(await status(form.formId, id)).toMatchObject(expected);
  });

  test('about an earlier submission does not change the status of the present one', async () => {
    const recipient = await simulated('bounce');
    const form = await mailForm();
    const id = await submitted(recipient, form);
    await runSweep();
    const late = ownMail().events.splice(0);
    pass(1);
    await cancel(recipient, id);
    await submit(recipient, id);
    await receiveEvents(ownMail(), late);
    expect(await status(form.formId, id)).toMatchObject({ state: 'QUEUED', attempts: 0 });
  });

  test('about a deleted response or another mail changes nothing', async () => {
    const recipient = await simulated('bounce');
    const form = await mailForm();
    const responseId = await submitted(recipient, form);
    await runSweep();
    await cast.alice.client.responses.deleteResponse({ params: { formId: form.formId, responseId } });
    await runSweep();
    const [first] = ownMail().events;
    await receiveEvents(ownMail());
    expect((await app().table.read([keys.delivery(responseId, 'email')]))[0]).toBeUndefined();
    if (!first) throw new Error('an event was expected');
    const foreign = ['something else', `response_${responseId}_`, `response_${responseId}_${'9'.repeat(30)}`];
    for (const tag of foreign) {
      const mail = { tags: { delivery: [tag] } };
      await receiveEvents(ownMail(), [{ ...first, detail: { eventType: 'Bounce', mail } }]);
    }
  });
});

describe('the status of a mail', () => {
  test('is for members, also if they answered, and not for respondents', async () => {
    const { bob, dave } = cast;
    const form = await mailForm();
    const [own, other] = [await submitted(bob, form), await submitted(dave, form)];
    expect(await status(form.formId, own)).toMatchObject({ state: 'QUEUED' });
    expect(await status(form.formId, other)).toMatchObject({ state: 'QUEUED' });
    expect(await status(form.formId, other, dave)).toBeUndefined();
  });
});

describe('a retry', () => {
  const retry = ({ client }: Person, formId: string, responseId: string, kind = 'email') =>
    client.deliveries.retryDelivery({ params: { formId, responseId, kind } });

  test('sends a mail again, also one that was sent', async () => {
    const { bob } = cast;
    const dave = await person('dave');
    const form = await mailForm();
    const id = await submitted(dave, form);
    await runSweep();
    pass(1);
    expect((await retry(bob, form.formId, id)).body).toMatchObject({ state: 'QUEUED', attempts: 0 });
    expect((await expectProblem(retry(bob, form.formId, id))).code).toBe('delivery_under_way');
    await runSweep();
    expect(mailsTo(ownMail(), dave)).toHaveLength(2);
  });

  test('is 404 without a delivery, and for a submission that was cancelled', async () => {
    const { bob } = cast;
    const dave = await person('dave');
    const form = await mailForm();
    const id = await submitted(dave, form);
    await runSweep();
    expect((await expectProblem(retry(bob, form.formId, id, 'spreadsheet'))).status).toBe(404);
    await cancel(dave, id);
    expect((await expectProblem(retry(bob, form.formId, id))).status).toBe(404);
    const silent = await mailForm({ sendResponseEmail: false });
    const other = await submitted(dave, silent);
    expect((await expectProblem(retry(bob, silent.formId, other))).status).toBe(404);
  });
});
