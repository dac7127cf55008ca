/** The local SES, and the mail port that talks to it: what is accepted, refused, kept and reported. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { afterEach, describe, expect, test } from 'vitest';
import { sesMail } from '#core/aws/ses-mail.ts';
import type { Mail, SendOutcome } from '#core/mail/ports.ts';
import { type LocalSes, type MailEvent, type SesOptions, startSes } from '#stacks/local/mail/ses.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';
import { LOCAL_SES } from '#stacks/local/settings.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A local SES with a mail port to it. */
async function start(options: Partial<SesOptions> = {}, from = 'Forms <forms@example.org>') {
  const events: MailEvent[] = [];
  const ses = await startSes({
    directory: null,
    ...LOCAL_SES,
    onEvent: (event) => events.push(event),
    ...options,
  });
  stops.push(ses.stop);
  const port = sesMail({
    region: 'eu-central-1',
    mail: { from, replyTo: 'help@example.org', configurationSet: 'forms', language: 'en', endpoint: ses.endpoint },
  });
  const send = (mail: Partial<Mail> = {}): Promise<SendOutcome> =>
    port.send({ id: 'd-1', to: 'dave@example.com', subject: 'Hello', html: '<p>Hi</p>', text: 'Hi', ...mail });
  return { ses, send, events };
}

const typesOf = (events: readonly MailEvent[]) => events.map(({ detail }) => detail.eventType);

describe('an accepted mail', () => {
  test('has sender, recipient, both bodies and the tag of its delivery', async () => {
    const { ses, send } = await start();
    expect(await send({ subject: 'Grüße 😀' })).toEqual({ result: 'done' });
    expect(ses.mailbox.list()).toMatchObject([
      {
        from: 'Forms <forms@example.org>',
        replyTo: ['help@example.org'],
        to: ['dave@example.com'],
        subject: 'Grüße 😀',
        html: '<p>Hi</p>',
        text: 'Hi',
        tags: { delivery: 'd-1' },
      },
    ]);
  });

  test('is kept with its source when SES is started again', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'ses-'));
    stops.push(() => rmSync(directory, { recursive: true }));
    const first = await start({ directory });
    await first.send({ subject: '一份很長很長很長很長很長很長很長很長很長很長很長很長很長很長很長很長的主旨' });
    await first.ses.stop();
    const { ses } = await start({ directory });
    const [mail] = ses.mailbox.list();
    const source = ses.mailbox.sourceOf(mail?.id ?? '') ?? '';
    expect(source).toContain('Content-Type: multipart/alternative');
    expect(decodedSubject(source)).toBe(mail?.subject);
    expect(Math.max(...source.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78);
    expect(readdirSync(directory).sort()).toEqual([`${mail?.id}.eml`, `${mail?.id}.json`]);
  });

  test('is sent to the ASCII form of an international domain', async () => {
    const { ses, send } = await start();
    expect(await send({ to: 'dave@bücher.example' })).toEqual({ result: 'done' });
    expect(ses.mailbox.list()[0]?.to).toEqual(['dave@xn--bcher-kva.example']);
  });
});

/** The subject of a source, from its encoded words. */
const decodedSubject = (source: string): string => {
  const header = /^Subject: (.*(?:\r\n .*)*)/m.exec(source)?.[1] ?? '';
  return [...header.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)]
    .map(([, word = '']) => Buffer.from(word, 'base64').toString())
    .join('');
};

describe('header injection', () => {
  test.for([
    'Lunch\r\nBcc: everybody@example.com',
    'Lunch\nContent-Type: text/html',
    'Lunch\u2028Bcc: x@example.com',
    'Lunch\u0000\u0007',
  ])('the subject %j is one line', async (subject) => {
    const { ses, send } = await start();
    expect(await send({ subject })).toEqual({ result: 'done' });
    const [mail] = ses.mailbox.list();
    expect(mail?.subject).toMatch(/^Lunch[^\p{Cc}\u2028]*$/u);
    const headers = (ses.mailbox.sourceOf(mail?.id ?? '') ?? '').split('\r\n\r\n')[0] ?? '';
    expect(headers.split('\r\n').filter((line) => /^(?:bcc|content-type):/i.test(line))).toHaveLength(1);
  });

  test.for([
    'dave@example.com, erin@example.com',
    'dave@example.com\r\nBcc: erin@example.com',
    '"Dave" <dave@example.com>',
    'dave@example.com>',
    'dävé@example.com',
    '@example.com',
    '',
  ])('the address %j is refused before it is sent', async (to) => {
    const { ses, send } = await start();
    expect(await send({ to })).toEqual({ result: 'failed', reason: 'invalid_address' });
    expect(ses.mailbox.list()).toEqual([]);
  });
});

