/** Starts a response, with the answers of a prefilled link if there are any, and shows its first section. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { findPrefill, type Prefill } from '#core/pages/fields/prefill.ts';
import { isFormClosed } from '#core/pages/respondent/closed.ts';
import { readNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { isPrefillTooLarge, listPrefillFields } from '#core/pages/shell/prefill-link.ts';
import { openGateToStart } from '#core/responses/change.ts';
import { startResponse } from '#core/responses/start.ts';

export const handler = page(
  respondentPages.start,
  openGateToStart,
  async ({ app, gate, caller, ownCount, posted, context }) => {
    const fields = listPrefillFields(posted.fields);
    const isPrefilled = fields.length > 0 && !isPrefillTooLarge(fields);
    const prefill = isPrefilled
      ? findPrefill((await loadStructureFor(app.table, gate)).structure, fields, context.now.toISOString())
      : undefined;
    // The second press of the button opens the response that the first one has started.
    const id = idWithin(gate.formId, readNewId(posted.fields, caller, app).derive(fields));
    const start = { id, gate, userId: caller.id, ownCount, answers: prefill?.answers ?? [], isSubmission: false };
    const started = await startResponse(app, start).catch((error: unknown) => {
      if (isFormClosed(error)) return undefined;
      throw error;
    });
    // The first page of a form that has closed says so.
    if (!started) return { location: `/f/${gate.formId}` };
    const { body, etag } = started;
    // What the link has filled in is shown, also where nothing is missing in the first section.
    return {
      location: `/r/${body.id}${etag === NEW_VERSION && prefill?.firstSectionId ? firstSectionPath(prefill, prefill.firstSectionId) : ''}`,
    };
  },
);

/** The version of a response that nobody has changed since its start. */
const NEW_VERSION = 1;

function firstSectionPath({ answers, leftOut }: Prefill, sectionId: string): string {
  if (answers.length > 0) return `/s/${sectionId}?prefilled=${leftOut.length > 0 ? 'some' : 'all'}`;
  return leftOut.length > 0 ? `/s/${sectionId}?prefilled=none` : `/s/${sectionId}`;
}
