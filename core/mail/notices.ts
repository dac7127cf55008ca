/**
 * The mails to members about new responses to a form. A job of the form takes what was collected and queues a mail to each member who
 * wants one, in one transaction, so that a mail is queued once for an interval and no response is left out.
 */
import { loadAccount } from '#core/accounts/accounts.ts';
import { change } from '#core/db/change.ts';
import { keys, lastPart } from '#core/db/keys.ts';
import type { Table, Write } from '#core/db/table.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { attemptEach, DONE, type JobHandler, type JobOutcome } from '#core/jobs/attempt.ts';
import { isSameJob, type Job, parseJob, removeJob } from '#core/jobs/job.ts';
import { arrivalsKey, type NoticeMail, type NoticeRound, parseArrivals, queueNoticeMail } from '#core/jobs/notices.ts';
import { endNotices } from '#core/organizations/notices.ts';
import { parseSubscriptions, type Subscriptions } from '#core/organizations/notices-list.ts';
import { readResponse } from '#core/responses/change.ts';
import { parseResponse } from '#core/responses/store.ts';
import type { Language } from '#core/schema/format.ts';
import { unsubscribeLink } from './invitation-mail.ts';
import { type NamedResponse, nextMorning, renderNoticeMail } from './notice-text.ts';
import type { MailPorts } from './ports.ts';
import { listSections } from './response-mail.ts';
import { type AddressedMail, mailHandler } from './sender.ts';

/** The time that must be left to queue the mails of a form. */
const ROUND_MS = 10_000;

/** Queues the mails about the new responses of a form. A daily job is attempted at once, to find out when it is morning. */
export const notices: JobHandler<MailPorts> = attemptEach<MailPorts, NoticeRound>({
  ...{ claimSeconds: 120, parallel: 5, minMs: ROUND_MS },
  attempt: async (app, job) => {
    const { data, queuedAt } = job;
    if (data.isTimed) return queueMails(app, job);
    const dueMs = nextMorning(new Date(queuedAt), app.config.timeZone).getTime();
    const seconds = Math.max(0, Math.ceil((dueMs - app.now().getTime()) / 1_000));
    return { result: 'continue', data: { ...data, isTimed: true }, seconds };
  },
});

/** Removes the job and what was collected, and queues the mails, together. The attempt then finds that its job was removed. */
async function queueMails(app: MailPorts, job: Job<NoticeRound>): Promise<JobOutcome> {
  const formId = lastPart(job.key.pk);
  const { frequency } = job.data;
  const key = arrivalsKey(formId, frequency);
  await change(
    { table: app.table },
    {
      reload: async () => {
        const [jobItem, gate, arrivalsItem, item] = await app.table.read([
          job.key,
          keys.formGate(formId),
          key,
          keys.notices(formId),
        ]);
        const arrivals = parseArrivals(arrivalsItem);
        return {
          isMine: isSameJob(parseJob(jobItem), job),
          hasGate: gate !== undefined,
          ...{ arrivals, subscriptions: parseSubscriptions(item) },
        };
      },
      decide: ({ isMine, hasGate, arrivals, subscriptions }) => {
        if (!isMine || !hasGate) return { writes: [], result: undefined };
        const { count = 0, responseIds = [] } = arrivals ?? {};
        const mail: NoticeMail = { count, responseIds };
        const readers = count > 0 ? listReaders(subscriptions, frequency) : [];
        const taken: Write = arrivals
          ? { remove: key, when: { equals: { id: arrivals.id, count: arrivals.count } } }
          : { check: key, when: { absent: true } };
        const now = app.now();
        return {
          writes: [removeJob(job), taken, ...readers.map((userId) => queueNoticeMail(formId, userId, mail, now))],
          result: undefined,
        };
      },
    },
  );
  return DONE;
}

/** Returns those of the responses that a mail names that are still submitted. */
async function listSubmitted(table: Table, { responseIds }: NoticeMail): Promise<string[]> {
  const items = await table.read(responseIds.map(keys.response));
  return responseIds.filter((_, index) => parseResponse(items[index])?.progress === 'SUBMITTED');
}

const listReaders = (subscriptions: Subscriptions | undefined, frequency: NoticeRound['frequency']): string[] =>
  Object.entries(subscriptions?.members ?? {}).flatMap(([userId, member]) =>
    member.frequency === frequency ? [userId] : [],
  );

// The mails.

/**
 * Sends the mail about new responses to a member, unless they want none any more, or are no member any more. Nothing of a mail that was
 * sent is kept.
 */
export const noticeMails = mailHandler<NoticeMail>(prepare, false);

async function prepare(app: MailPorts, { key, data }: Job<NoticeMail>): Promise<AddressedMail | JobOutcome> {
  const userId = lastPart(key.sk);
  const [gateItem, item] = await app.table.read([keys.formGate(lastPart(key.pk)), keys.notices(lastPart(key.pk))]);
  const gate = parseGate(gateItem);
  const subscription = parseSubscriptions(item)?.members[userId];
  if (!gate || !subscription) return DONE;
  const { formId, orgId, title } = gate;
  const account = await loadAccount(app.table, userId);
  const [to] = account?.emails ?? [];
  if (account?.memberships[orgId] === undefined) {
    await endNotices(app, { formId, userId });
    return DONE;
  }
  const responseIds = await listSubmitted(app.table, data);
  // Those that were withdrawn since are left out.
  const count = data.count - data.responseIds.length + responseIds.length;
  if (to === undefined || count === 0) return DONE;
  const { frequency, language } = subscription;
  const reader = { language: language ?? app.config.mail.language };
  return {
    to,
    ...renderNoticeMail({
      ...{ title, count, frequency, ...reader },
      link: `${app.config.publicUrl}/review/${formId}`,
      responses: await loadNamed(app.table, gate, responseIds, reader.language),
      unsubscribe: unsubscribeLink(
        app.config.publicUrl,
        await app.tokens.signUnsubscribe({ formId, userId }, app.now()),
      ),
    }),
  };
}

/** Loads the responses that a mail names, with their answers if the form allows these in mails to members. */
const loadNamed = (
  table: Table,
  { noticesWithAnswers }: Pick<Gate, 'noticesWithAnswers'>,
  responseIds: readonly string[],
  language: Language,
): Promise<NamedResponse[]> =>
  Promise.all(
    responseIds.map(async (id) => {
      const current = noticesWithAnswers ? await readResponse(table, id) : undefined;
      return { id, sections: current?.response.progress === 'SUBMITTED' ? listSections(current, language) : [] };
    }),
  );
