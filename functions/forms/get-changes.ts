/** Returns the changes of a published form that are not live yet. */
import { forms } from '#core/api/forms.ts';
import { openDraft } from '#core/forms/draft.ts';
import { operation } from '#core/http/operation.ts';
import { loadBaseIfOutdated, presentChanges } from '#core/structure/publish.ts';

export const handler = operation(forms.getChanges, openDraft, async ({ app, gate, draft }) =>
  presentChanges(draft, await loadBaseIfOutdated(app.table, gate.formId, draft)),
);
