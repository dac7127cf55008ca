/** Shows the versions of a form that are kept, and the edits that can be undone. */
import type { Caller } from '#core/access/access.ts';
import { listUndos, offeredUndo } from '#core/forms/undo.ts';
import { loadPublishers, type OpenedVersions, openVersions } from '#core/forms/versions.ts';
import type { StoredUndo } from '#core/structure/undo.ts';
import { listArchived } from '#core/structure/versions.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { builderLayout, buildHref } from './frame.ts';
import { mayEditQuestions } from './questions.ts';
import { describeEdit } from './undo.ts';
import { describeKept, keptDifferences, type Listed, nameOf, type People, versionHref } from './versions.ts';

export const page = definePage({
  name: 'versions',
  audience: 'authors',
  path: '/build/{formId}/versions',
  access: member,
  needs: LIST,
  open: openVersions,
  show: async ({ app, gate, stored, versions, caller, context }) => {
    const [head, people, kept] = await Promise.all([
      loadGateHead(app, gate),
      loadPublishers(app.table, versions),
      mayEditQuestions(gate) ? listUndos(app.table, gate.formId, app.now()) : [],
    ]);
    const undos = kept.filter((undo) => offeredUndo(stored.structure, undo));
    return { html: renderVersionsPage(context, head, { versions, people, undos, caller }) };
  },
});

type VersionsPage = {
  versions: OpenedVersions['versions'];
  people: People;
  undos: readonly StoredUndo[];
  caller: Caller;
};

/** Renders the versions, newest first, and the archived changes. */
function renderVersionsPage(context: PageContext, head: FormHead, page: VersionsPage): Html {
  const { versions, people } = page;
  const { versions: texts } = getVersionsTexts(context);
  const archived = listArchived(versions, context.now);
  const rows = (list: readonly Listed[], heading: (link: Html) => Html) =>
    html`<ol class="rows">${list.map(
      (kept) =>
        html`<li><div class="row-text">${heading(html`<a href="${versionHref(head.form.id, kept.version)}">${nameOf(context, kept)} ${renderTime(context, kept.at)}</a>`)}
<p class="muted small">${describeKept(context, kept, people)}</p>${keptDifferences(context, kept)}</div></li>`,
    )}</ol>`;
  return builderLayout(context, head, {
    current: 'overview',
    title: texts.title,
    width: 'list',
    main: html`<h1>${texts.title}</h1>
<p>${texts.lead}</p>
${versions.entries.length === 0 ? html`<p class="muted">${texts.none}</p>` : rows(versions.entries, (link) => html`<h2>${link}</h2>`)}
${
  archived.length > 0 &&
  html`<h2 class="section-heading">${texts.archived.title}</h2>
<p>${texts.archived.lead}</p>
${rows(archived, (link) => html`<h3>${link}</h3>`)}`
}
${undoList(context, head.form.id, page)}`,
  });
}

/** Lists the edits that can be undone, newest first, each with its button. */
function undoList(context: PageContext, formId: string, { undos, caller }: VersionsPage): Html | undefined {
  const { undo: texts } = getVersionsTexts(context);
  if (undos.length === 0) return undefined;
  return html`<h2 class="section-heading">${texts.title}</h2>
<p>${texts.lead}</p>
<ol class="rows">${undos.map((undo) => {
    const edit = describeEdit(context, undo, caller);
    return html`<li><div class="row-text"><p>${edit}</p></div><div class="row-side"><form method="post" action="${buildHref(formId)}/undo" data-once>${hiddenFields({ undo: undo.id })}<button class="secondary">${texts.submit}<span class="visually-hidden"> ${edit}</span></button></form></div></li>`;
  })}</ol>`;
}
