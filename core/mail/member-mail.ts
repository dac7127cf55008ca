/** The mail to a person whom an admin has added to an organization. */
import { loadAccounts } from '#core/accounts/accounts.ts';
import { lastPart } from '#core/db/keys.ts';
import { DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import type { MemberMail } from '#core/organizations/model.ts';
import { loadMemberRole, loadOrganization } from '#core/organizations/store.ts';
import type { Language } from '#core/schema/format.ts';
import type { MailContent, MailPorts } from './ports.ts';
import { type AddressedMail, mailHandler, mailTexts, renderNotice } from './sender.ts';

type NewMembership = {
  language: Language;
  /** The name of the organization. */
  organization: string;
  /** The name of the person who added the reader; undefined when they have none, or no account any more. */
  addedBy: string | undefined;
  /** The address of the page of the organization. */
  link: string;
};

/** Renders the mail to a new member. */
export function renderMemberMail({ language, organization, addedBy, link }: NewMembership): MailContent {
  const texts = mailTexts(language);
  return renderNotice({
    language,
    subject: texts.memberSubject(organization),
    heading: texts.memberHeading(organization),
    introduction: texts.memberIntroduction(addedBy),
    button: texts.openOrganization,
    link,
    reason: texts.memberReason,
  });
}

/**
 * Sends the mail about a membership, unless the person is no longer a member or the organization is being deleted. Nothing
 * of a mail that was sent is kept.
 */
export const memberMails = mailHandler<MemberMail>(prepare, false);

async function prepare(app: MailPorts, { key, data }: Job<MemberMail>): Promise<AddressedMail | JobOutcome> {
  const [orgId, userId] = [lastPart(key.pk), lastPart(key.sk)];
  const [organization, role, accounts] = await Promise.all([
    loadOrganization(app.table, orgId),
    loadMemberRole(app.table, orgId, userId),
    loadAccounts(app.table, [userId, data.addedBy]),
  ]);
  const to = accounts.get(userId)?.emails[0];
  // Without an address nobody could repeat it, and the organization is in the person's list.
  if (!organization || !role || to === undefined) return DONE;
  const { name, slug } = organization;
  const { language = app.config.mail.language } = data;
  const addedBy = accounts.get(data.addedBy)?.name || undefined;
  const link = `${app.config.publicUrl}/o/${slug}`;
  return { to, ...renderMemberMail({ language, organization: name, addedBy, link }) };
}
