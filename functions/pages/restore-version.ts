/** Restores a version of a form (`do=restore`), also in place of changes that are not published (`replace`). */
import { authorPages } from '#core/api/author-pages.ts';
import {
  hasSameContent,
  loadPublishers,
  openVersions,
  restoredStructure,
  restoreVersion,
} from '#core/forms/versions.ts';
import { changesHref } from '#core/pages/builder/changes.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { explainEdit, questionsHref } from '#core/pages/builder/questions.ts';
import { findVersionOrList, renderVersionPage, versionHref } from '#core/pages/builder/versions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { onlyAtVersion } from '#core/pages/shell/typed-form.ts';
import { getVersionsTexts } from '#core/pages/text/versions.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { draftStructure, reloadDraft } from '#core/structure/changes.ts';
import { isArchivedNumber } from '#core/structure/versions.ts';

export const handler = page(
  authorPages.restoreVersion,
  openVersions,
  async ({ app, params, posted, context, ...opened }) => {
    const { gate, draft, stored, versions, caller } = opened;
    const { versions: texts } = getVersionsTexts(context);
    const { formId } = gate;
    const action = posted.fields.get('do');
    const seen = onlyAtVersion(app, Number(posted.fields.get('revision')));
    if (action !== 'restore' && action !== 'replace') throw problems.notFound();
    const found = await findVersionOrList(app, opened, params.version);
    if ('location' in found) return found;
    const done = isArchivedNumber(params.version) ? 'changesRestored' : 'versionRestored';
    const restored = (isCopy: boolean) => ({
      location: withDone(isCopy ? changesHref(formId) : questionsHref(formId), done),
    });
    // It was live when the page was shown, and API clients have edited it since: the page of its number says what was kept.
    if (!found.isExact) return { location: versionHref(formId, Number(params.version)) };
    // The second press of the button finds what the first one has restored.
    if (hasSameContent(stored.structure, restoredStructure(draft, found.structure))) {
      return restored(draft.changes !== undefined);
    }
    try {
      const restoring = { gate, draft, caller, version: found.structure, force: action === 'replace' };
      const { body } = await restoreVersion(seen, restoring);
      return restored(body.updatedAt !== null);
    } catch (error) {
      if (!(error instanceof Problem) || !REFUSED_CODES.has(error.code)) throw error;
      const { refusal, status } = explainEdit(
        context,
        error,
        error.code === 'stale_version' ? texts.stale : texts.refused,
      );
      const [head, people, newest] = await Promise.all([
        loadGateHead(app, gate),
        loadPublishers(app.table, versions),
        reloadDraft(app.table, formId),
      ]);
      const data = { draft: newest, stored: draftStructure(newest), found, people, refusal };
      return {
        html: renderVersionPage(context, head, data),
        status,
      };
    }
  },
);

const REFUSED_CODES: ReadonlySet<string> = new Set(['stale_version', 'invalid_request', 'content_too_large']);
