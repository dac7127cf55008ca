/** Returns the changes of a published form that are not live yet. */
import { forms } from '#core/api/forms.ts';
import { openDraft } from '#core/forms/draft.ts';
import { operation } from '#core/http/operation.ts';
import { presentChanges } from '#core/structure/changes.ts';

export const handler = operation(forms.getChanges, openDraft, async ({ draft }) => presentChanges(draft));
