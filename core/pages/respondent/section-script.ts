/** What the scripts of a section get back when they save: for each question its stamp, its error, or the other text. */
import type { Problem } from '#core/problems/problems.ts';
import type { Field } from '../fields/control.ts';
import { conflictNotice, questionField, storedStamp } from '../fields/field.ts';
import { removedChoices } from '../fields/state.ts';
import type { PageContext } from '../shell/context.ts';
import { problemText } from '../shell/problem.ts';
import type { PageResult } from '../shell/result.ts';
import type { ShownSection } from './navigation.ts';
import type { Action } from './section-actions.ts';
import type { Posted } from './section-save.ts';

/** The result as the scripts read it; `browser/autosave-result.ts` has the same type. */
export type SavedByScript = {
  at: string;
  step: string;
  /** The questions that were sent; those that the section does not have any more are `removed`. */
  questions: Record<string, { stamp?: string; error?: string; conflict?: string; removed?: true }>;
  /** HTML of questions whose controls have changed: their choices did, or the respondent uses the conflicting answer. */
  replaced: Record<string, string>;
  problem?: string;
};

type Saved = {
  section: ShownSection;
  fields: readonly Field[];
  posted: readonly Posted[];
  /** The ids of posted questions that the section does not have any more. */
  removed: readonly string[];
  action: Action;
  problem: Problem | undefined;
};

/** The result. */
export function scriptResult(
  context: PageContext,
  { section, fields, posted, removed, action, problem }: Saved,
): PageResult {
  const sent = new Map(posted.map((each) => [each.question.id, each]));
  const isReplaced = ({ question }: Field): boolean =>
    (question.sourceId !== undefined && sent.has(question.sourceId)) ||
    (REPLACING.has(action.name) && action.questionId === question.id) ||
    hasRemovedChoices(sent.get(question.id));
  const questions = [
    ...fields
      .filter(({ question }) => sent.has(question.id) || question.id === action.questionId)
      .map((field) => [field.question.id, stateOf(context, field)] as const),
    ...removed.map((id) => [id, { error: context.t.section.removedQuestion, removed: true as const }] as const),
  ];
  const replaced = fields
    .filter(isReplaced)
    .map((field) => [field.question.id, questionField(context, field).toString()]);
  const json: SavedByScript = {
    at: context.now.toISOString(),
    step: context.t.section.step(section),
    questions: Object.fromEntries(questions),
    replaced: Object.fromEntries(replaced),
    ...(problem ? { problem: problemText(context, problem).title } : {}),
  };
  return { json };
}

/** The actions after which the question of the button has other controls or files. */
const REPLACING: ReadonlySet<string> = new Set(['take', 'attach', 'remove']);

const hasRemovedChoices = (posted: Posted | undefined): boolean =>
  posted !== undefined && removedChoices(posted.question, posted.state).length > 0;

/** During a conflict the stamp stays that of the answer on which the typed one is based. */
function stateOf(context: PageContext, field: Field): SavedByScript['questions'][string] {
  const { error, conflict } = field;
  return {
    ...(error === undefined ? {} : { error }),
    ...(conflict ? { conflict: conflictNotice(context, field).toString() } : { stamp: storedStamp(field) }),
  };
}
