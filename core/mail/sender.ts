/**
 * Sends mails as deliveries. SES has no idempotency key: a delivery is claimed for as long as the Send event of its mail
 * may take, the mail has the delivery's id as its tag, and the event marks it as sent if the worker died before it could.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Key, keys, lastPart } from '#core/db/keys.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { attemptEach, type DeliveryHandler, type Outcome } from '#core/jobs/attempt.ts';
import type { Delivery } from '#core/jobs/job.ts';
import type { Mail, MailContent, MailPorts, SendResult } from './ports.ts';

/** How long a Send event may take: before, a mail that may have been sent is not sent again. */
const EVENT_SECONDS = 15 * 60;
/** The mails that are sent at once: SES accepts a limited number per second. */
const PARALLEL = 5;
/** The time that one mail may take: the limit of the mail port, and storage. */
const MAIL_MS = 12_000;

/** How often one attempt sends a mail that exceeds the rate of the account. */
const MAX_TRIES = 5;

/** A mail without its id. */
export type Addressed = MailContent & { to: string };

/**
 * The handler of a kind of mail. `prepare` returns the mail of a delivery, or its outcome when none is to be sent;
 * `accepted` is the outcome of a mail that SES accepted.
 */
export const mailHandler = <T extends object>(prepare: Prepare<T>, accepted: Outcome): DeliveryHandler<MailPorts> =>
  attemptEach<MailPorts, T>({
    claimSeconds: EVENT_SECONDS,
    parallel: PARALLEL,
    minMs: MAIL_MS,
    attempt: (app, delivery) => send(app, delivery, prepare, accepted),
  });

type Prepare<T extends object> = (app: MailPorts, delivery: Delivery<T>) => Promise<Addressed | Outcome>;

async function send<T extends object>(
  app: MailPorts,
  delivery: Delivery<T>,
  prepare: Prepare<T>,
  accepted: Outcome,
): Promise<Outcome> {
  const prepared = await prepare(app, delivery);
  if ('result' in prepared) return prepared;
  const sent = await sendWithinRate(app, { id: mailIdOf(delivery), ...prepared });
  if (sent.outcome === 'accepted') return accepted;
  if (sent.outcome === 'refused') return { result: 'failed', reason: sent.reason };
  return { result: 'retry', reason: sent.reason, minSeconds: sent.outcome === 'unknown' ? EVENT_SECONDS : 0 };
}

/**
 * Sends a mail, again after a second while the account sends more per second than it may: many submissions at once
 * would otherwise wait for hours, because pauses grow.
 */
async function sendWithinRate(app: MailPorts, mail: Mail): Promise<SendResult> {
  for (let tries = 1; ; tries += 1) {
    // Each try follows the refusal of the one before.
    const sent = await app.mail.send(mail);
    const isThrottled = sent.outcome === 'not_sent' && sent.reason.startsWith('Throttling');
    if (!isThrottled || tries === MAX_TRIES || remainingMs() < MAIL_MS) return sent;
    await sleep(1_000 * Math.random() + 500);
  }
}

// The id of a mail: the message tag by which events about it are recognized, of letters, digits, - and _. It names the
// item of the delivery and when it was queued, so that events of an earlier mail are told apart.

/** A time in milliseconds has 13 digits until the year 2286; more digits may be no time at all. */
const ID = /^(response|export)_([0-9a-f-]{36})_(\d{1,13})$/;

/** The id of the mail of a delivery. */
export function mailIdOf({ key, kind, queuedAt }: Pick<Delivery, 'key' | 'kind' | 'queuedAt'>): string {
  const about = kind === 'export-mail' ? `export_${lastPart(key.sk)}` : `response_${lastPart(key.pk)}`;
  return `${about}_${Date.parse(queuedAt)}`;
}

/** The key of the delivery of a mail, and when it was queued; undefined for other mails. */
export function parseMailId(id: string): { key: Key; queuedAt: string } | undefined {
  const [, about, aboutId = '', time] = ID.exec(id) ?? [];
  if (about === undefined) return undefined;
  const key = about === 'export' ? keys.exportMail(aboutId) : keys.delivery(aboutId, 'email');
  return { key, queuedAt: new Date(Number(time)).toISOString() };
}
