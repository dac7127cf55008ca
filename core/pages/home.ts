/** The home page: forms to answer, and the organizations of the reader with their forms and counts. */
import type { FormStatus, FormSummary } from '#core/forms/model.ts';
import { time } from './format.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { View } from './view.ts';

export type HomeForm = FormSummary & {
  /** How many sections of the newest draft are complete. */
  progress?: { done: number; all: number } | undefined;
};

export type HomeOrganization = {
  id: string;
  name: string;
  forms: readonly { id: string; title: string; status: FormStatus; submitted: number; drafts: number }[];
};

export type Home = {
  name: string;
  forms: readonly HomeForm[];
  organizations: readonly HomeOrganization[];
  next: string | null;
};

/** The page. */
export function homePage(view: View, { name, forms, organizations, next }: Home): Html {
  const { t } = view;
  return layout(view, {
    title: '',
    showsTimes: forms.some(({ deadline }) => deadline !== null),
    main: html`<h1>${t.home.toAnswer}</h1>
${
  forms.length === 0
    ? html`<div class="empty"><p>${t.home.nothing}</p><p>${t.home.nothingHint}</p></div>`
    : html`<ul class="rows">${forms.map((form) => formRow(view, form))}</ul>`
}
${next !== null && html`<p class="actions"><a class="button secondary" href="/?after=${encodeURIComponent(next)}">${t.home.more}</a></p>`}
${organizations.length > 0 && html`<h2 class="section-heading">${t.home.organizations}</h2>`}
${organizations.map((organization) => organizationForms(view, organization))}
<p class="section-heading muted small">${name !== '' && html`${t.home.signedInAs(name)} `}<a href="/onboarding">${t.home.changeNames}</a></p>`,
  });
}

function formRow(view: View, form: HomeForm): Html {
  const { t } = view;
  const isClosed = form.deadline !== null && form.deadline < view.now.toISOString();
  const tone = { NOT_STARTED: '', IN_PROGRESS: 'active', COMPLETED: 'good' }[form.status];
  return html`<li><div class="row-text">
<h2><a class="row-link" href="/f/${form.id}">${form.title}</a></h2>
<p class="muted small">${
    form.deadline === null
      ? t.home.noDeadline
      : html`${isClosed ? t.home.closed : t.home.closes} ${time(view, form.deadline, 'zone')}`
  }${form.progress && html` · ${t.home.sections(form.progress.done, form.progress.all)}`}</p>
</div><div class="row-side"><span class="tag ${tone}">${t.home.status[form.status]}</span></div></li>`;
}

const organizationForms = (view: View, { name, forms }: HomeOrganization): Html => html`<section>
<h3>${name}</h3>
${
  forms.length === 0
    ? html`<div class="empty"><p>${view.t.home.noForms}</p></div>`
    : html`<ul class="rows">${forms.map(
        (form) => html`<li><div class="row-text">
<h4><a class="row-link" href="/f/${form.id}">${form.title}</a></h4>
<p class="muted small">${view.t.home.formStatus[form.status]} · ${view.t.home.responses(form.submitted, form.drafts)}</p>
</div><div class="row-side"><a class="button secondary" href="/review/${form.id}">${view.t.home.review}<span class="visually-hidden"> ${form.title}</span></a></div></li>`,
      )}</ul>`
}
</section>`;
