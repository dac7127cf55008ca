/** What the pages of an organization have in common: where they are, their tabs, and what was just done. */
import type { Role } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import { loadOrganizations, type StoredOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { doneNotice } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { type Layout, type Link, layout } from '../shell/layout.ts';
import { organizersText } from '../text/organizers.ts';
import type { OrganizersText } from '../text/organizers-en.ts';

/** An organization as its pages show it. `others`: further organizations of the reader. */
export type OrganizationHead = { org: StoredOrganization; others: readonly Link[]; isAdmin: boolean };

/** How many other organizations are offered to switch to. */
const MAX_OTHERS = 20;

/** The address of the page of an organization. */
export const organizationHref = (slug: string): string => `/o/${slug}`;

/** An address that says what was just done. */
export const withDone = (href: string, done: keyof OrganizersText['done']): string =>
  `${href}${href.includes('?') ? '&' : '?'}done=${done}`;

type Opened = { orgId: string; account: Account | undefined; roles: readonly Role[] };

/** Reads an organization and those to which its reader can switch. Throws 404 when it is gone. */
export async function loadHead(
  { table }: Pick<Ports, 'table'>,
  { orgId, account, roles }: Opened,
): Promise<OrganizationHead> {
  const otherIds = Object.keys(account?.memberships ?? {}).filter((id) => id !== orgId);
  const loaded = await loadOrganizations(table, [orgId, ...otherIds.sort().slice(0, MAX_OTHERS)]);
  const org = loaded.find(({ id }) => id === orgId);
  if (!org) throw problems.notFound();
  const others = loaded
    .filter(({ id }) => id !== orgId)
    .map(({ name, slug }) => ({ href: organizationHref(slug), name }));
  return { org, others, isAdmin: roles.includes('admin') };
}

type OrganizationLayout = Pick<Layout, 'title' | 'main' | 'showsTimes' | 'width'> & {
  current: keyof Omit<OrganizersText['pages'], 'label'>;
  /** The pages between the organization and this one. */
  above?: readonly Link[];
};

/** A page of an organization. */
export function organizationLayout(
  context: PageContext,
  { org, others }: OrganizationHead,
  { current, above = [], main, title, ...options }: OrganizationLayout,
): Html {
  const texts = organizersText(context);
  const home = organizationHref(org.slug);
  const tabs = [
    { page: 'forms', href: home },
    { page: 'members', href: `${home}/members` },
    { page: 'units', href: `${home}/units` },
    { page: 'settings', href: `${home}/settings` },
  ] as const;
  return layout(context, {
    ...options,
    title: `${title} · ${org.name}`,
    frame: { crumbs: [{ href: home, name: org.name }, ...above], organizations: others, switchLabel: texts.switch },
    main: html`<nav class="tabs" aria-label="${texts.pages.label}"><ul>${tabs.map(
      ({ page, href }) =>
        html`<li><a href="${href}"${attribute('aria-current', page === current && 'page')}>${texts.pages[page]}</a></li>`,
    )}</ul></nav>
${doneNotice(context, texts.done)}
${main}`,
  });
}
