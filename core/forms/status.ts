/** The status transitions of forms, and faults between their settings. Pure functions. */
import { type Fault, problems } from '#core/problems/problems.ts';
import type { Form, FormStatus } from './model.ts';

/** The transitions of a form's status: the allowed current statuses, and the resulting one. */
const TRANSITIONS = {
  publish: { from: ['DRAFT'], to: 'PUBLISHED' },
  archive: { from: ['DRAFT', 'PUBLISHED', 'ARCHIVED'], to: 'ARCHIVED' },
  unarchive: { from: ['ARCHIVED'], to: 'DRAFT' },
} as const satisfies Record<string, { from: readonly FormStatus[]; to: FormStatus }>;
type Transition = keyof typeof TRANSITIONS;

/** The form after a transition. Throws 400 when its status does not allow the transition. */
export function moveForm(form: Form, transition: Transition): Form {
  const { from, to } = TRANSITIONS[transition];
  const allowed: readonly FormStatus[] = from;
  if (allowed.includes(form.status)) return { ...form, status: to };
  throw problems.wrongFormStatus(transition, form.status, from);
}

/** A form with its last editor and the time of the edit. */
export const edited = (form: Form, userId: string, now: string): Form => ({
  ...form,
  lastEditorId: userId,
  updatedAt: now,
});

/** Faults between settings of a form: the deadline must be after the publish time. */
export function settingFaults(form: Pick<Form, 'deadline' | 'publishTime'>): Fault[] {
  if (form.deadline === null || form.publishTime === null || form.deadline > form.publishTime) return [];
  return [{ pointer: '/body/deadline', detail: `must be after publishTime, which is ${form.publishTime}` }];
}
