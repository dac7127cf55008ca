/** The sign-in page: the configured providers, and demo people where login by user ID is enabled. */
import type { LoginProvider } from '#core/identity/model.ts';
import type { PageContext } from './context.ts';
import { errorSummary, type FieldError, pageTitle, textField } from './controls.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

type SignInPage = {
  providers: readonly { name: LoginProvider; title: string }[];
  people: readonly { id: string; name: string; role: string }[];
  /** The path of the service to open afterwards. */
  to: string;
  /** Whether the provider did not confirm who the person is. */
  failed: boolean;
  publicUrl: string;
};

/** Renders the providers with which people can sign in; locally, the demo persons. */
export function renderSignInPage(context: PageContext, { providers, people, to, failed, publicUrl }: SignInPage): Html {
  const { t } = context;
  return layout(context, {
    title: t.signIn.title,
    kind: 'message',
    main: html`<div class="card">
<h1>${t.signIn.title}</h1>
${failed && html`<div class="notice warning" role="alert"><p>${t.signIn.failed}</p></div>`}
<p class="lead">${lead(context, to)}</p>
${providers.length > 0 && html`<p class="people">${providers.map((provider) => providerLink(context, provider, { to, publicUrl }))}</p>`}
${people.length > 0 && demoPeople(context, people, to)}
${providers.length + people.length === 0 && html`<p>${t.signIn.none}</p>`}
</div>`,
  });
}

/** Says what waits after signing in. It depends on the address alone, and so tells nothing about what exists. */
function lead({ t }: PageContext, to: string): string {
  if (to === '/') return t.signIn.lead;
  return to.startsWith('/f/') ? t.signIn.leadToForm : t.signIn.leadToPage;
}

function providerLink(
  { t }: PageContext,
  { name, title }: SignInPage['providers'][number],
  { to, publicUrl }: Pick<SignInPage, 'to' | 'publicUrl'>,
): Html {
  const back = `${publicUrl}/sign-in?${new URLSearchParams({ to })}`;
  return html`<a class="button" href="/api/auth/login/oauth/${name}?${new URLSearchParams({ c: back }).toString()}">${t.signIn.with(title)}</a>`;
}

const demoPeople = ({ t }: PageContext, people: SignInPage['people'], to: string): Html => html`
<h2>${t.signIn.demo}</h2>
<p class="hint">${t.signIn.demoHint}</p>
<form method="post" action="/sign-in" class="people">
<input type="hidden" name="to" value="${to}">
${people.map(
  ({ id, name, role }) =>
    html`<button class="secondary" name="uid" value="${id}">${t.signIn.as(name)} <span class="muted">${role}</span></button>`,
)}
</form>`;

// The page on which a person chooses a username and a name.

type Names = { username: string; name: string };
export type OnboardingPage = { to: string; typed: Names; errors: Partial<Names> };

/** Renders the page; after a refusal with the errors and the typed names. */
export function renderOnboardingPage(context: PageContext, { to, typed, errors }: OnboardingPage): Html {
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
