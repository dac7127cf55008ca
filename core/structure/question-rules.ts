/**
 * From a question as it is sent to a question as the structure keeps it: the options of its type, the identity of its
 * choices and the source they may come from (contract section 5, "Options by type"). Pure; ids are handed in.
 * `core/structure/edits.ts` then puts the question in its place, `core/questions/view.ts` shows it.
 */
import {
  type Choice,
  type ChoiceInput,
  type DateOptions,
  isChoiceType,
  MAX_CHOICES,
  mayHaveSource,
  type Question,
  type QuestionInput,
  type Scale,
} from '#core/structure/question-model.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';

/** What is wrong with a question; `pointer` is a JSON pointer into the request, such as `/body/choices/3/name`. */
export type QuestionFault = { pointer: string; detail: string };

/** A question that has yet to get its id and its times. */
export type QuestionDraft = Omit<Question, 'id' | 'createdAt' | 'updatedAt'>;

/** What a question is judged against. */
export type QuestionContext = {
  structure: Structure;
  /** The section that the question stands in or is put into. */
  sectionId: string;
  /** On update: the question as it stands. */
  previous?: Question | undefined;
  /** Whether a section can be passed before this question's own; only asked about other sections. */
  comesBefore: (sourceSectionId: string) => boolean;
  newId: () => string;
};

type Options = Pick<Question, 'choices' | 'sourceId' | 'scale' | 'uploadFile' | 'date' | 'oauthConnect'>;
type Outcome<T> = { kept: T } | { faults: QuestionFault[] };

/**
 * Builds a question from what was sent, on create and on update (contract section 5).
 *
 * Only the option of the question's own type is kept; the others are dropped unread. Answers the question without id and
 * times, or everything that is wrong with it. Whether answers forbid a change of type is for the caller to ask the
 * responses; that other questions take their choices from this one forbids it here.
 */
export function buildQuestion(
  input: QuestionInput,
  context: QuestionContext,
): { question: QuestionDraft } | { faults: QuestionFault[] } {
  const built = buildOptions(input, context);
  const faults = [...judgeType(input, context), ...('faults' in built ? built.faults : [])];
  if (faults.length > 0 || 'faults' in built) return { faults };
  const { required, type, title, description } = input;
  return { question: { required, type, title, description, ...built.kept } };
}

const fault = (pointer: string, detail: string): { faults: QuestionFault[] } => ({ faults: [{ pointer, detail }] });

/** A question that others take their choices from stays a question with choices. */
function judgeType({ type }: QuestionInput, { previous, structure }: QuestionContext): QuestionFault[] {
  if (!previous || isChoiceType(type)) return [];
  const dependent = structure.sections
    .flatMap((section) => section.questions)
    .find((question) => question.sourceId === previous.id && question.id !== previous.id);
  if (!dependent) return [];
  return [{ pointer: '/body/type', detail: `the question "${dependent.title}" takes its choices from this one` }];
}

function buildOptions(input: QuestionInput, context: QuestionContext): Outcome<Options> {
  const missing = (member: string) => fault(`/body/${member}`, `is required of a ${input.type} question`);
  switch (input.type) {
    case 'SINGLE_CHOICE':
    case 'MULTIPLE_CHOICE':
    case 'DROPDOWN':
    case 'DETAILED_MULTIPLE_CHOICE':
    case 'RANKING':
      return buildSelection(input, context);
    case 'LINEAR_SCALE':
      return input.scale ? { kept: { scale: plainScale(input.scale) } } : missing('scale');
    case 'RATING':
      return input.scale ? buildRating(input.scale) : missing('scale');
    case 'UPLOAD_FILE': {
      if (!input.uploadFile) return missing('uploadFile');
      const allowedFileTypes = [...new Set(input.uploadFile.allowedFileTypes)];
      return { kept: { uploadFile: { ...input.uploadFile, allowedFileTypes } } };
    }
    case 'DATE':
      return input.date ? { kept: { date: plainDate(input.date) } } : missing('date');
    case 'OAUTH_CONNECT':
      return input.oauthConnect ? { kept: { oauthConnect: input.oauthConnect } } : missing('oauthConnect');
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
    case 'HYPERLINK':
      return { kept: {} };
  }
}

function buildRating(scale: Scale): Outcome<Options> {
  const faults: QuestionFault[] = [];
  if (scale.minVal !== 1) faults.push({ pointer: '/body/scale/minVal', detail: 'must be 1 for a RATING question' });
  if (!scale.icon) faults.push({ pointer: '/body/scale/icon', detail: 'is required of a RATING question' });
  return faults.length > 0 ? { faults } : { kept: { scale: plainScale(scale) } };
}

