/** Makes a submitted response a draft again and shows its answers; of a closed form it stays submitted. */
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { cancel } from '#core/responses/edits.ts';
import { owner } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { isFormClosed } from './closed.ts';

export const page = definePage({
  name: 'cancelSubmission',
  audience: 'respondents',
  path: '/r/{responseId}/cancel',
  segmentsBelowPage: 1,
  post: {
    access: owner,
    needs: ['table:read', 'table:write'],
    open: openResponse,
    actions: {
      cancelSubmission: async ({ app, opened }) => {
        const path = `/r/${opened.response.id}`;
        try {
          await changeResponse(app, opened, ({ response }, now) => ({
            // Pressed twice, the response is a draft already.
            next: response.progress === 'DRAFT' ? response : cancel(response, now),
            body: undefined,
          }));
        } catch (error) {
          if (isFormClosed(error)) return { location: path };
          throw error;
        }
        return { location: `${path}/check?done=withdrawn` };
      },
    },
  },
});
