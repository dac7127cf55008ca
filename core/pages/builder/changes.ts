/**
 * The page of changes that are not published yet: what becomes different, what prevents publishing, and what has to be
 * decided because the published form was edited in the same place.
 */
import { MAX_COUNTED_DIRECTLY } from '#core/counts/counters.ts';
import type { ListedEntries } from '#core/counts/lists.ts';
import { type AnswerCounts, countAnswers } from '#core/counts/lost-answers.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Gate } from '#core/forms/gate.ts';
import { type Draft, isOutdated } from '#core/structure/changes.ts';
import type { ChangesConflict, Difference, DifferenceDetail } from '#core/structure/changes-model.ts';
import { listDifferences } from '#core/structure/differences.ts';
import { listEffects } from '#core/structure/effects.ts';
import { listPublishFaults, loadBaseIfOutdated, mergeUndecided, presentConflicts } from '#core/structure/publish.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, hiddenFields, pageTitle } from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { checkList, listChecks } from './check-list.ts';
import { conflictFields, undecided } from './conflicts.ts';
import { builderLayout, buildHref } from './frame.ts';
import { listObstacles, obstacleNotice } from './obstacles.ts';
import { openFollowing } from './rule-words.ts';

/** The address of the page. */
export const changesHref = (formId: string): string => `${buildHref(formId)}/changes`;

type Edited = { gate: Gate; draft: Draft };

/** The field by which a post notices that changes were edited since. */
export const versionFields = ({ live, changes }: Draft) => ({
  revision: String(changes?.revision ?? live.structure.version),
});

/** Says that a form is edited in a copy; nothing for a form whose questions are edited directly. */
export function changesNotice(context: PageContext, { gate, draft }: Edited): Html | undefined {
  const { changes: texts } = getQuestionsTexts(context);
  if (draft.changes) {
    return html`<div class="notice warning"><p>${texts.pending}${isOutdated(draft) && html` ${texts.pendingMoved}`}</p><p class="actions"><a class="button" href="${changesHref(gate.formId)}">${texts.review}</a></p></div>`;
  }
  return gate.status === 'PUBLISHED' ? html`<div class="notice"><p>${texts.published}</p></div>` : undefined;
}

type ChangesPage = Edited & {
  /** From where the changes were begun, if the published form was edited since; undefined also when it is not kept. */
  base: Structure | undefined;
  counts: AnswerCounts;
  refusal?: string | undefined;
  /** What was chosen for conflicts, not all of them. */
  posted?: URLSearchParams | undefined;
};

/** The differences between two structures. */
export type Compared = { before: Structure; after: Structure; differences: readonly Difference[] };

