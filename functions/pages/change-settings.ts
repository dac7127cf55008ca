/**
 * Changes the settings of an organization. Values that somebody else has stored since the form was shown are shown with the
 * typed ones, and nothing is replaced before the reader has seen them.
 */
import { organizerPages } from '#core/api/pages.ts';
import { openOrganization, updateOrganization } from '#core/organizations/service.ts';
import { checkDetails, hashDetails, listOverwritten, parsePostedDetails } from '#core/pages/organizers/details.ts';
import { loadHead, organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { renderSettingsPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.changeSettings,
  openOrganization,
  async ({ app, orgId, account, roles, posted, context }) => {
    const head = await loadHead(app, { orgId, account, roles });
    const { org } = head;
    const typed = { ...parsePostedDetails(posted.fields, org), slug: posted.fields.get('slug')?.trim() ?? '' };
    const respondWithErrors = (errors: Record<string, string>, status = 400) => ({
      html: renderSettingsPage(context, head, { typed, errors, usages: [] }),
      status,
    });
    const overwritten = posted.fields.get('stamp') === hashDetails(org) ? [] : listOverwritten(context, org, typed);
    if (overwritten.length > 0) {
      return { html: renderSettingsPage(context, head, { typed, errors: {}, overwritten, usages: [] }), status: 409 };
    }
    const checked = checkDetails(context, typed);
    if ('errors' in checked) return respondWithErrors(checked.errors);
    try {
      const { slug } = await updateOrganization(app, org, checked.input);
      return { location: withDone(`${organizationHref(slug)}/settings`, 'saved') };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'slug_taken') throw error;
      return respondWithErrors({ slug: getOrganizersTexts(context).settings.slugTaken }, 409);
    }
  },
);
