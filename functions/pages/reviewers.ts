/** The pages of reviewers, in one function: generated from the files of the pages by `npm run generate`. */
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch({
  '/review/{formId}': () => import('#core/pages/review/responses.page.ts'),
  '/review/{formId}/delete-selected': () => import('#core/pages/review/delete-selected.page.ts'),
  '/review/{formId}/drafts': () => import('#core/pages/review/drafts.page.ts'),
  '/review/{formId}/export': () => import('#core/pages/review/exports.page.ts'),
  '/review/{formId}/export/{exportId}': () => import('#core/pages/review/export.page.ts'),
  '/review/{formId}/export/{exportId}/file': () => import('#core/pages/review/download-export.page.ts'),
  '/review/{formId}/failed': () => import('#core/pages/review/failed.page.ts'),
  '/review/{formId}/highlight': () => import('#core/pages/review/highlight.page.ts'),
  '/review/{formId}/notices': () => import('#core/pages/review/notices.page.ts'),
  '/review/{formId}/q/{questionId}': () => import('#core/pages/review/answers.page.ts'),
  '/review/{formId}/r/{responseId}': () => import('#core/pages/review/response.page.ts'),
  '/review/{formId}/r/{responseId}/delete': () => import('#core/pages/review/delete-response.page.ts'),
  '/review/{formId}/r/{responseId}/deliveries/{kind}': () => import('#core/pages/review/resend.page.ts'),
  '/review/{formId}/statistics': () => import('#core/pages/review/statistics.page.ts'),
  '/review/{formId}/views': () => import('#core/pages/review/views.page.ts'),
  '/review/{formId}/views/{viewId}': () => import('#core/pages/review/view.page.ts'),
  '/review/{formId}/views/{viewId}/delete': () => import('#core/pages/review/delete-view.page.ts'),
});
