/** Shows all forms of an organization to its members. */
import type { Table } from '#core/db/table.ts';
import { countForms, type FormEntry, listFormEntries } from '#core/forms/lists.ts';
import { FormStatus } from '#core/forms/model.ts';
import { MAX_TITLE } from '#core/forms/settings.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { openOrganizationReading } from '#core/organizations/service.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, memberOfOrganization } from '../shell/declare-page.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { newFormField } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { loadHead, type OrganizationHead, organizationHref, organizationLayout } from './frame.ts';
import { countListedForms, formSearch, noForms, type OrganizationForms, organizationForms } from './organization.ts';

/** Forms are counted up to this number. */
const MAX_COUNT = 100;

const STATUSES = ['PUBLISHED', 'DRAFT', 'ARCHIVED'] as const;

// Reads the forms of organizations with the numbers of their responses.

const PAGE_FORMS = 20;

/** What the index has of the forms of an organization for an address. */
type FormList = Omit<OrganizationForms, 'forms'> & { entries: readonly FormEntry[]; statuses: readonly FormStatus[] };

/**
 * Lists the forms of an organization for an address, newest first, as new as the index. A search looks at the titles of up
 * to 1,000 forms and continues on the next page. Throws 400 for a cursor of another list.
 */
async function listForms(table: Table, orgId: string, query: URLSearchParams): Promise<FormList> {
  const status = FormStatus().safeParse(query.get('status')).data;
  const search = (query.get('search') ?? '').trim().slice(0, MAX_TITLE);
  const cursor = query.get('cursor') ?? undefined;
  const list = ['forms of an organization', orgId, status, search];
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const statuses = status ? [status] : STATUSES;
  const [{ entries, last }, ...counted] = await Promise.all([
    listFormEntries(table, orgId, { limit: PAGE_FORMS, after, status: statuses, search }),
    ...STATUSES.map((formStatus) => countForms(table, orgId, formStatus, MAX_COUNT + 1)),
  ]);
  const counts = Object.fromEntries(STATUSES.map((formStatus, index) => [formStatus, counted[index] ?? 0]));
  return {
    status,
    statuses,
    search,
    entries,
    counts: counts as Record<FormStatus, number>,
    next: last === null ? null : encodeCursor(list, last),
    isFirst: cursor === undefined,
  };
}

const openForms = openOrganizationReading(listForms);

export const page = definePage({
  name: 'organization',
  audience: 'organizers',
  path: '/o/{slug}',
  access: memberOfOrganization,
  needs: LIST,
  open: openForms,
  show: async ({ app, orgId, account, roles, readAhead, context }) => {
    const [head, forms] = await Promise.all([
      loadHead(app, { orgId, account, roles }),
      readAhead().then((list) => loadForms(app.table, orgId, list)),
    ]);
    return { html: renderOrganizationPage(context, head, { ...forms, newId: newFormField(app) }) };
  },
});

/** Renders the page of an organization's forms, newest first. */
function renderOrganizationPage(
  context: PageContext,
  head: OrganizationHead,
  { newId, ...data }: OrganizationForms & { newId: string },
): Html {
  const { organization, home } = context.t;
  const { status, search, forms, counts, next, isFirst } = data;
  const href = (query: Record<string, string | undefined>): string => {
    const definedEntries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
    const text = new URLSearchParams(definedEntries).toString();
    return organizationHref(head.org.slug) + (text === '' ? '' : `?${text}`);
  };
  const tab = (tabStatus: FormStatus | undefined, label: string, count: number): Html =>
    html`<li><a href="${href({ status: tabStatus, search })}"${attribute('aria-current', tabStatus === status && 'page')}>${label} <span class="muted">${count > MAX_COUNT ? `${MAX_COUNT}+` : count}</span></a></li>`;
  const total = STATUSES.reduce((sum, formStatus) => sum + counts[formStatus], 0);
  const isEmpty = total === 0 && forms.length === 0 && isFirst && status === undefined && search === '';
  return organizationLayout(context, head, {
    current: 'forms',
    isTab: true,
    title: organization.title,
    width: 'list',
    main: html`${head.org.description !== '' && html`<p class="lead pre-line" dir="auto">${head.org.description}</p>`}
${
  isEmpty
    ? noForms(context, head.org.slug, organization.noForms)
    : html`<p class="actions"><a class="button" href="${organizationHref(head.org.slug)}/new">${getOrganizersTexts(context).newForm}</a></p>
${formSearch(context, head.org.slug, { status, search })}
<nav class="tabs" aria-label="${organization.statuses}"><ul>${tab(undefined, organization.all, total)}${STATUSES.map((formStatus) => tab(formStatus, home.formStatus[formStatus], counts[formStatus]))}</ul></nav>
${
  forms.length > 0
    ? organizationForms(context, forms, {
        level: 2,
        actions: { newId, to: href({ status, search }), isAdmin: head.isAdmin },
      })
    : html`<div class="empty"><p>${next === null ? organization.none : organization.noneYet}</p></div>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${href({ status, search })}">${organization.first}</a>`}
${next !== null && html`<a class="button secondary" href="${href({ status, search, cursor: next })}">${organization.next}</a>`}
</div>`
}`,
  });
}

/** Adds to the forms of the index what else is shown of them. */
async function loadForms(
  table: Table,
  orgId: string,
  { entries, statuses, ...list }: FormList,
): Promise<OrganizationForms> {
  const [forms = []] = await countListedForms(table, [{ orgId, entries, statuses }]);
  return { ...list, forms };
}
