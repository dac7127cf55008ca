/** The versions of a form: the list of what was published when and by whom, and one version with the way back to it. */
import type { Account } from '#core/accounts/model.ts';
import { hasSameContent, type OpenedVersions, restoredStructure } from '#core/forms/versions.ts';
import { formatDateTime } from '#core/schema/format.ts';
import { listDifferences } from '#core/structure/differences.ts';
import { listEffects } from '#core/structure/effects.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import { type ArchivedChanges, type FoundVersion, type KeptVersion, listArchived } from '#core/structure/versions.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { changesHref, differenceList, versionFields } from './changes.ts';
import { builderLayout, buildHref } from './frame.ts';
import { followingItems, openFollowing } from './rule-words.ts';

type People = ReadonlyMap<string, Account>;

/** The addresses of the pages. */
export const versionsHref = (formId: string): string => `${buildHref(formId)}/versions`;
export const versionHref = (formId: string, version: number): string => `${versionsHref(formId)}/${version}`;

/** Says who published or replaced a version, or put changes aside. */
function describeKept(context: PageContext, kept: KeptVersion | ArchivedChanges, people: People): string {
  const { versions: texts } = getVersionsTexts(context);
  const name = people.get(kept.by)?.name || people.get(kept.by)?.username || texts.somebody;
  return 'kind' in kept ? texts.by[kept.kind](name) : texts.aside.by[kept.reason](name);
}

/** Names a version by its time: its number counts edits, so the first one that was published may have the number 59. */
const nameVersion = (context: PageContext, { at }: KeptVersion): Html =>
  html`${getVersionsTexts(context).versions.of} ${renderTime(context, at)}`;

type Differing = Pick<KeptVersion, 'differences' | 'moreDifferences'>;
function keptDifferences(context: PageContext, { differences, moreDifferences }: Differing): Html {
  const { versions: texts } = getVersionsTexts(context);
  return html`${differences.length > 0 && differenceList(context, differences)}
${moreDifferences > 0 && html`<p class="muted small">${texts.more(moreDifferences)}</p>`}`;
}

type VersionsPage = Pick<OpenedVersions, 'draft' | 'versions'> & { people: People; now: Date; refusal?: string };

/** Renders the list, newest first, with the changes that were put aside. */
export function renderVersionsPage(context: PageContext, head: FormHead, page: VersionsPage): Html {
  const { versions, people, now, refusal } = page;
  const { versions: texts } = getVersionsTexts(context);
  const aside = listArchived(versions, now);
  return builderLayout(context, head, {
    current: 'build',
    title: texts.title,
    main: html`${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
${versions.entries.length === 0 && html`<p class="muted">${texts.none}</p>`}
${
  versions.entries.length > 0 &&
  html`<ol class="rows">${versions.entries.map(
    (entry) =>
      html`<li><div class="row-text"><h2><a href="${versionHref(head.form.id, entry.version)}">${nameVersion(context, entry)}</a></h2>
<p class="muted small">${describeKept(context, entry, people)}</p>${keptDifferences(context, entry)}</div></li>`,
  )}</ol>`
}
${aside.length > 0 && asideList(context, head, page, aside)}`,
  });
}

/** The changes that were put aside, each with the button that puts it back. */
function asideList(
  context: PageContext,
  { form }: FormHead,
  { draft, people }: VersionsPage,
  aside: ArchivedChanges[],
): Html {
  const { aside: texts } = getVersionsTexts(context).versions;
  const { changes } = draft;
  const label = changes || form.status === 'PUBLISHED' ? texts.restore : texts.restoreInPlace;
  return html`<h2 class="section-heading">${texts.title}</h2>
<p>${texts.lead}${changes && html` ${texts.replaces}`}</p>
<form method="post" action="${versionsHref(form.id)}" data-once>${hiddenFields(versionFields(draft))}
<ol class="rows">${aside.map((changes) => {
    const heading = html`${describeKept(context, changes, people)} · ${renderTime(context, changes.at)}`;
    return html`<li><div class="row-text"><h3 id="aside-${changes.id}">${heading}</h3>${keptDifferences(context, changes)}</div>
<button class="secondary" name="do" value="aside:${changes.id}" aria-describedby="aside-${changes.id}">${label}</button></li>`;
  })}</ol></form>`;
}

