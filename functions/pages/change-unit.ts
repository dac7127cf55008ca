/** Changes the fields of a unit (`do=save`), or moves it below another one (`do=move`). */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { linkUnit, loadTree, loadUnits, openUnit, type StoredUnit, updateUnit } from '#core/organizations/units.ts';
import {
  checkDetails,
  hashDetails,
  listOverwritten,
  parsePostedDetails,
  toTypedDetails,
} from '#core/pages/organizers/details.ts';
import { loadHead, organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { loadUnitNames, renderUnitPage, type UnitPage } from '#core/pages/organizers/units.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.changeUnit,
  openUnit,
  async ({ app, orgId, account, roles, unit, tree, params: { slug }, posted: { fields }, context }) => {
    const href = `${organizationHref(slug)}/units/${unit.id}`;
    const isMove = fields.get('do') === 'move';
    const { slug: _none, ...typed } = isMove ? toTypedDetails(unit) : parsePostedDetails(fields, unit);
    const render = async (current: StoredUnit, { status, ...changes }: Partial<UnitPage> & { status: number }) => {
      const [head, named] = await Promise.all([
        loadHead(app, { orgId, account, roles }),
        loadTree(app.table, orgId).then((read) => loadUnitNames(app, read, unit.id)),
      ]);
      const page = { ...named, unit: current, typed, errors: {}, seen: fields.get('hash'), ...changes };
      return { html: renderUnitPage(context, head, page), status };
    };
    if (isMove) {
      try {
        const parentId = fields.get('parent') || null;
        await linkUnit(app, { orgId, childId: unit.id, parentId, tree }, undefined);
        return { location: withDone(href, 'unitMoved') };
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
        return render(unit, { refusal: getOrganizersTexts(context).units.moveRefused, status: 400 });
      }
    }
    const checked = checkDetails(context, typed);
    if ('errors' in checked) return render(unit, { errors: checked.errors, status: 400 });
    const { slug: _slug, ...input } = checked.input;
    return saveTyped({
      fields,
      contentHash: hashDetails,
      listOverwritten: (current: StoredUnit) => listOverwritten(context, current, typed),
      reload: async () => requireFound((await loadUnits(app.table, [unit.id]))[0]),
      render,
      save: async (requireSeen) => {
        await updateUnit(app, unit, input, requireSeen);
        return withDone(href, 'saved');
      },
    });
  },
);
