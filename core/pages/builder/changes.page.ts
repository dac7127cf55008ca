/**
 * Shows the changes of a form that are not published yet. Publishes the changes of a form (`do=publish`), takes over
 * what was edited in the published form as it was decided (`update`, or all at once `mine` or `theirs`), or discards
 * the changes. `force` replaces a form with which they cannot be merged.
 */
import { parseAccount } from '#core/accounts/accounts.ts';
import { MAX_COUNTED_DIRECTLY } from '#core/counts/counters.ts';
import type { ListedEntries } from '#core/counts/lists.ts';
import { type AnswerCounts, countAnswers, readEntries, withEntries } from '#core/counts/lost-answers.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { type OpenedEditedForm, openEditedForm } from '#core/forms/edited.ts';
import type { RequestApp } from '#core/http/app.ts';
import { discardChanges, isOutdated, type LiveAndChanges, reloadEditedForm } from '#core/structure/changes.ts';
import type { ChangesConflict, Difference } from '#core/structure/changes-model.ts';
import { listDifferences } from '#core/structure/differences.ts';
import { listEffects } from '#core/structure/effects.ts';
import type { Keep } from '#core/structure/merge.ts';
import {
  listConflicts,
  listPublishFaults,
  loadBaseIfOutdated,
  mergeUndecided,
  presentConflicts,
  publishChanges,
  updateChanges,
} from '#core/structure/publish.ts';
import type { Structure } from '#core/structure/structure.ts';
import { type Ending, findEnding, readVersions } from '#core/structure/versions.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, hiddenFields, pageTitle } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import type { FormFields } from '../shell/form-fields.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { onlyAtVersion } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { type Compared, changesHref, differenceList, type Edited, versionFields } from './changes.ts';
import { checkList, listChecks } from './check-list.ts';
import { conflictFields, readDecisions, undecided } from './conflicts.ts';
import { builderLayout, buildHref, withDone } from './frame.ts';
import { listObstacles, obstacleNotice } from './obstacles.ts';
import { questionsHref } from './questions.ts';

const openDraftEntries = withEntries(openEditedForm);