describe('a mail that is not accepted', () => {
  test('may be sent later when its sender is not verified', async () => {
    const { send } = await start({}, 'forms@example.net');
    expect(await send()).toEqual({ result: 'retry', reason: 'not_verified' });
  });

  test('is refused for good when SES rejects it', async () => {
    const { send } = await start();
    expect(await send({ text: 'x'.repeat(11 * 1_024 * 1_024) })).toEqual({ result: 'failed', reason: 'rejected' });
  });

  test('reaches only verified addresses and the simulator in the sandbox', async () => {
    const { send } = await start({ sandbox: true });
    expect(await send()).toEqual({ result: 'failed', reason: 'not_verified' });
    expect(await send({ to: 'dave@example.org' })).toEqual({ result: 'done' });
    expect(await send({ to: 'success@simulator.amazonses.com' })).toEqual({ result: 'done' });
  });

  test('can be sent later when it exceeds the rate', async () => {
    const { ses, send } = await start({ rate: 0 });
    expect(await send()).toEqual({ result: 'retry', reason: 'Throttling' });
    ses.behave({ rate: 1 });
    expect(await send()).toEqual({ result: 'done' });
  });

  test.for([
    new SesError('AccountSendingPausedException', 'Email sending is disabled for your account'),
    new SesError('ConfigurationSetDoesNotExist', 'Configuration set <forms> does not exist.'),
    new SesError('AccessDenied', 'not authorized', 403),
    new SesError('ServiceUnavailable', 'later', 503),
  ])('can be sent later after $code', async (failWith) => {
    const { ses, send } = await start();
    ses.behave({ failWith });
    expect(await send()).toEqual({ result: 'retry', reason: expect.any(String) });
  });

  test('can be sent later when SES is not reachable', async () => {
    const { ses, send } = await start();
    await ses.stop();
    expect(await send()).toEqual({ result: 'retry', reason: expect.any(String) });
  });

  test('may have been sent when SES fails, or the connection is lost after it', async () => {
    const { ses, send } = await start();
    ses.behave({ loseResponse: true });
    expect(await send()).toMatchObject({ result: 'retry', minSeconds: 900 });
    expect(ses.mailbox.list()).toHaveLength(1);
    ses.behave({ loseResponse: false, failWith: new SesError('InternalFailure', 'a defect', 500) });
    expect(await send()).toMatchObject({ result: 'retry', minSeconds: 900 });
  });
});

describe('SES itself', () => {
  const commandTo = (recipients: number, change: object = {}) =>
    new SendEmailCommand({
      Source: 'forms@example.org',
      Destination: { ToAddresses: Array.from({ length: recipients }, (_, index) => `user${index}@example.com`) },
      Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hi' } } },
      ...change,
    });
  const clientOf = ({ endpoint }: LocalSes) =>
    new SESClient({ endpoint, region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });

  test.for<[what: string, recipients: number, change: object, message: RegExp]>([
    ['51 recipients', 51, {}, /Recipient count exceeds 50/],
    ['no recipient', 0, {}, /No recipients/],
    ['an empty body', 1, { Message: { Subject: { Data: 'Hello' }, Body: {} } }, /body/],
    [
      'a line break in the subject',
      1,
      { Message: { Subject: { Data: 'a\nb' }, Body: { Text: { Data: 'Hi' } } } },
      /Cont/,
    ],
    ['a tag with a space', 1, { Tags: [{ Name: 'delivery', Value: 'a b' }] }, /tag/],
    ['an unknown configuration set', 1, { ConfigurationSetName: 'other' }, /does not exist/],
  ])('refuses %s', async ([, recipients, change, message]) => {
    const { ses } = await start();
    await expect(clientOf(ses).send(commandTo(recipients, change))).rejects.toThrow(message);
    expect(ses.mailbox.list()).toEqual([]);
  });
});

describe('events', () => {
  test.for([
    ['dave@example.com', ['Send', 'Delivery']],
    ['success@simulator.amazonses.com', ['Send', 'Delivery']],
    ['ooto@simulator.amazonses.com', ['Send', 'Delivery']],
    ['bounce+7@simulator.amazonses.com', ['Send', 'Bounce']],
    ['suppressionlist@simulator.amazonses.com', ['Send', 'Bounce']],
    ['complaint@simulator.amazonses.com', ['Send', 'Delivery', 'Complaint']],
  ] as const)('of a mail to %s', async ([to, expected]) => {
    const { send, events } = await start();
    await send({ to });
    expect(typesOf(events)).toEqual(expected);
    expect(events[0]?.detail.mail).toMatchObject({ tags: { delivery: ['d-1'] }, destination: [to] });
  });
});
