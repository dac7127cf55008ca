/** The mails with copies of submitted responses. */

import { html } from 'hono/html';
import { loadAccount } from '#core/accounts/accounts.ts';
import { loadInvitation } from '#core/accounts/invitation.ts';
import { resumePath } from '#core/accounts/invitation-code.ts';
import { formKey, isAddressedId, isGuestId, lastPart } from '#core/db/keys.ts';
import type { Form } from '#core/forms/model.ts';
import { loadForm } from '#core/forms/store.ts';
import { DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { isWithoutMails } from '#core/organizations/guest-mails.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import type { Current } from '#core/responses/answers.ts';
import { findPath } from '#core/responses/answers.ts';
import { readResponse } from '#core/responses/change.ts';
import { copiesCurrentSubmission } from '#core/responses/deliveries.ts';
import type { ResponseMail } from '#core/responses/delivery-model.ts';
import type { Answer } from '#core/responses/model.ts';
import { listAnsweredSections } from '#core/responses/preview.ts';
import { recallFrom } from '#core/responses/recall.ts';
import { formatReference } from '#core/responses/reference.ts';
import { formatDateTime, formatFileSize, type Language } from '#core/schema/format.ts';
import type { Question } from '#core/structure/question-model.ts';
import { displayValue, readableAnswer } from '#core/structure/types/types.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import { prepareConfirmation } from './confirmation-mail.ts';
import type { MailContent, MailPorts } from './ports.ts';
import {
  type AddressedMail,
  buttonColors,
  changeOutsideLinks,
  type MailTexts,
  type Markup,
  mailHandler,
  mailTexts,
  renderButton,
  renderDocument,
  renderLines,
  renderLinkedLines,
  renderRow,
  STYLES,
} from './sender.ts';

/**
 * Sends the copy of a submission, to a guest whose address is not known a confirmation, unless it was cancelled since, or the form sends no copies any more and no member has
 * requested this one.
 */
export const responseMails = mailHandler<ResponseMail>(prepare, true);

async function prepare(
  app: MailPorts,
  job: Job<ResponseMail>,
  renew: (data: ResponseMail) => Promise<boolean>,
): Promise<AddressedMail | JobOutcome> {
  const responseId = lastPart(job.key.pk);
  const current = await readResponse(app.table, responseId);
  if (!current || !copiesCurrentSubmission(job, current.response)) return DONE;
  const { formId, userId } = current.response;
  const [form, owner] = await Promise.all([loadForm(app.table, formId), loadOwner(app, userId, formId)]);
  const organization = form && (await loadOrganization(app.table, form.orgId))?.name;
  if (!form) return DONE;
  const isCopy = form.sendResponseEmail || job.data.resent !== undefined;
  if (isGuestId(userId) && !(isCopy && owner.to !== undefined))
    return prepareConfirmation(app, job, { form, organization, current }, renew);
  if (!isCopy) return DONE;
  const { to, path = `/r/${responseId}` } = owner;
  if (to === undefined) return { result: 'failed', reason: 'no_address' };
  const link = app.config.publicUrl + path;
  const { language = app.config.mail.language, timeZone = app.config.timeZone } = job.data;
  const isGuest = isGuestId(userId);
  if (isGuest && (await isWithoutMails(app.table, form.orgId, to))) return DONE;
  return { to, ...renderResponseCopy({ form, organization, current, link, language, timeZone, isGuest }) };
}

/** Finds the address of who has a response, and for a guest the path of the link to it; none for a guest who is not let in any more. */
export async function loadOwner(
  { table, tokens, now }: MailPorts,
  userId: string,
  formId: string,
): Promise<{ to: string | undefined; path?: string }> {
  if (!isAddressedId(userId)) return { to: (await loadAccount(table, userId))?.emails[0] };
  const guest = await loadInvitation(table, userId);
  if (!guest?.email || guest.revokedAt !== null) return { to: undefined };
  const { email, generation } = guest;
  const token = await tokens.signGuestLink({ id: userId, roles: [], guestOf: formKey(formId), generation }, now());
  return { to: email, path: resumePath(formId, token) };
}

// The mail with a copy of a submitted response: the sections and answers of its path, as HTML and as text. Pure.

type CopyInput = {
  form: Pick<Form, 'title' | 'dressing' | 'messageAfterSubmission'>;
  /** The name of the organization that owns the form; undefined when it is being deleted. */
  organization: string | undefined;
  /** The submitted response, with the structure of its form. */
  current: Current;
  /** The address of the page that shows the response. */
  link: string;
  language: Language;
  /** The zone of the times. */
  timeZone: string;
  /** To somebody without an account. */
  isGuest?: boolean;
};

/** A question of a response, with its answer as text. */
export type AnsweredQuestion = { question: string; answer: string | null };
export type Section = { title: string; answers: readonly AnsweredQuestion[] };

/** Renders the mail of a submitted response. */
export function renderResponseCopy({ form, organization, current, link, language, ...rest }: CopyInput): MailContent {
  const { timeZone, isGuest } = rest;
  const texts = mailTexts(language);
  const reason = isGuest ? texts.guestResponseReason : texts.responseReason;
  const sections = listSections(current, language);
  const introduction = renderIntroduction(current, { language, timeZone });
  const colors = buttonColors(form.dressing.color);
  const from = organization === undefined ? [] : [texts.responseFrom(organization)];
  const reference = `${texts.reference}: ${formatReference(current.response.id)}`;
  const recall = recallFrom(current, findPath(current));
  const closing = form.messageAfterSubmission?.trim() ?? '';
  const rows = [
    renderRow(html`<h1 class="ink" dir="auto" style="${STYLES.title}">${form.title}</h1>`, 28),
    ...from.map((line) => renderRow(html`<p class="soft" style="${STYLES.label}">${line}</p>`, 4)),
    renderRow(html`<p class="ink" style="${STYLES.text}">${introduction}</p>`, 12),
    renderRow(html`<p class="soft" style="${STYLES.label}">${reference}</p>`, 4),
    ...(closing === ''
      ? []
      : [renderRow(html`<p class="ink" dir="auto" style="${STYLES.text}">${renderLinkedLines(closing, recall)}</p>`)]),
    ...sections.flatMap((section) => renderSectionRows(section, texts)),
    renderRow(renderButton(texts.openResponse, link, texts, colors), 28),
  ];
  return {
    subject: texts.responseSubject(recall(form.title)),
    html: renderDocument({
      language,
      title: form.title,
      color: form.dressing.color,
      colors,
      rows,
      reason,
    }),
    text: [
      form.title,
      ...from,
      '',
      introduction,
      reference,
      ...(closing === '' ? [] : ['', changeOutsideLinks(closing, recall)]),
      ...sections.flatMap((section) => renderSectionLines(section, texts)),
      '',
      `${texts.openResponse}: ${link}`,
      '',
      '-- ',
      reason,
      '',
    ].join('\n'),
  };
}

/** Tells when the response was submitted and, because the copy has the current answers, when it was changed since. */
function renderIntroduction({ response }: Current, place: Pick<CopyInput, 'language' | 'timeZone'>): string {
  const { submittedAt, updatedAt } = response;
  const submitted = submittedAt ?? updatedAt;
  const formatTime = (iso: string): string => formatDateTime(place, iso, 'zone');
  return mailTexts(place.language).responseIntroduction(
    formatTime(submitted),
    updatedAt > submitted ? formatTime(updatedAt) : undefined,
  );
}

/** Lists the sections on the path with their questions, answered or not; removed questions if they were answered. */
export const listSections = (current: Current, language: Language): Section[] =>
  listAnsweredSections(current)
    .filter(({ questions }) => questions.length > 0)
    .map(({ title, questions }) => ({
      title,
      answers: questions.map(({ question, answer }) => ({
        question: question.title,
        answer: answer ? formatAnswer(question, answer, language) : null,
      })),
    }));

/** Formats an answer as text; for files a line for each. */
function formatAnswer({ type, scale, date }: Question, answer: Answer, language: Language): string {
  const { value } = answer;
  const files = attachedFiles({ type, value });
  if (files.length === 0) {
    return readableAnswer({ language }, { type, value, displayValue: displayValue(answer), scale, date });
  }
  return files
    .map(({ originalFilename, size }) => `${originalFilename} (${formatFileSize({ language }, size)})`)
    .join('\n');
}

const renderSectionRows = ({ title, answers }: Section, texts: MailTexts): Markup[] => [
  renderRow(
    html`<div class="line" style="border-top:1px solid #d5dce3;padding-top:20px"><h2 class="ink" dir="auto" style="${STYLES.section}">${title}</h2></div>`,
    24,
  ),
  ...answers.map(({ question, answer }) =>
    renderRow(html`<p class="soft" dir="auto" style="${STYLES.label}">${question}</p>
${
  answer === null
    ? html`<p class="soft" style="${STYLES.empty}">${texts.notAnswered}</p>`
    : html`<p class="ink" dir="auto" style="${STYLES.text}">${renderLines(answer)}</p>`
}`),
  ),
];

const renderSectionLines = ({ title, answers }: Section, texts: MailTexts): string[] => [
  '',
  `## ${title}`,
  ...answers.flatMap(({ question, answer }) => [
    '',
    question,
    ...(answer ?? texts.notAnswered).split(/\r\n|\r|\n/).map((line) => `  ${line}`),
  ]),
];
