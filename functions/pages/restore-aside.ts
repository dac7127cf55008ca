/** Puts changes back that were put aside (`do=aside:<id>`); those that are not published now are put aside instead. */
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
import { renderVersionsPage } from '#core/pages/builder/versions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { onlyAtVersion } from '#core/pages/shell/typed-form.ts';
import { getVersionsTexts } from '#core/pages/text/versions.ts';
import { Problem } from '#core/problems/problems.ts';
import { reloadDraft } from '#core/structure/changes.ts';
import { listArchived, loadArchived } from '#core/structure/versions.ts';

export const handler = page(
  authorPages.restoreAside,
  openVersions,
  async ({ app, gate, draft, stored, versions, caller, posted, context }) => {
    const { versions: texts } = getVersionsTexts(context);
    const { formId } = gate;
    const restored = (isCopy: boolean) => ({
      location: withDone(isCopy ? changesHref(formId) : questionsHref(formId), 'changesPutBack'),
    });
    const render = async ({ refusal, status }: { refusal: string; status: number }) => {
      const [head, people, newest] = await Promise.all([
        loadGateHead(app, gate),
        loadPublishers(app.table, versions),
        reloadDraft(app.table, formId),
      ]);
      const data = { draft: newest, versions, people, now: app.now(), refusal };
      return { html: renderVersionsPage(context, head, data), status };
    };
    const id = /^aside:(.+)$/.exec(posted.fields.get('do') ?? '')?.[1];
    const archived = listArchived(versions, app.now()).find((changes) => changes.id === id);
    const version = archived && (await loadArchived(app.table, formId, archived));
    if (!version) return render({ refusal: texts.aside.gone, status: 409 });
    // The second press of the button finds what the first one has put back.
    if (hasSameContent(stored.structure, restoredStructure(draft, version))) {
      return restored(draft.changes !== undefined);
    }
    try {
      const seen = onlyAtVersion(app, Number(posted.fields.get('revision')));
      const { body } = await restoreVersion(seen, { gate, draft, caller, version, force: true });
      return restored(body.updatedAt !== null);
    } catch (error) {
      if (!(error instanceof Problem) || !REFUSED_CODES.has(error.code)) throw error;
      return render(explainEdit(context, error, error.code === 'stale_version' ? texts.stale : texts.refused));
    }
  },
);

const REFUSED_CODES: ReadonlySet<string> = new Set(['stale_version', 'invalid_request', 'content_too_large']);
