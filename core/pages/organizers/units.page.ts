/**
 * Shows the units of an organization. Creates a unit below another one, or at the top; a second press shows the unit
 * that the first press created.
 */
import type { Caller } from '#core/access/access.ts';
import { openOrganizationReading } from '#core/organizations/service.ts';
import type { UnitTree } from '#core/organizations/unit-tree.ts';
import { createUnit, loadTree } from '#core/organizations/units.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, hiddenFields, pageTitle } from '../shell/controls.ts';
import { adminOfOrganization, DETAILS_BYTES, memberOfOrganization, READ, WRITE } from '../shell/declare-page.ts';
import type { FormFields } from '../shell/form-fields.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import {
  checkDetails,
  type DetailErrors,
  detailFields,
  NO_DETAILS,
  parsePostedDetails,
  type TypedDetails,
  toFieldErrors,
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

const openUnits = openOrganizationReading(loadTree);

export const page = definePage({
  name: 'units',
  audience: 'organizers',
  path: '/o/{slug}/units',
  access: memberOfOrganization,
  needs: READ,
  open: openUnits,
  show: (request) => show(request, { newId: request.app.uuid() }),
  post: {
    access: adminOfOrganization,
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
    creates: ['unit'],
    open: openUnits,
    actions: {
      createUnit: async (request) => {
        const { app, orgId, readAhead, params, context } = request;
        const { typed, parentId, newId } = readUnit(request);
        const checked = checkDetails(context, typed);
        if ('errors' in checked) return showRefused(request, { errors: checked.errors });
        const { slug: _slug, ...input } = checked.input;
        const id = newId.derive([typed, parentId]);
        await createUnit(app, orgId, input, { id, parentId, tree: await readAhead() });
        return { location: withDone(`${organizationHref(params.slug)}/units`, 'unitCreated') };
      },
    },
    explain: (request, { code }) => {
      const { tooMany, parentRefused } = getOrganizersTexts(request.context).units;
      if (code === 'too_many_units') return showRefused(request, { refusal: tooMany });
      return code === 'invalid_request' ? showRefused(request, { refusal: parentRefused }) : undefined;
    },
  },
});

type UnitsRequest = OrganizationRequest & { readAhead(): Promise<UnitTree> };

async function show({ app, readAhead, context, ...opened }: UnitsRequest, data: Omit<UnitsPage, keyof NamedTree>) {
  const named = readAhead().then((tree) => loadUnitNames(app, tree));
  const [head, tree] = await Promise.all([loadHead(app, opened), named]);
  return { html: renderUnitsPage(context, head, { ...tree, ...data }) };
}

type PostedUnit = UnitsRequest & { caller: Caller; posted: FormFields };

/** What was typed for a new unit. */
function readUnit({ app, caller, posted: { fields } }: PostedUnit) {
  const { slug: _none, ...typed } = parsePostedDetails(fields);
  return { typed, parentId: fields.get('parent') || null, newId: readNewId(fields, caller, app) };
}

async function showRefused(request: PostedUnit, refused: Pick<UnitsPage, 'errors' | 'refusal'>): Promise<PageResult> {
  const { typed, parentId, newId } = readUnit(request);
  const data = { typed, parentId: parentId ?? '', newId: newId.field, ...refused };
  return { ...(await show(request, data)), status: 400 };
}

type UnitsPage = NamedTree & {
  newId: string;
  typed?: TypedDetails;
  /** The chosen parent; empty for the organization itself. */
  parentId?: string;
  errors?: DetailErrors;
  refusal?: string | undefined;
};

/** Renders the page of all units, on which admins add one. */
function renderUnitsPage(context: PageContext, head: OrganizationHead, data: UnitsPage): Html {
  const { units: texts, readOnly } = getOrganizersTexts(context);
  const { tree, names, newId, typed = NO_DETAILS, parentId = '', errors = {}, refusal } = data;
  const href = `${organizationHref(head.org.slug)}/units`;
  const faults = toFieldErrors(errors, typed);
  return organizationLayout(context, head, {
    current: 'units',
    isTab: true,
    title: pageTitle(context, texts.title, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p class="muted">${head.isAdmin ? texts.lead : readOnly}</p>
${tree.units.length === 0 ? html`<div class="empty"><p>${texts.none}</p></div>` : unitList(href, data, null)}
${names.size < tree.units.length && html`<p class="hint">${texts.shown(names.size, tree.units.length)}</p>`}
${
  head.isAdmin &&
  html`<details class="card section-heading"${attribute('open', faults.length > 0 || refusal !== undefined)}><summary>${texts.add}</summary>
<form method="post" action="${href}" novalidate data-once>
${hiddenFields({ id: newId })}
${parentField(context, data, { value: parentId, without: new Set() })}
${detailFields(context, { typed, errors, hasSlug: false, hint: texts.descriptionHint })}
<p class="actions"><button>${texts.submit}</button></p>
</form></details>`
}`,
  });
}
