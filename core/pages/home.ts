/** The home page: the organizations of the reader with their newest forms, and forms to answer. */
import type { Opening } from '#core/forms/gate.ts';
import type { FormSummary } from '#core/forms/model.ts';
import { type FormState, formState } from './form-state.ts';
import { time } from './format.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { type OrganizationForm, organizationForms, organizationHref } from './organization.ts';
import type { View } from './view.ts';

export type HomeForm = FormSummary & {
  opening: Opening;
  /** How many sections of the newest draft are complete. */
  progress?: { done: number; all: number } | undefined;
};

type Organization = { name: string; slug: string };

export type Home = {
  name: string;
  forms: readonly HomeForm[];
  /** The organizations of the reader whose newest forms are shown. */
  organizations: readonly (Organization & { forms: readonly OrganizationForm[] })[];
  /** The other organizations of the reader. */
  furtherOrganizations: readonly Organization[];
  /** The position of the next page of forms to answer; null at the end. */
  next: string | null;
  isFirst: boolean;
};

/** The page. For members of organizations, their forms come first. */
export function homePage(view: View, data: Home): Html {
  const { t } = view;
  const { name, forms, organizations, next, isFirst } = data;
  const isMember = organizations.length > 0;
  return layout(view, {
    title: '',
    showsTimes: forms.some(({ deadline }) => deadline !== null),
    main: html`${isMember && ownOrganizations(view, data)}
${isMember ? html`<h2 class="section-heading">${t.home.toAnswer}</h2>` : html`<h1>${t.home.toAnswer}</h1>`}
${
  forms.length === 0
    ? html`<div class="empty"><p>${t.home.nothing}</p><p>${t.home.nothingHint}</p></div>`
    : html`<ul class="rows">${forms.map((form) => formRow(view, form, isMember ? 3 : 2))}</ul>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="/">${t.organization.first}</a>`}
${next !== null && html`<a class="button secondary" href="/?after=${encodeURIComponent(next)}">${t.home.more}</a>`}
</div>
<p class="section-heading muted small">${name !== '' && html`${t.home.signedInAs(name)} `}<a href="/onboarding">${t.home.changeNames}</a></p>`,
  });
}

const ownOrganizations = (view: View, { organizations, furtherOrganizations }: Home): Html => {
  const { home } = view.t;
  const link = ({ name, slug }: Organization): Html => html`<a href="${organizationHref(slug)}">${name}</a>`;
  return html`<h1>${home.organizations}</h1>
${organizations.map(
  ({ forms, ...organization }) => html`<section class="organization"><h2>${link(organization)}</h2>
${forms.length === 0 ? html`<div class="empty"><p>${home.noForms}</p></div>` : organizationForms(view, forms, 3)}
<p class="actions"><a class="button secondary" href="${organizationHref(organization.slug)}">${home.allForms}<span class="visually-hidden"> ${organization.name}</span></a></p>
</section>`,
)}
${
  furtherOrganizations.length > 0 &&
  html`<section class="organization"><h2>${home.furtherOrganizations}</h2><ul class="rows">${furtherOrganizations.map(
    ({ name, slug }) =>
      html`<li><div class="row-text"><h3><a class="row-link" href="${organizationHref(slug)}">${name}</a></h3></div></li>`,
  )}</ul></section>`
}`;
};

function formRow(view: View, form: HomeForm, level: 2 | 3): Html {
  const { home } = view.t;
  const state = formState(form.opening, view.now);
  const link = html`<a class="row-link" href="/f/${form.id}">${form.title}</a>`;
  // A draft that cannot be submitted is not in progress.
  const isStuck = form.status === 'IN_PROGRESS' && state !== 'open';
  const tone = { NOT_STARTED: '', IN_PROGRESS: isStuck ? '' : 'active', COMPLETED: 'good' }[form.status];
  return html`<li><div class="row-text">
${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
<p class="muted small">${whenOpen(view, form, state)}${
    form.progress && !isStuck && html` · ${home.sections(form.progress.done, form.progress.all)}`
  }</p>
</div><div class="row-side"><span class="tag ${tone}">${isStuck ? home.notSubmitted : home.status[form.status]}</span></div></li>`;
}

/** Until or since when a form takes responses, or why it takes none. */
function whenOpen(view: View, { opening: { publishTime, deadline } }: HomeForm, state: FormState): Html | string {
  const { home, landing } = view.t;
  if (state === 'archived') return landing.archived;
  if (state === 'draft') return landing.notYet;
  if (state === 'not-yet') return html`${landing.opens} ${publishTime !== null && time(view, publishTime, 'zone')}`;
  if (deadline === null) return home.noDeadline;
  return html`${state === 'closed' ? home.closed : home.closes} ${time(view, deadline, 'zone')}`;
}
