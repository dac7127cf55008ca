/** Choices that only so many responses may select. Each has a counter, whose name no earlier limit of the choice has had. Pure. */
import { shortName } from '#core/schema/schema.ts';
import type { Structure } from './structure.ts';

/** The largest number of limited choices of a form: one write changes all their counters. */
export const MAX_LIMITED_CHOICES = 50;

/** `counter`: the attribute that counts the responses that select the choice. */
export type ChoiceLimit = { choiceId: string; questionId: string; counter: string; max: number };

/** Listed once for a structure, because every submission needs them. */
const listed = new WeakMap<Structure, readonly ChoiceLimit[]>();

/** Lists the limited choices of a form. */
export function listChoiceLimits(structure: Structure): readonly ChoiceLimit[] {
  const known = listed.get(structure);
  if (known) return known;
  const limits = structure.sections
    .flatMap(({ questions }) => questions)
    .flatMap(({ id: questionId, choices = [] }) =>
      choices.flatMap(({ id: choiceId, limit: max }): ChoiceLimit[] =>
        max === undefined ? [] : [{ choiceId, questionId, counter: nameCounter(structure, choiceId), max }],
      ),
    );
  listed.set(structure, limits);
  return limits;
}

const nameCounter = ({ limitedSince = {} }: Structure, choiceId: string): string => {
  const since = limitedSince[shortName(choiceId)];
  return `c_${shortName(choiceId)}${since === undefined ? '' : `_${since}`}`;
};

/** Lists the limited choices that were not limited before an edit. */
export function listNewlyLimited(before: Structure, next: Structure): ChoiceLimit[] {
  const limited = new Set(listChoiceLimits(before).map(({ choiceId }) => choiceId));
  return listChoiceLimits(next).filter(({ choiceId }) => !limited.has(choiceId));
}

/** Records since which version the limited choices are, whatever the edit made of that. */
export function dateLimits(before: Structure, { limitedSince: _edited, ...next }: Structure): Structure {
  const added = new Set(listNewlyLimited(before, next).map(({ choiceId }) => choiceId));
  const dates = listChoiceLimits(next).flatMap(({ choiceId }): [string, number][] => {
    const name = shortName(choiceId);
    const since = added.has(choiceId) ? next.version : before.limitedSince?.[name];
    return since === undefined ? [] : [[name, since]];
  });
  return dates.length > 0 ? { ...next, limitedSince: Object.fromEntries(dates) } : next;
}