type VersionPage = Pick<OpenedVersions, 'draft' | 'stored' | 'versions'> & {
  found: FoundVersion;
  people: People;
  refusal?: string | undefined;
};

/** Renders one version: who, when, its content, and what restoring it would change. */
export function renderVersionPage(context: PageContext, head: FormHead, page: VersionPage): Html {
  const { versions: texts } = getVersionsTexts(context);
  const { found, versions, people, refusal } = page;
  const { structure, isExact, isLive } = found;
  const kept = versions.entries.find(({ version }) => version === structure.version);
  const title = kept ? `${texts.of} ${formatDateTime(context, kept.at, 'zone')}` : texts.unnamed;
  return builderLayout(context, head, {
    current: 'build',
    title,
    main: html`${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p><a class="back" href="${versionsHref(head.form.id)}">${texts.title}</a></p>
<h1>${kept ? nameVersion(context, kept) : title}</h1>
${!isExact && html`<div class="notice warning"><p>${texts.nearest}</p></div>`}
${isLive && html`<div class="notice"><p>${head.form.status === 'PUBLISHED' ? texts.live : texts.current}</p></div>`}
${kept && html`<p class="muted">${describeKept(context, kept, people)}</p>${keptDifferences(context, kept)}`}
${restoring(context, head, page)}
<h2 class="section-heading">${texts.content}</h2>
${outline(context, structure)}`,
  });
}

/** What restoring would change, and its button; a second look if there are changes that it would replace. */
function restoring(context: PageContext, { form }: FormHead, { draft, stored, found }: VersionPage): Html {
  const { versions: texts } = getVersionsTexts(context);
  const { changes } = draft;
  const restored = restoredStructure(draft, found.structure);
  if (hasSameContent(stored.structure, restored)) return html`<p>${texts.same}</p>`;
  const differences = [...listDifferences(stored, restored), ...listEffects(stored, restored)];
  const isCopy = changes !== undefined || form.status === 'PUBLISHED';
  return html`<h2 class="section-heading">${texts.restoreTitle}</h2>
<p>${isCopy ? texts.asChanges : texts.inPlace}</p>
${differences.length > 0 && html`<p>${texts.wouldChange}</p>${differenceList(context, differences, { before: stored.structure, after: restored })}`}
${changes && html`<div class="notice warning"><p>${texts.replaces}</p><p><a href="${changesHref(form.id)}">${getQuestionsTexts(context).changes.review}</a></p></div>`}
<form method="post" action="${versionHref(form.id, found.structure.version)}" class="actions" data-once>${hiddenFields(versionFields(draft))}${
    changes
      ? html`<button class="danger" name="do" value="replace">${texts.replace}</button>`
      : html`<button name="do" value="restore">${isCopy ? texts.restore : texts.restoreInPlace}</button>`
  }</form>`;
}

/** The sections in the order of the path with their questions, and what follows each. */
function outline(context: PageContext, structure: Structure): Html {
  const { list, types } = getQuestionsTexts(context);
  if (structure.sections.length === 0) return html`<p class="muted">${list.empty}</p>`;
  const describeFollowing = openFollowing(context, structure);
  return html`<ol class="outline">${sectionsInOrder(structure).map(
    (section) =>
      html`<li><h3>${sectionTitle(structure, section.id) || list.untitled}</h3>${
        section.questions.length > 0 &&
        html`<ol>${section.questions.map(
          ({ title, type, required }) =>
            html`<li>${title} <span class="muted small">${types[type]}${required && ` · ${list.required}`}</span></li>`,
        )}</ol>`
      }<ul class="plain muted small">${followingItems(context, describeFollowing(section.id))}</ul></li>`,
  )}</ol>`;
}
