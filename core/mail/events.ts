/**
 * Records what SES reports about mails: sent, bounced, complained about, rejected. The delivery of a response mail keeps
 * its status; that of another mail is removed once it was sent.
 */
import * as z from 'zod';
import { change } from '#core/db/change.ts';
import type { Ports } from '#core/db/ports.ts';
import { completeJob, failJob, isPending, type Job, parseJob, removeJob, replaceJob } from '#core/jobs/job.ts';
import { schema } from '#core/schema/schema.ts';
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
  return change(app, {
    reload: async () => parseJob((await app.table.read([mail.key]))[0]),
    decide: (before) => {
      const next = before?.queuedAt === mail.queuedAt ? applyEvent(before, detail, app.now()) : undefined;
      if (!before || !next) return { writes: [], result: false };
      const mustRemove = before.kind !== 'response-mail' && next.state === 'DONE';
      return { writes: [mustRemove ? removeJob(before) : replaceJob(next, before)], result: true };
    },
  });
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
