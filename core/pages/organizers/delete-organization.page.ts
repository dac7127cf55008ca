/**
 * Shows what is deleted with an organization, and asks for confirmation. Deletes an organization whose name was typed.
 */
import { partitions } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { deleteOrganization } from '#core/deletion/marks.ts';
import { countForms } from '#core/forms/lists.ts';
import { FormStatus } from '#core/forms/model.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { loadTree } from '#core/organizations/units.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, pageTitle, textField } from '../shell/controls.ts';
import { LIST } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { loadHead, type OrganizationHead, organizationHref, organizationLayout, withDone } from './frame.ts';

const deleterOfOrganization = { credential: 'user', target: 'organization', roles: ['admin', 'operator'] } as const;

export const page = definePage({
  name: 'deleteOrganization',
  audience: 'organizers',
  path: '/o/{slug}/delete',
  access: deleterOfOrganization,
  needs: LIST,
  open: openOrganization,
  show: async ({ app, orgId, account, roles, context }) => {
    const [head, extent] = await Promise.all([loadHead(app, { orgId, account, roles }), loadExtent(app.table, orgId)]);
    return { html: renderOrganizationDeletionPage(context, head, extent) };
  },
  post: {
    access: deleterOfOrganization,
    needs: [...LIST, 'table:write'],
    open: openOrganization,
    actions: {
      deleteOrganization: async ({ app, orgId, account, roles, posted, context }) => {
        const head = await loadHead(app, { orgId, account, roles });
        if (posted.fields.get('name')?.trim() !== head.org.name.trim()) {
          const { nameWrong } = getOrganizersTexts(context).delete;
          const extent = await loadExtent(app.table, orgId);
          return { html: renderOrganizationDeletionPage(context, head, extent, nameWrong), status: 400 };
        }
        await deleteOrganization(app, head.org);
        return { location: withDone('/', 'organizationDeleted') };
      },
    },
  },
});

/** How much an organization has; each number is counted to `MAX_EXTENT` + 1. */
type Extent = Record<'forms' | 'members' | 'units', number>;

const MAX_EXTENT = 100;

/** Counts what is deleted with an organization, in one round trip. */
async function loadExtent(table: Table, orgId: string): Promise<Extent> {
  const limit = MAX_EXTENT + 1;
  const [tree, members, ...forms] = await Promise.all([
    loadTree(table, orgId),
    table.count({ ...partitions.members(orgId), limit }),
    ...FormStatus().options.map((status) => countForms(table, orgId, status, limit)),
  ]);
  return { forms: forms.reduce((sum, count) => sum + count, 0), members, units: tree.units.length };
}

/** Renders the page on which an admin deletes the organization by typing its name. */
function renderOrganizationDeletionPage(
  context: PageContext,
  head: OrganizationHead,
  extent: Extent,
  error?: string,
): Html {
  const texts = getOrganizersTexts(context).delete;
  const { org } = head;
  return organizationLayout(context, head, {
    current: 'settings',
    title: pageTitle(context, texts.title(org.name), error !== undefined),
    above: [{ href: `${organizationHref(org.slug)}/settings`, name: getOrganizersTexts(context).settings.title }],
    main: html`${errorSummary(context, error === undefined ? [] : [{ target: 'name', message: error }])}
<h1>${texts.title(org.name)}</h1>
<p>${texts.lead}</p>
<p>${texts.extent(extent, MAX_EXTENT)}</p>
<form method="post" action="${organizationHref(org.slug)}/delete" class="card" novalidate data-once data-disposable>
${textField(context, { name: 'name', label: texts.typeName(org.name), value: '', error, isExact: true, required: true })}
<p class="actions"><button class="danger">${texts.submit}</button><a class="button secondary" href="${organizationHref(org.slug)}/settings">${context.t.shell.cancel}</a></p>
</form>`,
  });
}
