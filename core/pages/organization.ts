/** The forms of an organization, for its members: as a list on the home page, and all of them on a page of their own. */
import type { FormStatus } from '#core/forms/model.ts';
import { attribute, type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { View } from './view.ts';

/** A form with the numbers of its responses. */
export type OrganizationForm = { id: string; title: string; status: FormStatus; submitted: number; drafts: number };

/** The address of the page of an organization. */
export const organizationHref = (slug: string): string => `/o/${slug}`;

/** The forms as rows whose titles are headings of a level. */
export function organizationForms(view: View, forms: readonly OrganizationForm[], level: 2 | 3): Html {
  const { home } = view.t;
  return html`<ul class="rows">${forms.map(({ id, title, status, submitted, drafts }) => {
    const link = html`<a class="row-link" href="/f/${id}">${title}</a>`;
    return html`<li><div class="row-text">
${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
<p class="muted small">${home.formStatus[status]} · ${home.responses(submitted, drafts)}</p>
</div><div class="row-side"><a class="button secondary" href="/review/${id}">${home.review}<span class="visually-hidden"> ${title}</span></a></div></li>`;
  })}</ul>`;
}

export type OrganizationPage = {
  name: string;
  slug: string;
  /** The status of the listed forms; undefined for all. */
  status: FormStatus | undefined;
  forms: readonly OrganizationForm[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
  isFirst: boolean;
};

/** The page: newest forms first. */
export function organizationPage(view: View, { name, slug, status, forms, next, isFirst }: OrganizationPage): Html {
  const { organization, home, shell } = view.t;
  const href = (query: Record<string, string | undefined>): string => {
    const given = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined);
    const text = new URLSearchParams(given).toString();
    return organizationHref(slug) + (text === '' ? '' : `?${text}`);
  };
  const tab = (of: FormStatus | undefined, label: string): Html =>
    html`<li><a href="${href({ status: of })}"${attribute('aria-current', of === status && 'page')}>${label}</a></li>`;
  return layout(view, {
    title: `${organization.title} · ${name}`,
    main: html`<p><a class="back" href="/">${shell.home}</a></p>
<h1>${name}</h1>
<nav class="tabs" aria-label="${organization.statuses}"><ul>${tab(undefined, organization.all)}${(
      ['PUBLISHED', 'DRAFT', 'ARCHIVED'] as const
    ).map((each) => tab(each, home.formStatus[each]))}</ul></nav>
${
  forms.length > 0
    ? organizationForms(view, forms, 2)
    : isFirst && status === undefined
      ? html`<div class="empty"><p>${organization.noForms}</p><p>${organization.noFormsHint}</p></div>`
      : html`<div class="empty"><p>${organization.none}</p></div>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${href({ status })}">${organization.first}</a>`}
${next !== null && html`<a class="button secondary" href="${href({ status, cursor: next })}">${organization.next}</a>`}
</div>`,
  });
}
