/** The versions of a form: the list of what was published when and by whom, and one version with the way back to it. */
import type { Account } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import { hasSameContent, type OpenedVersions, requireVersion, restoredStructure } from '#core/forms/versions.ts';
import { formatDateTime } from '#core/schema/format.ts';
import { listDifferences } from '#core/structure/differences.ts';
import { listEffects } from '#core/structure/effects.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import {
  type ArchivedChanges,
  type FoundVersion,
  findVersion,
  isArchivedNumber,
  type KeptVersion,
  listArchived,
} from '#core/structure/versions.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { changesHref, differenceList, versionFields } from './changes.ts';
import { builderLayout, buildHref, withDone } from './frame.ts';
import { followingItems, openFollowing } from './rule-words.ts';

type People = ReadonlyMap<string, Account>;

/** The addresses of the pages. */
export const versionsHref = (formId: string): string => `${buildHref(formId)}/versions`;
export const versionHref = (formId: string, version: number): string => `${versionsHref(formId)}/${version}`;

type Listed = KeptVersion | ArchivedChanges;

/** Says who published or replaced a version, or why changes were archived. */
function describeKept(context: PageContext, { kind, by }: Listed, people: People): string {
  const { versions: texts } = getVersionsTexts(context);
  return texts.by[kind](people.get(by)?.name || people.get(by)?.username || texts.somebody);
}

const isArchived = (kept: Listed): kept is ArchivedChanges => 'expiresAt' in kept;

/** Names a version by its time: its number counts edits, so the first one that was published may have the number 59. */
const nameOf = (context: PageContext, kept: Listed): string => {
  const { versions: texts } = getVersionsTexts(context);
  return isArchived(kept) ? texts.archived.of : texts.of;
};

/**
 * Finds the version of an address. Without it, but for a number that was one, returns the address of the list, which says that
 * it is not kept. Throws 404 for any other number.
 */
export async function findVersionOrList(
  app: Pick<Ports, 'table' | 'now'>,
  opened: Pick<OpenedVersions, 'draft' | 'versions'>,
  version: string,
): Promise<FoundVersion | { location: string }> {
  const { live } = opened.draft;
  const isEarlier = Number(version) >= 1 && Number(version) < live.structure.version;
  if (!isEarlier && !isArchivedNumber(version)) return requireVersion(app, opened, version);
  const found = await findVersion(app, { live: live.structure, versions: opened.versions }, Number(version));
  const done = isEarlier ? 'versionNotKept' : 'changesNotKept';
  return found ?? { location: withDone(versionsHref(live.structure.formId), done) };
}

type Differing = Pick<KeptVersion, 'differences' | 'moreDifferences'>;
function keptDifferences(context: PageContext, { differences, moreDifferences }: Differing): Html {
  const { versions: texts } = getVersionsTexts(context);
  return html`${differences.length > 0 && differenceList(context, differences)}
${moreDifferences > 0 && html`<p class="muted small">${texts.more(moreDifferences)}</p>`}`;
}

type VersionsPage = { versions: OpenedVersions['versions']; people: People };

/** Renders the versions, newest first, and the archived changes. */
export function renderVersionsPage(context: PageContext, head: FormHead, { versions, people }: VersionsPage): Html {
  const { versions: texts } = getVersionsTexts(context);
  const archived = listArchived(versions, context.now);
  const rows = (list: readonly Listed[], heading: (link: Html) => Html) =>
    html`<ol class="rows">${list.map(
      (kept) =>
        html`<li><div class="row-text">${heading(html`<a href="${versionHref(head.form.id, kept.version)}">${nameOf(context, kept)} ${renderTime(context, kept.at)}</a>`)}
<p class="muted small">${describeKept(context, kept, people)}</p>${keptDifferences(context, kept)}</div></li>`,
    )}</ol>`;
  return builderLayout(context, head, {
    current: 'build',
    title: texts.title,
    main: html`<h1>${texts.title}</h1>
<p>${texts.lead}</p>
${versions.entries.length === 0 ? html`<p class="muted">${texts.none}</p>` : rows(versions.entries, (link) => html`<h2>${link}</h2>`)}
${
  archived.length > 0 &&
  html`<h2 class="section-heading">${texts.archived.title}</h2>
<p>${texts.archived.lead}</p>
${rows(archived, (link) => html`<h3>${link}</h3>`)}`
}`,
  });
}

type VersionPage = Pick<OpenedVersions, 'draft' | 'stored'> & {
  found: FoundVersion;
  people: People;
  refusal?: string | undefined;
};

/** Renders one version: who, when, its content, and what restoring it would change. */
export function renderVersionPage(context: PageContext, head: FormHead, page: VersionPage): Html {
  const { versions: texts } = getVersionsTexts(context);
  const { people, refusal } = page;
  const { structure, kept, isExact, isLive } = page.found;
  const title = kept ? `${nameOf(context, kept)} ${formatDateTime(context, kept.at, 'zone')}` : texts.unnamed;
  return builderLayout(context, head, {
    current: 'build',
    title,
    main: html`${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p><a class="back" href="${versionsHref(head.form.id)}">${texts.title}</a></p>
<h1>${kept ? html`${nameOf(context, kept)} ${renderTime(context, kept.at)}` : title}</h1>
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
  return html`<h2 class="section-heading">${found.kept && isArchived(found.kept) ? texts.archived.restoreTitle : texts.restoreTitle}</h2>
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
