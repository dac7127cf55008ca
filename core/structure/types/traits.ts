/**
 * The question types with what the structure of a form and tables need to know of each. What answers to a type mean is in
 * its file; `types.ts` maps to it.
 */
import { formatAlternatives } from '#core/schema/format.ts';

/** The members of a question with the options of its type. */
export type OptionName = 'choices' | 'scale' | 'uploadFile' | 'date' | 'oauthConnect';

/**
 * The members that a question of some types may have: absent from an update they stay, null clears them. Those who do not know
 * them keep them.
 */
export type MemberName = 'name' | 'text' | 'selection' | 'shuffle' | 'hidden' | 'grid';

type TypeTraits = {
  /** The option that a question needs. Answers to a type with `choices` select some of them. */
  option?: OptionName;
  /** The members that it may have besides a name, which every question may have. */
  members?: readonly Exclude<MemberName, 'name'>[];
  /** Choices may be those that a respondent selected in another question (`sourceId`). */
  mayHaveSource?: boolean;
  /** Each choice has a description. */
  hasDescriptions?: boolean;
  /** An answer is one choice. */
  selectsOne?: boolean;
  /** The order of the selected choices means something. */
  isOrdered?: boolean;
  /** A form may highlight a question of this type. */
  mayBeHighlighted?: boolean;
  /** The scale begins with 1 and has an icon. */
  hasIcon?: boolean;
  /** Answers are numbers. */
  isNumber?: boolean;
  /** Tables can be sorted by the answers: one choice, a number, or a date. */
  isSortable?: boolean;
  /** What statistics count of answers; without it, they list the newest ones. */
  counts?: 'choices' | 'points' | 'months';
  /** Two answers are hardly ever alike, so that tables are not filtered by them. */
  isDistinct?: boolean;
  /** The service makes the answers, by uploads or callbacks, so that they are never saved. */
  isSetByService?: boolean;
};

const CHOICES = { option: 'choices', counts: 'choices' } as const;
const ONE = { mayHaveSource: true, mayBeHighlighted: true, selectsOne: true, isSortable: true } as const;

const TRAITS = {
  SHORT_TEXT: { members: ['text', 'hidden'] },
  LONG_TEXT: { members: ['text'], isDistinct: true },
  SINGLE_CHOICE: { ...CHOICES, ...ONE, members: ['shuffle', 'hidden', 'grid'] },
  MULTIPLE_CHOICE: { ...CHOICES, members: ['selection', 'shuffle'], mayHaveSource: true, mayBeHighlighted: true },
  DROPDOWN: { ...CHOICES, ...ONE, members: ['shuffle'] },
  DETAILED_MULTIPLE_CHOICE: {
    ...CHOICES,
    members: ['selection', 'shuffle'],
    mayBeHighlighted: true,
    hasDescriptions: true,
  },
  DATE: { option: 'date', counts: 'months', isSortable: true },
  UPLOAD_FILE: { option: 'uploadFile', isDistinct: true, isSetByService: true },
  LINEAR_SCALE: { option: 'scale', members: ['hidden', 'grid'], isNumber: true, isSortable: true, counts: 'points' },
  RATING: { option: 'scale', isNumber: true, isSortable: true, counts: 'points', hasIcon: true },
  RANKING: { ...CHOICES, members: ['selection', 'shuffle'], mayHaveSource: true, isOrdered: true },
  OAUTH_CONNECT: { option: 'oauthConnect', isSetByService: true },
  HYPERLINK: {},
} satisfies Record<string, TypeTraits>;

export type QuestionType = keyof typeof TRAITS;

export const QUESTION_TYPES = Object.keys(TRAITS) as QuestionType[];

/** Looks up what structures and tables need to know of a type; a trait that the type lacks is undefined. */
export const getTraits = (type: QuestionType): TypeTraits => TRAITS[type];

/** Whether a question of this type may have a member. */
export const mayHave = (type: QuestionType, member: MemberName): boolean =>
  member === 'name' || (getTraits(type).members ?? []).includes(member);
/** Whether answers to this type select choices. */
export const isChoiceType = (type: QuestionType): boolean => getTraits(type).option === 'choices';
/** Whether choices of this type may be generated from another question (`sourceId`). */
export const mayHaveSource = (type: QuestionType): boolean => getTraits(type).mayHaveSource === true;
/** Whether a form may highlight a question of this type. */
export const mayBeHighlighted = (type: QuestionType): boolean => getTraits(type).mayBeHighlighted === true;
/** Lists the types that a form may highlight, in English: "A, B or C". */
export const listHighlightable = (): string =>
  formatAlternatives({ language: 'en' }, QUESTION_TYPES.filter(mayBeHighlighted));
/** Whether the service makes the answers to this type, by uploads or callbacks, so that they are never saved. */
export const isSetByService = (type: QuestionType): boolean => getTraits(type).isSetByService === true;
