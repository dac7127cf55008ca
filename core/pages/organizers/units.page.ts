/**
 * Shows the units of an organization. Creates a unit below another one, or at the top; a second press shows the unit
 * that the first press created.
 */
import { openOrganizationReading } from '#core/organizations/service.ts';
import { createUnit, loadTree } from '#core/organizations/units.ts';
import { Problem } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, hiddenFields, pageTitle } from '../shell/controls.ts';
import { adminOfOrganization, DETAILS_BYTES, memberOfOrganization, READ, WRITE } from '../shell/declare-page.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
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
import { loadHead, type OrganizationHead, organizationHref, organizationLayout, withDone } from './frame.ts';
import { loadUnitNames, type NamedTree, parentField, unitList } from './units.ts';

const openUnits = openOrganizationReading(loadTree);

export const page = definePage({
  name: 'units',
  audience: 'organizers',
  path: '/o/{slug}/units',
  get: {
    access: memberOfOrganization,
    needs: READ,
    open: openUnits,
    show: async ({ app, orgId, account, roles, readAhead, context }) => {
      const [head, tree] = await Promise.all([
        loadHead(app, { orgId, account, roles }),
        readAhead().then((read) => loadUnitNames(app, read)),
      ]);
      return { html: renderUnitsPage(context, head, { ...tree, newId: app.uuid() }) };
    },
  },
  post: {
    access: adminOfOrganization,
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
    creates: ['unit'],
    open: openUnits,
    actions: {
      createUnit: async ({ app, orgId, account, caller, roles, readAhead, params: { slug }, posted, context }) => {
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
    },
  },
});

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
    title: pageTitle(context, texts.title, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<h1>${texts.title}</h1>
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
