/** The confirmation to an address that somebody without an account has entered: what it says, what never, and how many. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { formatReference } from '#core/responses/reference.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';
import { muteErrors } from '#test/support/console.ts';
import { clientWith, newForm, newGuest, send } from '#test/support/fixtures.ts';
import { newInvited } from '#test/support/invitations.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { fieldsOf, textOf } from '#test/support/pages.ts';
import { cancel, castAt, pass, preview, respond, start, submit, text } from '#test/support/responses.ts';
import { sweepIn } from '#test/support/sweeps.ts';

const { alice, bob, dave, slug } = await castAt();
const ownMail = ownSes();
muteErrors();

const DAY = 86_400;
const ORIGIN = 'http://127.0.0.1:3000';
const ADDRESS = { type: 'SHORT_TEXT', text: { format: 'EMAIL', sendCopy: true } } as const;

type Options = { address?: Partial<QuestionInput>; title?: string; messageAfterSubmission?: string };

/** A form for anyone that asks for a name and for an address. */
async function formForAnyone({ address = {}, title = 'Lakes', messageAfterSubmission }: Options = {}) {
  const kinds = [
    { type: 'SHORT_TEXT' as const, name: 'visitor' },
    { ...ADDRESS, ...address },
  ];
  const { formId, questionIds } = await newForm(alice, slug, [kinds], { audience: 'ANYONE', title });
  if (messageAfterSubmission !== undefined)
    await alice.client.forms.updateForm({ params: { formId }, body: { messageAfterSubmission } });
  const [nameId = '', addressId = ''] = questionIds;
  return { formId, nameId, addressId };
}

type Form = Awaited<ReturnType<typeof formForAnyone>>;

const answers = ({ nameId, addressId }: Form, email: string, name = 'Nessie Buyme') => [
  text(nameId, name),
  ...(email === '' ? [] : [text(addressId, email)]),
];

/** A guest submits a form with an address. Returns the id of the response. */
const submitWith = async (form: Form, email: string, name?: string): Promise<string> =>
  respond(await newGuest(form.formId), form.formId, answers(form, email, name));

/** An address that no other test uses. */
const newAddress = (): string => `guest-${app().uuid().slice(0, 8)}@example.org`;

/** Sweeps for half an hour, in which all events of SES arrive. */
async function sendAll(): Promise<void> {
  for (const seconds of [0, 20 * 60, 30 * 60]) {
    await sweepIn(seconds);
    await receiveEvents(ownMail());
  }
}

const mailsFor = (email: string) => mailsTo(ownMail(), { email });

