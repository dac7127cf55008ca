/**
 * Converts a question as it is sent to a question as the structure stores it: the options of its type, the identity of
 * its choices, and their source. `questions.ts` positions it, `question-view.ts` returns it.
 */
import { type Fault, problems } from '#core/problems/problems.ts';
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
} from './question-model.ts';
import { findQuestion, type Structure, sourceChain } from './structure.ts';

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

type Options = Pick<Question, 'choices' | 'sourceId' | 'scale' | 'uploadFile' | 'date' | 'oauthConnect'>;
/** Adds a fault; `member` is a path inside the body, such as `choices/3/name`. */
type Report = (member: string, detail: string) => void;

/**
 * Builds a question from its input, on create and on update. Options of other types are ignored. Throws 400 with all
 * faults.
 */
export function buildQuestion(input: Omit<QuestionInput, 'order'>, context: QuestionContext): QuestionDraft {
  const faults: Fault[] = [];
  const report: Report = (member, detail) =>
    faults.push({ pointer: `${context.pointer ?? '/body'}/${member}`, detail });
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
  if (context.isAnswered) report('type', `must stay ${previous.type}: this question has been answered`);
  if (isChoiceType(type)) return;
  const dependent = structure.sections
    .flatMap(({ questions }) => questions)
    .find(({ sourceId }) => sourceId === previous.id);
  if (dependent) report('type', `must be one with choices: "${dependent.title}" takes its choices from this question`);
}

function buildOptions(input: Omit<QuestionInput, 'order'>, context: QuestionContext, report: Report): Options {
  const { type, scale, uploadFile, date, oauthConnect } = input;
  const reportMissing = (member: string): Options => {
    report(member, `is required of a ${type} question`);
    return {};
  };
  switch (type) {
    case 'SINGLE_CHOICE':
    case 'MULTIPLE_CHOICE':
    case 'DROPDOWN':
    case 'DETAILED_MULTIPLE_CHOICE':
    case 'RANKING':
      return choiceOptions(input, context, report);
    case 'LINEAR_SCALE':
      return scale ? { scale: plainScale(scale) } : reportMissing('scale');
    case 'RATING':
      if (!scale) return reportMissing('scale');
      if (scale.minVal !== 1) report('scale/minVal', 'must be 1 for a RATING question');
      if (!scale.icon) report('scale/icon', 'is required of a RATING question');
      return { scale: plainScale(scale) };
    case 'UPLOAD_FILE':
      if (!uploadFile) return reportMissing('uploadFile');
      return { uploadFile: { ...uploadFile, allowedFileTypes: [...new Set(uploadFile.allowedFileTypes)] } };
    case 'DATE':
      return date ? { date: plainDate(date) } : reportMissing('date');
    case 'OAUTH_CONNECT':
      return oauthConnect ? { oauthConnect } : reportMissing('oauthConnect');
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
    case 'HYPERLINK':
      return {};
  }
}

/** Null means absent in requests; stored and returned options have no nulls. */
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

/** Either choices or a source of choices. */
function choiceOptions(input: Omit<QuestionInput, 'order'>, context: QuestionContext, report: Report): Options {
  const { type, sourceId } = input;
  const choices = input.choices ?? [];
  if (!mayHaveSource(type) || !sourceId) return { choices: buildChoices(choices, context, report) };
  if (choices.length > 0) report('sourceId', 'cannot be combined with choices: send only one of them');
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
  if (!source) report('sourceId', 'must be a question of this form');
  else if (!isChoiceType(source.type)) report('sourceId', 'must be a question with choices');
  else if (sourceChain(structure, sourceId).some(({ id }) => id === previous?.id)) {
    report('sourceId', 'must not be this question, nor one that takes its choices from it');
  }
}

function buildChoices(choices: readonly ChoiceInput[], context: QuestionContext, report: Report): Choice[] {
  if (choices.length === 0 || choices.length > MAX_CHOICES) {
    report('choices', `must be 1 to ${MAX_CHOICES} choices`);
    return [];
  }
  const seen = new Set<string>();
  let hasOther = false;
  for (const [index, { id, isOther }] of choices.entries()) {
    if (id && seen.has(id)) report(`choices/${index}/id`, 'is a duplicate of an earlier choice');
    if (id) seen.add(id);
    if (isOther && hasOther) report(`choices/${index}/isOther`, 'must be true for at most one choice');
    hasOther ||= isOther === true;
  }
  const ids = matchChoiceIds(choices, context.previous?.choices ?? []);
  return choices.map(({ name, description, isOther }, index) => ({
    id: ids[index] ?? context.newId(),
    name,
    ...(typeof description === 'string' && { description }),
    ...(isOther && { isOther }),
  }));
}

/**
 * Finds the ids of choices that exist already: by id if the question has a choice with it, otherwise by name if that choice
 * is not matched yet; undefined for new choices. Unknown ids are ignored: they may belong to another question, and
 * conditions identify choices by id alone.
 */
function matchChoiceIds(choices: readonly ChoiceInput[], previous: readonly Choice[]): (string | undefined)[] {
  const unmatched = new Map(previous.map(({ id, name }) => [id, name]));
  const matchedById = choices.map(({ id }) => (id !== undefined && unmatched.delete(id) ? id : undefined));
  return choices.map(({ name }, index) => {
    const id = matchedById[index] ?? [...unmatched].find(([, previousName]) => previousName === name)?.[0];
    if (id !== undefined) unmatched.delete(id);
    return id;
  });
}
