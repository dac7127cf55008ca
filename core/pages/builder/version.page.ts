/**
 * Shows a version of a form, or the nearest earlier one that was kept, or archived changes. Restores a version of a
 * form (`do=restore`), also in place of changes that are not published (`replace`).
 */
import type { Ports } from '#core/db/ports.ts';
import {
  hasSameContent,
  loadPublishers,
  type OpenedVersions,
  openVersions,
  requireVersion,
  restoredStructure,
  restoreVersion,
} from '#core/forms/versions.ts';
import { formatDateTime } from '#core/schema/format.ts';
import { editedStructure, reloadEditedForm } from '#core/structure/changes.ts';
import { listDifferences } from '#core/structure/differences.ts';
import { listEffects } from '#core/structure/effects.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import { type FoundVersion, findVersion, isArchivedNumber } from '#core/structure/versions.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage, type PageRequest } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { onlyAtVersion } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { changesHref, differenceList, versionFields } from './changes.ts';
import { builderLayout, withDone } from './frame.ts';
import { explainEdit, questionsHref } from './questions.ts';
import { followingItems, openFollowing } from './rule-words.ts';
import {
  describeKept,
  isArchived,
  keptDifferences,
  nameOf,
  type People,
  versionHref,
  versionsHref,
} from './versions.ts';

export const page = definePage({
  name: 'version',
  audience: 'authors',
  path: '/build/{formId}/versions/{version}',
  access: member,
  needs: LIST,
  open: openVersions,
  show: async ({ app, params, context, ...opened }) => {
    const [head, found, people] = await Promise.all([
      loadGateHead(app, opened.gate),
      findVersionOrList(app, opened, params.version),
      loadPublishers(app.table, opened.versions),
    ]);
    if ('location' in found) return found;
    return { html: renderVersionPage(context, head, { ...opened, found, people }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    open: openVersions,
    actions: {
      restore: (request) => restore(request, false),
      replace: (request) => restore(request, true),
    },
    explain: async ({ app, params, context, ...opened }, problem) => {
      if (!REFUSED_CODES.has(problem.code)) return undefined;
      const { versions: texts } = getVersionsTexts(context);
      const isStale = problem.code === 'stale_version';
      const { refusal, status } = explainEdit(context, problem, isStale ? texts.stale : texts.refused);
      const [head, found, people, newest] = await Promise.all([
        loadGateHead(app, opened.gate),
        findVersionOrList(app, opened, params.version),
        loadPublishers(app.table, opened.versions),
        reloadEditedForm(app.table, opened.gate.formId),
      ]);
      if ('location' in found) return found;
      const data = { edited: newest, stored: editedStructure(newest), found, people, refusal };
      return { html: renderVersionPage(context, head, data), status };
    },
  },
});

type VersionRequest = OpenedVersions & Pick<PageRequest<'{version}'>, 'app' | 'params' | 'posted'>;

/** Restores a version; with `force`, in place of changes that are not published. */
async function restore(request: VersionRequest, force: boolean): Promise<PageResult> {
  const { app, params, posted, gate, edited, stored, caller } = request;
  const found = await findVersionOrList(app, request, params.version);
  if ('location' in found) return found;
  const done = isArchivedNumber(params.version) ? 'changesRestored' : 'versionRestored';
  const restored = (isCopy: boolean) => ({
    location: withDone(isCopy ? changesHref(gate.formId) : questionsHref(gate.formId), done),
  });
  // It was live when the page was shown, and API clients have edited it since: the page of its number says what was kept.
  if (!found.isExact) return { location: versionHref(gate.formId, Number(params.version)) };
  // The second press of the button finds what the first one has restored.
  if (hasSameContent(stored.structure, restoredStructure(edited, found.structure)))
    return restored(edited.changes !== undefined);
  const seen = onlyAtVersion(app, Number(posted.fields.get('revision')));
  const { body } = await restoreVersion(seen, { gate, edited, caller, version: found.structure, force });
  return restored(body.updatedAt !== null);
}

const REFUSED_CODES: ReadonlySet<string> = new Set(['stale_version', 'invalid_request', 'content_too_large']);

/**
 * Finds the version of an address. Without it, but for a number that was one, returns the address of the list, which says that
 * it is not kept. Throws 404 for any other number.
 */
async function findVersionOrList(
  app: Pick<Ports, 'table' | 'now'>,
  opened: Pick<OpenedVersions, 'edited' | 'versions'>,
  version: string,
): Promise<FoundVersion | { location: string }> {
  const { live } = opened.edited;
  const isEarlier = Number(version) >= 1 && Number(version) < live.structure.version;
  if (!isEarlier && !isArchivedNumber(version)) return requireVersion(app, opened, version);
  const found = await findVersion(app, { live: live.structure, versions: opened.versions }, Number(version));
  const done = isEarlier ? 'versionNotKept' : 'changesNotKept';
  return found ?? { location: withDone(versionsHref(live.structure.formId), done) };
}

type VersionPage = Pick<OpenedVersions, 'edited' | 'stored'> & {
  found: FoundVersion;
  people: People;
  refusal?: string | undefined;
};

/** Renders one version: who, when, its content, and what restoring it would change. */
function renderVersionPage(context: PageContext, head: FormHead, page: VersionPage): Html {
  const { versions: texts } = getVersionsTexts(context);
  const { people, refusal } = page;
  const { structure, kept, isExact, isLive } = page.found;
  const title = kept ? `${nameOf(context, kept)} ${formatDateTime(context, kept.at, 'zone')}` : texts.unnamed;
  return builderLayout(context, head, {
    current: 'overview',
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
function restoring(context: PageContext, { form }: FormHead, { edited, stored, found }: VersionPage): Html {
  const { versions: texts } = getVersionsTexts(context);
  const { changes } = edited;
  const restored = restoredStructure(edited, found.structure);
  if (hasSameContent(stored.structure, restored)) return html`<p>${texts.same}</p>`;
  const differences = [...listDifferences(stored, restored), ...listEffects(stored, restored)];
  const isCopy = changes !== undefined || form.status === 'PUBLISHED';
  return html`<h2 class="section-heading">${found.kept && isArchived(found.kept) ? texts.archived.restoreTitle : texts.restoreTitle}</h2>
<p>${isCopy ? texts.asChanges : texts.inPlace}</p>
${differences.length > 0 && html`<p>${texts.wouldChange}</p>${differenceList(context, differences, { before: stored.structure, after: restored })}`}
${changes && html`<div class="notice warning"><p>${texts.replaces}</p><p><a href="${changesHref(form.id)}">${getQuestionsTexts(context).changes.review}</a></p></div>`}
<form method="post" action="${versionHref(form.id, found.structure.version)}" class="actions" data-once>${hiddenFields(versionFields(edited))}${
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
      html`<li><h3 dir="auto">${sectionTitle(structure, section.id) || list.untitled}</h3>${
        section.questions.length > 0 &&
        html`<ol>${section.questions.map(
          ({ title, type, required }) =>
            html`<li><bdi>${title}</bdi> <span class="muted small">${types[type]}${required && ` · ${list.required}`}</span></li>`,
        )}</ol>`
      }<ul class="plain muted small">${followingItems(context, describeFollowing(section.id))}</ul></li>`,
  )}</ol>`;
}
