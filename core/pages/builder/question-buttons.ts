/** The buttons of the form of a question that change its fields and store nothing. Pure. */
import { getTraits } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import { completeFields } from '../shell/typed-fields.ts';
import { changeRows } from './choice-rows.ts';
import { QUESTION, showQuestion, type TypedQuestion } from './question-fields.ts';
import type { QuestionTarget } from './question-target.ts';

/** Applies a button. Returns the fields, and the index of the choice that takes the focus; undefined for one that saves. */
export function changeTyped(
  context: PageContext,
  target: QuestionTarget,
  { typed, action }: { typed: TypedQuestion; action: string },
): { typed: TypedQuestion; focus?: number } | undefined {
  if (action === 'preview' || action === 'source') return { typed };
  if (action === 'type') return { typed: withType(context, target, typed) };
  const changed = typed.choices && changeRows(typed.choices.rows, action);
  if (!changed || !typed.choices) return undefined;
  return { typed: { ...typed, choices: { ...typed.choices, rows: changed.rows } }, focus: changed.focus };
}

/** Returns the fields with the defaults of their type where its option has nothing yet, after the type was changed. */
function withType(context: PageContext, target: QuestionTarget, typed: TypedQuestion): TypedQuestion {
  const defaults = showQuestion(context, { ...target, question: undefined });
  // A description that is not typed stays.
  return { ...completeFields(QUESTION, typed, defaults), description: typed.description };
}

/**
 * Returns the fields with the defaults of the option of their type, if the form had the fields of another type: somebody has left
 * it as soon as they had chosen the type.
 */
export function withOption(context: PageContext, target: QuestionTarget, typed: TypedQuestion): TypedQuestion {
  const { option } = getTraits(target.type);
  if (option === undefined || target.question?.type === target.type || isPosted(typed[option])) return typed;
  return { ...typed, [option]: showQuestion(context, { ...target, question: undefined })[option] };
}

const isPosted = (typed: TypedQuestion[keyof TypedQuestion]): boolean =>
  typeof typed === 'object' && 'rows' in typed
    ? typed.rows.length > 0 || typed.sourceId !== ''
    : typed !== undefined && typed !== '';
