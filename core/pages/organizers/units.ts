/** The pages of the units of an organization: a tree as a nested list, and a page for each unit. */
import type { Ports } from '#core/db/ports.ts';
import { findAncestorIds, findChildIds, type UnitTree } from '#core/organizations/unit-tree.ts';
import { loadTree, loadUnits, type StoredUnit } from '#core/organizations/units.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  errorSummary,
  hiddenFields,
  type Overwritten,
  selectField,
  titleWith,
} from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import { organizersText } from '../text/organizers.ts';
import {
  type DetailErrors,
  detailErrors,
  detailFields,
  detailsStamp,
  NO_DETAILS,
  type TypedDetails,
} from './details.ts';
import { type OrganizationHead, organizationHref, organizationLayout } from './frame.ts';

/** The most units of which names are read for one page; a deeper part of a large tree has a page of its own. */
const MAX_SHOWN = 400;

/** A tree with the names of the units that are shown of it. */
export type NamedTree = { tree: UnitTree; names: ReadonlyMap<string, string> };

/** Reads the tree of an organization, and the names of its first units from the top. */
export async function loadNamedTree({ table }: Pick<Ports, 'table'>, orgId: string): Promise<NamedTree> {
  const tree = await loadTree(table, orgId);
  const ids: string[] = [];
  for (let level = findChildIds(tree, null); level.length > 0 && ids.length < MAX_SHOWN; ) {
    ids.push(...level);
    level = level.flatMap((id) => findChildIds(tree, id));
  }
  const units = await loadUnits(table, ids.slice(0, MAX_SHOWN));
  return { tree, names: new Map(units.map(({ id, name }) => [id, name])) };
}

type UnitsPage = NamedTree & {
  newId: string;
  typed?: TypedDetails;
  errors?: DetailErrors;
  refusal?: string | undefined;
};

/** The page of all units, on which admins add one. */
export function unitsPage(context: PageContext, head: OrganizationHead, page: UnitsPage): Html {
  const { units: texts, readOnly } = organizersText(context);
  const { tree, names, newId, typed = NO_DETAILS, errors = {}, refusal } = page;
  const href = `${organizationHref(head.org.slug)}/units`;
  const faults = detailErrors(errors);
  return organizationLayout(context, head, {
    current: 'units',
    title: titleWith(context, texts.title, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<h1>${texts.title}</h1>
<p class="muted">${head.isAdmin ? texts.lead : readOnly}</p>
${tree.units.length === 0 ? html`<div class="empty"><p>${texts.none}</p></div>` : unitList(href, page, null)}
${names.size < tree.units.length && html`<p class="hint">${texts.shown(names.size, tree.units.length)}</p>`}
${
  head.isAdmin &&
  html`<details class="card section-heading"${faults.length > 0 && html` open`}><summary>${texts.add}</summary>
<form method="post" action="${href}" novalidate data-once>
${hiddenFields({ id: newId })}
${parentField(context, page, { value: '', without: new Set() })}
${detailFields(context, { typed, errors, hasSlug: false })}
<p class="actions"><button>${texts.submit}</button></p>
</form></details>`
}`,
  });
}

/** The units below a parent as a nested list. */
function unitList(href: string, { tree, names }: NamedTree, parentId: string | null): Html | undefined {
  const ids = findChildIds(tree, parentId).filter((id) => names.has(id));
  if (ids.length === 0) return undefined;
  return html`<ul class="tree">${ids.map(
    (id) =>
      html`<li id="u-${id}"><a href="${href}/${id}">${names.get(id)}</a>${unitList(href, { tree, names }, id)}</li>`,
  )}</ul>`;
}

/** The select of the unit above, indented by level, without those that cannot be it. */
function parentField(
  context: PageContext,
  { tree, names }: NamedTree,
  { value, without }: { value: string; without: ReadonlySet<string> },
): Html {
  const { units: texts } = organizersText(context);
  const below = (parentId: string | null, level: number): { value: string; label: string }[] =>
    findChildIds(tree, parentId)
      .filter((id) => names.has(id) && !without.has(id))
      .flatMap((id) => [{ value: id, label: `${'\u2003'.repeat(level)}${names.get(id)}` }, ...below(id, level + 1)]);
  const options = [{ value: '', label: texts.root }, ...below(null, 1)];
  return selectField(context, { name: 'parent', label: texts.moveUnder, value, options });
}

type UnitPage = NamedTree & {
  unit: StoredUnit;
  typed: TypedDetails;
  errors: DetailErrors;
  overwritten?: readonly Overwritten[];
  refusal?: string | undefined;
};

/** The page of one unit: its fields, its place, and what is below it. */
export function unitPage(context: PageContext, head: OrganizationHead, page: UnitPage): Html {
  const { units: texts, readOnly } = organizersText(context);
  const { unit, tree, names, typed, errors, overwritten = [], refusal } = page;
  const list = `${organizationHref(head.org.slug)}/units`;
  const href = `${list}/${unit.id}`;
  const faults = detailErrors(errors);
  const above = findAncestorIds(tree, unit.id);
  const within = new Set(
    tree.units.filter(({ id }) => findAncestorIds(tree, id).includes(unit.id)).map(({ id }) => id),
  );
  return organizationLayout(context, head, {
    current: 'units',
    title: titleWith(context, unit.name, faults.length > 0),
    above: [
      { href: list, name: texts.title },
      ...above.toReversed().map((id) => ({ href: `${list}/${id}`, name: names.get(id) ?? '…' })),
    ],
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<h1>${unit.name}</h1>
${!head.isAdmin && html`<p class="muted">${readOnly}</p>`}
<form method="post" action="${href}" class="card" novalidate>
${hiddenFields({ stamp: detailsStamp(unit) })}
${detailFields(context, { typed, errors, hasSlug: false, readOnly: !head.isAdmin })}
${head.isAdmin && html`<p class="actions"><button name="do" value="save">${context.t.shell.save}</button></p>`}
</form>
${
  head.isAdmin &&
  html`<form method="post" action="${href}" class="card section-heading">
${parentField(context, page, { value: above[0] ?? '', without: new Set([unit.id, ...within]) })}
<p class="actions"><button class="secondary" name="do" value="move">${texts.move}</button></p>
</form>`
}
${findChildIds(tree, unit.id).length > 0 && html`<h2 class="section-heading">${texts.below}</h2>${unitList(list, page, unit.id)}`}
${head.isAdmin && html`<p class="section-heading"><a class="button danger" href="${href}/delete">${texts.delete}</a></p>`}`,
  });
}
