/** The pages that create, change and delete an organization. */
import { partitions } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { countForms } from '#core/forms/lists.ts';
import { FormStatus } from '#core/forms/model.ts';
import type { SlugUsage } from '#core/organizations/model.ts';
import { loadTree } from '#core/organizations/units.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import {
  conflictNotice,
  errorSummary,
  hiddenFields,
  type Overwritten,
  pageTitle,
  textField,
} from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { seenHash } from '../shell/typed-form.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { type DetailErrors, detailFields, hashDetails, type TypedDetails, toFieldErrors } from './details.ts';
import { type OrganizationHead, organizationHref, organizationLayout } from './frame.ts';

/** How many uses of a slug are shown. */
export const MAX_USAGES = 20;

type NewOrganizationPage = { typed: TypedDetails; errors: DetailErrors; newId: string; refusal?: string | undefined };

/** Renders the page that creates an organization. With `newId`, a second press opens the one that the first created. */
export function renderNewOrganizationPage(
  context: PageContext,
  { typed, errors, newId, refusal }: NewOrganizationPage,
): Html {
  const texts = getOrganizersTexts(context).create;
  const faults = toFieldErrors(errors, typed);
  return layout(context, {
    title: pageTitle(context, texts.title, faults.length > 0),
    frame: { crumbs: [] },
    main: html`${errorSummary(context, faults)}
${refusal !== undefined && html`<div class="notice warning" role="alert"><p>${refusal}</p></div>`}
<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
<form method="post" action="/orgs/new" class="card" novalidate data-once>
${hiddenFields({ id: newId })}
${detailFields(context, { typed, errors, hasSlug: true, hint: getOrganizersTexts(context).settings.descriptionHint, autofocus: faults.length === 0 && refusal === undefined })}
<p class="actions"><button>${texts.submit}</button></p>
</form>`,
  });
}

export type SettingsPage = {
  typed: TypedDetails;
  errors: DetailErrors;
  /** Values that somebody else has stored since the form was shown. */
  overwritten?: readonly Overwritten[];
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  /** Who has used the slug, newest first. */
  usages: readonly SlugUsage[];
};

/** Renders the settings. Members who are not admins can only read them. */
export function renderSettingsPage(context: PageContext, head: OrganizationHead, settings: SettingsPage): Html {
  const { settings: texts, readOnly } = getOrganizersTexts(context);
  const { typed, errors, overwritten = [], usages } = settings;
  const faults = toFieldErrors(errors, typed);
  const href = `${organizationHref(head.org.slug)}/settings`;
  return organizationLayout(context, head, {
    current: 'settings',
    title: pageTitle(context, texts.title, faults.length > 0),
    main: html`${errorSummary(context, faults)}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<h1>${texts.title}</h1>
${!head.isAdmin && html`<p class="muted">${readOnly}</p>`}
<form method="post" action="${href}" class="card" novalidate>
${hiddenFields({ hash: seenHash(hashDetails(head.org), settings) })}
${detailFields(context, { typed, errors, hasSlug: true, hint: getOrganizersTexts(context).settings.descriptionHint, ownSlug: head.org.slug, readOnly: !head.isAdmin })}
${head.isAdmin && html`<p class="hint">${texts.slugWarning}</p><p class="actions"><button>${context.t.shell.save}</button></p>`}
</form>
${usages.length > 1 && html`<h2 class="section-heading">${texts.historyOf(head.org.slug)}</h2><ul class="rows">${usages.map((usage) => slugUsage(context, usage))}</ul>`}
${head.isAdmin && html`<p class="section-heading"><a class="button danger" href="${organizationHref(head.org.slug)}/delete">${texts.delete}</a></p>`}`,
  });
}

const slugUsage = (context: PageContext, { orgName, startedAt, endedAt }: SlugUsage): Html => {
  const { since, until } = getOrganizersTexts(context).settings;
  return html`<li><div class="row-text"><p>${orgName}</p><p class="muted small">${since} ${renderTime(context, startedAt)}${
    endedAt !== null && html` ${until} ${renderTime(context, endedAt)}`
  }</p></div></li>`;
};

/** How much an organization has; each number is counted to `MAX_EXTENT` + 1. */
type Extent = Record<'forms' | 'members' | 'units', number>;

const MAX_EXTENT = 100;

/** Counts what is deleted with an organization, in one round trip. */
export async function loadExtent(table: Table, orgId: string): Promise<Extent> {
  const limit = MAX_EXTENT + 1;
  const [tree, members, ...forms] = await Promise.all([
    loadTree(table, orgId),
    table.count({ ...partitions.members(orgId), limit }),
    ...FormStatus().options.map((status) => countForms(table, orgId, status, limit)),
  ]);
  return { forms: forms.reduce((sum, count) => sum + count, 0), members, units: tree.units.length };
}

/** Renders the page on which an admin deletes the organization by typing its name. */
export function renderOrganizationDeletionPage(
  context: PageContext,
  head: OrganizationHead,
  extent: Extent,
  error?: string,
): Html {
  const texts = getOrganizersTexts(context).delete;
  const { org } = head;
  return organizationLayout(context, head, {
    current: 'settings',
    title: pageTitle(context, texts.title(org.name), error !== undefined),
    above: [{ href: `${organizationHref(org.slug)}/settings`, name: getOrganizersTexts(context).settings.title }],
    main: html`${errorSummary(context, error === undefined ? [] : [{ target: 'name', message: error }])}
<h1>${texts.title(org.name)}</h1>
<p>${texts.lead}</p>
<p>${texts.extent(extent, MAX_EXTENT)}</p>
<form method="post" action="${organizationHref(org.slug)}/delete" class="card" novalidate data-once data-disposable>
${textField(context, { name: 'name', label: texts.typeName(org.name), value: '', error, isExact: true, required: true })}
<p class="actions"><button class="danger">${texts.submit}</button><a class="button secondary" href="${organizationHref(org.slug)}/settings">${context.t.shell.cancel}</a></p>
</form>`,
  });
}
