/** The pages of respondents, in one function: generated from the files of the pages by `npm run generate`. */
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch({
  '/f/{formId}': () => import('#core/pages/respondent/landing.page.ts'),
  '/f/{formId}/address': () => import('#core/pages/respondent/address.page.ts'),
  '/f/{formId}/code': () => import('#core/pages/respondent/code.page.ts'),
  '/f/{formId}/forget': () => import('#core/pages/respondent/forget.page.ts'),
  '/f/{formId}/mail-link': () => import('#core/pages/respondent/mail-link.page.ts'),
  '/f/{formId}/privacy': () => import('#core/pages/respondent/privacy.page.ts'),
  '/f/{formId}/resume': () => import('#core/pages/respondent/resume.page.ts'),
  '/f/{formId}/start': () => import('#core/pages/respondent/start.page.ts'),
  '/files/{fileId}': () => import('#core/pages/respondent/download-file.page.ts'),
  '/language': () => import('#core/pages/respondent/language.page.ts'),
  '/onboarding': () => import('#core/pages/respondent/onboarding.page.ts'),
  '/r/{responseId}': () => import('#core/pages/respondent/continue-response.page.ts'),
  '/r/{responseId}/cancel': () => import('#core/pages/respondent/cancel-submission.page.ts'),
  '/r/{responseId}/change': () => import('#core/pages/respondent/pending-edit.page.ts'),
  '/r/{responseId}/check': () => import('#core/pages/respondent/check.page.ts'),
  '/r/{responseId}/delete': () => import('#core/pages/respondent/delete-draft.page.ts'),
  '/r/{responseId}/done': () => import('#core/pages/respondent/done.page.ts'),
  '/r/{responseId}/s/{sectionId}': () => import('#core/pages/respondent/section.page.ts'),
  '/r/{responseId}/submit': () => import('#core/pages/respondent/submit.page.ts'),
  '/r/{responseId}/withdraw': () => import('#core/pages/respondent/withdrawal.page.ts'),
  '/sign-in': () => import('#core/pages/respondent/sign-in.page.ts'),
  '/sign-out': () => import('#core/pages/respondent/sign-out.page.ts'),
  '/unsubscribe': () => import('#core/pages/respondent/unsubscribe.page.ts'),
});
