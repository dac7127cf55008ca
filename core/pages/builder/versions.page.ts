/** Shows the versions of a form that are kept. */
import { loadPublishers, type OpenedVersions, openVersions } from '#core/forms/versions.ts';
import { listArchived } from '#core/structure/versions.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { builderLayout } from './frame.ts';
import { describeKept, keptDifferences, type Listed, nameOf, type People, versionHref } from './versions.ts';

export const page = definePage({
  name: 'versions',
  audience: 'authors',
  path: '/build/{formId}/versions',
  access: member,
  needs: LIST,
  open: openVersions,
  show: async ({ app, gate, versions, context }) => {
    const [head, people] = await Promise.all([loadGateHead(app, gate), loadPublishers(app.table, versions)]);
    return { html: renderVersionsPage(context, head, { versions, people }) };
  },
});

type VersionsPage = { versions: OpenedVersions['versions']; people: People };

/** Renders the versions, newest first, and the archived changes. */
function renderVersionsPage(context: PageContext, head: FormHead, { versions, people }: VersionsPage): Html {
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
