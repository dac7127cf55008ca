/** Ready-made questions: their type with fields that are filled in. */
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
  email: (context, create) => {
    const { title, hint } = getQuestionsTexts(context).presets.email;
    const { text, ...typed } = create('SHORT_TEXT');
    return { ...typed, title, description: hint, text: text && { ...text, format: 'EMAIL' } };
  },
  agreement: (context, create) => {
    const { title, choices } = getQuestionsTexts(context).presets.agreement;
    return { ...create('SINGLE_CHOICE'), title, choices: named(choices) };
  },
  stars: (context, create) => ({ ...create('RATING'), title: getQuestionsTexts(context).presets.stars.title }),
} as const satisfies Record<string, Build>;

type Preset = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];
