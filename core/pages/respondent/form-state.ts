/** Whether a form takes responses, as its respondents are told. */
import type { Opening } from '#core/forms/gate.ts';

export type FormState = 'open' | 'not-yet' | 'closed' | 'archived' | 'draft';

/** The state of a form at a time. */
export function formState({ status, publishTime, deadline }: Opening, now: Date): FormState {
  if (status !== 'PUBLISHED') return status === 'DRAFT' ? 'draft' : 'archived';
  const time = now.toISOString();
  if (publishTime !== null && time < publishTime) return 'not-yet';
  return deadline !== null && time > deadline ? 'closed' : 'open';
}
