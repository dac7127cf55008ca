/** Renders the page of the reader's account: names, addresses and organizations. */
import type { Account } from '#core/accounts/model.ts';
import type { StoredOrganization } from '#core/organizations/store.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { organizationHref } from './frame.ts';

/** The most organizations that are listed. */
export const MAX_ORGANIZATIONS = 100;

export function renderAccountPage(
  context: PageContext,
  account: Account,
  organizations: readonly StoredOrganization[],
): Html {
  const { account: texts, create } = getOrganizersTexts(context);
  const { onboarding } = context.t;
  return layout(context, {
    title: texts.title,
    frame: { crumbs: [] },
    main: html`<h1>${texts.title}</h1>
<section class="card"><h2>${texts.names}</h2>
<dl class="facts"><dt>${onboarding.username}</dt><dd>${account.username}</dd><dt>${onboarding.displayName}</dt><dd>${account.name}</dd></dl>
<p class="actions"><a class="button secondary" href="/onboarding?to=%2Faccount">${context.t.home.changeNames}</a></p></section>
<section class="card section-heading"><h2>${texts.emails}</h2><p class="hint">${texts.emailsHint}</p>
${account.emails.length === 0 ? html`<p>${texts.noEmails}</p>` : html`<ul class="plain-list">${account.emails.map((email) => html`<li>${email}</li>`)}</ul>`}</section>
<section class="section-heading"><h2>${texts.organizations}</h2>
<ul class="rows">${organizations.map(
      ({ id, name, slug }) =>
        html`<li><div class="row-text"><h3><a class="row-link" href="${organizationHref(slug)}">${name}</a></h3></div>${account.memberships[id] === 'ADMIN' && html`<div class="row-side"><span class="tag active">${texts.admin}</span></div>`}</li>`,
    )}</ul>
<p class="actions"><a class="button secondary" href="/orgs/new">${create.title}</a></p></section>`,
  });
}
