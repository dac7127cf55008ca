/** The mail port against the local SES: what is accepted, refused, kept and reported. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sesMail } from '#core/aws/ses-mail.ts';
import type { Mail, SendOutcome } from '#core/mail/ports.ts';
import { LOCAL_SES } from '#stacks/local/environment.ts';
import { type LocalSes, type MailEvent, type SesOptions, startSes } from '#stacks/local/mail/ses.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';

const SENDER = { from: 'Forms <forms@example.org>', replyTo: 'help@example.org', configurationSet: 'forms' };

/** A local SES with a mail port to it. */
async function start(options: Partial<SesOptions> = {}) {
  const events: MailEvent[] = [];
  const onEvent = (event: MailEvent) => events.push(event);
  const ses = await startSes({ directory: null, ...LOCAL_SES, onEvent, ...options });
  onTestFinished(ses.stop);
  const port = sesMail({
    region: 'eu-central-1',
    mail: { ...SENDER, language: 'en', endpoint: ses.endpoint },
  });
  const send = (mail: Partial<Mail> = {}): Promise<SendOutcome> =>
    port.send({ id: 'd-1', to: 'dave@example.com', subject: 'Hello', html: '<p>Hi</p>', text: 'Hi', ...mail });
  const findSource = (id = '') => ses.mailbox.findSource(id) ?? '';
  return { ses, port, send, events, findSource };
}

test('a mail has sender, recipient, both bodies and the tag of its delivery', async () => {
  const { ses, send } = await start();
  expect(await send({ subject: 'Grüße 😀', to: 'dave@bücher.example' })).toEqual({ result: 'done' });
  expect(ses.mailbox.list()).toMatchObject([
    {
      from: 'Forms <forms@example.org>',
      replyTo: ['help@example.org'],
      to: ['dave@xn--bcher-kva.example'],
      subject: 'Grüße 😀',
      html: '<p>Hi</p>',
      text: 'Hi',
      tags: { delivery: 'd-1' },
    },
  ]);
});

