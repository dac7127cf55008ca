/** The types that select choices: one or several of them, or several in an order. */
import * as z from 'zod';
import { type AnswerFault, fault, refuse } from '#core/problems/answer-faults.ts';
import { because } from '#core/schema/check-faults.ts';
import { MAX_CHOICES } from '#core/schema/limits.ts';
import { ID_CHARACTERS, Id, type Infer, schema, text } from '#core/schema/schema.ts';
import { isVisible, line } from '#core/schema/text.ts';
import { type AnswerContent, isIds } from './content.ts';
import { getTraits } from './traits.ts';
import type { OfferedChoice, QuestionTypeRules, Report, ValueCheck } from './type.ts';

/** The longest texts of a choice, in characters. */
export const MAX_CHOICE_NAME = 200;
export const MAX_CHOICE_DESCRIPTION = 500;
/** The largest number of responses that may select a choice. */
export const MAX_CHOICE_LIMIT = 100_000;

const Amount = schema(() => z.int().min(1).max(MAX_CHOICES));
/** How many choices an answer selects. */
export const Selection = schema(() =>
  z
    .object({
      min: Amount().nullish(),
      max: Amount().nullish(),
    })
    .describe('How many choices an answer selects; a respondent who is offered fewer selects all of them.')
    .meta({ id: 'Selection' }),
);
export type Selection = Infer<typeof Selection>;

/**
 * Returns the selection as it is stored; undefined without bounds. Reports bounds in the wrong order, and beyond the number of
 * choices, which is undefined where they come from another question.
 */
export function buildSelection(
  { min, max }: Selection,
  count: number | undefined,
  report: Report,
): Selection | undefined {
  if (min && max && min > max) report('selection/min', 'reversed_range', 'max');
  for (const [name, bound] of Object.entries({ min, max })) {
    if (bound && count !== undefined && bound > count) report(`selection/${name}`, 'more_than_choices', count);
  }
  return min || max ? { ...(min && { min }), ...(max && { max }) } : undefined;
}

/** Finds that an answer selects too few or too many of the choices that were offered. */
function judgeSelection(
  { selection }: { selection?: Selection | undefined },
  { value }: AnswerContent,
  offered: readonly OfferedChoice[],
): AnswerFault[] {
  const count = isIds(value) ? value.length : 0;
  const [min, max] = [selection?.min, selection?.max].map((bound) => bound && Math.min(bound, offered.length));
  return count < (min ?? 0) || count > (max ?? Number.POSITIVE_INFINITY)
    ? [fault('/value', 'selections', min || undefined, max || undefined)]
    : [];
}

/** A choice; `id` is stable across renames. */
export const Choice = schema(() =>
  z
    .object({
      id: Id(),
      name: z.string(),
      description: z.string().optional(),
      isOther: z.boolean().optional(),
      limit: z.int().optional(),
    })
    .meta({ id: 'Choice' }),
);
export type Choice = Infer<typeof Choice>;

/** The name of a choice as it is displayed; only the other choice may have none. */
export const choiceName = ({ name }: Pick<Choice, 'name'>): string => name || 'Other';

/** A choice as it is sent; only the other choice may have no name. */
export const ChoiceInput = schema(() =>
  z
    .object({
      id: Id().optional().describe('On update, identifies an existing choice.'),
      name: z
        .string()
        .trim()
        .pipe(line(0, MAX_CHOICE_NAME))
        .meta({ maxLength: MAX_CHOICE_NAME, description: 'One line. Trimmed.' }),
      description: text(0, MAX_CHOICE_DESCRIPTION).nullish(),
      isOther: z.boolean().nullish(),
      limit: z
        .int()
        .min(1)
        .max(MAX_CHOICE_LIMIT)
        .nullish()
        .describe('How many submitted responses may select it. Absent, it stays.'),
    })
    .refine(({ name, isOther }) => isVisible(name) || (isOther && name === ''), {
      path: ['name'],
      ...because(
        `must be 1 to ${MAX_CHOICE_NAME} characters, at least one of them visible; only the other choice may have no name`,
        'unnamed_choice',
        MAX_CHOICE_NAME,
      ),
    })
    .meta({ id: 'ChoiceInput' }),
);
export type ChoiceInput = Infer<typeof ChoiceInput>;

/**
 * Builds the choices that are stored, and reports what is not valid. Those that exist already, in `previous`, keep their
 * ids, and those that return get the ids that they had, of the `removed` ones from the latest to the first, so that counts
 * do not split; `newId` makes the ids of others. `isOrdered`: the question asks for an order of all choices, which cannot be limited. Two choices of one name are a fault, unless they were stored so before.
 */
