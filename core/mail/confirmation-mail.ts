/**
 * The mail that confirms the submission of somebody without an account, at an address that they have entered: with the reference,
 * the time and a link, and nothing that was typed, so that nobody can send texts of theirs to strangers.
 */
import { html } from 'hono/html';
import { loadInvitation } from '#core/accounts/invitation.ts';
import { resumePath } from '#core/accounts/invitation-code.ts';
import { formKey, isInvitedId } from '#core/db/keys.ts';
import { isWithinLimit, type RateLimit } from '#core/db/rate-limit.ts';
import type { Form } from '#core/forms/model.ts';
import { DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import type { Current } from '#core/responses/answers.ts';
import { findConfirmationAddress } from '#core/responses/confirmation.ts';
import type { ResponseMail } from '#core/responses/delivery-model.ts';
import type { Response } from '#core/responses/model.ts';
import { formatReference } from '#core/responses/reference.ts';
import { formatDateTime, type Language } from '#core/schema/format.ts';
import { sha256 } from '#core/schema/hash.ts';
import { MAX_CONFIRMATIONS } from '#core/schema/limits.ts';
import { splitAtNames } from '#core/structure/names.ts';
import type { MailContent, MailPorts } from './ports.ts';
import {
  type AddressedMail,
  buttonColors,
  changeOutsideLinks,
  mailTexts,
  renderButton,
  renderDocument,
  renderLinkedLines,
  renderRow,
  STYLES,
} from './sender.ts';

/** Confirmations to one address in a day, whoever enters it. */
const PER_ADDRESS: RateLimit = { name: 'confirmations', max: MAX_CONFIRMATIONS, seconds: 24 * 60 * 60 };

type Confirmation = {
  form: Pick<Form, 'title' | 'dressing' | 'messageAfterSubmission'>;
  /** The name of the organization that owns the form; undefined when it is being deleted. */
  organization: string | undefined;
  response: Pick<Response, 'id' | 'submittedAt' | 'updatedAt'>;
  /** The address at which the guest finds the response. */
  link: string;
  language: Language;
  timeZone: string;
};

/**
 * Prepares the confirmation of a submission of a guest; none without an address, or beyond the limit of its address, which
 * counts each job once. `renew`: of the job.
 */
export async function prepareConfirmation(
  app: MailPorts,
  job: Job<ResponseMail>,
  { current, ...texts }: Pick<Confirmation, 'form' | 'organization'> & { current: Current },
  renew: (data: ResponseMail) => Promise<boolean>,
): Promise<AddressedMail | JobOutcome> {
  const to = findConfirmationAddress(current);
  if (to === undefined) return DONE;
  if (job.data.countedAt !== job.queuedAt) {
    if (!(await isWithinLimit(app, PER_ADDRESS, sha256(to.toLowerCase(), 'hex')))) return DONE;
    // Another worker has it.
    if (!(await renew({ ...job.data, countedAt: job.queuedAt }))) return { result: 'wait', seconds: 0 };
  }
  const { response } = current;
  // The link of an invited guest is good as long as their code; without an invitation there is nobody to be let in.
  const invitation = isInvitedId(response.userId) ? await loadInvitation(app.table, response.userId) : undefined;
  const generation = invitation && { generation: invitation.generation };
  const guest = { id: response.userId, roles: [], guestOf: formKey(response.formId), ...generation };
  const token = await app.tokens.signGuestLink(guest, app.now());
  const { language = app.config.mail.language, timeZone = app.config.timeZone } = job.data;
  const link = app.config.publicUrl + resumePath(response.formId, token);
  return { to, ...renderConfirmation({ ...texts, response, link, language, timeZone }) };
}

/** Removes the names of questions from a text: what stands for an answer is left out. */
export const withoutAnswers = (text: string): string =>
  splitAtNames(text)
    .map((part) => ('text' in part ? part.text : ''))
    .join('')
    .trim();

/** Renders the confirmation of a submission. */
export function renderConfirmation({
  form,
  organization,
  response,
  link,
  language,
  timeZone,
}: Confirmation): MailContent {
  const texts = mailTexts(language);
  const { id, submittedAt, updatedAt } = response;
  const title = withoutAnswers(form.title);
  const introduction = texts.confirmationIntroduction(
    formatDateTime({ language, timeZone }, submittedAt ?? updatedAt, 'zone'),
  );
  const reference = `${texts.reference}: ${formatReference(id)}`;
  const from = organization === undefined ? [] : [texts.responseFrom(organization)];
  const closing = changeOutsideLinks(form.messageAfterSubmission ?? '', withoutAnswers).trim();
  const colors = buttonColors(form.dressing.color);
  const reason = texts.confirmationReason;
  const rows = [
    renderRow(html`<h1 class="ink" style="${STYLES.title}">${title}</h1>`, 28),
    ...from.map((line) => renderRow(html`<p class="soft" style="${STYLES.label}">${line}</p>`, 4)),
    renderRow(html`<p class="ink" style="${STYLES.text}">${introduction}</p>`, 12),
    renderRow(html`<p class="soft" style="${STYLES.label}">${reference}</p>`, 4),
    ...(closing === ''
      ? []
      : [renderRow(html`<p class="ink" style="${STYLES.text}">${renderLinkedLines(closing)}</p>`)]),
    renderRow(renderButton(texts.openResponse, link, texts, colors), 28),
  ];
  return {
    subject: texts.responseSubject(title),
    html: renderDocument({ language, title, color: form.dressing.color, colors, rows, reason }),
    text: [
      title,
      ...from,
      '',
      introduction,
      reference,
      ...(closing === '' ? [] : ['', closing]),
      '',
      `${texts.openResponse}: ${link}`,
      '',
      '-- ',
      reason,
      '',
    ].join('\n'),
  };
}
