/** Gets how often the caller gets mails about new responses to a form. */
import { forms } from '#core/api/forms.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { showNotices } from '#core/organizations/notices-list.ts';

export const handler = operation(forms.getMyNotices, openGate, async ({ gate, caller, app }) => ({
  body: await showNotices(app, gate.formId, caller.id),
}));
