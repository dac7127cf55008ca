/**
 * The mails that invite guests and remind them: plain text that an admin has written, after the name of the organization, and before
 * the link of the guest and one that ends such mails.
 */
import {
  type Invitation,
  isRecipient,
  noteMailFault,
  noteSent,
  parseInvitation,
  parseNumbering,
} from '#core/accounts/invitation.ts';
import { codeLink, writeCode } from '#core/accounts/invitation-code.ts';
import { keys, lastPart } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import { DONE, type JobHandler, type JobOutcome } from '#core/jobs/attempt.ts';
import { type Job, parseJob } from '#core/jobs/job.ts';
import {
  countBounce,
  loadNoMails,
  parseGuestMails,
  pauseForComplaint,
  type StoredGuestMails,
  stopMailsTo,
} from '#core/organizations/guest-mails.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { type InvitationMail, PAUSED_SECONDS, type Sending, takesInvited } from './invitation-job.ts';
import { renderInvitationMail } from './invitation-text.ts';
import type { MailPorts } from './ports.ts';
import { type AddressedMail, mailHandler } from './sender.ts';

/**
 * Sends the mails to guests. One is left out if its sending was stopped or is over, or the guest was revoked, has submitted the response
 * of which they would be reminded, or wants no mails since; it waits while the organization is paused. What was sent stays as the record,
 * so that a bounce finds the organization.
 */
export const invitationMails: JobHandler<MailPorts> = {
  ...mailHandler<InvitationMail>(prepare, true),
  onEnd: (job, now) => [noteEnd(job as Job<InvitationMail>, now)],
};

/** Builds the write that notes at the guest how a mail has ended. */
const noteEnd = ({ key, state, data }: Job<InvitationMail>, now: Date): Write =>
  state === 'DONE'
    ? noteSent(lastPart(key.sk), data.isReminder ? 'remindedAt' : 'sentAt', now)
    : noteMailFault(lastPart(key.sk), 'failed');

async function prepare(app: MailPorts, { key, data }: Job<InvitationMail>): Promise<AddressedMail | JobOutcome> {
  const guestId = lastPart(key.sk);
  const { orgId, addressHash } = data;
  const [guestItem, gateItem, sendingItem, numberingItem, mailsItem] = await app.table.read([
    keys.guest(guestId),
    keys.formGate(guestId),
    keys.sending(guestId),
    keys.invitations(guestId),
    keys.guestMails(orgId),
  ]);
  const invitation = parseInvitation(guestItem);
  const gate = parseGate(gateItem);
  const numbering = parseNumbering(numberingItem);
  const sending = parseJob<Sending>(sendingItem)?.data;
  if (!invitation || !gate || !numbering || !sending || invitation.email === null) return DONE;
  const isCurrent = Date.parse(sending.startedAt) === data.sending && sending.stoppedAt === undefined;
  if (!isCurrent || !isRecipient(invitation, sending) || !takesInvited(gate, app.now())) return DONE;
  if (parseGuestMails(mailsItem)?.pausedAt) return { result: 'wait', seconds: PAUSED_SECONDS };
  const [token, noMails, organization] = await Promise.all([
    app.tokens.signUnsubscribe({ orgId, addressHash }, app.now()),
    loadNoMails(app.table, orgId, [addressHash]),
    loadOrganization(app.table, orgId),
  ]);
  if (noMails.size > 0 || !organization) return DONE;
  const code = writeCode(numbering.codeKey, invitation);
  return {
    to: invitation.email,
    ...renderInvitationMail({
      ...{ organization: organization.name, title: gate.title, subject: sending.subject, text: sending.text, code },
      link: codeLink(app.config.publicUrl, gate.formId, code),
      unsubscribe: unsubscribeLink(app.config.publicUrl, token),
      language: sending.language ?? app.config.mail.language,
    }),
  };
}

/** Builds the address of the page that ends the mails of an organization to an address. */
export const unsubscribeLink = (publicUrl: string, token: string): string =>
  `${publicUrl}/unsubscribe?${new URLSearchParams({ mail: token })}`;

// What SES reports about a mail that was sent.

/** How a mail came back, or was received, as an event says it. */
export type MailReport = 'sent' | 'bounced' | 'bounced-for-good' | 'complained' | 'rejected';

/** The data of a mail that the organization sends to somebody who has not asked for it: an invitation, or a reminder of a draft. */
export type CountedMail = Pick<InvitationMail, 'orgId' | 'addressHash'> & Partial<Pick<InvitationMail, 'isReminder'>>;

/** What an event about a mail changes beside it, as it is stored. `guest`: whom it has invited. */
type ReportedState = { guest: Invitation | undefined; orgExists: boolean; mails: StoredGuestMails | undefined };

/** Lists the keys of what an event about a mail changes beside it. */
export const reportKeys = ({ kind, key, data }: Pick<Job<CountedMail>, 'kind' | 'key' | 'data'>) => [
  keys.organization(data.orgId),
  keys.guestMails(data.orgId),
  ...(kind === 'invitation-mail' ? [keys.guest(lastPart(key.sk))] : []),
];

/** Parses the items with these keys. */
export const parseReported = ([org, mails, guest]: readonly (Item | undefined)[]): ReportedState => ({
  guest: parseInvitation(guest),
  orgExists: org !== undefined,
  mails: parseGuestMails(mails),
});

/**
 * Builds the writes that follow from an event about a mail, in the transaction that records it: what the list of invitations shows, no
 * more mails to an address that does not exist or whose reader has complained, and the pause of the organization.
 */
export function followReport(
  { key, data, queuedAt }: Job<CountedMail>,
  report: MailReport,
  { guest, orgExists, mails }: ReportedState,
  now: Date,
): Write[] {
  const { orgId, addressHash, isReminder } = data;
  const toGuest = (write: Write): Write[] => (guest ? [write] : []);
  const stop = (reason: 'bounced' | 'complained'): Write[] =>
    orgExists ? [stopMailsTo(orgId, addressHash, reason, now)] : [];
  const guestId = lastPart(key.sk);
  switch (report) {
    case 'sent':
      return toGuest(noteSent(guestId, isReminder ? 'remindedAt' : 'sentAt', now));
    case 'rejected':
      return toGuest(noteMailFault(guestId, 'failed'));
    case 'bounced':
      return toGuest(noteMailFault(guestId, 'bounced'));
    case 'bounced-for-good':
      return [
        ...toGuest(noteMailFault(guestId, 'bounced')),
        ...stop('bounced'),
        ...countBounce(orgId, mails, queuedAt, now),
      ];
    case 'complained':
      return [
        ...toGuest(noteMailFault(guestId, 'complained')),
        ...stop('complained'),
        ...pauseForComplaint(orgId, mails, now),
      ];
  }
}
