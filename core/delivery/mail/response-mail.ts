/** The mails with copies of submitted responses. */
import { loadAccount } from '#core/accounts/store.ts';
import { lastPart } from '#core/db/keys.ts';
import { DONE, type Outcome, SENT } from '#core/delivery/attempt.ts';
import type { DeliveryPorts } from '#core/delivery/ports.ts';
import { loadForm } from '#core/forms/store.ts';
import type { Delivery } from '#core/outbox/delivery.ts';
import { type ResponseMail, standsFor } from '#core/responses/deliveries.ts';
import { readResponse } from '#core/responses/service.ts';
import { responseCopy } from './response-copy.ts';
import { type Addressed, mailHandler } from './sender.ts';

/**
 * Sends the copy of a submission, unless it was cancelled since, or the form sends no copies any more and no member has
 * requested this one.
 */
export const responseMails = mailHandler<ResponseMail>(prepare, SENT);

async function prepare(app: DeliveryPorts, delivery: Delivery<ResponseMail>): Promise<Addressed | Outcome> {
  const responseId = lastPart(delivery.key.pk);
  const current = await readResponse(app.table, responseId);
  if (!current || !standsFor(delivery, current.response)) return DONE;
  const [form, account] = await Promise.all([
    loadForm(app.table, current.response.formId),
    loadAccount(app.table, current.response.userId),
  ]);
  if (!form || !(form.sendResponseEmail || delivery.data.resent)) return DONE;
  const to = account?.emails[0];
  if (to === undefined) return { result: 'failed', reason: 'no_address' };
  const link = `${app.config.publicUrl.replace(/\/$/, '')}/r/${responseId}`;
  const { language = app.config.mail.language } = delivery.data;
  return { to, ...responseCopy({ form, current, link, language }) };
}
