/** The page of a section, and the page on which the kind of a new question is chosen. */
import type { Gate } from '#core/forms/gate.ts';
import type { Section, Structure } from '#core/structure/structure.ts';
import type { Overwritten } from '../shell/controls.ts';
import { type FieldErrors, line, type Typed, type WordsOf } from '../shell/typed-fields.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { richText } from './rich-text-field.ts';

/** A section with its title, which its node has. */
export type TitledSection = Section & { title: string };

const wordsOf =
  (pick: (texts: ReturnType<typeof getQuestionsTexts>['section']) => ReturnType<WordsOf>): WordsOf =>
  (context) =>
    pick(getQuestionsTexts(context).section);

/** The fields of a section. */
export const SECTION = {
  title: line<TitledSection>(
    ({ title }) => title,
    wordsOf(({ name: label, nameHint: hint, nameInvalid: invalid }) => ({ label, hint, invalid })),
    { keepsEmpty: true, trimmed: true },
  ),
  description: richText<TitledSection>(
    ({ description }) => description,
    wordsOf(({ description: label, descriptionHint: hint, descriptionInvalid: invalid }) => ({ label, hint, invalid })),
  ),
};

type SectionErrors = FieldErrors<typeof SECTION> & { place?: string };

export type SectionPage = {
  gate: Gate;
  structure: Structure;
  section: TitledSection;
  typed: Typed<typeof SECTION>;
  errors?: SectionErrors;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  refusal?: string;
};
