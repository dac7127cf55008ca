/** Asks before respondents delete their own draft. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { renderConfirmationPage } from '#core/pages/shell/confirmation.ts';
import { page } from '#core/pages/shell/page.ts';
import { openResponseToDelete } from '#core/responses/change.ts';

export const handler = page(
  respondentPages.confirmDraftDeletion,
  openResponseToDelete,
  async ({ response, gate, context }) => {
    const { id, progress } = response;
    if (progress === 'SUBMITTED') return { location: `/r/${id}/done` };
    const { title, lead, confirm, keep } = context.t.draftDeletion;
    return {
      html: renderConfirmationPage(context, {
        title,
        lead,
        action: `/r/${id}/delete`,
        confirm,
        cancel: keep,
        cancelHref: gate.status === 'PUBLISHED' ? `/f/${gate.formId}` : `/r/${id}`,
      }),
    };
  },
);
