/**
 * Changes the settings of an organization. Values that somebody else has stored since the form was shown are shown with the
 * typed ones, and nothing is replaced before the reader has seen them.
 */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganization, updateOrganization } from '#core/organizations/service.ts';
import { listSlugUsages } from '#core/organizations/store.ts';
import { checkDetails, hashDetails, listOverwritten, parsePostedDetails } from '#core/pages/organizers/details.ts';
import { loadHead, organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { MAX_USAGES, renderSettingsPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveUnchanged } from '#core/pages/shell/unchanged.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.changeSettings,
  openOrganization,
  async ({ app, orgId, account, roles, posted, context }) => {
    const reload = () => loadHead(app, { orgId, account, roles });
    return saveUnchanged(await reload(), reload, async (head) => {
      const { org } = head;
      const typed = { ...parsePostedDetails(posted.fields, org), slug: posted.fields.get('slug')?.trim() ?? '' };
      const again = async (refused: object, status: number) => {
        const { items: usages } = await listSlugUsages(app.table, org.slug, { limit: MAX_USAGES, after: undefined });
        return { html: renderSettingsPage(context, head, { typed, errors: {}, usages, ...refused }), status };
      };
      const overwritten = posted.fields.get('stamp') === hashDetails(org) ? [] : listOverwritten(context, org, typed);
      if (overwritten.length > 0) return again({ overwritten }, 409);
      const checked = checkDetails(context, typed);
      if ('errors' in checked) return again({ errors: checked.errors }, 400);
      try {
        const { slug } = await updateOrganization(app, org, checked.input, 'unchanged');
        return { location: withDone(`${organizationHref(slug)}/settings`, 'saved') };
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'slug_taken') throw error;
        return again({ errors: { slug: getOrganizersTexts(context).settings.slugTaken } }, 409);
      }
    });
  },
);
