/** Creates an organization and shows it; a second press shows the one that the first press created. */
import { openAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { createOrganization, mayCreateOrganizations } from '#core/organizations/service.ts';
import { checkDetails, parsePostedDetails, proposeSlug } from '#core/pages/organizers/details.ts';
import { organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { renderNewOrganizationPage } from '#core/pages/organizers/settings.ts';
import { readNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.createOrganization,
  openAccount,
  async ({ app, caller, posted, context }) => {
    const { create, settings } = getOrganizersTexts(context);
    const details = parsePostedDetails(posted.fields);
    const typed = { ...details, slug: details.slug || proposeSlug(details.name) };
    const newId = readNewId(posted.fields, caller, app);
    const renderErrors = (refused: { errors?: Record<string, string>; refusal?: string }) => ({
      html: renderNewOrganizationPage(context, { typed, errors: {}, newId: newId.field, ...refused }),
      status: 400,
    });
    if (!mayCreateOrganizations(app, caller))
      return { ...renderErrors({ refusal: create.operatorsOnly }), status: 403 };
    const checked = checkDetails(context, typed);
    if ('errors' in checked) return renderErrors({ errors: checked.errors });
    try {
      const { maxOrganizations } = app.config;
      const creation = { id: newId.derive(typed), creatorId: caller.id, maxOrganizations };
      const { body } = await createOrganization(app, creation, checked.input);
      return { location: withDone(organizationHref(body.slug), 'created') };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'too_many_organizations') return renderErrors({ refusal: create.tooMany });
      if (error.code !== 'slug_taken') throw error;
      return renderErrors({ errors: { slug: settings.slugTaken } });
    }
  },
);
