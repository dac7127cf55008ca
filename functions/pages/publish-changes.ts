/**
 * Publishes the changes of a form (`do=publish`), takes over what was edited in the published form as it was decided
 * (`update`, or all at once `mine` or `theirs`), or discards the changes. `force` replaces a form with which they cannot be
 * merged.
 */
import { parseAccount } from '#core/accounts/accounts.ts';
import { authorPages } from '#core/api/author-pages.ts';
import { readEntries } from '#core/counts/lost-answers.ts';
import { keys } from '#core/db/keys.ts';
import { openDraft } from '#core/forms/draft.ts';
import { changesHref, loadChangesPage, renderChangesPage } from '#core/pages/builder/changes.ts';
import { readDecisions } from '#core/pages/builder/conflicts.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { questionsHref } from '#core/pages/builder/questions.ts';
import type { PageContext } from '#core/pages/shell/context.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { onlyAtVersion } from '#core/pages/shell/typed-form.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { getVersionsTexts } from '#core/pages/text/versions.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { type Draft, discardChanges, reloadDraft } from '#core/structure/changes.ts';
import type { Keep } from '#core/structure/merge.ts';
import { listConflicts, loadBaseIfOutdated, publishChanges, updateChanges } from '#core/structure/publish.ts';
import { type Ending, findEnding, readVersions } from '#core/structure/versions.ts';

export const handler = page(
  authorPages.publishChanges,
  openDraft,
  async ({ app, gate, draft, caller, posted, context }) => {
    const { changes: texts } = getQuestionsTexts(context);
    const { formId } = gate;
    const { fields } = posted;
    const revision = Number(fields.get('revision'));
    const seen = onlyAtVersion(app, revision);
    const shownLive = Number(fields.get('live'));
    const liveVersion = Number.isInteger(shownLive) && shownLive > 0 ? shownLive : undefined;
    const action = fields.get('do') ?? '';
    const done = (as: Ending['as']) => ({
      location: withDone(questionsHref(formId), as === 'DISCARDED' ? 'changesDiscarded' : 'changesPublished'),
    });
    try {
      switch (action) {
        case 'discard':
          await discardChanges(seen, { draft, formId, editorId: caller.id });
          return done('DISCARDED');
        case 'publish':
        case 'force':
          await publishChanges(
            seen,
            { draft, formId, publisherId: caller.id, liveVersion, force: action === 'force' },
            async () => undefined,
          );
          return done('PUBLISHED');
        case 'update':
        case 'mine':
        case 'theirs': {
          const base = await loadBaseIfOutdated(app.table, formId, draft);
          const decisions = action === 'update' ? readDecisions(fields, listConflicts(draft, base)) : [];
          const keep = KEEP[action];
          await updateChanges(seen, { draft, formId, editorId: caller.id, liveVersion, decisions, keep });
          return { location: withDone(changesHref(formId), 'changesMerged') };
        }
        default:
          throw problems.notFound();
      }
    } catch (error) {
      if (!(error instanceof Problem) || !REFUSED_CODES.has(error.code)) throw error;
      const { versions } = await readVersions(app.table, formId);
      const ending = error.code === 'stale_version' ? findEnding(versions, revision) : undefined;
      const [head, newest, listed, [account]] = await Promise.all([
        loadGateHead(app, gate),
        reloadDraft(app.table, formId),
        readEntries(app.table, formId),
        app.table.read(ending ? [keys.account(ending.by)] : []),
      ]);
      // The second press of a button finds what the first one has done.
      if (!newest.changes && ending?.by === caller.id && ending.as === ENDS[action]) return done(ending.as);
      const common = await loadChangesPage(app, { gate, draft: newest, listed });
      if (error.code === 'changes_conflict' && action === 'update') {
        return { html: renderChangesPage(context, head, { ...common, posted: fields }), status: 400 };
      }
      const person = parseAccount(account);
      const name = person?.name || person?.username || getVersionsTexts(context).versions.somebody;
      const refusal = ending ? texts.meanwhile[ending.as](name) : describeRefusal(context, error.code, newest);
      return { html: renderChangesPage(context, head, { ...common, refusal }), status: 409 };
    }
  },
);

function describeRefusal(context: PageContext, code: string, { changes }: Draft): string {
  const { changes: texts } = getQuestionsTexts(context);
  const name = REFUSALS[code];
  if (name === undefined) return getVersionsTexts(context).merge.tooMany;
  return name === 'stale' && !changes ? texts.gone : texts[name];
}

/** What the buttons do to the changes. */
const ENDS: Partial<Record<string, Ending['as']>> = {
  publish: 'PUBLISHED',
  force: 'PUBLISHED',
  discard: 'DISCARDED',
};
const KEEP: Partial<Record<string, Keep>> = { mine: 'MINE', theirs: 'THEIRS' };
/** The texts of refusals; undefined for what would be too many. */
const REFUSALS: Partial<Record<string, 'stale' | 'faults' | 'refused' | 'tooLarge' | undefined>> = {
  stale_version: 'stale',
  changes_conflict: 'stale',
  workflow_invalid: 'faults',
  invalid_request: 'refused',
  content_too_large: 'tooLarge',
  too_many_questions: undefined,
  too_many_nodes: undefined,
};
const REFUSED_CODES: ReadonlySet<string> = new Set(Object.keys(REFUSALS));
