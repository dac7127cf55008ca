/**
 * Shows a unit of an organization. Changes the fields of a unit (`do=save`), or moves it below another one
 * (`do=move`).
 */
import { findAncestorIds, findChildIds, type UnitTree } from '#core/organizations/unit-tree.ts';
import { linkUnit, loadTree, loadUnits, openUnit, type StoredUnit, updateUnit } from '#core/organizations/units.ts';
import { requireFound } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { conflictNotice, errorSummary, hiddenFields, type Overwritten, pageTitle } from '../shell/controls.ts';
import { adminOfOrganization, DETAILS_BYTES, memberOfOrganization, READ, WRITE } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { saveTyped, seenHash } from '../shell/typed-form.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import {
  checkDetails,
  type DetailErrors,
  detailFields,
  hashDetails,
  listOverwritten,
  parsePostedDetails,
  type TypedDetails,
  toFieldErrors,
  toTypedDetails,
} from './details.ts';
import {
  loadHead,
  type OrganizationHead,
  type OrganizationRequest,
  organizationHref,
  organizationLayout,
  withDone,
} from './frame.ts';
import { loadUnitNames, type NamedTree, parentField, unitList } from './units.ts';

export const page = definePage({
  name: 'unit',
  audience: 'organizers',
  path: '/o/{slug}/units/{unitId}',
  access: memberOfOrganization,
  needs: READ,
  open: openUnit,
  show: (request) => show(request, request.tree, {}),
  post: {
    access: adminOfOrganization,
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
    open: openUnit,
    byDefault: 'save',
    actions: {
      save: async (request) => {
        const { app, unit, params, posted, context } = request;
        const { fields } = posted;
        const { slug: _none, ...typed } = parsePostedDetails(fields, unit);
        const checked = checkDetails(context, typed);
        const render = (stored: StoredUnit, { status, ...refused }: Partial<UnitPage> & { status: number }) =>
          showAgain(request, { unit: stored, typed, seen: fields.get('hash'), ...refused }, status);
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
            return withDone(unitHref(params, unit), 'saved');
          },
        });
      },
      move: async ({ app, orgId, unit, tree, params, posted }) => {
        const parentId = posted.fields.get('parent') || null;
        await linkUnit(app, { orgId, childId: unit.id, parentId, tree }, undefined);
        return { location: withDone(unitHref(params, unit), 'unitMoved') };
      },
    },
    explain: (request, { code }) => {
      if (code !== 'invalid_request') return undefined;
      const refusal = getOrganizersTexts(request.context).units.moveRefused;
      return showAgain(request, { refusal, seen: request.posted.fields.get('hash') }, 400);
    },
  },
});

const unitHref = ({ slug }: { slug: string }, { id }: StoredUnit): string => `${organizationHref(slug)}/units/${id}`;

type UnitRequest = OrganizationRequest & { unit: StoredUnit };

async function show({ app, context, unit, ...opened }: UnitRequest, tree: UnitTree, changes: Partial<UnitPage>) {
  const [head, named] = await Promise.all([loadHead(app, opened), loadUnitNames(app, tree, unit.id)]);
  return {
    html: renderUnitPage(context, head, { ...named, unit, typed: toTypedDetails(unit), errors: {}, ...changes }),
  };
}

/** Shows the page again, with the units as they are now. */
async function showAgain(request: UnitRequest, changes: Partial<UnitPage>, status: number): Promise<PageResult> {
  return { ...(await show(request, await loadTree(request.app.table, request.orgId), changes)), status };
}

type UnitPage = NamedTree & {
  unit: StoredUnit;
  typed: TypedDetails;
  errors: DetailErrors;
  overwritten?: readonly Overwritten[];
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  refusal?: string | undefined;
};

/** Renders the page of a unit: its fields, its parent and the units below it. */
function renderUnitPage(context: PageContext, head: OrganizationHead, data: UnitPage): Html {
  const { units: texts, readOnly } = getOrganizersTexts(context);
  const { unit, tree, names, typed, errors, overwritten = [], refusal } = data;
  const list = `${organizationHref(head.org.slug)}/units`;
  const href = `${list}/${unit.id}`;
  const faults = toFieldErrors(errors, typed);
  const ancestorIds = findAncestorIds(tree, unit.id);
  const descendantIds = new Set(
    tree.units.filter(({ id }) => findAncestorIds(tree, id).includes(unit.id)).map(({ id }) => id),
  );
  return organizationLayout(context, head, {
    current: 'units',
    title: pageTitle(context, unit.name, faults.length > 0),
    above: [
      { href: list, name: texts.title },
      ...ancestorIds.toReversed().map((id) => ({ href: `${list}/${id}`, name: names.get(id) ?? '…' })),
    ],
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<h1 dir="auto">${unit.name}</h1>
${!head.isAdmin && html`<p class="muted">${readOnly}</p>`}
<form method="post" action="${href}" class="card" novalidate>
${hiddenFields({ hash: seenHash(hashDetails(unit), data) })}
${detailFields(context, { typed, errors, hasSlug: false, hint: texts.descriptionHint, readOnly: !head.isAdmin })}
${head.isAdmin && html`<p class="actions"><button name="do" value="save">${context.t.shell.save}</button></p>`}
</form>
${
  head.isAdmin &&
  html`<form method="post" action="${href}" class="card section-heading">
${parentField(context, data, { value: ancestorIds[0] ?? '', without: new Set([unit.id, ...descendantIds]) })}
<p class="actions"><button class="secondary" name="do" value="move">${texts.move}</button></p>
</form>`
}
${findChildIds(tree, unit.id).length > 0 && html`<h2 class="section-heading">${texts.below}</h2>${unitList(list, data, unit.id)}`}
${head.isAdmin && html`<p class="section-heading"><a class="button danger" href="${href}/delete" data-dialog>${texts.delete}</a></p>`}`,
  });
}
