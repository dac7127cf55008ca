/** Publishes the changes of a form (`do=publish`, or `force` over those of another client), or discards them. */
import { authorPages } from '#core/api/pages.ts';
import { countDirectly } from '#core/counts/counters.ts';
import { openDraft } from '#core/forms/draft.ts';
import { changesPage } from '#core/pages/builder/changes.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { questionsHref } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { onlyAtVersion } from '#core/pages/shell/unchanged.ts';
import { getQuestionsText } from '#core/pages/text/questions.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { discardChanges, publishChanges, reloadDraft } from '#core/structure/changes.ts';

export const handler = page(authorPages.publishChanges, openDraft, async ({ app, gate, draft, posted, context }) => {
  const { changes: texts } = getQuestionsText(context);
  const { formId } = gate;
  const seen = onlyAtVersion(app, Number(posted.fields.get('revision')));
  const action = posted.fields.get('do');
  try {
    if (action === 'discard') {
      await discardChanges(seen, draft, formId);
      return { location: withDone(questionsHref(formId), 'changesDiscarded') };
    }
    if (action !== 'publish' && action !== 'force') throw problems.notFound();
    await publishChanges(seen, { draft, formId, force: action === 'force' });
    return { location: withDone(questionsHref(formId), 'changesPublished') };
  } catch (error) {
    if (!(error instanceof Problem) || !REFUSED_CODES.has(error.code)) throw error;
    const [head, newest, { count }] = await Promise.all([
      loadGateHead(app, gate),
      reloadDraft(app.table, formId),
      countDirectly(app.table, formId, 'DRAFT'),
    ]);
    const refusal =
      { stale_version: texts.stale, workflow_invalid: texts.faults }[error.code as string] ?? texts.refused;
    return { html: changesPage(context, head, { gate, draft: newest, draftCount: count, refusal }), status: 409 };
  }
});

const REFUSED_CODES: ReadonlySet<string> = new Set(['stale_version', 'workflow_invalid', 'invalid_request']);