describe('a mail that nobody has asked for', () => {
  const bulk = {
    id: 'd-1',
    to: 'dave@example.com',
    subject: 'Hello',
    text: 'Hi',
    unsubscribe: 'https://forms.example.org/u?m=1',
  };
  const start1 = async () => {
    const started = await start();
    return { ...started, sendBulk: (change: Partial<typeof bulk> = {}) => started.port.send({ ...bulk, ...change }) };
  };

  test('is plain text with the headers by which mail programs end such mails', async () => {
    const { ses, sendBulk, findSource } = await start1();
    expect(await sendBulk({ subject: 'Grüße 湖', text: 'Hi\n湖', to: 'dave@bücher.example' })).toEqual({
      result: 'done',
    });
    const [mail] = ses.mailbox.list();
    expect(mail).toMatchObject({
      from: 'Forms <forms@example.org>',
      replyTo: ['help@example.org'],
      to: ['dave@xn--bcher-kva.example'],
      subject: 'Grüße 湖',
      html: '',
      text: 'Hi\n湖',
      tags: { delivery: 'd-1' },
      headers: {
        'List-Unsubscribe': '<https://forms.example.org/u?m=1>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    const source = findSource(mail?.id);
    expect(source).toMatch(/^[\x20-\x7e\r\n]+$/);
    expect(source).toContain('\r\nContent-Type: text/plain; charset=UTF-8\r\n');
  });

  test.for([
    'a\r\nBcc: eve@example.org',
    'a\nb',
    'a\r\n\r\nbody',
    '\u2028x',
    '=?UTF-8?B?Cg==?=',
  ])('has one line of subject, whatever was typed: %j', async (subject) => {
    const { ses, sendBulk } = await start1();
    expect(await sendBulk({ subject })).toEqual({ result: 'done' });
    const [mail] = ses.mailbox.list();
    expect(mail?.subject).toBe(subject.replace(/[\r\n\u2028]+/g, ' ').trim());
    expect(Object.keys(mail?.headers ?? {})).toEqual(['List-Unsubscribe', 'List-Unsubscribe-Post']);
    expect([mail?.to, mail?.text]).toEqual([['dave@example.com'], 'Hi']);
  });

  test('keeps lines that look like headers, an end or a boundary in its text', async () => {
    const { ses, sendBulk } = await start1();
    const text = 'Bcc: eve@example.org\r\n.\r\n--=_x\r\n\r\nFrom here';
    await sendBulk({ text });
    expect(ses.mailbox.list()[0]?.text).toBe(text);
  });

  test('is not sent to an address that is none, and later while SES fails, like others', async () => {
    const { ses, sendBulk } = await start1();
    expect(await sendBulk({ to: 'dave@example.com, eve@example.com' })).toEqual({
      result: 'failed',
      reason: 'invalid_address',
    });
    ses.behave({ failWith: new SesError('Throttling', 'Maximum sending rate exceeded.') });
    expect(await sendBulk()).toMatchObject({ result: 'retry' });
    expect(ses.mailbox.list()).toEqual([]);
  });
});

test('events that were not handled when the process was killed come after the next start, once', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ses-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const first = await start({ directory, onEvent: () => new Promise(() => {}) });
  await first.send();
  await first.ses.stop();
  const second = await start({ directory });
  const typesOf = ({ events }: { events: MailEvent[] }) => events.map(({ detail }) => detail.eventType);
  await vi.waitFor(() => expect(typesOf(second)).toEqual(['Send', 'Delivery']), 20_000);
  expect(second.events[0]?.detail.mail).toMatchObject({ tags: { delivery: ['d-1'] } });
  await second.send({ id: 'd-2' });
  await vi.waitFor(() => expect(second.events).toHaveLength(4), 20_000);
  await second.ses.stop();
  const third = await start({ directory });
  await third.ses.caughtUp;
  expect(typesOf(third)).toEqual([]);
});

test('a mail is kept with its source when SES is started again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ses-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const first = await start({ directory });
  await first.send({ subject: '一份很長很長很長很長很長很長很長很長很長很長很長很長很長很長很長很長的主旨' });
  await first.ses.stop();
  const { ses, findSource } = await start({ directory });
  const [mail] = ses.mailbox.list();
  const source = findSource(mail?.id);
  expect(source).toContain('Content-Type: multipart/alternative');
  const header = /^Subject: (.*(?:\r\n .*)*)/m.exec(source)?.[1] ?? '';
  const words = [...header.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)].map(([, word = '']) => Buffer.from(word, 'base64'));
  expect(words.join('')).toBe(mail?.subject);
  expect(Math.max(...source.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78);
  expect(readdirSync(directory).sort()).toEqual([`${mail?.id}.eml`, `${mail?.id}.json`]);
});

test.for([
  'Lunch\r\nBcc: everybody@example.com',
  'Lunch\nContent-Type: text/html',
  'Lunch\u2028Bcc: x@example.com',
  'Lunch\u0000\u0007',
])('the subject %j is one line', async (subject) => {
  const { ses, send, findSource } = await start();
  expect(await send({ subject })).toEqual({ result: 'done' });
  const [mail] = ses.mailbox.list();
  expect(mail?.subject).toMatch(/^Lunch[^\p{Cc}\u2028]*$/u);
  const lines = findSource(mail?.id).split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  expect(lines.filter((line) => /^(?:bcc|content-type):/i.test(line))).toHaveLength(1);
});

const LARGE = 'x'.repeat(11 * 1_024 * 1_024);
const sandbox = { sandbox: true };
const INVALID = { result: 'failed', reason: 'invalid_address' } as const;
const LATER = { result: 'retry', reason: expect.any(String) };
const failing = (code: string, status?: number) => (ses: LocalSes) =>
  ses.behave({ failWith: new SesError(code, 'as SES says it', status) });

test.for<[what: string, mail: Partial<Mail>, outcome: object, options?: Partial<SesOptions>]>([
  ['two addresses', { to: 'dave@example.com, erin@example.com' }, INVALID],
  ['a header in its address', { to: 'dave@example.com\r\nBcc: erin@example.com' }, INVALID],
  ['a name in its address', { to: '"Dave" <dave@example.com>' }, INVALID],
  ['half a name in its address', { to: 'dave@example.com>' }, INVALID],
  ['an address that is not ASCII', { to: 'dävé@example.com' }, INVALID],
  ['an address without a name', { to: '@example.com' }, INVALID],
  ['no address', { to: '' }, INVALID],
  ['11 MB', { text: LARGE }, { result: 'failed', reason: 'rejected' }],
  ['an unverified address in the sandbox', {}, { result: 'failed', reason: 'not_verified' }, sandbox],
  ['an unverified sender', {}, { result: 'retry', reason: 'not_verified' }, { verified: ['example.net'] }],
  ['more than the rate', {}, { result: 'retry', reason: 'Throttling' }, { rate: 0 }],
])('a mail with %s is not sent', async ([, mail, outcome, options]) => {
  const { ses, send } = await start(options);
  expect(await send(mail)).toEqual(outcome);
  expect(ses.mailbox.list()).toEqual([]);
});

test('the sandbox takes verified addresses and the simulator', async () => {
  const { send } = await start(sandbox);
  for (const to of ['dave@example.org', 'success@simulator.amazonses.com']) {
    expect(await send({ to })).toEqual({ result: 'done' });
  }
});

test.for<[when: string, behave: (ses: LocalSes) => unknown, outcome: object]>([
  ['the account is paused', failing('AccountSendingPausedException'), LATER],
  ['the configuration set is missing', failing('ConfigurationSetDoesNotExist'), LATER],
  ['it is not permitted', failing('AccessDenied', 403), LATER],
  ['SES is not available', failing('ServiceUnavailable', 503), LATER],
  ['SES is not reachable', (ses) => ses.stop(), LATER],
  ['SES fails, which may be after sending', failing('InternalFailure', 500), { ...LATER, minSeconds: 900 }],
  ['the response is lost', (ses) => ses.behave({ loseResponse: true }), { ...LATER, minSeconds: 900 }],
])('a mail is sent later when %s', async ([, behave, outcome]) => {
  const { ses, send } = await start();
  await behave(ses);
  expect(await send()).toEqual(outcome);
});

test.for<[what: string, recipients: number, change: object, message: RegExp]>([
  ['51 recipients', 51, {}, /Recipient count exceeds 50/],
  ['no recipient', 0, {}, /No recipients/],
  ['an empty body', 1, { Message: { Subject: { Data: 'Hello' }, Body: {} } }, /body/],
  ['two lines of subject', 1, { Message: { Subject: { Data: 'a\nb' }, Body: { Text: { Data: 'Hi' } } } }, /Cont/],
  ['a tag with a space', 1, { Tags: [{ Name: 'delivery', Value: 'a b' }] }, /tag/],
  ['an unknown configuration set', 1, { ConfigurationSetName: 'other' }, /does not exist/],
])('SES itself refuses %s', async ([, recipients, change, message]) => {
  const { ses } = await start();
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = new SESClient({ endpoint: ses.endpoint, region: 'eu-central-1', credentials });
  const input = {
    Source: 'forms@example.org',
    Destination: { ToAddresses: Array.from({ length: recipients }, (_, index) => `user${index}@example.com`) },
    Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hi' } } },
  };
  await expect(client.send(new SendEmailCommand({ ...input, ...change }))).rejects.toThrow(message);
  expect(ses.mailbox.list()).toEqual([]);
});

test.for([
  ['dave@example.com', ['Send', 'Delivery']],
  ['ooto@simulator.amazonses.com', ['Send', 'Delivery']],
  ['bounce+7@simulator.amazonses.com', ['Send', 'Bounce']],
  ['suppressionlist@simulator.amazonses.com', ['Send', 'Bounce']],
  ['complaint@simulator.amazonses.com', ['Send', 'Delivery', 'Complaint']],
] as const)('a mail to %s is followed by its events', async ([to, expected]) => {
  const { send, events } = await start();
  await send({ to });
  expect(events.map(({ detail }) => detail.eventType)).toEqual(expected);
  expect(events[0]?.detail.mail).toMatchObject({ tags: { delivery: ['d-1'] }, destination: [to] });
});
