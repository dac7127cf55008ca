/** The page on which a person chooses a username and a name. */
import { errorSummary, type FieldError, fieldError, titleWith } from './error-summary.ts';
import { attribute, type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { View } from './view.ts';

type Names = { username: string; name: string };
export type Onboarding = { to: string; typed: Names; errors: Partial<Names> };

/** The page, again with the errors and what was typed after a refusal. */
export function onboardingPage(view: View, { to, typed, errors }: Onboarding): Html {
  const { t } = view;
  const texts = t.onboarding;
  const faults: FieldError[] = (['username', 'name'] as const).flatMap((target) => {
    const message = errors[target];
    return message === undefined ? [] : [{ target, message }];
  });
  return layout(view, {
    title: titleWith(view, texts.title, faults.length > 0),
    kind: 'message',
    main: html`${errorSummary(view, faults)}<div class="card">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
<form method="post" action="/onboarding" novalidate data-once>
<input type="hidden" name="to" value="${to}">
${textField(view, { name: 'username', label: texts.username, hint: texts.usernameHint, value: typed.username, error: errors.username, autocomplete: 'username' })}
${textField(view, { name: 'name', label: texts.displayName, hint: texts.nameHint, value: typed.name, error: errors.name, autocomplete: 'nickname' })}
<p class="actions"><button>${t.shell.continue}</button> <a class="button quiet" href="${to}">${texts.skip}</a></p>
</form>
</div>`,
  });
}

type TextField = {
  name: string;
  label: string;
  hint: string;
  value: string;
  error?: string | undefined;
  autocomplete: string;
};

function textField(view: View, { name, label, hint, value, error, autocomplete }: TextField): Html {
  const described = error === undefined ? `${name}-hint` : `${name}-hint ${name}-error`;
  return html`<div class="field${error !== undefined && ' invalid'}">
<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
${fieldError(view, name, error)}
<input id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" required aria-describedby="${described}"${attribute('aria-invalid', error !== undefined && 'true')}>
</div>`;
}
