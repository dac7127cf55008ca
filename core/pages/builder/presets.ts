/** Ready-made questions: their type with fields that are filled in, and the declaration, which is several questions. */
import type { QuestionInput } from '#core/structure/question-model.ts';
import type { TextFormat } from '#core/structure/types/formats.ts';
import type { QuestionType } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { emptyChoice, type TypedChoices } from './choice-rows.ts';
import type { TypedQuestion } from './question-fields.ts';

/** Returns the fields of a new question of a type. */
export type Create = (type: QuestionType) => TypedQuestion;
type Build = (context: PageContext, create: Create) => TypedQuestion;

const named = (names: readonly string[]): TypedChoices => ({
  sourceId: '',
  rows: names.map((name) => ({ ...emptyChoice(), name })),
});

/** Returns the fields of a text that has to have a format. */
function withFormat(
  create: Create,
  format: TextFormat,
  { title, hint = '' }: { title: string; hint?: string },
): TypedQuestion {
  const { text, ...typed } = create('SHORT_TEXT');
  return { ...typed, title, description: hint, text: text && { ...text, format } };
}

export const PRESETS = {
  nps: (context, create) => {
    const { title, low, high } = getQuestionsTexts(context).presets.nps;
    const scale = { minVal: '0', maxVal: '10', minValueLabel: low, maxValueLabel: high, icon: '' };
    return { ...create('LINEAR_SCALE'), title, scale };
  },
  yesNo: (context, create) => {
    const { title, yes, no } = getQuestionsTexts(context).presets.yesNo;
    return { ...create('SINGLE_CHOICE'), title, choices: named([yes, no]) };
  },
  consent: (context, create) => {
    const { title, choice: text } = getQuestionsTexts(context).presets.consent;
    return { ...create('MULTIPLE_CHOICE'), title, required: true, choices: named([text]) };
  },
  email: (context, create) => withFormat(create, 'EMAIL', getQuestionsTexts(context).presets.email),
  phone: (context, create) => withFormat(create, 'PHONE', getQuestionsTexts(context).presets.phone),
  number: (context, create) => withFormat(create, 'NUMBER', getQuestionsTexts(context).presets.number),
  time: (context, create) => withFormat(create, 'TIME', getQuestionsTexts(context).presets.time),
  agreement: (context, create) => {
    const { title, choices } = getQuestionsTexts(context).presets.agreement;
    return { ...create('SINGLE_CHOICE'), title, choices: named(choices) };
  },
  stars: (context, create) => ({ ...create('RATING'), title: getQuestionsTexts(context).presets.stars.title }),
} as const satisfies Record<string, Build>;

export type Preset = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** Builds the questions of a declaration, which stands for a signature: a statement to accept, a name and a date. */
export function buildDeclaration(context: PageContext): Omit<QuestionInput, 'order'>[] {
  const { title, choice, signer, date } = getQuestionsTexts(context).presets.declaration;
  const common = { required: true, description: null };
  return [
    { ...common, type: 'MULTIPLE_CHOICE', title, choices: [{ name: choice }] },
    { ...common, type: 'SHORT_TEXT', title: signer },
    { ...common, type: 'DATE', title: date, date: { hasYear: true, hasMonth: true, hasDay: true } },
  ];
}
