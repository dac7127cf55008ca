/** Shows the versions of a form that are kept. */
import { authorPages } from '#core/api/author-pages.ts';
import { loadPublishers, openVersions } from '#core/forms/versions.ts';
import { renderVersionsPage } from '#core/pages/builder/versions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showVersions, openVersions, async ({ app, gate, versions, context }) => {
  const [head, people] = await Promise.all([loadGateHead(app, gate), loadPublishers(app.table, versions)]);
  return { html: renderVersionsPage(context, head, { versions, people }) };
});
