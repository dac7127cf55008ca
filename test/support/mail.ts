/** Mails in tests: a local SES for a test file, its events, and mails that were attempted before. */
import { sesMail } from '#core/aws/ses-mail.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { completeJob, newJob, replaceJob } from '#core/jobs/job.ts';
import type { ResponseMail } from '#core/responses/delivery-model.ts';
import { parseResponse } from '#core/responses/store.ts';
import { handler as recordEvents } from '#functions/workers/mail-events.ts';
import { LOCAL_SES } from '#stacks/local/environment.ts';
import type { StoredMail } from '#stacks/local/mail/mailbox.ts';
import { type LocalSes, type MailEvent, startSes } from '#stacks/local/mail/ses.ts';
import { ownService } from './faults.ts';
import type { Person } from './fixtures.ts';
import { pass } from './responses.ts';
import { workerContext } from './sweeps.ts';
import { deliverStream, runWorker } from './workers.ts';

type TestMail = {
  ses: LocalSes;
  /** The events of SES that the workers have not received yet. */
  events: MailEvent[];
};

/** Gives the test file its own SES. */
export function ownSes(): () => TestMail {
  const events: MailEvent[] = [];
  const onEvent = (event: MailEvent) => events.push(event);
  const ses = ownService(
    () => startSes({ directory: null, ...LOCAL_SES, rate: 1e6, onEvent }),
    ({ endpoint }) => {
      const { region, mail } = app().config;
      return { mail: sesMail({ region, mail: { ...mail, endpoint } }) };
    },
  );
  return () => ({ ses: ses(), events });
}

/** Gives the worker events of SES: by default all that it has not received yet, in their order. */
export async function receiveEvents({ events }: TestMail, chosen = events.splice(0)): Promise<void> {
  for (const event of chosen) await recordEvents(event, workerContext());
}

/** Lets the workers do what is queued, and SES report, also what is due some minutes later; by the clock of `castAt`. */
export async function workForMinutes(mail: TestMail): Promise<void> {
  for (let minutes = 0; minutes < 3; minutes += 1) {
    await deliverStream();
    await receiveEvents(mail);
    pass(61);
    await runWorker('sweep');
  }
}

/** The mails to a person, oldest first. */
export const mailsTo = ({ ses }: TestMail, { email }: Pick<Person, 'email'>): StoredMail[] =>
  ses.mailbox
    .list()
    .filter(({ to }) => to.includes(email))
    .reverse();

/**
 * Stores the mail of a submission as the worker leaves it: sent, or bounced for good. `changes`: where the
 * data of its delivery is not that of the submission that stands.
 */
export async function storeMail(
  responseId: string,
  status: 'sent' | 'bounced',
  changes: Partial<ResponseMail> = {},
): Promise<void> {
  const { table, now } = app();
  const [item] = await table.read([keys.response(responseId)]);
  const data = { submittedAt: parseResponse(item)?.submittedAt, ...changes };
  const queued = newJob({ key: keys.delivery(responseId, 'email'), kind: 'response-mail', data }, now());
  const bounced = { ...queued, state: 'FAILED', reason: 'bounced', attempts: 1 } as const;
  const write = replaceJob(status === 'sent' ? completeJob(queued, now()) : bounced, queued);
  // Without its condition, so that there need be no such item yet.
  if ('put' in write) await table.write([{ put: write.put }]);
}
