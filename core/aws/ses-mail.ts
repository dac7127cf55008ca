/**
 * The mail port on the AWS SDK. SES has no idempotency key, so a call is never repeated here: the caller must know
 * whether an attempt may have been accepted.
 */
import { domainToASCII } from 'node:url';
import { SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import {
  type BulkContent,
  EVENT_SECONDS,
  type MailContent,
  type MailPort,
  type SendOutcome,
} from '#core/mail/ports.ts';
import type { Config, MailSettings } from './config.ts';
import { writeRawMail } from './raw-mail.ts';

type Settings = Pick<Config, 'region' | 'mail'>;

/** How long SES may take to respond. */
const SEND_MS = 8_000;
const UTF8 = 'UTF-8';

/** Creates the mail port for a sender. */
export function sesMail(settings: Settings): MailPort {
  const client = createSesClient(settings);
  return {
    async send(mail) {
      const to = toRecipient(mail.to);
      if (to === undefined) return { result: 'failed', reason: 'invalid_address' };
      try {
        const common = { ...buildCommon(settings.mail), Tags: [{ Name: 'delivery', Value: mail.id }] };
        if ('html' in mail)
          await client.send(new SendEmailCommand({ ...common, ...buildInput(settings.mail, mail, to) }));
        else await client.send(new SendRawEmailCommand({ ...common, ...buildRawInput(settings.mail, mail, to) }));
        return { result: 'done' };
      } catch (error) {
        return toOutcome(error, settings.mail.from);
      }
    },
  };
}

const createSesClient = ({ region, mail: { endpoint } }: Settings): SESClient =>
  new SESClient({
    region,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: SEND_MS, throwOnRequestTimeout: true },
    ...(endpoint ? { endpoint, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } : {}),
  });

const buildCommon = ({ from, configurationSet }: MailSettings) => ({
  Source: from,
  ...(configurationSet === undefined ? {} : { ConfigurationSetName: configurationSet }),
});

const buildInput = ({ replyTo }: MailSettings, mail: MailContent, to: string) => ({
  ReplyToAddresses: replyTo === undefined ? [] : [replyTo],
  Destination: { ToAddresses: [to] },
  Message: {
    Subject: { Data: headerText(mail.subject), Charset: UTF8 },
    Body: { Html: { Data: mail.html, Charset: UTF8 }, Text: { Data: mail.text, Charset: UTF8 } },
  },
});

/** SES takes the headers by which readers end mails in the source of a mail only. */
const buildRawInput = ({ from, replyTo }: MailSettings, mail: BulkContent, to: string) => ({
  Destinations: [to],
  RawMessage: { Data: writeRawMail({ ...mail, from, replyTo, to, subject: headerText(mail.subject) }) },
});

/** The longest subject, in UTF-16 units; mail programs show far fewer. */
const MAX_SUBJECT = 200;

/** A text as the content of a header: one line without control or direction characters. */
const headerText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT)
    .toWellFormed();

/** One address: SES would parse a text with commas or angle brackets as several recipients or as a name. */
const ADDRESS = /^([!#$%&'*+/=?^_`{|}~A-Za-z0-9.-]{1,64})@([^\s@<>()[\]\\,;:"]{1,255})$/;

/** The address for the protocol, with an internationalized domain in its ASCII form; undefined when it is not valid. */
function toRecipient(address: string): string | undefined {
  const [, local, domain = ''] = ADDRESS.exec(address) ?? [];
  const ascii = domainToASCII(domain);
  return local === undefined || ascii === '' ? undefined : `${local}@${ascii}`;
}

/** SES will not accept the message: it or an address in it is not allowed, or the account may not send. */
const REFUSALS: ReadonlySet<string> = new Set(['MessageRejected', 'InvalidParameterValue']);
/** The request did not reach SES. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Converts an error to an outcome. Client errors and 503 mean that SES did not accept the mail; after other server errors,
 * timeouts and lost connections it may have accepted it.
 */
function toOutcome(error: unknown, from: string): SendOutcome {
  if (!(error instanceof Error)) throw error;
  if (REFUSALS.has(error.name)) return toRefusal(error.message, from);
  // Sending again within seconds does not help, unlike with the rate.
  if (error.name === 'Throttling' && /daily/i.test(error.message)) return { result: 'retry', reason: 'daily_quota' };
  const status = '$metadata' in error ? readStatus(error.$metadata) : undefined;
  const isNotSent =
    (status !== undefined && (status < 500 || status === 503)) || ('code' in error && NOT_CONNECTED.has(error.code));
  return { result: 'retry', reason: error.name, ...(isNotSent ? {} : { minSeconds: EVENT_SECONDS }) };
}

/** SES also rejects messages while the account is paused or its sender is not verified, which operators can change. */
function toRefusal(message: string, from: string): SendOutcome {
  if (/\b(?:paused|suspended|disabled)\b/i.test(message)) return { result: 'retry', reason: 'sending_paused' };
  if (!/not verified/i.test(message)) return { result: 'failed', reason: 'rejected' };
  const [, sender = from] = /<([^<>]*)>/.exec(from) ?? [];
  return { result: message.includes(sender) ? 'retry' : 'failed', reason: 'not_verified' };
}

function readStatus(metadata: unknown): number | undefined {
  const status = typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, 'httpStatusCode');
  return typeof status === 'number' ? status : undefined;
}
