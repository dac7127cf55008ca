/**
 * The page of changes that are not published yet: what becomes different, what prevents publishing, and what has to be
 * decided because the published form was edited in the same place.
 */
import type { AnswerCounts } from '#core/counts/lost-answers.ts';
import type { Gate } from '#core/forms/gate.ts';
import { isOutdated, type LiveAndChanges } from '#core/structure/changes.ts';
import type { Difference, DifferenceDetail } from '#core/structure/changes-model.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { buildHref } from './frame.ts';
import { openFollowing } from './rule-words.ts';

/** The address of the page. */
export const changesHref = (formId: string): string => `${buildHref(formId)}/changes`;

export type Edited = { gate: Gate; edited: LiveAndChanges };

/** The field by which a post notices that changes were edited since. */
export const versionFields = ({ live, changes }: LiveAndChanges) => ({
  revision: String(changes?.revision ?? live.structure.version),
});

/**
 * Says that a form is edited in a copy; nothing for a form whose questions are edited directly. A copy in which nothing differs
 * any more, as after its only edit was undone, is not there for an author.
 */
export function changesNotice(
  context: PageContext,
  { differenceCount }: Pick<FormHead, 'differenceCount'>,
  { gate, edited }: Edited,
): Html | undefined {
  const { changes: texts } = getQuestionsTexts(context);
  if (differenceCount !== undefined) {
    return html`<div class="notice warning"><p>${texts.pending}${isOutdated(edited) && html` ${texts.pendingMoved}`}</p><p class="actions"><a class="button" href="${changesHref(gate.formId)}">${texts.review}</a></p></div>`;
  }
  return gate.status === 'PUBLISHED' ? html`<div class="notice"><p>${texts.published}</p></div>` : undefined;
}

/** The differences between two structures. */
export type Compared = { before: Structure; after: Structure; differences: readonly Difference[] };

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
