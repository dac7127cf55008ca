/** Whether a form accepts responses, as its respondents see it. */
import type { Opening } from '#core/forms/gate.ts';

export type FormState = 'open' | 'not-yet' | 'closed' | 'archived' | 'draft';

/** Returns the state of a form at a time. */
export function getFormState({ status, publishTime, deadline }: Opening, now: Date): FormState {
  if (status !== 'PUBLISHED') return status === 'DRAFT' ? 'draft' : 'archived';
  const time = now.toISOString();
  if (publishTime !== null && time < publishTime) return 'not-yet';
  return deadline !== null && time > deadline ? 'closed' : 'open';
}
