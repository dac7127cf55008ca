/** The texts of what prevents publishing a form, and of what is odd about its rules, in English. */
import type { FaultTexts } from '#core/structure/workflow-faults.ts';

const FAULTS: FaultTexts = {
  ends: ({ nodeType }) =>
    nodeType === 'START' ? 'The form must have exactly one start.' : 'The form must have exactly one end.',
  noLink: ({ member }) =>
    ({
      next: 'nothing follows it.',
      nextTrue: 'nothing follows when it applies.',
      nextFalse: 'nothing follows when it does not apply.',
    })[member],
  brokenLink: () => 'what follows it was deleted.',
  linkToStart: () => 'it leads back to the start.',
  noRule: () => 'it has no test.',
  noSource: () => 'it does not say what it compares.',
  noQuestion: () => 'it has no question.',
  noPattern: () => 'it has no answer to compare with.',
  unknownQuestion: () => 'its question was deleted.',
  wrongSource: ({ question }) => `its test does not fit the type of “${question}”.`,
  faultyPattern: ({ fault }) => `its pattern is faulty. ${fault}`,
  costlyPattern: () => 'with its pattern, those of all rules are too complex together. Shorten some of them.',
  unknownChoice: ({ question }) => `it looks for a choice that “${question}” does not have.`,
  sourceDeleted: ({ question }) => `“${question}” takes its choices from a deleted question.`,
  sourceWithoutChoices: ({ question, source }) => `“${question}” takes its choices from “${source}”, which has none.`,
  questionTooLate: ({ question }) => `it asks for “${question}”, which comes before it on no path.`,
  sourceTooLate: ({ question, source }) =>
    `“${question}” takes its choices from “${source}”, which comes before it on no path.`,
  unreachable: () => 'nothing leads to it.',
  cycle: () => 'what follows it leads back to it.',
  deadEnd: () => 'it does not lead to the end.',
  typeAnswered: ({ question }) =>
    `“${question}” has been answered, so it must keep the type that it has in the published form.`,
  tooMany: ({ parts, max }) =>
    ({
      QUESTION: `With the changes the form has more than ${max} questions.`,
      SECTION: `With the changes the form has more than ${max} sections.`,
      CONDITION: `With the changes the form has more than ${max} rules.`,
    })[parts],
  tooLarge: () => 'With the changes the form is too large to be stored. Shorten texts, or remove choices or questions.',
};

export const checkListEn = {
  prevents: 'These faults prevent publishing:',
  lead: 'These do not prevent publishing:',
  brokenGate: 'Its conditions “Show this section only if” were changed elsewhere and are shown one by one.',
  never: 'This rule never applies: the ones before it already apply to all its answers.',
  same: 'This rule changes nothing: without it, the same follows.',
  noWay: (choices: string): string => `Nothing follows these choices: ${choices}.`,
  unreachable: 'Nothing leads to this section.',
  sourceLoop: (question: string): string => `“${question}” takes its choices, in the end, from itself.`,
  unknownName: (name: string): string => `no question has the name in {{${name}}}, so it is shown as it is.`,
  laterName: (name: string, question: string): string =>
    `{{${name}}} shows nothing: “${question}” is in no section before it.`,
  nothingToShow: (name: string, question: string): string =>
    `{{${name}}} shows nothing: the answer to “${question}” is a file or an account.`,
  selection: (bound: number, count: number): string =>
    `it asks for ${bound} selections, but has only ${count} ${count === 1 ? 'choice' : 'choices'}. Respondents are asked for ${count}.`,
  gate: (number: number, section: string): string => `Comparison ${number} for showing “${section}”`,
  rule: (number: number, section: string): string => `Rule ${number} after “${section}”`,
  condition: (number: number): string => `Condition ${number}`,
  /** A warning with the rule or the section that it is about. */
  at: (condition: string, warning: string): string => `${condition}: ${warning}`,
  after: (section: string, warning: string): string => `After “${section}”: ${warning}`,
  about: (section: string, warning: string): string => `“${section}”: ${warning}`,
  untitled: 'Section without a title',
  separator: ', ',
  start: 'Start',
  end: 'End',
  /** A fault of a section, a condition, the start or the end. */
  of: (name: string, fault: string): string => `${name}: ${fault}`,
  quote: (title: string): string => `“${title}”`,
  faults: FAULTS,
  /** A link that closes a circle, named by the section to which it leads back. */
  leadsBack: {
    next: (section: string): string => `what follows it leads back to “${section}”.`,
    nextTrue: (section: string): string => `when it applies, it leads back to “${section}”.`,
    nextFalse: (section: string): string => `when it does not apply, it leads back to “${section}”.`,
  },
  /** A node to which nothing leads, with others that only follow it. */
  passedBy: (after: string, following: number): string =>
    following === 0
      ? `nothing leads to it, because what follows ${after} leads past it.`
      : `nothing leads to it and to what only follows it, because what follows ${after} leads past it.`,
  /** What does not prevent publishing, although nobody could answer the form. */
  obstacles: {
    lead: 'As it is, nobody can answer the form:',
    noSections: 'It has no sections, so there is nothing to answer.',
    noQuestions: 'No path through it has a question, so there is nothing to answer.',
    deadlinePassed: 'Its deadline has passed, so it takes no responses.',
  },
};

export type CheckListText = typeof checkListEn;
