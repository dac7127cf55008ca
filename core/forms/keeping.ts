/**
 * How long a form keeps what people store in it: submitted responses and drafts. To keep them for a shorter time acts later, so that it
 * can be taken back before anything is deleted; to keep them longer acts at once.
 */
import type { Role } from '#core/access/access.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { restartExpiry } from '#core/jobs/expiry.ts';
import { queueJob } from '#core/jobs/job.ts';
import { problems } from '#core/problems/problems.ts';
import { timeAfter } from '#core/schema/format.ts';
import { GUEST_DRAFT_DAYS } from '#core/schema/limits.ts';
import type { Form, KeptDays } from './model.ts';

/** The fields of a form that decide how long it keeps something. */
export type Keeping = Pick<Form, 'retentionDays' | 'draftDays' | 'shortening'>;

/** The data of the job that announces a shortening to the admins: since when it acts, who asked for it, where the list continues. */
export type RetentionNotice = { from: string; by: string; after?: string | undefined };

/** The data of the mail to one of them. */
export type RetentionMail = Omit<RetentionNotice, 'after'>;

/** How long a shorter time can be taken back. */
export const SHORTENING_SECONDS = 48 * 60 * 60;

const KINDS = ['submitted', 'drafts', 'guestDrafts'] as const;

/** How long a form with these settings keeps what is stored, once they act. */
const chosenDays = ({ retentionDays, draftDays }: Pick<Form, 'retentionDays' | 'draftDays'>): KeptDays => ({
  submitted: retentionDays,
  drafts: draftDays,
  guestDrafts: draftDays ?? GUEST_DRAFT_DAYS,
});

/** Returns how long a form keeps what is stored, at a time. */
export function keptDays(form: Keeping, now: Date): KeptDays {
  const { shortening } = form;
  return shortening && now.toISOString() < shortening.from ? shortening : chosenDays(form);
}

/** Returns from when shorter settings act; null if all settings act already. */
export const shortenedFrom = ({ shortening }: Keeping, now: Date): string | null =>
  shortening && now.toISOString() < shortening.from ? shortening.from : null;

const ENDLESS = Number.POSITIVE_INFINITY;
const isShorter = (a: KeptDays, b: KeptDays): boolean =>
  KINDS.some((kind) => (a[kind] ?? ENDLESS) < (b[kind] ?? ENDLESS));
const longer = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);

/** Whether a form with other settings keeps something for a shorter time than it would with the present ones. */
export const shortens = (next: Pick<Form, 'retentionDays' | 'draftDays'>, before: Form): boolean =>
  isShorter(chosenDays(next), chosenDays(before));

/** Whether responses of a form are deleted for their age, other than drafts of guests. */
export const hasLimits = ({ retentionDays, draftDays }: Pick<Form, 'retentionDays' | 'draftDays'>): boolean =>
  retentionDays !== null || draftDays !== null;

/**
 * Returns a form after a change of its settings with what acts until a shorter time does, and the writes that follow: the job looks at
 * the form again, and admins are told. Throws 403 when something is to be kept for a shorter time by somebody who may not delete
 * responses.
 */
export async function changeKeeping(
  { table, now }: Pick<ChangePorts, 'table' | 'now'>,
  before: Form,
  changed: Form,
  { userId, roles }: { userId: string; roles: readonly Role[] },
): Promise<{ next: Form; writes: Write[] }> {
  if (changed.retentionDays === before.retentionDays && changed.draftDays === before.draftDays)
    return { next: changed, writes: [] };
  const time = now();
  const isShortened = shortens(changed, before);
  if (isShortened && !roles.includes('admin') && !roles.includes('creator'))
    throw problems.forbidden(
      'Only admins of the organization and the member who created the form can have responses or drafts deleted sooner.',
    );
  const [chosen, acting] = [chosenDays(changed), keptDays(before, time)];
  const { shortening: _before, ...settled } = changed;
  const [item] = await table.read([keys.expiry(before.id)]);
  const look = restartExpiry(before.id, item, time);
  if (!isShorter(chosen, acting)) return { next: settled, writes: [look] };
  const soonest = isShortened ? null : shortenedFrom(before, time);
  const from = soonest ?? timeAfter(time, SHORTENING_SECONDS);
  const until = Object.fromEntries(KINDS.map((kind) => [kind, longer(chosen[kind], acting[kind])])) as KeptDays;
  return {
    next: { ...settled, shortening: { ...until, from } },
    writes: [look, ...(soonest === null ? [announce(before.id, { from, by: userId }, time)] : [])],
  };
}

const announce = (formId: string, data: RetentionNotice, now: Date): Write =>
  queueJob<RetentionNotice>({ key: keys.retention(formId), kind: 'retention-notice', data }, now);
