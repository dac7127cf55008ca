/**
 * Says what happens to the units below, before a unit is deleted. Deletes a unit; a unit that does not exist counts as
 * deleted.
 */
import { parsePathId } from '#core/access/access.ts';
import { openOrganizationReading } from '#core/organizations/service.ts';
import { findChildIds } from '#core/organizations/unit-tree.ts';
import { deleteUnit, loadTree, openUnit } from '#core/organizations/units.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import { adminOfOrganization, READ, WRITE } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { organizationHref, withDone } from './frame.ts';

const openUnits = openOrganizationReading(loadTree);

export const page = definePage({
  name: 'deleteUnit',
  audience: 'organizers',
  path: '/o/{slug}/units/{unitId}/delete',
  access: adminOfOrganization,
  needs: READ,
  open: openUnit,
  show: async ({ unit, tree, params: { slug }, context }) => {
    const { units: texts } = getOrganizersTexts(context);
    const href = `${organizationHref(slug)}/units/${unit.id}`;
    return {
      html: renderConfirmationPage(context, {
        title: texts.deleteTitle(unit.name),
        lead: texts.deleteLead(findChildIds(tree, unit.id).length),
        action: `${href}/delete`,
        confirm: texts.deleteSubmit,
        cancel: context.t.shell.cancel,
        cancelHref: href,
      }),
    };
  },
  post: {
    access: adminOfOrganization,
    needs: WRITE,
    open: openUnits,
    actions: {
      deleteUnit: async ({ app, orgId, readAhead, params }) => {
        await deleteUnit(app, { id: parsePathId(params, 'unitId'), orgId }, await readAhead());
        return { location: withDone(`${organizationHref(params.slug)}/units`, 'unitDeleted') };
      },
    },
  },
});
