/**
 * The structure of a form: its workflow nodes, and a section with ordered questions for each SECTION node. It is stored
 * as one item, so that every edit is a pure function and one conditional write.
 */

import type { RichText } from '#core/rich-text/model.ts';
import type { Move, Question, QuestionType } from './question-model.ts';
import type { Choice } from './types/choices.ts';
import { isChoiceType } from './types/traits.ts';
import type { WorkflowNode } from './workflow-model.ts';

/** A section; its id is the id of its SECTION node and its title is that node's label. */
export type Section = {
  id: string;
  description: RichText | null;
  /** In order; the position in the list is the `order`, from 1. */
  questions: Question[];
  createdAt: string;
  updatedAt: string;
};

/** A deleted question that has answers, for the columns of tables and exports. */
export type RemovedQuestion = {
  id: string;
  sectionId: string;
  type: QuestionType;
  title: string;
  removedAt: string;
  /** As of the question. */
  moves?: readonly Move[];
};

/** A choice with the name that it had; `of`: the short name of its question, missing where an earlier version removed it. */
export type RemovedChoice = Pick<Choice, 'id' | 'name'> & { of?: string };

/** Builds the title of the column of a removed question, in tables, exports and views. */
export const removedTitle = ({ title }: RemovedQuestion): string => `${title} (removed)`;

export type Structure = {
  formId: string;
  /** Counts the edits; the ETag of sections, questions and workflow, and the condition of every write. */
  version: number;
  nodes: WorkflowNode[];
  sections: Section[];
  removed: RemovedQuestion[];
  /** Choices of answered questions that no question offers any more, oldest first. */
  removedChoices?: readonly RemovedChoice[];
  /** The version since which a choice is limited, by its short name: it names the counter of its places. */
  limitedSince?: Readonly<Record<string, number>>;
};

/** A question with its section and its order in it, from 1. */
export type PlacedQuestion = { section: Section; question: Question; order: number };

type Index = {
  nodes: ReadonlyMap<string, WorkflowNode>;
  sections: ReadonlyMap<string, Section>;
  questions: ReadonlyMap<string, PlacedQuestion>;
  limitsChoices: boolean;
};

/** Built once per structure, because pages and walks look up each question and node several times. */
const indexes = new WeakMap<Structure, Index>();

function getIndex(structure: Structure): Index {
  const known = indexes.get(structure);
  if (known) return known;
  const questions = structure.sections.flatMap((section) =>
    section.questions.map((question, index) => ({ section, question, order: index + 1 })),
  );
  const index = {
    nodes: firstById(structure.nodes, ({ id }) => id),
    sections: firstById(structure.sections, ({ id }) => id),
    questions: firstById(questions, ({ question }) => question.id),
    limitsChoices: questions.some(({ question: { choices } }) => choices?.some(({ limit }) => limit !== undefined)),
  };
  indexes.set(structure, index);
  return index;
}

/** Indexes items by their id; of several with one, which only faulty definitions have, the first. */
const firstById = <T>(items: readonly T[], getId: (item: T) => string): ReadonlyMap<string, T> =>
  new Map(items.toReversed().map((item) => [getId(item), item]));

/** Whether only so many responses may select some choice of a form. */
export const limitsChoices = (structure: Structure): boolean => getIndex(structure).limitsChoices;

/** Finds a question of a form by its id, or undefined. */
export const findQuestion = (structure: Structure, questionId: string): PlacedQuestion | undefined =>
  getIndex(structure).questions.get(questionId);

/** A question, the source of its choices, the source of that, and so on; stops at a cycle. */
export function sourceChain(structure: Structure, questionId: string): Question[] {
  const chain = new Set<Question>();
  let question = findQuestion(structure, questionId)?.question;
  while (question && !chain.has(question)) {
    chain.add(question);
    question = question.sourceId === undefined ? undefined : findQuestion(structure, question.sourceId)?.question;
  }
  return [...chain];
}

/** Whether a question can take its choices from another one: that has choices, and does not take them from the first. */
export function isChoiceSource(structure: Structure, sourceId: string, questionId: string | undefined): boolean {
  const chain = sourceChain(structure, sourceId);
  const [source] = chain;
  return source !== undefined && isChoiceType(source.type) && !chain.some(({ id }) => id === questionId);
}

/** Filled when they are asked for: a chain of sources is followed once, not by each question in it. */
const sourceEnds = new WeakMap<Structure, Map<string, Question>>();

/**
 * Finds the question without a source at the end of the source chain of a question, which may be that question; in a circle any
 * question of it. Undefined for an unknown question.
 */
export function sourceEnd(structure: Structure, questionId: string): Question | undefined {
  const known = sourceEnds.get(structure) ?? new Map<string, Question>();
  sourceEnds.set(structure, known);
  const passed = new Set<string>();
  let end: Question | undefined;
  for (let id: string | undefined = questionId; id !== undefined && !passed.has(id); id = end?.sourceId) {
    const next: Question | undefined = known.get(id) ?? findQuestion(structure, id)?.question;
    if (!next) break;
    passed.add(id);
    end = next;
  }
  if (end) for (const id of passed) known.set(id, end);
  return end;
}

/** Lists the choices that a question can offer: its own, or those of the question at the end of its source chain. */
export const listChoices = (structure: Structure, questionId: string): readonly Choice[] =>
  sourceEnd(structure, questionId)?.choices ?? [];

/** Finds the node with an id, or undefined. */
export const findNode = (structure: Structure, nodeId: string): WorkflowNode | undefined =>
  getIndex(structure).nodes.get(nodeId);

/** Finds the section with an id, or undefined. */
export const findSection = (structure: Structure, sectionId: string): Section | undefined =>
  getIndex(structure).sections.get(sectionId);

/** Finds the title of a section: the label of its node. */
export const sectionTitle = (structure: Structure, sectionId: string): string =>
  findNode(structure, sectionId)?.label ?? '';

// Where questions were in earlier versions of a structure. A submitted response keeps the sections of its path and the
// version at which it was submitted, so an answered question keeps from which section it was moved, and when.

/** The section of a question, or for a removed one the section in which it was last, and its moves, oldest first. */
export type Placement = { sectionId: string; moves?: readonly Move[] };

/**
 * Finds the id of the section in which a question was at a version of the structure; without a version, the current one.
 * An answer counts if the path of its response has the section in which its question was at the submission.
 */
export const sectionAt = ({ sectionId, moves = [] }: Placement, version: number | undefined): string =>
  moves.find((move) => version !== undefined && move.version > version)?.from ?? sectionId;

/** Built once per structure, because an export looks up every question for many responses. */
const placements = new WeakMap<Structure, ReadonlyMap<string, Placement>>();

/** Finds the placement of a question or a removed question by its id, or undefined. */
export function findPlacement(structure: Structure, questionId: string): Placement | undefined {
  const cached = placements.get(structure);
  if (cached) return cached.get(questionId);
  const current = structure.sections.flatMap(({ id: sectionId, questions }) =>
    questions.map(({ id, moves }) => [id, { sectionId, ...(moves && { moves }) }] as const),
  );
  const byQuestion = new Map<string, Placement>([
    ...structure.removed.map((question) => [question.id, question] as const),
    ...current,
  ]);
  placements.set(structure, byQuestion);
  return byQuestion.get(questionId);
}
