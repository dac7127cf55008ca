/** The mails that remind respondents of drafts: plain text with the link to continue, and one that ends such mails. */
import { keys, lastPart } from '#core/db/keys.ts';
import { isOpen, parseGate } from '#core/forms/gate.ts';
import { DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { hashAddress, isWithoutMails, parseGuestMails } from '#core/organizations/guest-mails.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import type { ReminderMail } from '#core/responses/drafts.ts';
import { parseResponse } from '#core/responses/store.ts';
import { formatDateTime, type Language } from '#core/schema/format.ts';
import { withoutAnswers } from './confirmation-mail.ts';
import { PAUSED_SECONDS } from './invitation-job.ts';
import { unsubscribeLink } from './invitation-mail.ts';
import type { BulkContent, MailPorts } from './ports.ts';
import { loadOwner } from './response-mail.ts';
import { type AddressedMail, mailHandler } from './sender.ts';

/**
 * Sends the mail that reminds of a draft, unless it was submitted or deleted since, the form is not open, or its respondent has no such
 * address or wants no such mails any more; it waits while the mails of the organization are paused. What was sent stays as the record,
 * so that the next one is a day later, and a bounce finds the organization.
 */
export const reminderMails = mailHandler<ReminderMail>(prepare, true);

async function prepare(app: MailPorts, { key, data }: Job<ReminderMail>): Promise<AddressedMail | JobOutcome> {
  const responseId = lastPart(key.pk);
  const { orgId, addressHash } = data;
  const [item, gateItem, mailsItem] = await app.table.read([
    keys.response(responseId),
    keys.formGate(responseId),
    keys.guestMails(orgId),
  ]);
  const [response, gate] = [parseResponse(item), parseGate(gateItem)];
  if (response?.progress !== 'DRAFT' || !gate || !isOpen(gate, app.now())) return DONE;
  if (parseGuestMails(mailsItem)?.pausedAt) return { result: 'wait', seconds: PAUSED_SECONDS };
  const [{ to, path = `/r/${responseId}` }, organization] = await Promise.all([
    loadOwner(app, response.userId, gate.formId),
    loadOrganization(app.table, orgId),
  ]);
  // The mail was counted for the address of then.
  if (to === undefined || hashAddress(orgId, to) !== addressHash || !organization) return DONE;
  if (await isWithoutMails(app.table, orgId, to)) return DONE;
  const language = data.language ?? app.config.mail.language;
  const token = await app.tokens.signUnsubscribe({ orgId, addressHash }, app.now());
  const formatTime = (iso: string): string => formatDateTime({ language, timeZone: app.config.timeZone }, iso, 'zone');
  return {
    to,
    ...renderReminderMail({
      ...{ language, organization: organization.name, title: withoutAnswers(gate.title) },
      ...{ begun: formatTime(response.createdAt), until: gate.deadline === null ? null : formatTime(gate.deadline) },
      link: app.config.publicUrl.replace(/\/$/, '') + path,
      unsubscribe: unsubscribeLink(app.config.publicUrl, token),
    }),
  };
}

type ReminderContent = {
  /** The name of the organization, and the title of the form. */
  organization: string;
  title: string;
  /** When the draft was begun, and until when it can be submitted. */
  begun: string;
  until: string | null;
  /** With which the draft is continued. */
  link: string;
  unsubscribe: string;
  language: Language;
};

/** Renders the mail that reminds of a draft. It has nothing that was typed. */
export function renderReminderMail({ language, unsubscribe, ...content }: ReminderContent): BulkContent {
  const { organization, title, begun, until, link } = content;
  const texts = TEXTS[language];
  const lines = [
    ...[texts.first(organization, title, begun), ...(until === null ? [] : [texts.until(until)]), ''],
    ...[texts.link, link, '', '-- ', texts.reason(organization), texts.unsubscribe(organization), unsubscribe, ''],
  ];
  return { subject: texts.subject(title), text: lines.join('\n'), unsubscribe };
}

type Texts = {
  subject(title: string): string;
  first(organization: string, title: string, begun: string): string;
  until(time: string): string;
  link: string;
  reason(organization: string): string;
  unsubscribe(organization: string): string;
};

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    subject: (title) => `Not submitted yet: ${title}`,
    first: (organization, title, begun) =>
      `You began to fill in “${title}” of ${organization} on ${begun}, and have not submitted it yet.`,
    until: (time) => `It can be submitted until ${time}.`,
    link: 'Continue with this link. Do not pass it on:',
    reason: (organization) =>
      `You receive this mail because ${organization} reminds those who have begun this form and not submitted it.`,
    unsubscribe: (organization) => `To get no more such mails from ${organization}, open this address:`,
  },
  'zh-TW': {
    subject: (title) => `尚未送出：${title}`,
    first: (organization, title, begun) => `你於 ${begun} 開始填寫 ${organization} 的「${title}」，但尚未送出。`,
    until: (time) => `可於 ${time} 前送出。`,
    link: '請透過此連結繼續填寫，請勿轉交他人：',
    reason: (organization) => `你收到這封信，是因為 ${organization} 提醒已開始填寫但尚未送出這份表單的人。`,
    unsubscribe: (organization) => `如不想再收到 ${organization} 的這類信件，請開啟以下網址：`,
  },
};
