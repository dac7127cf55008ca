/** What the scripts of a section get back when they save: for each question its stamp, its error, or the other text. */
import type { Problem } from '#core/problems/problems.ts';
import type { Field } from './fields/control.ts';
import { conflictNotice, questionField } from './fields/field.ts';
import { stampOf, storedState } from './fields/state.ts';
import type { ShownSection } from './navigation.ts';
import { problemText } from './problem.ts';
import type { PageResult } from './result.ts';
import type { Action } from './section-actions.ts';
import type { Posted } from './section-save.ts';
import type { View } from './view.ts';

/** The result as the scripts read it; `browser/autosave-result.ts` has the same type. */
export type SavedByScript = {
  at: string;
  step: string;
  questions: Record<string, { stamp: string; error?: string; conflict?: string }>;
  /** Questions to be shown anew: their choices follow from an answer that was saved, or the other text was taken. */
  replaced: Record<string, string>;
  problem?: string;
};

type Saved = {
  section: ShownSection;
  fields: readonly Field[];
  posted: readonly Posted[];
  action: Action;
  problem: Problem | undefined;
};

/** The result. */
export function scriptResult(view: View, { section, fields, posted, action, problem }: Saved): PageResult {
  const sent = new Set(posted.map(({ question }) => question.id));
  const isReplaced = ({ question }: Field): boolean =>
    (question.sourceId !== undefined && sent.has(question.sourceId)) ||
    (action.name !== 'save' && action.questionId === question.id);
  const questions = fields
    .filter(({ question }) => sent.has(question.id))
    .map((field) => [field.question.id, stateOf(view, field)] as const);
  const replaced = fields.filter(isReplaced).map((field) => [field.question.id, questionField(view, field).toString()]);
  const json: SavedByScript = {
    at: view.now.toISOString(),
    step: view.t.section.step(section.position, section.count),
    questions: Object.fromEntries(questions),
    replaced: Object.fromEntries(replaced),
    ...(problem ? { problem: problemText(view, problem).title } : {}),
  };
  return { json };
}

function stateOf(view: View, field: Field): SavedByScript['questions'][string] {
  const { question, answer, error, elsewhere } = field;
  return {
    stamp: stampOf(question, storedState(question, answer)),
    ...(error === undefined ? {} : { error }),
    ...(elsewhere === undefined ? {} : { conflict: conflictNotice(view, field).toString() }),
  };
}
