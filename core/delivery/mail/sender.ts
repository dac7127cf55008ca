/**
 * Sends mails as deliveries. SES has no idempotency key: a delivery is claimed for as long as the Send event of its mail
 * may take, the mail has the delivery's id as its tag, and the event marks it as sent if the worker died before it could.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { remainingMs } from '#core/db/request-context.ts';
import { attemptEach, type DeliveryHandler, type Outcome } from '#core/delivery/attempt.ts';
import type { DeliveryPorts, Mail, MailContent, SendResult } from '#core/delivery/ports.ts';
import type { Delivery } from '#core/outbox/delivery.ts';
import { mailIdOf } from './mail-id.ts';

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
export const mailHandler = <T extends object>(prepare: Prepare<T>, accepted: Outcome): DeliveryHandler<DeliveryPorts> =>
  attemptEach<DeliveryPorts, T>({
    claimSeconds: EVENT_SECONDS,
    parallel: PARALLEL,
    minMs: MAIL_MS,
    attempt: (app, delivery) => send(app, delivery, prepare, accepted),
  });

type Prepare<T extends object> = (app: DeliveryPorts, delivery: Delivery<T>) => Promise<Addressed | Outcome>;

async function send<T extends object>(
  app: DeliveryPorts,
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
async function sendWithinRate(app: DeliveryPorts, mail: Mail): Promise<SendResult> {
  for (let tries = 1; ; tries += 1) {
    // Each try follows the refusal of the one before.
    const sent = await app.mail.send(mail);
    const isThrottled = sent.outcome === 'not_sent' && sent.reason.startsWith('Throttling');
    if (!isThrottled || tries === MAX_TRIES || remainingMs() < MAIL_MS) return sent;
    await sleep(1_000 * Math.random() + 500);
  }
}
