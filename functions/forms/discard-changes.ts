/** Discards the changes of a published form. */
import { forms } from '#core/api/forms.ts';
import { openDraft } from '#core/forms/draft.ts';
import { operation } from '#core/http/operation.ts';
import { discardChanges } from '#core/structure/changes.ts';

export const handler = operation(forms.discardChanges, openDraft, async ({ app, gate, draft, caller }) => {
  await discardChanges(app, { draft, formId: gate.formId, editorId: caller.id });
  return { body: undefined };
});
