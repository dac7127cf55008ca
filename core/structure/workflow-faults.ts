/** The faults of a workflow, from which the messages of the API and the texts of the pages are made. */
import type { WorkflowInfo, WorkflowNode } from './workflow-model.ts';

type Link = 'next' | 'nextTrue' | 'nextFalse';

/** What each fault is about; texts are titles of questions, unless they are ids. `questionId`: of the question to correct. */
type Values = {
  ends: { nodeType: 'START' | 'END' };
  noLink: { member: Link };
  brokenLink: { member: Link };
  linkToStart: { member: Link };
  noRule: object;
  noSource: object;
  noQuestion: object;
  noPattern: object;
  unknownQuestion: object;
  wrongSource: { source: string; question: string; type: string };
  faultyPattern: { fault: string };
  costlyPattern: object;
  unknownChoice: { choiceId: string; question: string };
  sourceDeleted: { question: string; questionId: string };
  sourceWithoutChoices: { question: string; questionId: string; source: string };
  questionTooLate: { question: string };
  sourceTooLate: { question: string; questionId: string; source: string };
  unreachable: object;
  cycle: object;
  deadEnd: object;
  typeAnswered: { question: string; questionId: string; type: string };
  tooMany: { parts: 'QUESTION' | 'SECTION' | 'CONDITION'; max: number };
  tooLarge: { bytes: number; max: number };
};

export type Fault = { [Code in keyof Values]: { code: Code } & Values[Code] }[keyof Values];

/** A fault, and the node in which it is; none for a fault of the workflow as a whole. */
export type PlacedFault = {
  type: WorkflowInfo['type'];
  node?: Pick<WorkflowNode, 'id' | 'type' | 'label'>;
  fault: Fault;
};

/** A text for each fault; unless it is about the workflow as a whole, it follows the name of the node. */
export type FaultTexts = { [Code in keyof Values]: (values: Values[Code]) => string };

/** Describes a fault with the given texts. */
export const describeFault = (texts: FaultTexts, fault: Fault): string =>
  (texts[fault.code] as (values: Fault) => string)(fault);

const LINK_NAMES = { next: 'next node', nextTrue: 'node for when it is true', nextFalse: 'node for when it is false' };

/** The messages of the API. */
export const MESSAGES: FaultTexts = {
  ends: ({ nodeType }) => `The workflow must have exactly one ${nodeType} node.`,
  noLink: ({ member }) => `has no ${LINK_NAMES[member]} (${member}).`,
  brokenLink: ({ member }) => `leads to a node that does not exist (${member}).`,
  linkToStart: ({ member }) => `leads back to the start (${member}).`,
  noRule: () => 'has no rule (conditionRule).',
  noSource: () => 'has no source, CHOICE or NON_CHOICE (conditionRule.source).',
  noQuestion: () => 'has no question (conditionRule.question).',
  noPattern: () => 'has no pattern (conditionRule.pattern).',
  unknownQuestion: () => 'has a question that this form does not have (conditionRule.question).',
  wrongSource: ({ source, question, type }) =>
    `has the source ${source}, but its question "${question}" is of type ${type}.`,
  faultyPattern: ({ fault }) => `has a faulty pattern (conditionRule.pattern). ${fault}`,
  costlyPattern: () =>
    'has a pattern (conditionRule.pattern) with which all patterns of the form cost too much together: shorten some of them.',
  unknownChoice: ({ choiceId, question }) =>
    `looks for the choice ${choiceId}, which its question "${question}" does not have.`,
  sourceDeleted: ({ question }) =>
    `has the question "${question}", which takes its choices from a deleted question (sourceId).`,
  sourceWithoutChoices: ({ question, source }) =>
    `has the question "${question}", which takes its choices from "${source}", a question without choices (sourceId).`,
  questionTooLate: ({ question }) => `has the question "${question}", whose section comes before it on no path.`,
  sourceTooLate: ({ question, source }) =>
    `has the question "${question}", which takes its choices from "${source}", whose section comes before it on no path.`,
  unreachable: () => 'cannot be reached from the start.',
  cycle: () => 'lies on a cycle: its links lead back to it.',
  deadEnd: () => 'does not lead to the end.',
  typeAnswered: ({ question, type }) =>
    `has the question "${question}", which must stay ${type}: it has been answered.`,
  tooMany: ({ parts, max }) => `At most ${max} of ${parts} are possible in a form.`,
  tooLarge: ({ bytes, max }) =>
    `The structure of a form may have at most ${max} bytes; with the changes it would have ${bytes}.`,
};
