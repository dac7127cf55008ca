/** Creates an organization and shows it; a second press shows the one that the first press created. */
import { openAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/pages.ts';
import { createOrganization, mayCreateOrganizations } from '#core/organizations/service.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { checkDetails, postedDetails } from '#core/pages/organizers/details.ts';
import { organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { newOrganizationPage } from '#core/pages/organizers/settings.ts';
import { newIdFrom } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { organizersText } from '#core/pages/text/organizers.ts';
import { Problem } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.createOrganization,
  openAccount,
  async ({ app, caller, posted, context }) => {
    const { create, settings } = organizersText(context);
    const typed = postedDetails(posted.fields);
    const { id: newId, sent } = newIdFrom(posted.fields, caller, app);
    const again = (refused: { errors?: Record<string, string>; refusal?: string }) => ({
      html: newOrganizationPage(context, { typed, errors: {}, newId: sent, ...refused }),
      status: 400,
    });
    if (!mayCreateOrganizations(app, caller)) return { ...again({ refusal: create.operatorsOnly }), status: 403 };
    const checked = checkDetails(context, { ...typed, slug: typed.slug ?? '' });
    if ('errors' in checked) return again({ errors: checked.errors });
    const existing = async () => {
      const org = await loadOrganization(app.table, newId);
      return org && { location: withDone(organizationHref(org.slug), 'created') };
    };
    const earlier = await existing();
    if (earlier) return earlier;
    try {
      const { maxOrganizations } = app.config;
      const ports = { ...app, uuid: () => newId };
      const { body } = await createOrganization(ports, { creatorId: caller.id, maxOrganizations }, checked.input);
      return { location: withDone(organizationHref(body.slug), 'created') };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'too_many_organizations') return again({ refusal: create.tooMany });
      if (error.code !== 'slug_taken') throw error;
      return (await existing()) ?? again({ errors: { slug: settings.slugTaken } });
    }
  },
);
