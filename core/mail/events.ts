/**
 * Records what SES reports about mails: sent, bounced, complained about, rejected. The delivery of a response mail, of an invitation and
 * of a reminder keep their status; that of another mail is removed once it was sent.
 */
import * as z from 'zod';
import { change } from '#core/db/change.ts';
import { lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import {
  completeJob,
  failJob,
  isPending,
  type Job,
  type JobKind,
  parseJob,
  removeJob,
  replaceJob,
} from '#core/jobs/job.ts';
import { schema } from '#core/schema/schema.ts';
import { type CountedMail, followReport, type MailReport, parseReported, reportKeys } from './invitation-mail.ts';
import { parseMailId } from './sender.ts';

/** The members of an event that are used, as EventBridge delivers it. */
const MailEvent = schema(() =>
  z.object({
    detail: z.object({
      eventType: z.string(),
      mail: z.object({ tags: z.record(z.string(), z.array(z.string())).optional() }),
      bounce: z.object({ bounceType: z.string(), bounceSubType: z.string() }).optional(),
    }),
  }),
);
type Detail = z.output<ReturnType<typeof MailEvent>>['detail'];

/**
 * Records an event; events may come more than once and in any order. Returns whether it changed a delivery. Events of
 * other mails, or of an earlier delivery to the same response, change nothing.
 */
export async function recordMailEvent(app: Pick<Ports, 'table' | 'now'>, event: unknown): Promise<boolean> {
  const { detail } = MailEvent().parse(event);
  const mail = parseMailId(detail.mail.tags?.delivery?.[0] ?? '');
  if (!mail) return false;
  // Nothing is kept of a notice that was sent; its id names who gets such mails, and the form.
  if (mail.key.sk.startsWith(NOTICE) && UNWANTED.has(readReport(detail))) {
    const { endNotices } = await import('#core/organizations/notices.ts');
    await endNotices(app, { formId: lastPart(mail.key.pk), userId: lastPart(mail.key.sk) }, { sentAt: mail.queuedAt });
  }
  return change(app, {
    reload: async () => {
      const before = parseJob((await app.table.read([mail.key]))[0]);
      const reported = isCounted(before) ? parseReported(await app.table.read(reportKeys(before))) : undefined;
      return { before, reported };
    },
    decide: ({ before, reported }) => {
      const now = app.now();
      const next = before?.queuedAt === mail.queuedAt ? applyEvent(before, detail, now) : undefined;
      if (!before || !next) return { writes: [], result: false };
      const more = isCounted(before) && reported ? followReport(before, readReport(detail), reported, now) : [];
      const mustRemove = !RECORDED.has(before.kind) && next.state === 'DONE';
      return { writes: [mustRemove ? removeJob(before) : replaceJob(next, before), ...more], result: true };
    },
  });
}

/** The kinds of mails whose delivery stays when they were sent. */
const RECORDED: ReadonlySet<JobKind> = new Set(['response-mail', 'invitation-mail', 'draft-reminder']);

/** How the key of a notice to a member begins, and what about it ends such mails. */
const NOTICE = 'NOTICES#MAIL#';
const UNWANTED: ReadonlySet<MailReport> = new Set(['bounced-for-good', 'complained']);

/** Whether a mail is counted for its organization, whose mails are paused when too many come back. */
const isCounted = (job: Job | undefined): job is Job<CountedMail> =>
  job?.kind === 'invitation-mail' || job?.kind === 'draft-reminder';

/** Reads what an event that changes a delivery says about its mail. */
function readReport({ eventType, bounce }: Detail): MailReport {
  if (eventType === 'Bounce') return bounce?.bounceType === 'Permanent' ? 'bounced-for-good' : 'bounced';
  if (eventType === 'Complaint') return 'complained';
  return eventType === 'Reject' ? 'rejected' : 'sent';
}

/** Returns the delivery after an event; undefined when it does not change. */
function applyEvent(job: Job, { eventType, bounce }: Detail, now: Date): Job | undefined {
  switch (eventType) {
    case 'Send':
    case 'Delivery':
      return isPending(job) ? completeJob(job, now) : undefined;
    case 'Bounce':
      // The reply of an out-of-office program is reported as a bounce of this kind.
      if (bounce?.bounceType === 'Transient' && bounce.bounceSubType === 'General') return undefined;
      return failUnlessRecorded(job, 'bounced', now);
    case 'Complaint':
      return failUnlessRecorded(job, 'complained', now);
    case 'Reject':
      return failUnlessRecorded(job, 'rejected', now);
    default:
      return undefined;
  }
}

const failUnlessRecorded = (job: Job, reason: string, now: Date): Job | undefined =>
  job.state === 'FAILED' && job.reason === reason ? undefined : failJob(job, reason, now);
