/**
 * Converts a question as it is sent to a question as the structure stores it: the options of its type, the identity of
 * its choices, and their source. `questions.ts` positions it, `documents.ts` presents it.
 */

import { type Fault, problems } from '#core/problems/problems.ts';
import { structureFault } from '#core/problems/structure-faults.ts';
import { shortName } from '#core/schema/schema.ts';
import { questionsByName } from './names.ts';
import type { Question, QuestionInput } from './question-model.ts';
import { findQuestion, type Structure, sourceChain } from './structure.ts';
import { buildChoices, buildSelection } from './types/choices.ts';
import { buildTextRules } from './types/formats.ts';
import { isSameName } from './types/members.ts';
import type { QuestionOptions } from './types/options.ts';
import { getTraits, isChoiceType, type MemberName, mayHave, mayHaveSource, type QuestionType } from './types/traits.ts';
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
  const members = buildMembers(input.type, input, {
    previous: context.previous ?? {},
    choiceCount: options.choices?.length,
    report,
  });
  checkName(members.name, context, report);
  if (faults.length > 0) throw problems.invalid(faults);
  const { required, type, title, description } = input;
  return { required, type, title, description, ...options, ...members };
}

/** Another question of the form must not have the name, unless it had it before. */
function checkName(name: string | undefined, { previous, structure }: QuestionContext, report: Report): void {
  if (name === undefined || isSameName(name, previous?.name)) return;
  const owner = questionsByName(structure).get(name.toLowerCase());
  if (owner && owner.id !== previous?.id) report('name', 'name_taken', owner.title);
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
  const { previous, structure, newId } = context;
  const choices = input.choices ?? [];
  if (!mayHaveSource(type) || !sourceId) {
    return {
      choices: buildChoices(choices, report, {
        previous: previous?.choices ?? [],
        removed: (structure.removedChoices ?? [])
          .filter(({ of }) => previous && of === shortName(previous.id))
          .toReversed(),
        isOrdered: getTraits(type).isOrdered,
        newId,
      }),
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

// The members besides the option. Absent from an update they stay, null clears them, and another type drops them, so that
// clients that do not know a member never drop it.

/** The members of a question as they are stored. */
type Members = Pick<QuestionOptions, MemberName>;
type SentMembers = { [Name in MemberName]?: Members[Name] | null | undefined };

/**
 * Builds the members of a question of a type from what was sent, and from those that it has already, `previous`. Reports what is
 * sent and not valid; what stays is never a fault of the request. `choiceCount`: of its own choices.
 */
function buildMembers(
  type: QuestionType,
  sent: SentMembers,
  { previous, choiceCount, report }: { previous: Members; choiceCount: number | undefined; report: Report },
): Members {
  const unreported: Report = () => undefined;
  const pick = <Name extends MemberName>(name: Name): [Members[Name] | undefined, Report] => {
    if (!mayHave(type, name)) return [undefined, unreported];
    return sent[name] === undefined ? [previous[name], unreported] : [sent[name] ?? undefined, report];
  };
  const [[name], [text, reportText], [selection, reportSelection]] = [pick('name'), pick('text'), pick('selection')];
  const members: { [Name in MemberName]: Members[Name] | undefined } = {
    name,
    text: text && buildTextRules(type, text, reportText),
    selection: selection && buildSelection(selection, choiceCount, reportSelection),
    shuffle: pick('shuffle')[0] || undefined,
    hidden: pick('hidden')[0] || undefined,
    grid: pick('grid')[0] || undefined,
  };
  return withoutUndefined(members);
}

const withoutUndefined = (members: { [Name in MemberName]: Members[Name] | undefined }): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
