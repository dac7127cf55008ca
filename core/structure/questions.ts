/**
 * Edits of a form's questions and sections: pure functions that return the next structure or throw a Problem. The
 * position of a question in its section is its `order`, so orders are always 1…n. `question-rules.ts` validates
 * questions; `workflow-edits.ts` edits nodes and links.
 */

import { problems, requireFound } from '#core/problems/problems.ts';
import type { RichText } from '#core/rich-text/model.ts';
import { MAX_QUESTIONS } from '#core/schema/limits.ts';
import { listRenames, renameInTexts } from './names.ts';
import type { Question, QuestionInput } from './question-model.ts';
import { buildQuestion } from './question-rules.ts';
import { findQuestion, findSection, type PlacedQuestion, type Section, type Structure } from './structure.ts';
import { releaseQuestions } from './workflow-edits.ts';

/** Returns the section with an id. Throws 404 when there is none. */
export function requireSection(structure: Structure, sectionId: string): Section {
  const section = findSection(structure, sectionId);
  if (!section) throw problems.notFound();
  return section;
}

/** Returns the question with an id in a section. Throws 404 when there is none. */
export function requireQuestion(structure: Structure, sectionId: string, questionId: string): PlacedQuestion {
  const placed = findQuestion(structure, questionId);
  if (!placed || placed.section.id !== sectionId) throw problems.notFound();
  return placed;
}

/** A question as it was sent, with its ids and the current time; `newId` makes the ids of new choices. */
type QuestionEdit = {
  sectionId: string;
  questionId: string;
  input: QuestionInput;
  now: string;
  newId: () => string;
};

/**
 * Adds a question to a section. Its order is clamped to [1, count + 1]; questions at or after it move down by one.
 * Throws 400 for an invalid question and when the form has the largest number of questions, 404 for an unknown section.
 */
export function createQuestion(structure: Structure, edit: QuestionEdit): Structure {
  const { sectionId, questionId, input, now, newId } = edit;
  const section = requireSection(structure, sectionId);
  requireBelowMaxQuestions(structure);
  const draft = buildQuestion(input, { structure, newId });
  const question = { ...draft, id: questionId, createdAt: now, updatedAt: now };
  return withSection(structure, { ...section, questions: insertQuestion(section.questions, question, input.order) });
}

/**
 * Replaces a question and moves it to its order, clamped to [1, count]; the questions in between shift. Where the texts of the
 * form have its old name, they get the new one. Throws 400 for an invalid question and for a new type of an answered one, 404 for an unknown question.
 */
export function replaceQuestion(structure: Structure, answered: ReadonlySet<string>, edit: QuestionEdit): Structure {
  const { sectionId, questionId, input, now, newId } = edit;
  const { section, question: previous } = requireQuestion(structure, sectionId, questionId);
  const draft = buildQuestion(input, { structure, previous, isAnswered: answered.has(questionId), newId });
  const question = { ...draft, id: questionId, createdAt: previous.createdAt, updatedAt: now };
  const otherQuestions = section.questions.filter((existing) => existing !== previous);
  const next = withSection(structure, { ...section, questions: insertQuestion(otherQuestions, question, input.order) });
  return renameInTexts(next, listRenames(structure, next));
}

/**
 * Moves a question after another one of a section, or to its first place with `after: null`; the rest keeps its order.
 * Returns the same structure if the question is there already. Throws 400 for a section of another form and for an `after`
 * that is not another question of that section, 404 for an unknown question.
 */
export function moveQuestion(
  structure: Structure,
  original: { sectionId: string; questionId: string },
  to: { sectionId: string; after: string | null },
): Structure {
  const { section, question, order } = requireQuestion(structure, original.sectionId, original.questionId);
  const target = findSection(structure, to.sectionId);
  if (!target) throw problems.invalid([{ pointer: '/body/sectionId', detail: 'must be a section of this form' }]);
  const targetQuestions = target.questions.filter((existing) => existing !== question);
  const index = to.after === null ? 0 : targetQuestions.findIndex(({ id }) => id === to.after) + 1;
  if (to.after !== null && index === 0) {
    throw problems.invalid([{ pointer: '/body/after', detail: 'must be another question of that section, or null' }]);
  }
  if (target === section && index === order - 1) return structure;
  const remaining = section.questions.filter((existing) => existing !== question);
  const withoutQuestion = withSection(structure, { ...section, questions: remaining });
  return withSection(withoutQuestion, { ...target, questions: targetQuestions.toSpliced(index, 0, question) });
}

