/** The function of all pages of respondents. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';
import { handler as cancelSubmission } from './cancel-submission.ts';
import { handler as checkAnswers } from './check-answers.ts';
import { handler as chooseLanguage } from './choose-language.ts';
import { handler as confirmWithdrawal } from './confirm-withdrawal.ts';
import { handler as continueResponse } from './continue-response.ts';
import { handler as downloadFile } from './download-file.ts';
import { handler as onboard } from './onboard.ts';
import { handler as saveSection } from './save-section.ts';
import { handler as showDone } from './show-done.ts';
import { handler as showLanding } from './show-landing.ts';
import { handler as showOnboarding } from './show-onboarding.ts';
import { handler as showSection } from './show-section.ts';
import { handler as showSignIn } from './show-sign-in.ts';
import { handler as signIn } from './sign-in.ts';
import { handler as signOut } from './sign-out.ts';
import { handler as start } from './start.ts';
import { handler as submit } from './submit.ts';

export const handler = dispatch(respondentPages, {
  showSignIn,
  signIn,
  signOut,
  chooseLanguage,
  showOnboarding,
  onboard,
  showLanding,
  start,
  continueResponse,
  showSection,
  saveSection,
  checkAnswers,
  submit,
  confirmWithdrawal,
  showDone,
  cancelSubmission,
  downloadFile,
});