test('has the reference, the time and a link to the answers, and nothing that was typed', async () => {
  const form = await formForAnyone({
    title: 'Lakes {{visitor}}',
    messageAfterSubmission: 'Thank you, {{ visitor }}! See https://example.org/lakes',
  });
  const email = newAddress();
  const responseId = await submitWith(form, email);
  await sendAll();
  const [mail, ...others] = mailsFor(email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Your response: Lakes');
  for (const said of [
    'Asked by Rivers',
    'submitted on 1 May 2026',
    `Reference: ${formatReference(responseId)}`,
    'Thank you, !',
    'https://example.org/lakes',
    'somebody entered this address in the form',
  ]) {
    expect(mail?.text).toContain(said);
    expect(textOf(mail?.html ?? '')).toContain(said);
  }
  for (const part of [mail?.subject, mail?.text, mail?.html]) {
    expect(part).not.toContain('Nessie');
    expect(part).not.toContain('{{');
    expect(part).not.toContain(email);
  }
});

test('has a link that asks, and makes this browser that of the guest by a press', async () => {
  const form = await formForAnyone();
  const email = newAddress();
  const responseId = await submitWith(form, email);
  await sendAll();
  const link = /^Open your response: http:\/\/127\.0\.0\.1:3000(\S+)$/m.exec(mailsFor(email)[0]?.text ?? '')?.[1] ?? '';
  const asked = await send('GET', link, {});
  expect([asked.status, asked.headers.getSetCookie()]).toEqual([200, []]);
  const resumed = await send('POST', `/f/${form.formId}/resume`, {
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(
      fieldsOf(await asked.text()).map(([name, value]): [string, string] => [name, value]),
    ).toString(),
  });
  const cookie = resumed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const done = await send('GET', `/r/${responseId}/done`, { headers: { cookie } });
  const page = textOf(await done.text());
  expect(page).toContain('Nessie Buyme');
  expect(page).toContain(
    `We send a confirmation with a link to your answers to ${email}, at most 3 a day to one address.`,
  );
});

describe('goes to one address', () => {
  test('three times a day at most, whoever enters it in whatever form', async () => {
    const [form, other] = [await formForAnyone(), await formForAnyone()];
    const email = newAddress();
    for (const each of [form, other, form, other])
      await submitWith(each, each === form ? email : email.replace('guest', 'Guest'));
    await sendAll();
    const sent = () => [...mailsFor(email), ...mailsFor(email.replace('guest', 'Guest'))].length;
    expect(sent()).toBe(3);
  });

  test('once for a submission, and is counted once, however often it is attempted', async () => {
    const form = await formForAnyone();
    const email = newAddress();
    ownMail().ses.behave({ failWith: new SesError('ServiceUnavailable', 'try later', 503) });
    const responseId = await submitWith(form, email);
    for (const minutes of [0, 2, 5, 10]) await sweepIn(minutes * 60);
    ownMail().ses.behave({ failWith: null });
    await sweepIn(20 * 60);
    await receiveEvents(ownMail());
    expect(mailsFor(email)).toHaveLength(1);
    expect((await preview(bob, form.formId, responseId)).deliveries).toMatchObject({ email: { state: 'SENT' } });
    for (let count = 0; count < 3; count += 1) await submitWith(form, email);
    await sendAll();
    expect(mailsFor(email)).toHaveLength(3);
  });
});

describe('is not sent', () => {
  test('without the setting of the question, or without an address', async () => {
    const plain = await formForAnyone({ address: { text: { format: 'EMAIL' } } });
    const email = newAddress();
    const unset = await submitWith(plain, email);
    const form = await formForAnyone();
    const empty = await submitWith(form, '');
    await sendAll();
    expect(mailsFor(email)).toEqual([]);
    expect((await preview(bob, plain.formId, unset)).deliveries).toEqual({});
    expect((await preview(bob, form.formId, empty)).deliveries).toEqual({});
  });

  test('to people with an account, who get copies at their own address if the form sends them', async () => {
    const form = await formForAnyone();
    const email = newAddress();
    await respond(dave, form.formId, answers(form, email));
    await sendAll();
    expect([mailsFor(email), mailsFor(dave.email)]).toEqual([[], []]);
  });

  test('for a submission that was cancelled before', async () => {
    const form = await formForAnyone();
    const email = newAddress();
    const guest = await newGuest(form.formId);
    const responseId = await start(guest, form.formId, answers(form, email));
    await submit(guest, responseId);
    await cancel(guest, responseId);
    await sendAll();
    expect(mailsFor(email)).toEqual([]);
  });
});

test('goes to an address again the next day', async () => {
  const form = await formForAnyone();
  const email = newAddress();
  for (let count = 0; count < 4; count += 1) await submitWith(form, email);
  await sendAll();
  pass(DAY);
  await submitWith(form, email);
  await sendAll();
  expect(mailsFor(email)).toHaveLength(4);
});

test('the link of an invited guest leads to the answers, until the invitation has another code', async () => {
  const settings = { audience: 'INVITED', visibility: 'PRIVATE' } as const;
  const { formId, questionIds } = await newForm(alice, slug, [[ADDRESS]], settings);
  // Sweeps take longer than an access token lasts.
  const signedIn = async () => clientWith(await app().tokens.sign({ id: bob.id, roles: ['USER'] }, app().now()));
  const { guest } = await newInvited({ formId, member: { client: await signedIn() } });
  const email = newAddress();
  await respond(guest, formId, [text(questionIds[0] ?? '', email)]);
  await sendAll();
  const [mail] = mailsFor(email);
  const path = /http:\/\/127\.0\.0\.1:3000(\/f\/\S+)/.exec(mail?.text ?? '')?.[1] ?? 'none';
  expect((await send('GET', path)).status).toBe(200);
  const params = { formId, guestId: guest.id };
  await (await signedIn()).invitations.updateInvitation({ params, body: { newCode: true } });
  expect((await send('GET', path)).status).toBe(404);
});
