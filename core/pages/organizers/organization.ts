/** The forms of an organization, for its members: as a list on the home page, and all of them on a page of their own. */

import { countResponses, loadCounters } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import { listOrganizationForms } from '#core/forms/lists.ts';
import { FormStatus } from '#core/forms/model.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import type { View } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';

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

// Reads the forms of organizations with the numbers of their responses.

const PAGE_FORMS = 20;

type Range = Parameters<typeof listOrganizationForms>[2];

/** A page of forms with their counts, newest first, and the position of the next page. */
export async function countedForms(
  app: Pick<Ports, 'table' | 'now'>,
  orgId: string,
  range: Range,
): Promise<{ forms: OrganizationForm[]; last: string | null }> {
  const { items, last } = await listOrganizationForms(app, orgId, range);
  const forms = await Promise.all(
    items.map(async ({ id, title, status }) => {
      const counters = await loadCounters(app.table, id);
      const { submittedCount: submitted, draftCount: drafts } = await countResponses(app.table, id, counters);
      return { id, title, status, submitted, drafts };
    }),
  );
  return { forms, last };
}

/** The page of an organization at an address. Throws 404 without the organization, 400 for a cursor of another list. */
export async function organizationPageOf(
  app: Pick<Ports, 'table' | 'now'>,
  orgId: string,
  query: URLSearchParams,
): Promise<OrganizationPage> {
  const status = FormStatus().safeParse(query.get('status')).data;
  const cursor = query.get('cursor') ?? undefined;
  const list = ['forms of an organization', orgId, status];
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const statuses = status ? [status] : FormStatus().options;
  const [organization, { forms, last }] = await Promise.all([
    loadOrganization(app.table, orgId),
    countedForms(app, orgId, { limit: PAGE_FORMS, after, status: statuses }),
  ]);
  if (!organization) throw problems.notFound();
  const { name, slug } = organization;
  const next = last === null ? null : encodeCursor(list, last);
  return { name, slug, status, forms, next, isFirst: cursor === undefined };
}
