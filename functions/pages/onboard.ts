/** Sets the username and the name of the reader. */

import { chooseNames, openAccount } from '#core/accounts/accounts.ts';
import { Onboarding } from '#core/accounts/model.ts';
import { respondentPages } from '#core/api/respondent-pages.ts';
import { page } from '#core/pages/shell/page.ts';
import { parseReturnPath } from '#core/pages/shell/result.ts';
import { renderOnboardingPage } from '#core/pages/shell/sign-in.ts';
import { Problem } from '#core/problems/problems.ts';

export const handler = page(respondentPages.onboard, openAccount, async ({ app, account, posted, context }) => {
  const texts = context.t.onboarding;
  const to = parseReturnPath(posted.fields.get('to'), app.config.publicUrl);
  const typed = {
    username: posted.fields.get('username')?.trim() ?? '',
    name: posted.fields.get('name')?.trim() ?? '',
  };
  const renderErrors = (errors: { username?: string; name?: string }) => ({
    html: renderOnboardingPage(context, { to, typed, errors }),
    status: 400,
  });
  const names = Onboarding().safeParse(typed);
  if (!names.success) {
    const isInvalid = (member: string): boolean => names.error.issues.some(({ path }) => path[0] === member);
    return renderErrors({
      ...(isInvalid('username') ? { username: texts.usernameInvalid } : {}),
      ...(isInvalid('name') ? { name: texts.nameInvalid } : {}),
    });
  }
  try {
    await chooseNames(app, account, names.data);
    return { location: to };
  } catch (error) {
    if (error instanceof Problem && error.code === 'username_taken')
      return renderErrors({ username: texts.usernameTaken });
    throw error;
  }
});
