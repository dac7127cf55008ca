/** The mails to people who asked for exports: when one is finished, or has failed. */
import { loadAccount } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { DONE, type Outcome } from '#core/delivery/attempt.ts';
import type { DeliveryPorts } from '#core/delivery/ports.ts';
import { gateOf } from '#core/forms/gate.ts';
import type { Delivery } from '#core/outbox/delivery.ts';
import { exportLink } from '#core/review/export-model.ts';
import { exportOf } from '#core/review/export-store.ts';
import { exportMail, failedExportMail } from './export-mail.ts';
import { type Addressed, mailHandler } from './sender.ts';

/** The data of a mail about an export. */
export type ExportMail = { exportId: string };

/**
 * Sends the mail about an export, unless the export was deleted since, or the person is no longer a member: the mail names
 * the form and its number of responses. Nothing of a mail that was sent is kept.
 */
export const exportMails = mailHandler<ExportMail>(prepare, DONE);

async function prepare(app: DeliveryPorts, { data }: Delivery<ExportMail>): Promise<Addressed | Outcome> {
  const { exportId } = data;
  const [item, gateItem] = await app.table.read([keys.export(exportId), keys.formGate(exportId)]);
  const [job, gate] = [exportOf(item), gateOf(gateItem)];
  // Without its gate the form was deleted, and the job is about to be.
  if (!job || !gate) return DONE;
  const account = await loadAccount(app.table, job.userId);
  if (account?.memberships[gate.orgId] === undefined) return DONE;
  const [to] = account.emails;
  // Nobody could repeat a parked mail, and the export is in the list.
  if (to === undefined) return DONE;
  const { title, processed: rows, language = app.config.mail.language } = job;
  const content =
    job.state === 'DONE'
      ? exportMail({ title, language, rows, link: exportLink(app.config.publicUrl, job) })
      : failedExportMail({ title, language, isTooLarge: job.reason === 'too_large' });
  return { to, ...content };
}
