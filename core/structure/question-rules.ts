/**
 * Converts a question as it is sent to a question as the structure stores it: the options of its type, the identity of
 * its choices, and their source. `questions.ts` positions it, `documents.ts` presents it.
 */

import { type Fault, problems } from '#core/problems/problems.ts';
import { structureFault } from '#core/problems/structure-faults.ts';
import type { Question, QuestionInput } from './question-model.ts';
import { findQuestion, type Structure, sourceChain } from './structure.ts';
import { buildChoices } from './types/choices.ts';
import type { QuestionOptions } from './types/options.ts';
import { getTraits, isChoiceType, mayHaveSource } from './types/traits.ts';
import type { Report } from './types/type.ts';
import { TYPES } from './types/types.ts';

/** A question without its id and times. */
export type QuestionDraft = Omit<Question, 'id' | 'moves' | 'createdAt' | 'updatedAt'>;

/** The context in which a question is validated. */
export type QuestionContext = {
  structure: Structure;
  /** On update: the current question. */
  previous?: Question;
  /** On update: whether any response has ever answered it. */
  isAnswered?: boolean;
  newId: () => string;
  /** The JSON pointer of the question in the request; the body by default. */
  pointer?: string;
};

type Options = Pick<Question, 'choices'> & QuestionOptions;

/**
 * Builds a question from its input, on create and on update. Options of other types are ignored. Throws 400 with all
 * faults.
 */
export function buildQuestion(input: Omit<QuestionInput, 'order'>, context: QuestionContext): QuestionDraft {
  const faults: Fault[] = [];
  const report: Report = (member, code, ...params) =>
    faults.push(structureFault(`${context.pointer ?? '/body'}/${member}`, code, ...params));
  checkType(input, context, report);
  const options = buildOptions(input, context, report);
  if (faults.length > 0) throw problems.invalid(faults);
  const { required, type, title, description } = input;
  return { required, type, title, description, ...options };
}

/** The type cannot change if the question has answers, or to one without choices if it is a source of choices. */
function checkType({ type }: Pick<QuestionInput, 'type'>, context: QuestionContext, report: Report): void {
  const { previous, structure } = context;
  if (!previous || previous.type === type) return;
  if (context.isAnswered) report('type', 'type_answered', previous.type);
  if (isChoiceType(type)) return;
  const dependent = structure.sections
    .flatMap(({ questions }) => questions)
    .find(({ sourceId }) => sourceId === previous.id);
  if (dependent) report('type', 'type_of_source', dependent.title);
}

function buildOptions(input: Omit<QuestionInput, 'order'>, context: QuestionContext, report: Report): Options {
  const { type } = input;
  const { option } = getTraits(type);
  if (option === 'choices') return choiceOptions(input, context, report);
  if (option === undefined || input[option]) return TYPES[type].build?.(input, report) ?? {};
  report(option, 'option_missing', type);
  return {};
}

/** Either choices or a source of choices. */
function choiceOptions(input: Omit<QuestionInput, 'order'>, context: QuestionContext, report: Report): Options {
  const { type, sourceId } = input;
  const choices = input.choices ?? [];
  if (!mayHaveSource(type) || !sourceId) {
    return {
      choices: buildChoices(choices, report, { previous: context.previous?.choices ?? [], newId: context.newId }),
    };
  }
  if (choices.length > 0) report('sourceId', 'choices_and_source');
  else checkSource(sourceId, context, report);
  return { sourceId };
}

/**
 * Checks a source when it changes; an unchanged one is always accepted. Sources that were deleted or come too late in
 * the workflow are reported in `info`.
 */
function checkSource(sourceId: string, { structure, previous }: QuestionContext, report: Report): void {
  if (sourceId === previous?.sourceId) return;
  const source = findQuestion(structure, sourceId)?.question;
  if (!source) report('sourceId', 'no_question');
  else if (!isChoiceType(source.type)) report('sourceId', 'no_choices');
  else if (sourceChain(structure, sourceId).some(({ id }) => id === previous?.id)) {
    report('sourceId', 'source_loop');
  }
}
