/**
 * Shows the ways to sign in. Redirects people who are signed in: to choose names first, or back to where they came
 * from. Signs in a demo person by user ID, where the configuration enables it.
 */
import { anyone, loadAccount } from '#core/accounts/accounts.ts';
import { openInternalLogin } from '#core/identity/login.ts';
import { LoginProvider } from '#core/identity/model.ts';
import { startSession } from '#core/identity/sessions.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import type { PageContext } from '../shell/context.ts';
import { anybody } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { parseReturnPath, pathAfterSignIn } from '../shell/result.ts';

export const page = definePage({
  name: 'signIn',
  audience: 'respondents',
  path: '/sign-in',
  access: anybody,
  needs: ['table:read'],
  open: anyone,
  show: async ({ app, caller, query, context }) => {
    const { config } = app;
    const to = parseReturnPath(query.get('to'), config.publicUrl);
    const account = caller && (await loadAccount(app.table, caller.id));
    if (account) return { location: pathAfterSignIn(account, to) };
    const providers = LoginProvider().options.flatMap((name) => {
      const title = config.loginTitles[name];
      return title === undefined ? [] : [{ name, title }];
    });
    const people = config.internalLogin ? config.demoPeople : [];
    const failed = query.get('status') === 'error';
    return { html: renderSignInPage(context, { providers, people, to, failed, publicUrl: config.publicUrl }) };
  },
  post: {
    access: anybody,
    needs: ['table:read', 'table:write', 'tokens:sign'],
    open: openInternalLogin,
    actions: {
      signIn: async ({ app, posted }) => {
        const uid = posted.fields.get('uid') ?? '';
        const account = isId(uid) ? await loadAccount(app.table, uid) : undefined;
        if (!account) throw problems.notFound();
        const to = parseReturnPath(posted.fields.get('to'), app.config.publicUrl);
        return { location: pathAfterSignIn(account, to), cookies: await startSession(app, account) };
      },
    },
  },
});

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
function renderSignInPage(context: PageContext, { providers, people, to, failed, publicUrl }: SignInPage): Html {
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
