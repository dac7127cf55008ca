/** Says what happens to the units below, before a unit is deleted. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { findChildIds } from '#core/organizations/unit-tree.ts';
import { openUnit } from '#core/organizations/units.ts';
import { organizationHref } from '#core/pages/organizers/frame.ts';
import { renderConfirmationPage } from '#core/pages/shell/confirmation.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';

export const handler = page(
  organizerPages.confirmUnitDeletion,
  openUnit,
  async ({ unit, tree, params: { slug }, context }) => {
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
);
