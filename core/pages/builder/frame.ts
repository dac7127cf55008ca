/** What the pages that build a form have in common: where they are, their tabs, and what was just done. */
import type { Ports } from '#core/db/ports.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { doneNotice } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { type Layout, layout } from '../shell/layout.ts';
import { builderText } from '../text/builder.ts';
import type { BuilderText } from '../text/builder-en.ts';

/** A form with the organization that owns it. */
export type FormHead = { form: Pick<Form, 'id' | 'title' | 'status'>; organization: { name: string; slug: string } };

/** Reads the organization of a form. Throws 404 when it is gone. */
export async function loadFormHead(
  { table }: Pick<Ports, 'table'>,
  form: FormHead['form'] & Pick<Form, 'orgId'>,
): Promise<FormHead> {
  const organization = await loadOrganization(table, form.orgId);
  if (!organization) throw problems.notFound();
  return { form, organization };
}

/** Reads the head of the form of a gate. Throws 404 when its organization is gone. */
export const loadGateHead = (ports: Pick<Ports, 'table'>, { formId, ...gate }: Gate): Promise<FormHead> =>
  loadFormHead(ports, { id: formId, ...gate });

/** An address that says what was just done. */
export const withDone = (href: string, done: keyof BuilderText['done']): string => `${href}?done=${done}`;

/** The address of the overview of a form. */
export const buildHref = (formId: string): string => `/build/${formId}`;

type BuilderLayout = Pick<Layout, 'title' | 'main' | 'showsTimes' | 'head'> & {
  current: keyof Omit<BuilderText['pages'], 'label'>;
};

/** A page of a form that is built. */
export function builderLayout(
  context: PageContext,
  { form, organization }: FormHead,
  { current, title, main, ...options }: BuilderLayout,
): Html {
  const texts = builderText(context);
  const home = buildHref(form.id);
  const tabs = [
    { page: 'build', href: home },
    { page: 'questions', href: `${home}/questions` },
    { page: 'rules', href: `${home}/rules` },
    { page: 'settings', href: `${home}/settings` },
    { page: 'look', href: `${home}/look` },
    { page: 'share', href: `${home}/share` },
    { page: 'responses', href: `/review/${form.id}` },
  ] as const;
  const tone = { DRAFT: '', PUBLISHED: 'good', ARCHIVED: '' }[form.status];
  return layout(context, {
    ...options,
    title: `${title} · ${form.title}`,
    frame: {
      crumbs: [
        { href: `/o/${organization.slug}`, name: organization.name },
        { href: home, name: form.title },
      ],
    },
    main: html`<p class="review-form"><span class="tag ${tone}">${texts.status[form.status]}</span></p>
<nav class="tabs" aria-label="${texts.pages.label}"><ul>${tabs.map(
      ({ page, href }) =>
        html`<li><a href="${href}"${attribute('aria-current', page === current && 'page')}>${texts.pages[page]}</a></li>`,
    )}</ul></nav>
${doneNotice(context, texts.done)}
${main}`,
  });
}
