/** The frame of the pages of an organization: the bar, and the notice of what was just done. */
import type { Role } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import type { RequestApp } from '#core/http/app.ts';
import type { StoredOrganization } from '#core/organizations/store.ts';
import type { PageContext } from '../shell/context.ts';
import { addDone, doneNotice } from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import { type Layout, type Link, layout, type OtherOrganizations } from '../shell/layout.ts';
import { loadWithOthers } from '../shell/organization-switch.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import type { OrganizersText } from '../text/organizers-en.ts';

/** An organization with the other organizations of the reader. */
export type OrganizationHead = { org: StoredOrganization; otherOrganizations: OtherOrganizations; isAdmin: boolean };

/** Builds the address of the page of an organization. */
export const organizationHref = (slug: string): string => `/o/${slug}`;

/** Adds what was just done to an address. */
export const withDone = (href: string, done: keyof OrganizersText['done']): string => addDone(href, done);

type Opened = { orgId: string; account: Account | undefined; roles: readonly Role[] };

/** What every page of an organization has. */
export type OrganizationRequest = Opened & { app: RequestApp; context: PageContext };

/** Reads an organization and those to which its reader can switch. Throws 404 when it was deleted. */
export async function loadHead(
  { table }: Pick<Ports, 'table'>,
  { orgId, account, roles }: Opened,
): Promise<OrganizationHead> {
  const found = await loadWithOthers(table, orgId, Object.keys(account?.memberships ?? {}));
  return { ...found, isAdmin: roles.includes('admin') };
}

type OrganizationLayout = Pick<Layout, 'title' | 'main' | 'width'> & {
  current: keyof Omit<OrganizersText['pages'], 'label'>;
  /** The pages between the organization and this one. */
  above?: readonly Link[];
  /** Whether the title of the page is the name of its tab: it is a heading that only screen readers have. */
  isTab?: boolean;
};

/** Renders a page of an organization in its frame. */
export function organizationLayout(
  context: PageContext,
  { org, otherOrganizations }: OrganizationHead,
  { current, above = [], main, title, isTab = false, ...options }: OrganizationLayout,
): Html {
  const texts = getOrganizersTexts(context);
  const home = organizationHref(org.slug);
  const pages = [
    { page: 'forms', href: home },
    { page: 'members', href: `${home}/members` },
    { page: 'units', href: `${home}/units` },
    { page: 'settings', href: `${home}/settings` },
  ] as const;
  return layout(context, {
    ...options,
    isInPlace: true,
    title: `${title} · ${org.name}`,
    frame: {
      crumbs: [{ href: home, name: org.name }, ...above],
      organizations: otherOrganizations,
      tabs: {
        label: texts.pages.label,
        links: pages.map(({ page, href }) => ({ href, name: texts.pages[page], isCurrent: page === current })),
      },
    },
    main: html`${doneNotice(context, texts.done)}
${isTab && html`<h1 class="visually-hidden">${title}</h1>`}
${main}`,
  });
}
