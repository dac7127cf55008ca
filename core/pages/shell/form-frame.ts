/** The frame of the pages of one form for its members: the breadcrumb, its status, and the links between its pages. */
import type { Ports } from '#core/db/ports.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import type { PageContext } from './context.ts';
import { attribute, type Html, html } from './html.ts';
import { type Layout, layout, type OtherOrganizations } from './layout.ts';
import { loadWithOthers } from './organization-switch.ts';

/** A form with the organization that owns it, and the other organizations of the reader. */
export type FormHead = {
  form: Pick<Form, 'id' | 'title' | 'status'>;
  organization: { name: string; slug: string };
  otherOrganizations?: OtherOrganizations;
};

/** `memberOf`: the ids of the organizations of the reader. */
type HeadPorts = Pick<Ports, 'table'> & { memberOf?: readonly string[] };

/** Reads the organization of a form and those to which the reader can switch. Throws 404 when it was deleted. */
export async function loadFormHead(
  { table, memberOf = [] }: HeadPorts,
  form: FormHead['form'] & Pick<Form, 'orgId'>,
): Promise<FormHead> {
  const { org, otherOrganizations } = await loadWithOthers(table, form.orgId, memberOf);
  return { form, organization: org, otherOrganizations };
}

/** Reads the head of the form of a gate. Throws 404 when its organization was deleted. */
export const loadGateHead = (ports: HeadPorts, { formId, ...gate }: Gate): Promise<FormHead> =>
  loadFormHead(ports, { id: formId, ...gate });

type FormLayout = Omit<Layout, 'frame'> & {
  current: 'build' | 'responses' | 'statistics' | 'views' | 'export' | 'share';
};

/** Renders a page of a form. */
export function formLayout(
  context: PageContext,
  { form, organization, otherOrganizations }: FormHead,
  { current, title, main, ...options }: FormLayout,
): Html {
  const { form: texts, home } = context.t;
  const build = `/build/${form.id}`;
  const review = `/review/${form.id}`;
  const pages = [
    { page: 'build', href: build },
    { page: 'responses', href: review },
    { page: 'statistics', href: `${review}/statistics` },
    { page: 'views', href: `${review}/views` },
    { page: 'export', href: `${review}/export` },
    { page: 'share', href: `${build}/share` },
  ] as const;
  const tone = { DRAFT: '', PUBLISHED: 'good', ARCHIVED: '' }[form.status];
  return layout(context, {
    ...options,
    title: `${title} · ${form.title}`,
    frame: {
      crumbs: [
        { href: `/o/${organization.slug}`, name: organization.name },
        { href: build, name: form.title },
      ],
      organizations: otherOrganizations,
    },
    main: html`<div class="form-header"><span class="tag ${tone}">${home.formStatus[form.status]}</span>
<nav class="form-pages" aria-label="${texts.pages}"><ul>${pages.map(
      ({ page, href }) =>
        html`<li><a href="${href}"${attribute('aria-current', page === current && 'page')}>${texts[page]}</a></li>`,
    )}</ul></nav></div>
${main}`,
  });
}
