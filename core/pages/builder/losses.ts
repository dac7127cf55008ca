/** Finds what saving a question would lose, so that the page can warn first. */
import { type AnswerCounts, countAnswersTo } from '#core/counts/lost-answers.ts';
import type { Table } from '#core/db/table.ts';
import type { Question, QuestionInput, QuestionType } from '#core/structure/question-model.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { Choice, ChoiceInput } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { listConditionsOn } from './questions.ts';

/** A choice that is removed; `answers`: in how many responses it is selected, undefined where that is not counted. */
type LostChoice = { name: string; answers: number | undefined; rules: number };

/** `rules`: how many ask for a question whose type changes. */
export type Losses = { choices: readonly LostChoice[]; rules: number };

/** What saving would lose: choices, and rules that ask for a question that gets another type. */
type Loss = { removed: readonly Choice[]; rules: number; type: QuestionType };

/**
 * Finds what saving a question would lose. Choices that are removed one by one are left out where no answer and no rule uses
 * them; a question that no longer has choices of its own loses them all.
 */
export function findLoss(
  { structure, answered }: StoredStructure,
  question: Question,
  { choices, type }: Pick<QuestionInput, 'choices' | 'type'>,
): Loss {
  const isAnswered = answered.ids.has(question.id);
  const removed = listRemovedChoices(question, choices ?? []).filter(
    (choice) => choices == null || isAnswered || countChoiceRules(structure, choice) > 0,
  );
  return { removed, rules: countTypeRules(structure, question, type), type };
}

/** Builds the value of the field that confirms a loss; empty if nothing is lost. */
export const buildConfirmation = ({ removed, rules, type }: Loss): string =>
  [...(rules > 0 ? [type] : []), ...removed.map(({ id }) => id)].join(' ');

/** Counts the answers that a loss concerns. */
export async function loadLosses(
  table: Table,
  stored: StoredStructure,
  question: Question,
  { removed, rules }: Loss,
): Promise<Losses> {
  const counts = removed.length > 0 ? await countAnswersTo(table, stored, question.id) : undefined;
  return { choices: describeRemoved({ structure: stored.structure, question, counts }, removed), rules };
}

/** Lists the choices that a question would lose. */
export function listRemovedChoices({ choices = [] }: Question, inputs: readonly ChoiceInput[]): Choice[] {
  const ids = new Set(inputs.map(({ id }) => id));
  const names = new Set(inputs.map(({ name }) => name));
  return choices.filter(({ id, name }) => !ids.has(id) && !names.has(name));
}

/** `counts`: of the answers to the question; undefined for one that nobody has ever answered. */
type Affected = { structure: Structure; question: Question; counts: AnswerCounts | undefined };

/** Counts the answers and rules of choices that are removed. */
const describeRemoved = ({ structure, question, counts }: Affected, removed: readonly Choice[]): LostChoice[] =>
  removed.map(({ id, name }) => ({
    name,
    answers: counts ? counts.questions && (counts.questions.get(question.id)?.choices.get(id) ?? 0) : 0,
    rules: countChoiceRules(structure, { id }),
  }));

/** Counts the rules that name a choice. */
const countChoiceRules = ({ nodes }: Structure, { id }: Pick<Choice, 'id'>): number =>
  nodes.filter(({ conditionRule }) => conditionRule?.pattern?.includes(id)).length;

/** Counts the rules that ask for a question, if its type changes. */
const countTypeRules = (structure: Structure, { id, type }: Question, to: Question['type']): number =>
  type === to ? 0 : listConditionsOn(structure, id).length;

/** The id of the form whose saving is confirmed. */
export const CONFIRMED_FORM = 'confirmed-form';

/** Says what is lost, with a button that saves the form although it is. */
export function lossNotice(context: PageContext, { choices, rules }: Losses): Html | undefined {
  const { choices: texts, edit } = getQuestionsTexts(context);
  if (choices.length === 0 && rules === 0) return undefined;
  const uses = (choice: LostChoice): string[] => [
    ...(choice.answers === undefined
      ? [texts.perhapsAnswered]
      : choice.answers > 0
        ? [texts.answers(choice.answers)]
        : []),
    ...(choice.rules > 0 ? [texts.rules(choice.rules)] : []),
  ];
  return html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary>
${rules > 0 && html`<p>${edit.typeRules(rules)}</p>`}
${
  choices.length > 0 &&
  html`<p>${texts.removed}</p>
<ul>${choices.map((choice) => html`<li dir="auto">${[choice.name || edit.other, ...uses(choice)].join(' – ')}</li>`)}</ul>
<p>${texts.removedHint}</p>`
}
<p class="actions"><button class="secondary" form="${CONFIRMED_FORM}" name="do" value="save">${texts.confirm}</button></p></div>`;
}
