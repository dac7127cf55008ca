/**
 * Edits of a form's sections and questions, each a pure function from one structure to the next (contract section 5,
 * the ordering rules of the interface). A place in the list is the `order`, so orders are 1…n by construction.
 * Nodes and links are edited in `core/workflow/edits.ts`; the store counts `version` when it writes.
 */

import type { RichText } from '#core/rich-text/model.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { RemovedQuestion, Section, Structure } from '#core/structure/structure.ts';
import { dropRulesOn } from '#core/structure/workflow-edits.ts';

/** How many questions a form has, to hold against MAX_QUESTIONS before one is inserted. */
export const questionCount = (structure: Structure): number =>
  structure.sections.reduce((count, section) => count + section.questions.length, 0);

/**
 * Puts a new question into a section; `order` counts from 1 and is clamped to [1, count + 1], and every question
 * from there on moves down by one. Throws when the form has no such section: the caller has looked it up.
 */
export const insertQuestion = (structure: Structure, sectionId: string, question: Question, order: number): Structure =>
  editSection(structure, sectionId, (section) => place(section, section.questions, question, order));

/**
 * Replaces the question of the same id and moves it to `order`, clamped to [1, count]; those between its old and its
 * new place shift. Throws when the section holds no such question.
 */
export const updateQuestion = (structure: Structure, sectionId: string, question: Question, order: number): Structure =>
  editSection(structure, sectionId, (section) =>
    place(section, without(section, question.id).questions, question, order),
  );

/**
 * Takes a question out of its section; those behind it move up by one. Conditions on it lose their `question`, and
 * questions that took their choices from it stay, with no choices. With `keep`, which is for questions that answers
 * refer to, its title stays behind in `removed` for the columns of tables and exports.
 * Throws when the section holds no such question.
 */
export function removeQuestion(
  structure: Structure,
  sectionId: string,
  questionId: string,
  { keep, now }: { keep: boolean; now: string },
): Structure {
  const question = structure.sections
    .find((section) => section.id === sectionId)
    ?.questions.find((candidate) => candidate.id === questionId);
  const rest = editSection(structure, sectionId, (section) => without(section, questionId));
  const ids: ReadonlySet<string> = new Set([questionId]);
  const freed = dropRulesOn(dropSourcesOn(rest, ids, now), ids);
  return keep && question ? { ...freed, removed: [...freed.removed, remember(question, sectionId, now)] } : freed;
}

/**
 * Questions that took their choices from one of `questionIds` keep their identity and their answers, and have no
 * choices until an editor gives them some.
 */
export function dropSourcesOn(structure: Structure, questionIds: ReadonlySet<string>, now: string): Structure {
  const orphaned = (question: Question): boolean =>
    question.sourceId !== undefined && questionIds.has(question.sourceId);
  const sections = structure.sections.map((section) =>
    section.questions.some(orphaned)
      ? { ...section, questions: section.questions.map((each) => (orphaned(each) ? disown(each, now) : each)) }
      : section,
  );
  return { ...structure, sections };
}

/**
 * Changes the title or the description of a section; what is absent stays, and a null description clears it. The
 * title is the label of the section's node. Throws when the form has no such section.
 */
export function updateSection(
  structure: Structure,
  sectionId: string,
  change: { title?: string | undefined; description?: RichText | null | undefined },
  now: string,
): Structure {
  const { title, description } = change;
  const described = editSection(structure, sectionId, (section) => ({
    ...section,
    description: description === undefined ? section.description : description,
    updatedAt: title === undefined && description === undefined ? section.updatedAt : now,
  }));
  if (title === undefined) return described;
  const nodes = described.nodes.map((node) => (node.id === sectionId ? { ...node, label: title } : node));
  return { ...described, nodes };
}

function editSection(structure: Structure, sectionId: string, edit: (section: Section) => Section): Structure {
  const index = structure.sections.findIndex((section) => section.id === sectionId);
  const section = structure.sections[index];
  if (!section) throw new Error(`form ${structure.formId} has no section ${sectionId}`);
  return { ...structure, sections: structure.sections.with(index, edit(section)) };
}

function place(section: Section, others: readonly Question[], question: Question, order: number): Section {
  const index = Math.min(Math.max(order, 1), others.length + 1) - 1;
  return { ...section, questions: others.toSpliced(index, 0, question) };
}

function without(section: Section, questionId: string): Section {
  const questions = section.questions.filter((question) => question.id !== questionId);
  if (questions.length === section.questions.length) {
    throw new Error(`section ${section.id} has no question ${questionId}`);
  }
  return { ...section, questions };
}

function disown({ sourceId: _, ...question }: Question, now: string): Question {
  return { ...question, choices: [], updatedAt: now };
}

/** What is kept of a question that is deleted while answers refer to it. */
export const remember = ({ id, type, title }: Question, sectionId: string, now: string): RemovedQuestion => ({
  id,
  sectionId,
  type,
  title,
  removedAt: now,
});