export function buildChoices(
  choices: readonly ChoiceInput[],
  report: Report,
  {
    previous,
    removed = [],
    isOrdered = false,
    newId,
  }: {
    previous: readonly Choice[];
    removed?: readonly Pick<Choice, 'id' | 'name'>[];
    isOrdered?: boolean | undefined;
    newId: () => string;
  },
): Choice[] {
  if (choices.length === 0 || choices.length > MAX_CHOICES) {
    report('choices', 'no_or_many_choices', MAX_CHOICES);
    return [];
  }
  const seen = new Set<string>();
  let hasOther = false;
  for (const [index, { id, isOther }] of choices.entries()) {
    if (id && seen.has(id)) report(`choices/${index}/id`, 'choice_repeated');
    if (id) seen.add(id);
    if (isOther && hasOther) report(`choices/${index}/isOther`, 'second_other');
    hasOther ||= isOther === true;
  }
  const ids = matchChoiceIds(choices, previous, removed);
  reportSameNames(choices, ids, previous, report);
  const storedLimits = new Map(previous.map(({ id, limit }) => [id, limit]));
  return choices.map(({ name, description, isOther, limit: sentLimit }, index) => {
    const limit = sentLimit === undefined ? storedLimits.get(ids[index] ?? '') : sentLimit;
    if (isOrdered && sentLimit) report(`choices/${index}/limit`, 'limit_of_ranking');
    return {
      id: ids[index] ?? newId(),
      name,
      ...(typeof description === 'string' && { description }),
      ...(isOther && { isOther }),
      ...(limit && !isOrdered && { limit }),
    };
  });
}

/**
 * Finds the ids of choices that exist already: by id if the question has a choice with it, otherwise by name if that choice
 * is not matched yet, a present one before a removed one; undefined for new choices. Unknown ids are ignored: they may belong to
 * another question, and conditions identify choices by id alone.
 */
function matchChoiceIds(
  choices: readonly ChoiceInput[],
  previous: readonly Choice[],
  removed: readonly Pick<Choice, 'id' | 'name'>[],
): (string | undefined)[] {
  const unmatched = new Map([...previous, ...removed].map(({ id, name }) => [id, name]));
  const matchedById = choices.map(({ id }) => (id !== undefined && unmatched.delete(id) ? id : undefined));
  const idsByName = Map.groupBy(unmatched.keys(), (id) => unmatched.get(id));
  return choices.map(({ name }, index) => matchedById[index] ?? idsByName.get(name)?.shift());
}

/** Reports the choices whose name another one has, unless it is stored with that name; the other choice may have no name. */
function reportSameNames(
  choices: readonly ChoiceInput[],
  ids: readonly (string | undefined)[],
  previous: readonly Choice[],
  report: Report,
): void {
  const storedNames = new Map(previous.map(({ id, name }) => [id, name]));
  const isStored = (index: number, name: string): boolean => storedNames.get(ids[index] ?? '') === name;
  const taken = new Set(choices.flatMap(({ name }, index) => (isStored(index, name) ? [name] : [])));
  for (const [index, { name }] of choices.entries()) {
    if (name === '' || isStored(index, name)) continue;
    if (taken.has(name)) report(`choices/${index}/name`, 'choice_name_repeated');
    taken.add(name);
  }
}

/** Checks choice ids, each offered and selected once; a type that selects one takes exactly one. */
const check: ValueCheck = ({ type }, value, offered) => {
  if (!isIds(value)) return refuse('/value', 'not_choices');
  const byId = new Map(offered.map((choice) => [choice.id, choice]));
  const faults: AnswerFault[] = getTraits(type).selectsOne && value.length > 1 ? [fault('/value', 'too_many')] : [];
  const names: string[] = [];
  const seen = new Set<string>();
  for (const [index, id] of value.entries()) {
    const choice = byId.get(id);
    if (!choice) faults.push(fault(`/value/${index}`, 'not_offered'));
    else if (seen.has(id)) faults.push(fault(`/value/${index}`, 'repeated'));
    seen.add(id);
    names.push(choice?.name ?? '');
  }
  return faults.length > 0 ? { kind: 'faults', faults } : { kind: 'answer', content: { type, value, names } };
};

/** The types that select choices; an answer is displayed by the names that they had then, in their order if it matters. */
export const choices: QuestionTypeRules<{ selection?: Selection | undefined }> = {
  check,
  judge: judgeSelection,
  display: ({ type, names = [] }) =>
    names.map((name) => choiceName({ name })).join(getTraits(type).isOrdered ? ' > ' : ', '),
  subjects: ({ value }) => (isIds(value) ? value : []),
  maxCharacters: ID_CHARACTERS,
};
