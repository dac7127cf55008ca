/** The pages of the units of an organization: a tree as a nested list, and a page for each unit. */
import type { Ports } from '#core/db/ports.ts';
import { findAncestorIds, findChildIds, type UnitTree } from '#core/organizations/unit-tree.ts';
import { loadUnits } from '#core/organizations/units.ts';
import type { PageContext } from '../shell/context.ts';
import { selectField } from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import { getOrganizersTexts } from '../text/organizers.ts';

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

/** Renders the units below a parent as a nested list. */
export function unitList(href: string, { tree, names }: NamedTree, parentId: string | null): Html | undefined {
  const ids = findChildIds(tree, parentId).filter((id) => names.has(id));
  if (ids.length === 0) return undefined;
  return html`<ul class="tree">${ids.map(
    (id) =>
      html`<li id="u-${id}"><a href="${href}/${id}" dir="auto">${names.get(id)}</a>${unitList(href, { tree, names }, id)}</li>`,
  )}</ul>`;
}

/** Renders the select of the parent unit, indented by level, without units that cannot be the parent. */
export function parentField(
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
