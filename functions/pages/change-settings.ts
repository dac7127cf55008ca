/** Changes the settings of an organization. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganization, updateOrganization } from '#core/organizations/service.ts';
import { listSlugUsages, loadOrganization, type StoredOrganization } from '#core/organizations/store.ts';
import { checkDetails, hashDetails, listOverwritten, parsePostedDetails } from '#core/pages/organizers/details.ts';
import { loadHead, organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { MAX_USAGES, renderSettingsPage, type SettingsPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { requireFound } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.changeSettings,
  openOrganization,
  async ({ app, orgId, account, roles, posted: { fields }, context }) => {
    const reload = async () => requireFound(await loadOrganization(app.table, orgId));
    const org = await reload();
    const typed = { ...parsePostedDetails(fields, org), slug: fields.get('slug')?.trim() ?? '' };
    const render = async (
      current: StoredOrganization,
      { status, ...changes }: Partial<SettingsPage> & { status: number },
    ) => {
      const [head, { items: usages }] = await Promise.all([
        loadHead(app, { orgId, account, roles }),
        listSlugUsages(app.table, current.slug, { limit: MAX_USAGES, after: undefined }),
      ]);
      const page = { typed, errors: {}, usages, seen: fields.get('hash'), ...changes };
      return { html: renderSettingsPage(context, { ...head, org: current }, page), status };
    };
    const checked = checkDetails(context, typed);
    if ('errors' in checked) return render(org, { errors: checked.errors, status: 400 });
    return saveTyped({
      fields,
      contentHash: hashDetails,
      listOverwritten: (current: StoredOrganization) => listOverwritten(context, current, typed),
      reload,
      render,
      explain: ({ code, status }) =>
        code === 'slug_taken'
          ? { errors: { slug: getOrganizersTexts(context).settings.slugTaken }, status }
          : undefined,
      save: async (requireSeen) => {
        const { slug } = await updateOrganization(app, org, checked.input, requireSeen);
        return withDone(`${organizationHref(slug)}/settings`, 'saved');
      },
    });
  },
);
