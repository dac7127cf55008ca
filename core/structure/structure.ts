/**
 * The structure of a form: its workflow nodes, and for each SECTION node a section with its ordered questions.
 * It is one value and one item, so every edit is a pure function from one structure to the next and one
 * conditional write; order is contiguous and the graph consistent by construction (architecture section 3).
 */

import type { RichText } from '#core/rich-text/model.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';

/** A section; its id is the id of its SECTION node and its title is that node's label. */
export type Section = {
  id: string;
  description: RichText | null;
  /** In order; the place in the list is the `order`, from 1. */
  questions: Question[];
  createdAt: string;
  updatedAt: string;
};

/** What is kept of a question that was deleted while answers refer to it, for the columns of tables and exports. */
export type RemovedQuestion = {
  id: string;
  sectionId: string;
  type: QuestionType;
  title: string;
  removedAt: string;
};

/** How a column is headed whose question was removed: in tables, exports and views (contract section 5). */
export const removedTitle = ({ title }: RemovedQuestion): string => `${title} (removed)`;

export type Structure = {
  formId: string;
  /** Counts the edits; the ETag of sections, questions and workflow, and the condition of every write. */
  version: number;
  nodes: WorkflowNode[];
  sections: Section[];
  removed: RemovedQuestion[];
  /** The question whose choices are counted for all to see; a missing or blank title means the question's own. */
  highlight?: Highlight;
};

export type Highlight = { questionId: string; displayTitle: string | null };

export const MAX_SECTIONS = 100;
export const MAX_QUESTIONS = 300;

/** A question together with the place it stands at. */
export type PlacedQuestion = { section: Section; question: Question; order: number };

/** Finds a question of a form by its id, or undefined. */
export function findQuestion(structure: Structure, questionId: string): PlacedQuestion | undefined {
  for (const section of structure.sections) {
    const index = section.questions.findIndex((question) => question.id === questionId);
    const question = section.questions[index];
    if (question) return { section, question, order: index + 1 };
  }
  return undefined;
}

/** A question and those that its choices come from, nearest first; a circle of sources is followed once. */
export function sourceChain(structure: Structure, questionId: string): Question[] {
  const chain: Question[] = [];
  let question = findQuestion(structure, questionId)?.question;
  while (question && !chain.includes(question)) {
    chain.push(question);
    question = question.sourceId === undefined ? undefined : findQuestion(structure, question.sourceId)?.question;
  }
  return chain;
}

/** The node of an id, or undefined. */
export const findNode = (structure: Structure, nodeId: string): WorkflowNode | undefined =>
  structure.nodes.find((node) => node.id === nodeId);

/** The section of an id, or undefined. */
export const findSection = (structure: Structure, sectionId: string): Section | undefined =>
  structure.sections.find((section) => section.id === sectionId);

/** The title of a section: the label of its node. */
export const sectionTitle = (structure: Structure, sectionId: string): string =>
  findNode(structure, sectionId)?.label ?? '';
