/** The function of all pages of reviewers. */
import { reviewPages } from '#core/api/review-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch(reviewPages, {
  showResponses: () => import('./show-responses.ts'),
  showDrafts: () => import('./show-drafts.ts'),
  showStatistics: () => import('./show-statistics.ts'),
  chooseHighlight: () => import('./choose-highlight.ts'),
  showResponse: () => import('./show-response.ts'),
  resend: () => import('./resend.ts'),
  confirmDeletion: () => import('./confirm-deletion.ts'),
  deleteResponse: () => import('./delete-response.ts'),
  showExports: () => import('./show-exports.ts'),
  requestExport: () => import('./request-export.ts'),
  showExport: () => import('./show-export.ts'),
  downloadExport: () => import('./download-export.ts'),
  showViews: () => import('./show-views.ts'),
  createView: () => import('./create-view.ts'),
  showView: () => import('./show-view.ts'),
  changeView: () => import('./change-view.ts'),
  confirmViewDeletion: () => import('./confirm-view-deletion.ts'),
});