/**
 * Adds a copy of a question right after it, with new ids for the question and its choices. Throws 400 when the form has
 * the largest number of questions, 404 for an unknown question.
 */
export function copyQuestion(
  structure: Structure,
  original: { sectionId: string; questionId: string },
  { copyId, newId, now }: { copyId: string; newId: () => string; now: string },
): Structure {
  const { section, question, order } = requireQuestion(structure, original.sectionId, original.questionId);
  requireBelowMaxQuestions(structure);
  const copy = withNewIds(question, { id: copyId, newId, now });
  return withSection(structure, { ...section, questions: insertQuestion(section.questions, copy, order + 1) });
}

/** Returns a question as a new one, which has not been moved and has no name; its choices have new ids. */
export const withNewIds = (
  { moves: _moves, name: _name, ...question }: Question,
  { id, newId, now }: { id: string; newId: () => string; now: string },
): Question => ({
  ...question,
  id,
  ...(question.choices && { choices: question.choices.map((choice) => ({ ...choice, id: newId() })) }),
  createdAt: now,
  updatedAt: now,
});

function requireBelowMaxQuestions({ sections }: Structure): void {
  if (sections.flatMap(({ questions }) => questions).length >= MAX_QUESTIONS) {
    throw problems.tooManyQuestions(MAX_QUESTIONS);
  }
}

/** Moves a question up or down by one in its section, if it can. Throws 404 for an unknown question. */
export function shiftQuestion(structure: Structure, questionId: string, by: 1 | -1): Structure {
  const { section, question, order } = requireFound(findQuestion(structure, questionId));
  const otherQuestions = section.questions.filter((existing) => existing !== question);
  const after = otherQuestions[order - 2 + by]?.id ?? null;
  if (order + by < 1 || order + by > section.questions.length) return structure;
  return moveQuestion(structure, { sectionId: section.id, questionId }, { sectionId: section.id, after });
}

/** Removes a question; later ones move up by one. Throws 404 for an unknown question. */
export function deleteQuestion(
  structure: Structure,
  answered: ReadonlySet<string>,
  { sectionId, questionId, now }: Pick<QuestionEdit, 'sectionId' | 'questionId' | 'now'>,
): Structure {
  const { section, question } = requireQuestion(structure, sectionId, questionId);
  const questions = section.questions.filter((existing) => existing !== question);
  const rest = withSection(structure, { ...section, questions });
  return releaseQuestions(rest, { sectionId, questions: [question], answered, now });
}

/** The changes of a section: undefined leaves a member unchanged, a null description clears it. */
type SectionChange = { title?: string | undefined; description?: RichText | null | undefined };

/**
 * Changes the title or the description of a section; the title is the label of the section's node. Returns the same
 * structure when neither is given. Throws 404 for an unknown section.
 */
export function updateSection(structure: Structure, sectionId: string, change: SectionChange, now: string): Structure {
  const section = requireSection(structure, sectionId);
  const { title, description = section.description } = change;
  if (title === undefined && change.description === undefined) return structure;
  const nodes = structure.nodes.map((node) =>
    title !== undefined && node.id === sectionId ? { ...node, label: title } : node,
  );
  return withSection({ ...structure, nodes }, { ...section, description, updatedAt: now });
}

const withSection = (structure: Structure, section: Section): Structure => ({
  ...structure,
  sections: structure.sections.map((existing) => (existing.id === section.id ? section : existing)),
});

const insertQuestion = (questions: readonly Question[], question: Question, order: number): Question[] =>
  questions.toSpliced(Math.min(Math.max(order, 1), questions.length + 1) - 1, 0, question);
