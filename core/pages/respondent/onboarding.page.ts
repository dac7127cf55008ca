/** Asks for a username and a name. Sets the username and the name of the reader. */
import { chooseNames, openAccount } from '#core/accounts/accounts.ts';
import { Onboarding } from '#core/accounts/model.ts';
import { Problem } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, type FieldError, pageTitle, textField } from '../shell/controls.ts';
import { signedInReader } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { parseReturnPath } from '../shell/result.ts';

export const page = definePage({
  name: 'onboarding',
  audience: 'respondents',
  path: '/onboarding',
  access: signedInReader,
  needs: ['table:read'],
  open: openAccount,
  show: async ({ app, account, query, context }) => {
    const to = parseReturnPath(query.get('to'), app.config.publicUrl);
    const { username, name } = account;
    return { html: renderOnboardingPage(context, { to, typed: { username, name }, errors: {} }) };
  },
  post: {
    access: signedInReader,
    needs: ['table:read', 'table:write'],
    open: openAccount,
    actions: {
      onboard: async ({ app, account, posted, context }) => {
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
      },
    },
  },
});

// The page on which a person chooses a username and a name.

type Names = { username: string; name: string };

type OnboardingPage = { to: string; typed: Names; errors: Partial<Names> };

/** Renders the page; after a refusal with the errors and the typed names. */
function renderOnboardingPage(context: PageContext, { to, typed, errors }: OnboardingPage): Html {
  const { t } = context;
  const texts = t.onboarding;
  const faults: FieldError[] = (['username', 'name'] as const).flatMap((target) => {
    const message = errors[target];
    return message === undefined ? [] : [{ target, message }];
  });
  return layout(context, {
    title: pageTitle(context, texts.title, faults.length > 0),
    kind: 'message',
    main: html`${errorSummary(context, faults)}<div class="card">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
<form method="post" action="/onboarding" novalidate data-once>
<input type="hidden" name="to" value="${to}">
${textField(context, { name: 'username', label: texts.username, hint: texts.usernameHint, value: typed.username, error: errors.username, autocomplete: 'username', isExact: true, required: true })}
${textField(context, { name: 'name', label: texts.displayName, hint: texts.nameHint, value: typed.name, error: errors.name, autocomplete: 'nickname', isExact: true, required: true })}
<p class="actions"><button>${t.shell.continue}</button> <a class="button quiet" href="${to}">${texts.skip}</a></p>
</form>
</div>`,
  });
}
