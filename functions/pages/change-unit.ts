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
import { loadUnitNames, renderUnitPage } from '#core/pages/organizers/units.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveUnchanged } from '#core/pages/shell/unchanged.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem, problems } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.changeUnit,
  openUnit,
  async ({ app, orgId, account, roles, unit, tree, params: { slug }, posted, context }) => {
    const href = `${organizationHref(slug)}/units/${unit.id}`;
    const isMove = posted.fields.get('do') === 'move';
    const { slug: _none, ...typed } = isMove ? toTypedDetails(unit) : parsePostedDetails(posted.fields, unit);
    const respondWithErrors = async (refused: object, status = 400) => {
      const [head, named] = await Promise.all([
        loadHead(app, { orgId, account, roles }),
        loadTree(app.table, orgId).then((read) => loadUnitNames(app, read, unit.id)),
      ]);
      return { html: renderUnitPage(context, head, { ...named, unit, typed, errors: {}, ...refused }), status };
    };
    if (isMove) {
      try {
        const parentId = posted.fields.get('parent') || null;
        await linkUnit(app, { orgId, childId: unit.id, parentId, tree }, undefined);
        return { location: withDone(href, 'unitMoved') };
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
        return respondWithErrors({ refusal: getOrganizersTexts(context).units.moveRefused });
      }
    }
    const save = async (current: StoredUnit) => {
      const overwritten =
        posted.fields.get('stamp') === hashDetails(current) ? [] : listOverwritten(context, current, typed);
      if (overwritten.length > 0) return respondWithErrors({ unit: current, overwritten }, 409);
      const checked = checkDetails(context, typed);
      if ('errors' in checked) return respondWithErrors({ unit: current, errors: checked.errors });
      const { slug: _slug, ...input } = checked.input;
      await updateUnit(app, current, input, 'unchanged');
      return { location: withDone(href, 'saved') };
    };
    const reload = async (): Promise<StoredUnit> => {
      const [current] = await loadUnits(app.table, [unit.id]);
      if (!current) throw problems.notFound();
      return current;
    };
    return saveUnchanged(unit, reload, save);
  },
);
