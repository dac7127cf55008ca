/** Creates a unit below another one, or at the top; a second press shows the unit that the first press created. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganizationReading } from '#core/organizations/service.ts';
import { createUnit, loadTree } from '#core/organizations/units.ts';
import { checkDetails, parsePostedDetails } from '#core/pages/organizers/details.ts';
import { loadHead, organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { loadUnitNames, renderUnitsPage } from '#core/pages/organizers/units.ts';
import { readNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.createUnit,
  openOrganizationReading(loadTree),
  async ({ app, orgId, account, caller, roles, readAhead, params: { slug }, posted, context }) => {
    const { units: texts } = getOrganizersTexts(context);
    const { slug: _none, ...typed } = parsePostedDetails(posted.fields);
    const parentId = posted.fields.get('parent') || null;
    const newId = readNewId(posted.fields, caller, app);
    const renderErrors = async (refused: { errors?: Record<string, string>; refusal?: string }) => {
      const [head, tree] = await Promise.all([
        loadHead(app, { orgId, account, roles }),
        readAhead().then((read) => loadUnitNames(app, read)),
      ]);
      const page = { ...tree, newId: newId.field, typed, parentId: parentId ?? '', ...refused };
      return { html: renderUnitsPage(context, head, page), status: 400 };
    };
    const checked = checkDetails(context, typed);
    if ('errors' in checked) return renderErrors({ errors: checked.errors });
    const { slug: _slug, ...input } = checked.input;
    const location = withDone(`${organizationHref(slug)}/units`, 'unitCreated');
    try {
      const id = newId.derive([typed, parentId]);
      await createUnit(app, orgId, input, { id, parentId, tree: await readAhead() });
      return { location };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'too_many_units') return renderErrors({ refusal: texts.tooMany });
      if (error.code === 'invalid_request') return renderErrors({ refusal: texts.parentRefused });
      throw error;
    }
  },
);
