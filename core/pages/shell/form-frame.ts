/**
 * The frame of all pages of one form for its members: one bar with its organization, its status, the links between its
 * pages, and what to do next; below it the links between the pages of its responses.
 */
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Consistency } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import { readDifferenceCount } from '#core/structure/changes.ts';
import type { PageContext } from './context.ts';
import { type Html, html } from './html.ts';
import { type Layout, layout, type OtherOrganizations, type Tabs, tabs } from './layout.ts';
import { loadWithOthers } from './organization-switch.ts';

/** A form with the organization that owns it, and the other organizations of the reader. */
export type FormHead = {
  form: Pick<Form, 'id' | 'title' | 'status'>;
  organization: { name: string; slug: string };
  otherOrganizations?: OtherOrganizations;
  /** How many questions and sections differ in changes that are not published; undefined if there is nothing to publish. */
  differenceCount?: number | undefined;
};

/** `memberOf`: the ids of the organizations of the reader. */
type HeadPorts = Pick<Ports, 'table'> & { memberOf?: readonly string[] };

/**
 * Reads the organization of a form, those to which the reader can switch, and whether the form has changes that are not
 * published, in one call. Throws 404 when the organization was deleted.
 */
export async function loadFormHead(
  { table, memberOf = [] }: HeadPorts,
  form: FormHead['form'] & Pick<Form, 'orgId'>,
  consistency: Consistency = 'strong',
): Promise<FormHead> {
  const changes = { key: keys.formChanges(form.id), consistency };
  const { org, otherOrganizations, beside } = await loadWithOthers(table, form.orgId, memberOf, changes);
  return { form, organization: org, otherOrganizations, differenceCount: readDifferenceCount(beside) };
}

/** Reads the head of the form of a gate. Throws 404 when its organization was deleted. */
export const loadGateHead = (
  ports: HeadPorts,
  { formId, ...gate }: Gate,
  consistency?: Consistency,
): Promise<FormHead> => loadFormHead(ports, { id: formId, ...gate }, consistency);

/** Where the form is published, and copied, archived or deleted: below its editor. */
export const overviewHref = (formId: string): string => `/build/${formId}#publish`;

/** The pages of the bar; `overview` is none of them. */
type FormPage = 'overview' | 'edit' | 'rules' | 'settings' | 'look' | 'share' | ResponsePage;

/** The pages of the second row. */
type ResponsePage = 'table' | 'statistics' | 'export' | 'views' | 'drafts';

const RESPONSE_PAGES: readonly ResponsePage[] = ['table', 'statistics', 'export', 'views', 'drafts'];

type FormLayout = Omit<Layout, 'frame'> & {
  current: FormPage;
  /** Whether the title of the page is the name of its tab: it is a heading that only screen readers have. */
  isTab?: boolean;
};

/** Renders a page of a form. */
export function formLayout(
  context: PageContext,
  head: FormHead,
  { current, title, main, isTab = false, ...options }: FormLayout,
): Html {
  const { form, organization, otherOrganizations } = head;
  const { form: texts, home } = context.t;
  const build = `/build/${form.id}`;
  const review = `/review/${form.id}`;
  const pages = [
    { page: 'edit', href: build },
    { page: 'rules', href: `${build}/rules` },
    { page: 'settings', href: `${build}/settings` },
    { page: 'look', href: `${build}/look` },
    { page: 'share', href: `${build}/share` },
    { page: 'responses', href: review },
  ] as const;
  const tone = { DRAFT: '', PUBLISHED: 'good', ARCHIVED: '' }[form.status];
  const isOfResponses = RESPONSE_PAGES.some((page) => page === current);
  return layout(context, {
    ...options,
    title: `${title} · ${form.title}`,
    frame: {
      crumbs: [
        { href: `/o/${organization.slug}`, name: organization.name },
        {
          href: build,
          name: form.title,
          menu: {
            label: texts.more,
            items: [
              html`<a href="${overviewHref(form.id)}">${texts.overview}</a>`,
              html`<a href="${build}/versions">${texts.versions}</a>`,
              html`<a href="/o/${organization.slug}">${texts.allForms(organization.name)}</a>`,
            ],
          },
        },
      ],
      organizations: otherOrganizations,
      status: html`<span class="tag ${tone}">${home.formStatus[form.status]}</span>`,
      tabs: {
        label: texts.pages,
        links: pages.map(({ page, href }) => ({
          href,
          name: texts[page],
          isCurrent: page === current || (page === 'responses' && isOfResponses),
        })),
      },
      actions: [
        html`<a class="button secondary" href="${build}/preview">${texts.preview}</a>`,
        publishLink(context, head),
      ],
    },
    main: html`${isOfResponses && tabs(responseTabs(context, review, current))}
${isTab && html`<h1 class="visually-hidden">${title}</h1>`}
${main}`,
  });
}

function responseTabs({ t }: PageContext, review: string, current: FormPage): Tabs {
  const paths = { table: '', statistics: '/statistics', export: '/export', views: '/views', drafts: '/drafts' };
  const links = RESPONSE_PAGES.map((page) => ({
    href: review + paths[page],
    name: t.form[page],
    isCurrent: page === current,
  }));
  return { label: t.form.responsePages, links };
}

/** Leads to what publishing will do: with changes to what they are, with a draft to what it has and lacks. */
function publishLink({ t }: PageContext, { form, differenceCount }: FormHead): Html {
  const build = `/build/${form.id}`;
  if (differenceCount !== undefined)
    return html`<a class="button" href="${build}/changes">${t.form.publishChanges}${differenceCount > 0 && html` · ${differenceCount}`}</a>`;
  return form.status === 'DRAFT'
    ? html`<a class="button" href="${overviewHref(form.id)}">${t.form.publish}</a>`
    : html``;
}
