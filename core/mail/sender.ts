/**
 * Sends mails as jobs. SES has no idempotency key: a job is claimed for as long as the Send event of its mail
 * may take, the mail has the job's id as its tag, and the event marks it as sent if the worker died before it could.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Key, keys, lastPart } from '#core/db/keys.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { attemptEach, type JobHandler, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
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
export type AddressedMail = MailContent & { to: string };

/**
 * Builds the handler of a kind of mail. `prepare` returns the mail of a job, or its outcome when none is to be sent;
 * `accepted` is the outcome of a mail that SES accepted.
 */
export const mailHandler = <T extends object>(prepare: Prepare<T>, accepted: JobOutcome): JobHandler<MailPorts> =>
  attemptEach<MailPorts, T>({
    claimSeconds: EVENT_SECONDS,
    parallel: PARALLEL,
    minMs: MAIL_MS,
    attempt: (app, job) => sendMail(app, job, prepare, accepted),
  });

type Prepare<T extends object> = (app: MailPorts, job: Job<T>) => Promise<AddressedMail | JobOutcome>;

async function sendMail<T extends object>(
  app: MailPorts,
  job: Job<T>,
  prepare: Prepare<T>,
  accepted: JobOutcome,
): Promise<JobOutcome> {
  const prepared = await prepare(app, job);
  if ('result' in prepared) return prepared;
  const result = await sendWithinRate(app, { id: buildMailId(job), ...prepared });
  if (result.outcome === 'accepted') return accepted;
  if (result.outcome === 'refused') return { result: 'failed', reason: result.reason };
  return { result: 'retry', reason: result.reason, minSeconds: result.outcome === 'unknown' ? EVENT_SECONDS : 0 };
}

/**
 * Sends a mail, again after a second while the account sends more per second than it may: many submissions at once
 * would otherwise wait for hours, because pauses grow.
 */
async function sendWithinRate(app: MailPorts, mail: Mail): Promise<SendResult> {
  for (let tries = 1; ; tries += 1) {
    // Each try follows the refusal of the one before.
    const result = await app.mail.send(mail);
    const isThrottled = result.outcome === 'not_sent' && result.reason.startsWith('Throttling');
    if (!isThrottled || tries === MAX_TRIES || remainingMs() < MAIL_MS) return result;
    await sleep(1_000 * Math.random() + 500);
  }
}

// The id of a mail: the message tag by which events about it are recognized, of letters, digits, - and _. It names the
// item of the job and when it was queued, so that events of an earlier mail are distinguished.

/** A time in milliseconds has 13 digits until the year 2286; more digits may be no time at all. */
const ID = /^(response|export)_([0-9a-f-]{36})_(\d{1,13})$/;

/** Builds the id of the mail of a job. */
export function buildMailId({ key, kind, queuedAt }: Pick<Job, 'key' | 'kind' | 'queuedAt'>): string {
  const about = kind === 'export-mail' ? `export_${lastPart(key.sk)}` : `response_${lastPart(key.pk)}`;
  return `${about}_${Date.parse(queuedAt)}`;
}

/** Parses the key of the job of a mail, and when it was queued; undefined for other mails. */
export function parseMailId(id: string): { key: Key; queuedAt: string } | undefined {
  const [, about, aboutId = '', time] = ID.exec(id) ?? [];
  if (about === undefined) return undefined;
  const key = about === 'export' ? keys.exportMail(aboutId) : keys.delivery(aboutId, 'email');
  return { key, queuedAt: new Date(Number(time)).toISOString() };
}
