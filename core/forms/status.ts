/**
 * When a form may be seen, answered and moved: its status as data, judged by the server's clock
 * (contract section 4). Pure functions.
 */
import { type Fault, problems } from '#core/problems/problems.ts';
import type { Form, FormStatus } from './model.ts';

/** The moves of a form's status: from which states each may start, and where it leads. */
export const TRANSITIONS = {
  publish: { from: ['DRAFT'], to: 'PUBLISHED' },
  archive: { from: ['DRAFT', 'PUBLISHED', 'ARCHIVED'], to: 'ARCHIVED' },
  unarchive: { from: ['ARCHIVED'], to: 'DRAFT' },
} as const satisfies Record<string, { from: readonly FormStatus[]; to: FormStatus }>;
export type Transition = keyof typeof TRANSITIONS;

/** The form after a move; 400 when the move does not start from its status. */
export function moveForm(form: Form, transition: Transition): Form {
  const { from, to } = TRANSITIONS[transition];
  const allowed: readonly FormStatus[] = from;
  if (allowed.includes(form.status)) return { ...form, status: to };
  throw problems.wrongState(
    'wrong_form_status',
    `Cannot ${transition} a form that is ${form.status}; it must be ${from.join(' or ')}`,
  );
}

/** A form that somebody changed. */
export const edited = (form: Form, userId: string, now: string): Form => ({
  ...form,
  lastEditorId: userId,
  updatedAt: now,
});

/** Why a form takes no answers now, or null when it is open. */
export function closedBecause(form: Form, now: Date): string | null {
  if (form.status === 'DRAFT') return 'The form is a draft: it has not been published yet';
  if (form.status === 'ARCHIVED') return 'The form is archived';
  const at = now.toISOString();
  if (form.publishTime !== null && at < form.publishTime)
    return `The form is not yet open: it opens at ${form.publishTime}`;
  if (form.deadline !== null && at > form.deadline) return `The form is closed: its deadline was ${form.deadline}`;
  return null;
}

/** Whether a form takes answers now. */
export const isOpen = (form: Form, now: Date): boolean => closedBecause(form, now) === null;

/** 400 with the reason when a form takes no answers now. */
export function requireOpen(form: Form, now: Date): void {
  const reason = closedBecause(form, now);
  if (reason !== null) throw problems.wrongState('form_not_open', reason);
}

/** Faults of a form's settings taken together: a deadline comes after the time of publishing. */
export function settingFaults(form: Pick<Form, 'deadline' | 'publishTime'>): Fault[] {
  if (form.deadline === null || form.publishTime === null || form.deadline > form.publishTime) return [];
  return [{ pointer: '/body/deadline', detail: `must be after publishTime, which is ${form.publishTime}` }];
}
