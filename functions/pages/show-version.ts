/** Shows a version of a form, or the nearest earlier one that was kept. */
import { authorPages } from '#core/api/pages.ts';
import { loadPublishers, openVersions, requireVersion } from '#core/forms/versions.ts';
import { versionPage } from '#core/pages/builder/versions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.showVersion, openVersions, async ({ app, params, context, ...opened }) => {
  const [head, found, people] = await Promise.all([
    loadGateHead(app, opened.gate),
    requireVersion(app.table, opened, params.version),
    loadPublishers(app.table, opened.versions),
  ]);
  return { html: versionPage(context, head, { ...opened, asked: Number(params.version), found, people }) };
});
