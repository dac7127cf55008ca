/** Response mails in tests: a local SES for a test file, and workers that run when the test says so. */
import { afterAll, beforeAll } from 'vitest';
import { sesMail } from '#core/aws/ses-mail.ts';
import { keys } from '#core/db/keys.ts';
import { type App, app, replaceApp } from '#core/http/app.ts';
import { newDelivery, replaceDelivery, sent } from '#core/outbox/delivery.ts';
import type { DeliveryFate } from '#core/responses/delivery-model.ts';
import { responseOf } from '#core/responses/store.ts';
import { handler as recordEvents } from '#functions/workers/mail-events.ts';
import { handler as sweep } from '#functions/workers/sweep.ts';
import type { StoredMail } from '#stacks/local/mailbox.ts';
import { type LocalSes, type MailEvent, startSes } from '#stacks/local/ses.ts';
import { LOCAL_SES } from '#stacks/local/settings.ts';
import type { Person } from './fixtures.ts';

/** The Lambda context of a worker that has a minute. */
const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'test' } as Parameters<typeof sweep>[1];

export type Post = {
  ses: LocalSes;
  /** The events of SES that the workers have not received yet. */
  events: MailEvent[];
};

/** Gives the test file its own SES. */
export function ownPost(): () => Post {
  const events: MailEvent[] = [];
  let ses: LocalSes | undefined;
  let before: App | undefined;
  beforeAll(async () => {
    ses = await startSes({ directory: null, ...LOCAL_SES, rate: 1e6, onEvent: (event) => events.push(event) });
    const { region, mail } = app().config;
    before = replaceApp({
      ...app(),
      mail: sesMail({ region, mail: { ...mail, endpoint: ses.endpoint } }),
    });
  });
  afterAll(async () => {
    if (before) replaceApp(before);
    await ses?.stop();
  });
  return () => {
    if (!ses) throw new Error('SES is started before the first test');
    return { ses, events };
  };
}

/** Runs the worker that attempts what is due, once. */
export const runSweep = (): Promise<void> => sweep({}, context);

/** Gives the worker events of SES: by default all that it has not received yet, in their order. */
export async function receiveEvents({ events }: Post, chosen = events.splice(0)): Promise<void> {
  for (const event of chosen) await recordEvents(event, context);
}

/** The mails to a person, oldest first. */
export const mailsTo = ({ ses }: Post, { email }: Pick<Person, 'email'>): StoredMail[] =>
  ses.mailbox
    .list()
    .filter(({ to }) => to.includes(email))
    .reverse();

/** The fate of the mail of a response, as a member sees it. */
export const mailFate = async (
  { client }: Person,
  formId: string,
  responseId: string,
): Promise<DeliveryFate | undefined> =>
  (await client.responses.getResponse({ params: { formId, responseId } })).body.deliveries?.email;

/** Stores that the mail of a submitted response was sent. */
export async function sentMail(responseId: string): Promise<void> {
  const { table, now } = app();
  const [item] = await table.read([keys.response(responseId)]);
  const data = { submittedAt: responseOf(item)?.submittedAt };
  const mail = { key: keys.delivery(responseId, 'email'), kind: 'response-mail' as const, data };
  const queued = newDelivery(mail, now());
  const write = replaceDelivery(sent(queued, now()), queued);
  // Without its condition, so that there need be no such item yet.
  if ('put' in write) await table.write([{ put: write.put }]);
}