/** Reads what the page shows in addition to the changes, in one round trip. */
export async function loadChangesPage(
  { table }: Pick<Ports, 'table'>,
  { gate, draft, listed }: Edited & { listed: ListedEntries },
): Promise<Pick<ChangesPage, 'gate' | 'draft' | 'base' | 'counts'>> {
  const { formId } = gate;
  const [base, counts] = await Promise.all([
    loadBaseIfOutdated(table, formId, draft),
    countAnswers(table, formId, listed, draft.changes ? [...draft.live.answered.ids] : []),
  ]);
  return { gate, draft, base, counts };
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
function compareDraft({ live, changes }: Draft, base: Structure | undefined): Comparison {
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
export function renderChangesPage(context: PageContext, head: FormHead, page: ChangesPage): Html {
  const { changes: texts, list } = getQuestionsTexts(context);
  const { merge } = getVersionsTexts(context);
  const { gate, draft, base, counts, refusal, posted } = page;
  const { live, changes } = draft;
  const { mode, mine, effects, theirs, conflicts, checked } = compareDraft(draft, base);
  const isDifferent = mine !== undefined && mine.differences.length > 0;
  const faults = checked && listPublishFaults(live, checked);
  const isFaulty = faults !== undefined && faults.length > 0;
  const errors = posted ? undecided(context, live.structure, conflicts, posted) : [];
  const href = changesHref(gate.formId);
  const notice = { plain: undefined, merged: merge.moved, conflicting: merge.asked, replacing: texts.moved }[mode];
  const versions = { ...versionFields(draft), live: String(live.structure.version) };
  return builderLayout(context, head, {
    current: 'questions',
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
${mode === 'merged' && isFaulty && html`<p class="hint">${merge.takeOverHint}</p>`}
<p class="actions">${mainActions(context, mode, isFaulty)}<button class="danger" name="do" value="discard">${texts.discard}</button></p>
<p class="hint">${texts.discardHint}</p></form>`
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

/** The most details listed for a question; the rest are counted. */
const MAX_DETAILS = 10;

/**
 * Lists differences in words; with both structures also what follows and what followed where that is different, and with the
 * numbers of answers if they were counted.
 */
export function differenceList(
  context: PageContext,
  differences: readonly Difference[],
  { before, after, counts }: Partial<Compared> & { counts?: Pick<AnswerCounts, 'questions'> } = {},
): Html {
  const { changes: texts, list } = getQuestionsTexts(context);
  const sides = before && after && { before: openFollowing(context, before), after: openFollowing(context, after) };
  return html`<ul>${joinChoices(differences).map(
    ({ kind, title, nodeId, questionId = '', isAnswered, details = [] }) => {
      const { answers = 0, choices } = counts?.questions?.get(questionId) ?? {};
      const tag = counts?.questions ? answers > 0 && texts.answers(answers) : isAnswered && texts.answered;
      const isOfRules = kind === 'rulesChanged' || kind === 'startChanged';
      return html`<li>${texts.kinds[kind](title || list.untitled)}${tag && html` <span class="tag">${tag}</span>`}${details.length > 0 && detailList(context, details, choices)}${
        isOfRules && nodeId !== undefined && sides && followingList(context, sides.before(nodeId), sides.after(nodeId))
      }</li>`;
    },
  )}</ul>`;
}

/** Lists what is different in the choices of a question below that it lost some, if nothing else of it is different. */
function joinChoices(differences: readonly Difference[]): Difference[] {
  const changed = new Map(
    differences.flatMap(({ kind, questionId, details = [] }) => {
      const isOfChoices = details.length > 0 && details.every((detail) => /^choice/.test(detail.kind));
      return kind === 'questionChanged' && questionId !== undefined && isOfChoices ? [[questionId, details]] : [];
    }),
  );
  const reduced = new Set(differences.flatMap(({ kind, questionId }) => (kind === 'choicesRemoved' ? questionId : [])));
  return differences.flatMap((difference): Difference[] => {
    const { kind, questionId = '' } = difference;
    if (!changed.has(questionId) || !reduced.has(questionId)) return [difference];
    if (kind === 'questionChanged') return [];
    return [kind === 'choicesRemoved' ? { ...difference, details: changed.get(questionId) } : difference];
  });
}

/** Says what followed a node and what follows it now, without the sentences that stay; all if only their order is different. */
function followingList(context: PageContext, old: readonly string[], now: readonly string[]): Html | undefined {
  const { details: texts } = getQuestionsTexts(context).changes;
  if (old.join('\n') === now.join('\n')) return undefined;
  const [before, after] = [new Set(old), new Set(now)];
  const removed = old.filter((sentence) => !after.has(sentence));
  const added = now.filter((sentence) => !before.has(sentence));
  const isReordered = removed.length === 0 && added.length === 0;
  const side = (name: string, sentences: readonly string[]): Html | false =>
    sentences.length > 0 &&
    html`<dt>${name}</dt>${sentences.slice(0, MAX_DETAILS).map((sentence) => html`<dd>${sentence}</dd>`)}${sentences.length > MAX_DETAILS && html`<dd>${texts.more(sentences.length - MAX_DETAILS)}</dd>`}`;
  return html`<dl class="facts">${side(texts.before, isReordered ? old : removed)}${side(texts.now, isReordered ? now : added)}</dl>`;
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

function detailList(
  context: PageContext,
  details: readonly DifferenceDetail[],
  choices: ReadonlyMap<string, number> = new Map(),
): Html {
  const { changes: texts } = getQuestionsTexts(context);
  const { more } = texts.details;
  const rest = details.length - MAX_DETAILS;
  const selected = ({ after, choiceId = '' }: DifferenceDetail) =>
    (after === undefined ? choices.get(choiceId) : 0) ?? 0;
  return html`<ul>${details.slice(0, MAX_DETAILS).map((detail) => html`<li>${describeDetail(context, detail)}${selected(detail) > 0 && html` <span class="tag">${texts.selected(selected(detail))}</span>`}</li>`)}${rest > 0 && html`<li>${more(rest)}</li>`}</ul>`;
}

function describeDetail(context: PageContext, { kind, before, after }: DifferenceDetail): string {
  const { types, changes } = getQuestionsTexts(context);
  const { details: texts } = changes;
  switch (kind) {
    case 'title':
      return texts.title(before ?? '', after ?? '');
    case 'type':
      return texts.type(types[before as QuestionType], types[after as QuestionType]);
    case 'choice':
      if (before === undefined) return texts.choiceAdded(after || texts.otherChoice);
      if (after === undefined) return texts.choiceRemoved(before || texts.otherChoice);
      return before === after
        ? texts.choiceDescribed(after || texts.otherChoice)
        : texts.choiceRenamed(before || texts.otherChoice, after || texts.otherChoice);
    default:
      return texts[kind];
  }
}
