/**
 * Asks before respondents delete their own draft. Deletes the draft of a respondent, whether or not its form is open;
 * one that was submitted meanwhile is shown.
 */
import { deleteResponse } from '#core/deletion/marks.ts';
import { Problem } from '#core/problems/problems.ts';
import { openResponseToDelete } from '#core/responses/change.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import { owner } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';

export const page = definePage({
  name: 'deleteDraft',
  audience: 'respondents',
  path: '/r/{responseId}/delete',
  access: owner,
  needs: ['table:read'],
  open: openResponseToDelete,
  show: async ({ response, gate, context }) => {
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
  post: {
    access: owner,
    needs: ['table:read', 'table:write', 'table:remove'],
    open: openResponseToDelete,
    actions: {
      deleteDraft: async ({ app, response, gate }) => {
        try {
          await deleteResponse(app, response, { ...gate, roles: ['owner'] });
        } catch (error) {
          if (!(error instanceof Problem) || error.status !== 403) throw error;
          return { location: `/r/${response.id}/done` };
        }
        // Without a response, the respondent cannot see a form that is not published.
        return { location: gate.status === 'PUBLISHED' ? `/f/${gate.formId}?done=draftDeleted` : '/' };
      },
    },
  },
});
