/** Ready-made questions: the fields of a new question that are filled in already, in the language of the author. */
import type { PageContext } from '../shell/context.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { newQuestion, type TypedChoice, type TypedQuestion } from './question-fields.ts';

type Build = (context: PageContext) => TypedQuestion;

const choice = (name: string): TypedChoice => ({ id: '', name, description: '', isOther: false });

const PRESETS = {
  nps: (context) => {
    const { title, low, high } = getQuestionsTexts(context).presets.nps;
    const scale = { minVal: '0', maxVal: '10', minValueLabel: low, maxValueLabel: high, icon: '' };
    return { ...newQuestion('LINEAR_SCALE'), title, scale };
  },
  yesNo: (context) => {
    const { title, yes, no } = getQuestionsTexts(context).presets.yesNo;
    return { ...newQuestion('SINGLE_CHOICE'), title, choices: [choice(yes), choice(no)] };
  },
  consent: (context) => {
    const { title, choice: text } = getQuestionsTexts(context).presets.consent;
    return { ...newQuestion('MULTIPLE_CHOICE'), title, required: true, choices: [choice(text)] };
  },
  email: (context) => {
    const { title, hint } = getQuestionsTexts(context).presets.email;
    return { ...newQuestion('SHORT_TEXT'), title, description: hint };
  },
  agreement: (context) => {
    const { title, choices } = getQuestionsTexts(context).presets.agreement;
    return { ...newQuestion('SINGLE_CHOICE'), title, choices: choices.map(choice) };
  },
  stars: (context) => ({ ...newQuestion('RATING'), title: getQuestionsTexts(context).presets.stars.title }),
} as const satisfies Record<string, Build>;

export type Preset = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** Returns the fields of a ready-made question; undefined for an unknown name. */
export function buildPreset(context: PageContext, name: string | null): TypedQuestion | undefined {
  const preset = PRESET_NAMES.find((candidate) => candidate === name);
  return preset && PRESETS[preset](context);
}
