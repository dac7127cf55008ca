/** The jobs that send invitations, as they are stored, and whether a form takes invited guests. */
import type { Recipients } from '#core/accounts/invitation.ts';
import { type Gate, getFormState } from '#core/forms/gate.ts';
import type { Language } from '#core/schema/format.ts';

/**
 * The data of a sending: what is sent, to whom, and since when. `id`: of the press that began it, if it came from a page. `queued`: how
 * many mails it has queued. A second pass finds those whom a lagging index has left out; `after`: where a pass continues.
 */
export type Sending = {
  id: string | null;
  to: Recipients;
  subject: string;
  text: string;
  language: Language | null;
  startedAt: string;
  queued: number;
  pass: 1 | 2;
  after?: string | undefined;
  stoppedAt?: string | undefined;
};

/** The data of a mail to a guest. `sending`: when the sending began, in milliseconds. */
export type InvitationMail = { sending: number; isReminder: boolean; orgId: string; addressHash: string };

/** When a mail is attempted again whose organization is paused. */
export const PAUSED_SECONDS = 15 * 60;

/** Whether an invitation to a form can be used now, or when the form opens. */
export const takesInvited = (gate: Gate, now: Date): boolean =>
  gate.audience === 'INVITED' && ['open', 'not-yet'].includes(getFormState(gate, now));