/** Null means absent on the wire; what is stored and shown has no nulls. */
const plainScale = ({ minVal, maxVal, minValueLabel, maxValueLabel, icon }: Scale): Scale => ({
  minVal,
  maxVal,
  ...(typeof minValueLabel === 'string' && { minValueLabel }),
  ...(typeof maxValueLabel === 'string' && { maxValueLabel }),
  ...(icon && { icon }),
});

const plainDate = ({ hasYear, hasMonth, hasDay, minDate, maxDate }: DateOptions): DateOptions => ({
  hasYear,
  hasMonth,
  hasDay,
  ...(minDate && { minDate }),
  ...(maxDate && { maxDate }),
});

/** Choices of the question's own, or a source to take them from; never both. */
function buildSelection(input: QuestionInput, context: QuestionContext): Outcome<Options> {
  const choices = input.choices ?? [];
  if (!mayHaveSource(input.type) || !input.sourceId) return buildChoices(choices, context);
  if (choices.length > 0) return fault('/body/sourceId', 'goes instead of choices, not together with them');
  const detail = judgeSource(input.sourceId, context);
  return detail ? fault('/body/sourceId', detail) : { kept: { sourceId: input.sourceId } };
}

/** What is wrong with a source, or undefined. */
function judgeSource(sourceId: string, context: QuestionContext): string | undefined {
  const source = findQuestion(context.structure, sourceId);
  if (!source) return 'must be a question of this form';
  if (!isChoiceType(source.question.type)) return 'must be a question with choices';
  if (source.section.id !== context.sectionId && !context.comesBefore(source.section.id)) {
    return 'must be a question in an earlier section or in this one';
  }
  return leadsBack(sourceId, context) ? 'must not be this question, nor take its choices from it' : undefined;
}

/** Whether the sources of a question lead to the question that is being updated. */
function leadsBack(sourceId: string, { structure, previous }: QuestionContext): boolean {
  const visited = new Set<string>();
  let at: string | undefined = sourceId;
  while (at !== undefined && !visited.has(at)) {
    if (at === previous?.id) return true;
    visited.add(at);
    at = findQuestion(structure, at)?.question.sourceId;
  }
  return false;
}

function buildChoices(choices: readonly ChoiceInput[], context: QuestionContext): Outcome<Options> {
  const faults = judgeChoices(choices);
  if (faults.length > 0) return { faults };
  const ids = identify(choices, context.previous?.choices ?? [], context.newId);
  return { kept: { choices: choices.map((choice, index) => plainChoice(choice, ids[index] ?? context.newId())) } };
}

function judgeChoices(choices: readonly ChoiceInput[]): QuestionFault[] {
  if (choices.length === 0 || choices.length > MAX_CHOICES) {
    return [{ pointer: '/body/choices', detail: `must be 1 to ${MAX_CHOICES} choices` }];
  }
  const faults: QuestionFault[] = [];
  const ids = new Set<string>();
  let others = 0;
  for (const [index, { id, isOther }] of choices.entries()) {
    const pointer = `/body/choices/${index}`;
    if (id && ids.has(id)) faults.push({ pointer: `${pointer}/id`, detail: 'is the id of a choice before it' });
    if (id) ids.add(id);
    if (isOther) others += 1;
    if (isOther && others > 1) {
      faults.push({ pointer: `${pointer}/isOther`, detail: 'must be true of one choice at most' });
    }
  }
  return faults;
}

/**
 * The id of each choice: its own when the question already has a choice of that id, else that of a choice of the same
 * name that nothing else claimed, else a new one. An id that this question does not know is not believed, because it
 * could be the id of another question's choice, and conditions tell choices apart by nothing else.
 */
function identify(choices: readonly ChoiceInput[], previous: readonly Choice[], newId: () => string): string[] {
  const unclaimed = new Map(previous.map((choice) => [choice.id, choice.name]));
  const sentBack = choices.map(({ id }) => (id !== undefined && unclaimed.delete(id) ? id : undefined));
  return choices.map(({ name }, index) => {
    const kept = sentBack[index];
    if (kept !== undefined) return kept;
    const namesake = [...unclaimed].find(([, previousName]) => previousName === name)?.[0];
    if (namesake === undefined) return newId();
    unclaimed.delete(namesake);
    return namesake;
  });
}

const plainChoice = ({ name, description, isOther }: ChoiceInput, id: string): Choice => ({
  id,
  name,
  ...(typeof description === 'string' && { description }),
  ...(isOther && { isOther }),
});
