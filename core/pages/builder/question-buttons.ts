/** The buttons of the form of a question that change its fields and store nothing. Pure. */
import { getTraits } from '#core/structure/types/traits.ts';
import { emptyChoice, newQuestion, type TypedChoice, type TypedQuestion } from './question-fields.ts';

/** Applies a button. Returns the fields, and the index of the choice that takes the focus; undefined for one that saves. */
export function changeTyped(
  typed: TypedQuestion,
  action: string,
): { typed: TypedQuestion; focus?: number } | undefined {
  if (action === 'preview' || action === 'source') return { typed };
  if (action === 'type') return { typed: withType(typed) };
  const changed = changeChoices(typed.choices, action);
  return changed && { typed: { ...typed, choices: changed.choices }, focus: changed.focus };
}

/** Returns the fields with the defaults of their type where there is nothing yet, after the type was changed. */
const withType = (typed: TypedQuestion): TypedQuestion => {
  const initial = newQuestion(typed.type);
  const isEmpty = typed.choices.length === 0;
  return {
    ...typed,
    choices: isEmpty ? initial.choices : typed.choices,
    scale:
      typed.scale.maxVal === '' || getTraits(typed.type).hasIcon
        ? { ...initial.scale, ...filled(typed.scale) }
        : typed.scale,
    files: typed.files.maxAmount === '' ? initial.files : typed.files,
    date: typed.date.parts.length === 0 ? initial.date : typed.date,
    provider: typed.provider || initial.provider,
  };
};

const filled = <T extends Record<string, string>>(texts: T): Partial<T> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Partial<T>;

/**
 * Applies a button of the choices: `add`, `other`, or `up`, `down` and `remove` with a position. Returns the index of the
 * row that takes the focus, or undefined for another button.
 */
function changeChoices(
  choices: readonly TypedChoice[],
  action: string,
): { choices: readonly TypedChoice[]; focus: number } | undefined {
  const [name, position = ''] = action.split(':');
  const index = Number(position);
  const choice = choices[index];
  if (name?.startsWith('choice-') && !choice) return { choices, focus: 0 };
  switch (name) {
    case 'add-choice': {
      // The other choice stays the last one.
      const at = choices.at(-1)?.isOther ? choices.length - 1 : choices.length;
      return { choices: choices.toSpliced(at, 0, emptyChoice()), focus: at };
    }
    case 'add-other':
      return choices.some(({ isOther }) => isOther)
        ? { choices, focus: choices.length - 1 }
        : { choices: [...choices, emptyChoice(true)], focus: choices.length };
    case 'choice-up':
    case 'choice-down': {
      const to = Math.min(Math.max(index + (name === 'choice-up' ? -1 : 1), 0), choices.length - 1);
      return choice && { choices: choices.toSpliced(index, 1).toSpliced(to, 0, choice), focus: to };
    }
    case 'choice-remove':
      return choice && { choices: choices.toSpliced(index, 1), focus: Math.max(index - 1, 0) };
    default:
      return undefined;
  }
}
