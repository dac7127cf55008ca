/** Deletes the draft of a respondent, whether or not its form is open; one that was submitted meanwhile is shown. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { deleteResponse } from '#core/deletion/marks.ts';
import { page } from '#core/pages/shell/page.ts';
import { Problem } from '#core/problems/problems.ts';
import { openResponseToDelete } from '#core/responses/change.ts';

export const handler = page(respondentPages.deleteDraft, openResponseToDelete, async ({ app, response, gate }) => {
  try {
    await deleteResponse(app, response, { ...gate, roles: ['owner'] });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 403) throw error;
    return { location: `/r/${response.id}/done` };
  }
  // Without a response, the respondent cannot see a form that is not published.
  return { location: gate.status === 'PUBLISHED' ? `/f/${gate.formId}?done=draftDeleted` : '/' };
});
