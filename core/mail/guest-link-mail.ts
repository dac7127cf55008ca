/**
 * The mail with the link by which a guest with an address begins a form, or continues it. Whether the address is known is decided here,
 * after the request for the mail was answered, so that nobody learns it from the answer.
 */
import { randomBytes } from 'node:crypto';
import { createNumbering, loadInvitation, parseNumbering } from '#core/accounts/invitation.ts';
import { type CodeKey, deriveGuestId, firstGeneration, resumePath } from '#core/accounts/invitation-code.ts';
import { formKey, keys, lastPart } from '#core/db/keys.ts';
import { isWithinLimit, type RateLimit } from '#core/db/rate-limit.ts';
import { wasWritten } from '#core/db/retry.ts';
import { type Gate, isOpen, parseGate } from '#core/forms/gate.ts';
import { DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { GuestLinkMail } from '#core/jobs/guest-link.ts';
import type { Job } from '#core/jobs/job.ts';
import { isWithoutMails } from '#core/organizations/guest-mails.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import type { Language } from '#core/schema/format.ts';
import { sha256 } from '#core/schema/hash.ts';
import { MAX_GUEST_LINKS } from '#core/schema/limits.ts';
import { withoutAnswers } from './confirmation-mail.ts';
import type { MailContent, MailPorts } from './ports.ts';
import { type AddressedMail, mailHandler, mailTexts, renderNotice } from './sender.ts';

/** Links that are mailed to one address in an hour, whoever asks for them, and for whichever forms. */
const PER_ADDRESS: RateLimit = { name: 'guest-links', max: MAX_GUEST_LINKS, seconds: 60 * 60 };

type LinkMail = { organization: string; title: string; link: string; language: Language };

/** Renders the mail with a link for a guest. */
export function renderGuestLinkMail({ organization, title, link, language }: LinkMail): MailContent {
  const texts = mailTexts(language);
  return renderNotice({
    language,
    subject: texts.guestLinkSubject(organization, title),
    heading: organization,
    introduction: texts.guestLinkIntroduction(title),
    button: texts.openGuestLink,
    link,
    reason: texts.guestLinkReason,
  });
}

/** Sends the mail with a link for a guest, unless the address has had as many as it may. Nothing of a mail that was sent is kept. */
export const guestLinkMails = mailHandler<GuestLinkMail>(prepare, false);

async function prepare(
  app: MailPorts,
  job: Job<GuestLinkMail>,
  renew: (data: GuestLinkMail) => Promise<boolean>,
): Promise<AddressedMail | JobOutcome> {
  const { email, language = app.config.mail.language } = job.data;
  const [gateItem] = await app.table.read([keys.formGate(lastPart(job.key.pk))]);
  const gate = parseGate(gateItem);
  if (gate?.status !== 'PUBLISHED') return DONE;
  if (job.data.countedAt !== job.queuedAt) {
    if (!(await isWithinLimit(app, PER_ADDRESS, sha256(email.toLowerCase(), 'hex')))) return DONE;
    // Another worker has it.
    if (!(await renew({ ...job.data, countedAt: job.queuedAt }))) return { result: 'wait', seconds: 0 };
  }
  const [isUnwanted, organization, token] = await Promise.all([
    // Whoever typed the address may be somebody else.
    isWithoutMails(app.table, gate.orgId, email),
    loadOrganization(app.table, gate.orgId),
    signLink(app, gate, email.toLowerCase()),
  ]);
  if (isUnwanted || !organization || token === undefined) return DONE;
  const link = app.config.publicUrl + resumePath(gate.formId, token);
  const title = withoutAnswers(gate.title);
  return { to: email, ...renderGuestLinkMail({ organization: organization.name, title, link, language }) };
}

/** Signs the link of the guest with an address; undefined where nobody is let in with it, or could begin anything. */
async function signLink(app: MailPorts, gate: Gate, email: string): Promise<string | undefined> {
  const { formId, audience } = gate;
  const guest = { roles: [], guestOf: formKey(formId) };
  const now = app.now();
  const codeKey = await findCodeKey(app, formId);
  if (codeKey === undefined) return undefined;
  const id = deriveGuestId(codeKey, formId, { email, number: 0 });
  const known = await loadInvitation(app.table, id);
  const isWelcome = known ? known.revokedAt === null : audience === 'EMAIL' && app.config.guests;
  const isAdmitted = isWelcome && (isOpen(gate, now) || Object.keys(known?.responses ?? {}).length > 0);
  if (!isAdmitted) return undefined;
  const generation = known?.generation ?? firstGeneration(now);
  return app.tokens.signGuestLink({ ...guest, id, generation, email }, now);
}

/** Finds the key from which the ids of the guests of a form follow, and makes it for the first of them; undefined for a deleted form. */
async function findCodeKey({ table }: Pick<MailPorts, 'table'>, formId: string): Promise<CodeKey | undefined> {
  const read = async () => parseNumbering((await table.read([keys.invitations(formId)]))[0])?.codeKey;
  const existing = await read();
  if (existing !== undefined) return existing;
  await wasWritten(table, createNumbering(formId, randomBytes(32).toString('base64url')));
  return read();
}
