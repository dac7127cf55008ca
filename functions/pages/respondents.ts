/** The function of all pages of respondents. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch(respondentPages, {
  showSignIn: () => import('./show-sign-in.ts'),
  signIn: () => import('./sign-in.ts'),
  signOut: () => import('./sign-out.ts'),
  chooseLanguage: () => import('./choose-language.ts'),
  showOnboarding: () => import('./show-onboarding.ts'),
  onboard: () => import('./onboard.ts'),
  showLanding: () => import('./show-landing.ts'),
  start: () => import('./start.ts'),
  continueResponse: () => import('./continue-response.ts'),
  showSection: () => import('./show-section.ts'),
  saveSection: () => import('./save-section.ts'),
  checkAnswers: () => import('./check-answers.ts'),
  submit: () => import('./submit.ts'),
  confirmWithdrawal: () => import('./confirm-withdrawal.ts'),
  confirmDraftDeletion: () => import('./confirm-draft-deletion.ts'),
  deleteDraft: () => import('./delete-draft.ts'),
  showDone: () => import('./show-done.ts'),
  cancelSubmission: () => import('./cancel-submission.ts'),
  downloadFile: () => import('./download-file.ts'),
});
