/**
 * Shows the names, sign-ins, sessions, addresses and organizations of the reader. Ends all sessions of the reader, and
 * removes what this browser keeps: pages, and answers that were not saved yet.
 */
import { openAccount } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { type LinkedIdentity, listIdentities } from '#core/identity/identities.ts';
import { REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { endAllSessions, listSessions, type Session } from '#core/identity/sessions.ts';
import { loadOrganizations, type StoredOrganization } from '#core/organizations/store.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { LIST, signedInReader, WRITE } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { organizationHref } from './frame.ts';

export const page = definePage({
  name: 'account',
  audience: 'organizers',
  path: '/account',
  access: signedInReader,
  needs: LIST,
  open: openAccount,
  show: async ({ app, account, readCookie, context }) => {
    const orgIds = Object.keys(account.memberships).sort().slice(0, MAX_ORGANIZATIONS);
    const [organizations, identities, sessions] = await Promise.all([
      loadOrganizations(app.table, orgIds),
      listIdentities(app.table, account.id),
      listSessions(app, account, readCookie(REFRESH_COOKIE)),
    ]);
    const { loginTitles } = app.config;
    return {
      html: renderAccountPage(context, {
        account,
        organizations,
        signIns: listSignIns(loginTitles, identities),
        sessions,
      }),
    };
  },
  post: {
    access: signedInReader,
    needs: WRITE,
    open: openAccount,
    actions: {
      endSessions: async ({ app, account }) => ({
        location: '/',
        cookies: await endAllSessions(app, account),
        headers: { 'clear-site-data': '"cache", "storage"' },
      }),
    },
  },
});

/** The most organizations that are listed. */
const MAX_ORGANIZATIONS = 100;

/** A service with which one can sign in; `since`: when it was linked to the account, null if it is not. */
type SignIn = { title: string; since: string | null };

/** Lists the linked services, then the configured ones that are not linked. */
function listSignIns(
  titles: Readonly<Partial<Record<string, string>>>,
  identities: readonly LinkedIdentity[],
): SignIn[] {
  const linked = identities.map(({ provider, since }) => ({ title: titles[provider] ?? provider, since }));
  const isLinked = (name: string): boolean => identities.some(({ provider }) => provider === name);
  const others = Object.entries(titles).flatMap(([name, title]) =>
    title === undefined || isLinked(name) ? [] : [{ title, since: null }],
  );
  return [...linked, ...others];
}

type AccountPage = {
  account: Account;
  organizations: readonly StoredOrganization[];
  signIns: readonly SignIn[];
  sessions: readonly Session[];
};

/** Renders the page on which people see their names, organizations and ways to sign in. */
function renderAccountPage(context: PageContext, { account, organizations, signIns, sessions }: AccountPage): Html {
  const { account: texts, create } = getOrganizersTexts(context);
  const { onboarding } = context.t;
  return layout(context, {
    title: texts.title,
    frame: { crumbs: [] },
    main: html`<h1>${texts.title}</h1>
<section class="card"><h2>${texts.names}</h2>
<dl class="facts"><dt>${onboarding.username}</dt><dd dir="auto">${account.username}</dd><dt>${onboarding.displayName}</dt><dd dir="auto">${account.name}</dd></dl>
<p class="actions"><a class="button secondary" href="/onboarding?to=%2Faccount">${context.t.home.changeNames}</a></p></section>
<section class="card section-heading"><h2>${texts.signIns}</h2><p class="hint">${texts.signInsHint}</p>
${signIns.length === 0 ? html`<p>${texts.noSignIns}</p>` : html`<dl class="facts">${signIns.map(({ title, since }) => html`<dt>${title}</dt><dd>${since === null ? texts.notLinked : html`${texts.linkedSince} ${renderTime(context, since)}`}</dd>`)}</dl>`}</section>
<section class="card section-heading"><h2>${texts.sessions}</h2><p class="hint">${texts.sessionsHint}</p>
${sessions.length > 0 && html`<ul class="plain-list">${sessions.map(({ createdAt, usedAt, isCurrent }) => html`<li>${texts.lastUsed} ${renderTime(context, usedAt)} · ${texts.signedInSince} ${renderTime(context, createdAt)}${isCurrent && html` <span class="tag active">${texts.thisBrowser}</span>`}</li>`)}</ul>`}
<form method="post" action="/account"><p class="actions"><button class="secondary">${texts.signOutEverywhere}</button></p></form></section>
<section class="card section-heading"><h2>${texts.emails}</h2><p class="hint">${texts.emailsHint}</p>
${account.emails.length === 0 ? html`<p>${texts.noEmails}</p>` : html`<ul class="plain-list">${account.emails.map((email) => html`<li>${email}</li>`)}</ul>`}</section>
<section class="section-heading"><h2>${texts.organizations}</h2>
<ul class="rows">${organizations.map(
      ({ id, name, slug }) =>
        html`<li><div class="row-text"><h3><a class="row-link" dir="auto" href="${organizationHref(slug)}">${name}</a></h3></div>${account.memberships[id] === 'ADMIN' && html`<div class="row-side"><span class="tag active">${texts.admin}</span></div>`}</li>`,
    )}</ul>
<p class="actions"><a class="button secondary" href="/orgs/new">${create.title}</a></p></section>`,
  });
}
