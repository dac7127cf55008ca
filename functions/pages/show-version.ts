/** Shows a version of a form, or the nearest earlier one that was kept; without one, the list says so. */
import { authorPages } from '#core/api/author-pages.ts';
import { loadPublishers, openVersions, requireVersion } from '#core/forms/versions.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { renderVersionPage, versionsHref } from '#core/pages/builder/versions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { findKept } from '#core/structure/versions.ts';

export const handler = page(authorPages.showVersion, openVersions, async ({ app, params, context, ...opened }) => {
  const { gate, draft, versions } = opened;
  const requestedVersion = Number(params.version);
  const isEarlier = requestedVersion >= 1 && requestedVersion < draft.live.structure.version;
  if (isEarlier && !findKept(versions, requestedVersion))
    return { location: withDone(versionsHref(gate.formId), 'versionNotKept') };
  const [head, found, people] = await Promise.all([
    loadGateHead(app, gate),
    requireVersion(app.table, opened, params.version),
    loadPublishers(app.table, versions),
  ]);
  return { html: renderVersionPage(context, head, { ...opened, found, people }) };
});
