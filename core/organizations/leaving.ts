/** Ends the mails about new responses to somebody who has left an organization, as a job: each is in the list of its form. */
import { lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import type { Leaving } from '#core/jobs/leaving.ts';
import { endNotices } from './notices.ts';

/** The forms at once: each has a transaction of its own. */
const PARALLEL = 10;
/** The time that must be left to begin some. */
const GROUP_MS = 10_000;

export const leavings = attemptEach<Ports, Leaving>({ claimSeconds: 120, parallel: 2, minMs: GROUP_MS, attempt });

async function attempt(app: Ports, { key, data }: Job<Leaving>): Promise<JobOutcome> {
  const userId = lastPart(key.sk);
  const forms = Object.entries(data.forms);
  for (let start = 0; start < forms.length; start += PARALLEL) {
    if (remainingMs() < GROUP_MS)
      return { result: 'continue', data: { forms: Object.fromEntries(forms.slice(start)) }, seconds: 0 };
    const group = forms.slice(start, start + PARALLEL);
    // Who has come back and asks for the mails again has done so since another time.
    await Promise.all(group.map(([formId, since]) => endNotices(app, { formId, userId }, { since })));
  }
  return DONE;
}