export const page = definePage({
  name: 'changes',
  audience: 'authors',
  path: '/build/{formId}/changes',
  access: member,
  needs: LIST,
  open: openDraftEntries,
  show: async ({ app, context, ...opened }) => {
    const [head, data] = await Promise.all([loadGateHead(app, opened.gate), loadChangesPage(app, opened)]);
    return { html: renderChangesPage(context, head, data) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    open: openEditedForm,
    actions: {
      discard: async ({ app, gate: { formId }, edited, caller, posted }) => {
        const { seen } = readSeen(app, posted);
        await discardChanges(seen, { edited, formId, editorId: caller.id });
        return ended(formId, 'DISCARDED');
      },
      publish: (request) => publish(request, false),
      force: (request) => publish(request, true),
      update: (request) => update(request, undefined),
      mine: (request) => update(request, 'MINE'),
      theirs: (request) => update(request, 'THEIRS'),
    },
    explain: async ({ app, gate, caller, posted, context }, { code }) => {
      if (!REFUSED_CODES.has(code)) return undefined;
      const { formId } = gate;
      const { revision } = readSeen(app, posted);
      const action = posted.fields.get('do') ?? '';
      const { versions } = await readVersions(app.table, formId);
      const ending = code === 'stale_version' ? findEnding(versions, revision) : undefined;
      const [head, newest, listed, [account]] = await Promise.all([
        loadGateHead(app, gate),
        reloadEditedForm(app.table, formId),
        readEntries(app.table, formId),
        app.table.read(ending ? [keys.account(ending.by)] : []),
      ]);
      // The second press of a button finds what the first one has done.
      if (!newest.changes && ending?.by === caller.id && ending.as === ENDS[action]) return ended(formId, ending.as);
      const common = await loadChangesPage(app, { gate, edited: newest, listed });
      if (code === 'changes_conflict' && action === 'update')
        return { html: renderChangesPage(context, head, { ...common, posted: posted.fields }), status: 400 };
      const person = parseAccount(account);
      const name = person?.name || person?.username || getVersionsTexts(context).versions.somebody;
      const { meanwhile } = getQuestionsTexts(context).changes;
      const refusal = ending ? meanwhile[ending.as](name) : describeRefusal(context, code, newest);
      return { html: renderChangesPage(context, head, { ...common, refusal }), status: 409 };
    },
  },
});

type ChangesRequest = OpenedEditedForm & { app: RequestApp; posted: FormFields };

/** Which changes, and which published form, the reader has seen. */
function readSeen(app: RequestApp, { fields }: FormFields) {
  const revision = Number(fields.get('revision'));
  const live = Number(fields.get('live'));
  const liveVersion = Number.isInteger(live) && live > 0 ? live : undefined;
  return { revision, seen: onlyAtVersion(app, revision), liveVersion };
}

const ended = (formId: string, as: Ending['as']): PageResult => ({
  location: withDone(questionsHref(formId), as === 'DISCARDED' ? 'changesDiscarded' : 'changesPublished'),
});

/** Publishes the changes; with `force`, also if they replace a form with which they cannot be merged. */
async function publish({ app, gate: { formId }, edited, caller, posted }: ChangesRequest, force: boolean) {
  const { seen, liveVersion } = readSeen(app, posted);
  const publication = { edited, formId, publisherId: caller.id, liveVersion, force };
  await publishChanges(seen, publication, async () => undefined);
  return ended(formId, 'PUBLISHED');
}

/** Takes over what was edited in the published form: as it was decided, or with one answer to all conflicts. */
async function update({ app, gate: { formId }, edited, caller, posted }: ChangesRequest, keep: Keep | undefined) {
  const { seen, liveVersion } = readSeen(app, posted);
  const base = await loadBaseIfOutdated(app.table, formId, edited);
  const decisions = keep ? [] : readDecisions(posted.fields, listConflicts(edited, base));
  await updateChanges(seen, { edited, formId, editorId: caller.id, liveVersion, decisions, keep });
  return { location: withDone(changesHref(formId), 'changesMerged') };
}

function describeRefusal(context: PageContext, code: string, { changes }: LiveAndChanges): string {
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

type ChangesPage = Edited & {
  /** From where the changes were begun, if the published form was edited since; undefined also when it is not kept. */
  base: Structure | undefined;
  counts: AnswerCounts;
  refusal?: string | undefined;
  /** What was chosen for conflicts, not all of them. */
  posted?: URLSearchParams | undefined;
};

/** Reads what the page shows in addition to the changes, in one round trip. */
async function loadChangesPage(
  { table }: Pick<Ports, 'table'>,
  { gate, edited, listed }: Edited & { listed: ListedEntries },
): Promise<Pick<ChangesPage, 'gate' | 'edited' | 'base' | 'counts'>> {
  const { formId } = gate;
  const [base, counts] = await Promise.all([
    loadBaseIfOutdated(table, formId, edited),
    countAnswers(table, formId, listed, edited.changes ? [...edited.live.answered.ids] : []),
  ]);
  return { gate, edited, base, counts };
}

/** What the page shows: the differences, of whom, and what publishing would find. */
type Comparison = {
  mode: 'plain' | 'merged' | 'conflicting' | 'replacing';
  mine?: Compared;
  theirs?: Compared;
  /** Further effects on responses that were started. */
  effects: Difference[];
  conflicts: ChangesConflict[];
  /** What would be published; undefined while it is not decided. */
  checked: Structure | undefined;
};

/** Compares changes with the published form; with edits of both, each with their base. */
function compareDraft({ live, changes }: LiveAndChanges, base: Structure | undefined): Comparison {
  const none = { effects: [], conflicts: [], checked: undefined };
  if (!changes) return { ...none, mode: 'plain' };
  const compare = (before: Structure, after: Structure): Compared => {
    const differences = listDifferences({ structure: before, answered: live.answered }, after);
    return { before, after, differences };
  };
  const publish = (checked: Structure) => ({
    mine: compare(live.structure, checked),
    effects: listEffects(live, checked),
    checked,
  });
  const merged = mergeUndecided({ live, changes }, base);
  if (!merged) {
    const mode = isOutdated({ live, changes }) ? 'replacing' : 'plain';
    return { ...none, mode, ...publish(changes.structure) };
  }
  const theirs = compare(merged.sides.base, live.structure);
  const conflicts = presentConflicts(merged.conflicts, merged.sides);
  if (conflicts.length > 0) {
    return { ...none, mode: 'conflicting', mine: compare(merged.sides.base, changes.structure), theirs, conflicts };
  }
  return { ...none, mode: 'merged', ...publish(merged.structure), theirs };
}

/** Renders the page. Enter in a choice applies the decisions, which publishes nothing. */
function renderChangesPage(context: PageContext, head: FormHead, page: ChangesPage): Html {
  const { changes: texts, list } = getQuestionsTexts(context);
  const { merge } = getVersionsTexts(context);
  const { gate, edited, base, counts, refusal, posted } = page;
  const { live, changes } = edited;
  const { mode, mine, effects, theirs, conflicts, checked } = compareDraft(edited, base);
  const isDifferent = mine !== undefined && mine.differences.length > 0;
  const faults = checked && listPublishFaults(live, checked);
  const isFaulty = faults !== undefined && faults.length > 0;
  const errors = posted ? undecided(context, live.structure, conflicts, posted) : [];
  const href = changesHref(gate.formId);
  const notice = { plain: undefined, merged: merge.moved, conflicting: merge.asked, replacing: texts.moved }[mode];
  const versions = { ...versionFields(edited), live: String(live.structure.version) };
  return builderLayout(context, head, {
    current: 'edit',
    title: pageTitle(context, texts.title, errors.length > 0),
    main: html`${errorSummary(context, errors)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p><a class="back" href="${buildHref(gate.formId)}/questions">${list.title}</a></p>
<h1>${texts.title}</h1>
${notice !== undefined && html`<div class="notice warning"><p>${notice}</p></div>`}
${isDifferent ? html`<p>${texts.lead}</p>${differenceList(context, mine.differences, { ...mine, counts })}` : html`<p>${texts.none}</p>`}
${effects.length > 0 && html`<p>${texts.effects}</p>${differenceList(context, effects, { counts })}`}
${isDifferent && totals(context, [...mine.differences, ...effects], counts)}
${theirs && theirs.differences.length > 0 && html`<p>${merge.movedList}</p>${differenceList(context, theirs.differences, theirs)}`}
${checked && checkList(context, listChecks(context, checked, faults), checked === changes?.structure)}
${checked && obstacleNotice(context, listObstacles(gate, checked, context.now))}
${
  changes &&
  html`<form method="post" action="${href}" novalidate data-once>${hiddenFields(versions)}
${conflicts.length > 0 && html`<h2>${merge.count(conflicts.length)}</h2>`}
${conflictFields(context, { theirs: live.structure, mine: changes.structure }, { conflicts, posted: posted ?? new URLSearchParams(), errors })}
${isDifferent && mode === 'merged' && isFaulty && html`<p class="hint">${merge.takeOverHint}</p>`}
${
  isDifferent
    ? html`<p class="actions">${mainActions(context, mode, isFaulty)}<button class="danger" name="do" value="discard">${texts.discard}</button></p>
<p class="hint">${texts.discardHint}</p>`
    : html`<p class="actions">${button('discard', texts.close)}</p>`
}</form>`
}`,
  });
}

const button = (value: string, label: string, isMain = true): Html =>
  html`<button name="do" value="${value}"${!isMain && html` class="secondary"`}>${label}</button>`;

function mainActions(context: PageContext, mode: Comparison['mode'], isFaulty: boolean): Html | undefined {
  const { changes: texts } = getQuestionsTexts(context);
  const { merge } = getVersionsTexts(context);
  if (mode === 'conflicting') {
    return html`${button('update', merge.apply)}${button('mine', merge.allMine, false)}${button('theirs', merge.allTheirs, false)}`;
  }
  if (mode === 'merged' && isFaulty) return button('update', merge.takeOver);
  if (isFaulty) return undefined;
  return mode === 'replacing' ? button('force', texts.force) : button('publish', texts.publish);
}

/** Says how many responses there are: those that are being filled in, and all if their answers are not counted. */
function totals(
  context: PageContext,
  differences: readonly Difference[],
  { draftCount, submittedCount, counting, questions }: AnswerCounts,
): Html {
  const { changes: texts } = getQuestionsTexts(context);
  const most = MAX_COUNTED_DIRECTLY;
  const isLeast = (count: number): boolean => counting && count > most;
  const drafts = isLeast(draftCount) ? texts.manyDrafts(most) : texts.drafts(draftCount);
  const submitted = isLeast(submittedCount) ? texts.uncountedMany(most) : texts.uncounted(submittedCount);
  return html`<p>${drafts}</p>${!questions && differences.some(({ isAnswered }) => isAnswered) && html`<p>${submitted}</p>`}`;
}
