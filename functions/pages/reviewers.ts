/** The function of all pages of reviewers. */
import { reviewPages } from '#core/api/review-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';
import { handler as changeView } from './change-view.ts';
import { handler as chooseHighlight } from './choose-highlight.ts';
import { handler as confirmDeletion } from './confirm-deletion.ts';
import { handler as confirmViewDeletion } from './confirm-view-deletion.ts';
import { handler as createView } from './create-view.ts';
import { handler as deleteResponse } from './delete-response.ts';
import { handler as downloadExport } from './download-export.ts';
import { handler as requestExport } from './request-export.ts';
import { handler as resend } from './resend.ts';
import { handler as showDrafts } from './show-drafts.ts';
import { handler as showExport } from './show-export.ts';
import { handler as showExports } from './show-exports.ts';
import { handler as showResponse } from './show-response.ts';
import { handler as showResponses } from './show-responses.ts';
import { handler as showStatistics } from './show-statistics.ts';
import { handler as showView } from './show-view.ts';
import { handler as showViews } from './show-views.ts';

export const handler = dispatch(reviewPages, {
  showResponses,
  showDrafts,
  showStatistics,
  chooseHighlight,
  showResponse,
  resend,
  confirmDeletion,
  deleteResponse,
  showExports,
  requestExport,
  showExport,
  downloadExport,
  showViews,
  createView,
  showView,
  changeView,
  confirmViewDeletion,
});
