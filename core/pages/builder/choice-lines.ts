/** The choices of a question as text: one a line, the description behind a tab. Pure. */
import type { Question } from '#core/structure/question-model.ts';
import { type Choice, ChoiceInput, MAX_CHOICES } from '#core/structure/types/choices.ts';

/** Writes choices as lines; the other choice, whose text respondents type, is left out. */
export const toChoiceLines = (choices: readonly ChoiceInput[]): string =>
  choices
    .filter(({ isOther }) => !isOther)
    .map(({ name, description }) => (description ? `${name}\t${description.replaceAll('\n', ' ')}` : name))
    .join('\n');

type Checked = { choices: ChoiceInput[] } | { fault: 'empty' | 'many' | 'invalid'; max: number };

/**
 * Reads lines as the choices of a question. Choices keep their ids by name, renamed ones by their order if as many
 * names went as came. The other choice stays, as the last one.
 */
export function checkChoiceLines(text: string, { choices = [] }: Question): Checked {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const otherChoices = choices.filter(({ isOther }) => isOther);
  const named = choices.filter(({ isOther }) => !isOther);
  if (lines.length + otherChoices.length === 0) return { fault: 'empty', max: MAX_CHOICES };
  if (lines.length + otherChoices.length > MAX_CHOICES) return { fault: 'many', max: MAX_CHOICES };
  const typed = lines.map((line) => {
    const [name = '', ...description] = line.split('\t');
    return { name: name.trim(), description: description.join(' ').trim() };
  });
  const renamed = matchRenamed(named, typed);
  const inputs = typed.map(({ name, description }) => {
    const id = renamed.get(name);
    return ChoiceInput().safeParse({ name, ...(description !== '' && { description }), ...(id && { id }) });
  });
  const valid = inputs.flatMap(({ data }) => data ?? []);
  if (valid.length < inputs.length) return { fault: 'invalid', max: MAX_CHOICES };
  return { choices: [...valid, ...otherChoices] };
}

/** Finds the ids of choices that got other names: as many names went as came, so they are matched in order. */
function matchRenamed(choices: readonly Choice[], typed: readonly { name: string }[]): ReadonlyMap<string, string> {
  const before = new Set(choices.map(({ name }) => name));
  const after = new Set(typed.map(({ name }) => name));
  const renamed = choices.filter(({ name }) => !after.has(name));
  const added = typed.filter(({ name }) => !before.has(name));
  if (renamed.length !== added.length) return new Map();
  return new Map(added.flatMap(({ name }, index): [string, string][] => [[name, renamed[index]?.id ?? '']]));
}
