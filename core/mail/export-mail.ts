/** The mails about an export that is finished or has failed. Pure. */
import { loadAccount } from '#core/accounts/accounts.ts';
import { keys } from '#core/db/keys.ts';
import { type ExportMail, exportPageLink, parseExport } from '#core/exports/model.ts';
import { parseGate } from '#core/forms/gate.ts';
import { DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import type { Language } from '#core/schema/format.ts';
import type { MailContent, MailPorts } from './ports.ts';
import { type AddressedMail, mailHandler, mailTexts, renderNotice } from './sender.ts';

type EndedExport = {
  language: Language;
  /** The title of the form. */
  title: string;
  /** The lasting address of the page of the export. */
  link: string;
};
type FinishedExport = EndedExport & {
  /** The number of responses in the file. */
  rows: number;
};

/** Renders the mail to the person who asked for an export. */
export function renderExportMail({ title, link, rows, language }: FinishedExport): MailContent {
  const texts = mailTexts(language);
  const introduction = texts.exportIntroduction(rows);
  return renderMail({ title, language, subject: texts.exportSubject(title), introduction, link });
}

/** Renders the mail to the person who asked for an export that has failed for good. */
export function renderFailedExportMail({
  title,
  link,
  language,
  isTooLarge,
  isArchive,
}: EndedExport & { isTooLarge: boolean; isArchive: boolean }): MailContent {
  const texts = mailTexts(language);
  const tooLarge = isArchive ? texts.exportTooManyFilesIntroduction : texts.exportTooLargeIntroduction;
  const introduction = isTooLarge ? tooLarge : texts.exportFailedIntroduction;
  return renderMail({ title, language, subject: texts.exportFailedSubject(title), introduction, link });
}

type Content = EndedExport & { subject: string; introduction: string };

function renderMail({ title, language, subject, introduction, link }: Content): MailContent {
  const { exportHeading, openExport: button, exportReason: reason } = mailTexts(language);
  return renderNotice({ language, subject, heading: exportHeading(title), introduction, button, link, reason });
}

// Sends the mails to people who asked for exports, when one is finished or has failed.

/**
 * Sends the mail about an export, unless the export was deleted since, or the person is no longer a member: the mail names
 * the form and its number of responses. Nothing of a mail that was sent is kept.
 */
export const exportMails = mailHandler<ExportMail>(prepare, false);

async function prepare(app: MailPorts, { data }: Job<ExportMail>): Promise<AddressedMail | JobOutcome> {
  const { exportId } = data;
  const [item, gateItem] = await app.table.read([keys.export(exportId), keys.formGate(exportId)]);
  const [job, gate] = [parseExport(item), parseGate(gateItem)];
  // Without its gate the form was deleted, and the job is about to be.
  if (!job || !gate) return DONE;
  const account = await loadAccount(app.table, job.userId);
  if (account?.memberships[gate.orgId] === undefined) return DONE;
  const [to] = account.emails;
  // Nobody could repeat a failed mail, and the export is in the list.
  if (to === undefined) return DONE;
  const { title, processed: rows, language = app.config.mail.language } = job;
  const link = exportPageLink(app.config.publicUrl, job);
  const content =
    job.state === 'DONE'
      ? renderExportMail({ title, language, rows, link })
      : renderFailedExportMail({
          ...{ title, language, link },
          isTooLarge: job.reason === 'too_large',
          isArchive: job.options?.format === 'ZIP',
        });
  return { to, ...content };
}
