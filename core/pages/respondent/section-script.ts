/** A section as its scripts save it while one types: for each question its hash, error or conflict. */
import type { Gate } from '#core/forms/gate.ts';
import type { Problem } from '#core/problems/problems.ts';
import { isPending } from '#core/responses/pending-edit.ts';
import type { Field } from '../fields/control.ts';
import { conflictNotice, hashStoredAnswer } from '../fields/field.ts';
import { renderField } from '../fields/grid.ts';
import { findRemovedChoices, hashAnswer } from '../fields/state.ts';
import type { PageContext } from '../shell/context.ts';
import { problemText } from '../shell/problem.ts';
import type { PageResult } from '../shell/result.ts';
import { describeClosed } from './closed.ts';
import { markLater, sectionFields } from './section-fields.ts';
import { findRemovedIds, type PostedAnswer } from './section-save.ts';
import { type SectionPost, type StoredPost, storePosted } from './section-store.ts';

/** The result as the scripts read it; `browser/autosave-result.ts` has the same type. */
export type SaveResult = {
  at: string;
  step: string;
  /** The questions that were sent; those that the section does not have any more are `removed`. */
  questions: Record<string, { answerHash?: string; error?: string; conflict?: string; removed?: true; reset?: true }>;
  /** HTML of questions whose controls have changed: other choices, or the respondent uses the conflicting answer. */
  replaced: Record<string, string>;
  /** Why nothing could be saved, and a link to where the stored answers can be read. */
  problem?: string;
  link?: { href: string; text: string };
  /** The answers wait beside the submitted response until they are sent together. */
  pending?: true;
};

/** Saves a section that a script has posted. Returns the result as JSON; 409 when the section has left the path. */
export async function saveFromScript(request: SectionPost): Promise<PageResult> {
  const stored = await storePosted(request);
  return stored ? { json: presentStored(request, stored) } : { json: { problem: 'not_found' }, status: 409 };
}

function presentStored({ context, posted: form }: SectionPost, stored: StoredPost): SaveResult {
  const { current, editable, section, action, unsaved } = stored;
  const { problem } = unsaved.outcome;
  const fields = markLater(editable, sectionFields(context, current, section, { unsaved }));
  const postedById = new Map(unsaved.posted.map((answer) => [answer.question.id, answer]));
  const isReplaced = ({ question }: Field): boolean =>
    (question.sourceId !== undefined && postedById.has(question.sourceId)) ||
    (REPLACING_ACTIONS.has(action.name) && action.questionId === question.id) ||
    hasRemovedChoices(postedById.get(question.id));
  const questions = [
    ...fields
      .filter(({ question }) => postedById.has(question.id) || question.id === action.questionId)
      .map((field) => [field.question.id, toQuestionResult(context, field)] as const),
    ...findRemovedIds(section.questions, form.fields).map(
      (id) => [id, { error: context.t.section.removedQuestion, removed: true as const }] as const,
    ),
  ];
  const replaced = fields
    .filter(isReplaced)
    .map((field) => [field.question.id, renderField(context, fields, field).toString()]);
  return {
    at: context.now.toISOString(),
    step: context.t.section.step(section),
    questions: Object.fromEntries(questions),
    replaced: Object.fromEntries(replaced),
    ...(isPending(editable) ? { pending: true as const } : {}),
    ...(problem ? describeProblem(context, current.gate, problem) : {}),
  };
}

/** Names a problem; what can be corrected on the page needs no link. */
function describeProblem(context: PageContext, gate: Gate, problem: Problem): Pick<SaveResult, 'problem' | 'link'> {
  const closed = problem.code === 'form_not_open' ? describeClosed(context, gate) : undefined;
  const { title } = closed ?? problemText(context, problem);
  if (problem.code === 'response_incomplete') return { problem: title };
  return { problem: `${title}.`, link: { href: `/f/${gate.formId}`, text: context.t.section.ownResponses } };
}

/** The actions after which the question of the button has other controls or files. */
const REPLACING_ACTIONS: ReadonlySet<string> = new Set(['useTheirs', 'attach', 'remove']);

const hasRemovedChoices = (posted: PostedAnswer | undefined): boolean =>
  posted !== undefined && findRemovedChoices(posted.question, posted.state).length > 0;

/** During a conflict the page keeps the hash of the answer on which the typed one is based. */
function toQuestionResult(context: PageContext, field: Field): SaveResult['questions'][string] {
  const { error, conflict, question, state } = field;
  const isReset = error !== undefined && hashAnswer(question, state) === hashStoredAnswer(field);
  return {
    ...(error === undefined ? {} : { error }),
    ...(isReset ? { reset: true as const } : {}),
    ...(conflict ? { conflict: conflictNotice(context, field).toString() } : { answerHash: hashStoredAnswer(field) }),
  };
}
