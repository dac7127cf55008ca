/** The mails that tell the admins of an organization that a form will keep responses or drafts for a shorter time. */
import { loadAccounts } from '#core/accounts/accounts.ts';
import { keys, lastPart } from '#core/db/keys.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import type { RetentionMail, RetentionNotice } from '#core/forms/keeping.ts';
import type { Shortening } from '#core/forms/model.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import { type Job, queueJob } from '#core/jobs/job.ts';
import { listAdminIds, loadMemberRole } from '#core/organizations/store.ts';
import { formatDateTime, type Language } from '#core/schema/format.ts';
import { GUEST_DRAFT_DAYS } from '#core/schema/limits.ts';
import type { MailContent, MailPorts } from './ports.ts';
import { type AddressedMail, mailHandler, mailTexts, renderNotice } from './sender.ts';

type Announcement = {
  language: Language;
  timeZone: string;
  /** The title of the form. */
  title: string;
  /** The name of who changed it; undefined when they have none, or no account any more. */
  by: string | undefined;
  /** When it acts. */
  from: string;
  /** After how many days something is deleted; undefined for what is not deleted sooner. */
  days: { submitted: number | undefined; drafts: number | undefined };
  /** The address of the settings of the form. */
  link: string;
};

/** Renders the mail to an admin. */
export function renderRetentionMail({ language, timeZone, title, by, from, days, link }: Announcement): MailContent {
  const texts = mailTexts(language);
  return renderNotice({
    language,
    subject: texts.retentionSubject(title),
    heading: texts.retentionSubject(title),
    introduction: texts.retentionIntroduction(by, formatDateTime({ language, timeZone }, from, 'zone'), days),
    button: texts.openSettings,
    link,
    reason: texts.retentionReason,
  });
}

/** The number of members of whom the admins are told in one step. */
const STEP = 25;

/** Queues the mail to each admin once; a step can be repeated. */
export const retentionNotices = attemptEach<MailPorts, RetentionNotice>({
  claimSeconds: 60,
  parallel: 5,
  minMs: 10_000,
  attempt: async ({ table, now }, { key, data: { after, ...data } }) => {
    const gate = await loadAnnounced({ table }, lastPart(key.pk), data);
    if (!gate) return DONE;
    const { items, last } = await listAdminIds(table, gate.orgId, { after, limit: STEP });
    await Promise.all(items.map((userId) => wasWritten(table, [queueMail(gate.formId, userId, data, now())])));
    return last === null ? DONE : { result: 'continue', data: { ...data, after: last }, seconds: 0 };
  },
});

/** Builds the write that queues the mail to an admin, unless it was queued before. */
const queueMail = (formId: string, userId: string, data: RetentionMail, now: Date): Write => {
  const announced = Date.parse(data.from);
  const mail = { key: keys.retention(formId, userId), kind: 'retention-mail' as const, data };
  return { ...queueJob<RetentionMail>({ ...mail, attributes: { announced } }, now), when: { below: { announced } } };
};

/** Loads the gate of a form whose settings still act from the announced time; undefined when that was taken back, or changed again. */
async function loadAnnounced(
  { table }: Pick<MailPorts, 'table'>,
  formKey: string,
  { from }: RetentionMail,
): Promise<(Gate & { shortening: Shortening }) | undefined> {
  const [item] = await table.read([keys.formGate(formKey)]);
  const gate = parseGate(item);
  return gate?.shortening?.from === from ? { ...gate, shortening: gate.shortening } : undefined;
}

/** Sends the mails to admins. What was sent stays as the record that it was. */
export const retentionMails = mailHandler<RetentionMail>(prepare, true);

async function prepare(app: MailPorts, { key, data }: Job<RetentionMail>): Promise<AddressedMail | JobOutcome> {
  const userId = lastPart(key.sk);
  const gate = await loadAnnounced(app, lastPart(key.pk), data);
  if (!gate) return DONE;
  const [role, accounts] = await Promise.all([
    loadMemberRole(app.table, gate.orgId, userId),
    loadAccounts(app.table, [userId, data.by]),
  ]);
  const to = accounts.get(userId)?.emails[0];
  if (role !== 'ADMIN' || to === undefined) return DONE;
  const { shortening, title, retentionDays, draftDays } = gate;
  const isSooner = (days: number | null, before: number | null): boolean =>
    days !== null && (before === null || days < before);
  const link = `${app.config.publicUrl}/build/${gate.formId}/settings`;
  return {
    to,
    ...renderRetentionMail({
      ...{ language: app.config.mail.language, timeZone: app.config.timeZone, title, link, from: data.from },
      by: accounts.get(data.by)?.name || undefined,
      days: {
        submitted: isSooner(retentionDays, shortening.submitted) ? (retentionDays ?? undefined) : undefined,
        drafts:
          isSooner(draftDays, shortening.drafts) || isSooner(draftDays ?? GUEST_DRAFT_DAYS, shortening.guestDrafts)
            ? (draftDays ?? GUEST_DRAFT_DAYS)
            : undefined,
      },
    }),
  };
}
