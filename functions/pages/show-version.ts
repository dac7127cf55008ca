/** Shows a version of a form, or the nearest earlier one that was kept, or archived changes. */
import { authorPages } from '#core/api/author-pages.ts';
import { loadPublishers, openVersions } from '#core/forms/versions.ts';
import { findVersionOrList, renderVersionPage } from '#core/pages/builder/versions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showVersion, openVersions, async ({ app, params, context, ...opened }) => {
  const [head, found, people] = await Promise.all([
    loadGateHead(app, opened.gate),
    findVersionOrList(app, opened, params.version),
    loadPublishers(app.table, opened.versions),
  ]);
  if ('location' in found) return found;
  return { html: renderVersionPage(context, head, { ...opened, found, people }) };
});
