/** Chooses how often the caller gets mails about new responses to a form. */
import { forms } from '#core/api/forms.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { chooseNotices } from '#core/organizations/notices.ts';

export const handler = operation(forms.setMyNotices, openGate, async ({ gate, caller, body, app }) => ({
  body: await chooseNotices(app, { formId: gate.formId, orgId: gate.orgId, userId: caller.id }, body.frequency),
}));
