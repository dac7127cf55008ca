/** The sign-in page: the configured providers, and demo people where login by user ID is enabled. */
import type { LoginProvider } from '#core/identity/model.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { View } from './view.ts';

type SignIn = {
  providers: readonly { name: LoginProvider; title: string }[];
  people: readonly { id: string; name: string; role: string }[];
  /** Where to go afterwards: a path of the service. */
  to: string;
  /** Whether the provider did not confirm who the person is. */
  failed: boolean;
  publicUrl: string;
};

/** The page. */
export function signInPage(view: View, { providers, people, to, failed, publicUrl }: SignIn): Html {
  const { t } = view;
  return layout(view, {
    title: t.signIn.title,
    kind: 'message',
    main: html`<div class="card">
<h1>${t.signIn.title}</h1>
${failed && html`<div class="notice warning" role="alert"><p>${t.signIn.failed}</p></div>`}
<p class="lead">${t.signIn.lead}</p>
${providers.length > 0 && html`<p class="people">${providers.map((provider) => providerLink(view, provider, { to, publicUrl }))}</p>`}
${people.length > 0 && demoPeople(view, people, to)}
${providers.length + people.length === 0 && html`<p>${t.signIn.none}</p>`}
</div>`,
  });
}

function providerLink(
  { t }: View,
  { name, title }: SignIn['providers'][number],
  { to, publicUrl }: Pick<SignIn, 'to' | 'publicUrl'>,
): Html {
  const back = `${publicUrl}/sign-in?${new URLSearchParams({ to })}`;
  return html`<a class="button" href="/api/auth/login/oauth/${name}?${new URLSearchParams({ c: back }).toString()}">${t.signIn.with(title)}</a>`;
}

const demoPeople = ({ t }: View, people: SignIn['people'], to: string): Html => html`
<h2>${t.signIn.demo}</h2>
<p class="hint">${t.signIn.demoHint}</p>
<form method="post" action="/sign-in" class="people">
<input type="hidden" name="to" value="${to}">
${people.map(
  ({ id, name, role }) =>
    html`<button class="secondary" name="uid" value="${id}">${t.signIn.as(name)} <span class="muted">${role}</span></button>`,
)}
</form>`;
