/** The pages of the units of an organization: a tree as a nested list, and a page for each unit. */
import type { Ports } from '#core/db/ports.ts';
import { findAncestorIds, findChildIds, type UnitTree } from '#core/organizations/unit-tree.ts';
import { loadUnits, type StoredUnit } from '#core/organizations/units.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  errorSummary,
  hiddenFields,
  type Overwritten,
  pageTitle,
  selectField,
} from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { seenHash } from '../shell/typed-form.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import {
  type DetailErrors,
  detailFields,
  hashDetails,
  NO_DETAILS,
  type TypedDetails,
  toFieldErrors,
} from './details.ts';
import { type OrganizationHead, organizationHref, organizationLayout } from './frame.ts';

/** The most units of which names are read for one page; a deeper part of a large tree has a page of its own. */
const MAX_NAMED_UNITS = 400;

/** A tree with the names of the units that a page lists. */
export type NamedTree = { tree: UnitTree; names: ReadonlyMap<string, string> };

/**
 * Reads the names of the first units of a tree from the top, and of those above and below a unit.
 */
export async function loadUnitNames(
  { table }: Pick<Ports, 'table'>,
  tree: UnitTree,
  unitId?: string,
): Promise<NamedTree> {
  const near = unitId === undefined ? [] : [...findAncestorIds(tree, unitId), ...levelsFrom(tree, unitId)];
  const ids = [...new Set([...near, ...levelsFrom(tree, null)])].slice(0, MAX_NAMED_UNITS);
  const units = await loadUnits(table, ids);
  return { tree, names: new Map(units.map(({ id, name }) => [id, name])) };
}

/** The units below a parent, level by level, as many as are shown. */
function levelsFrom(tree: UnitTree, parentId: string | null): string[] {
  const ids: string[] = [];
  for (let level = findChildIds(tree, parentId); level.length > 0 && ids.length < MAX_NAMED_UNITS; ) {
    ids.push(...level);
    level = level.flatMap((id) => findChildIds(tree, id));
  }
  return ids;
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
export function renderUnitsPage(context: PageContext, head: OrganizationHead, data: UnitsPage): Html {
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

/** Renders the units below a parent as a nested list. */
function unitList(href: string, { tree, names }: NamedTree, parentId: string | null): Html | undefined {
  const ids = findChildIds(tree, parentId).filter((id) => names.has(id));
  if (ids.length === 0) return undefined;
  return html`<ul class="tree">${ids.map(
    (id) =>
      html`<li id="u-${id}"><a href="${href}/${id}">${names.get(id)}</a>${unitList(href, { tree, names }, id)}</li>`,
  )}</ul>`;
}

/** Renders the select of the parent unit, indented by level, without units that cannot be the parent. */
function parentField(
  context: PageContext,
  { tree, names }: NamedTree,
  { value, without }: { value: string; without: ReadonlySet<string> },
): Html {
  const { units: texts } = getOrganizersTexts(context);
  const listOptionsBelow = (parentId: string | null, level: number): { value: string; label: string }[] =>
    findChildIds(tree, parentId)
      .filter((id) => names.has(id) && !without.has(id))
      .flatMap((id) => [
        { value: id, label: `${'\u2003'.repeat(level)}${names.get(id)}` },
        ...listOptionsBelow(id, level + 1),
      ]);
  const options = [{ value: '', label: texts.root }, ...listOptionsBelow(null, 1)];
  return selectField(context, { name: 'parent', label: texts.moveUnder, value, options });
}

export type UnitPage = NamedTree & {
  unit: StoredUnit;
  typed: TypedDetails;
  errors: DetailErrors;
  overwritten?: readonly Overwritten[];
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  refusal?: string | undefined;
};

/** Renders the page of a unit: its fields, its parent and the units below it. */
export function renderUnitPage(context: PageContext, head: OrganizationHead, data: UnitPage): Html {
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
<h1>${unit.name}</h1>
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
