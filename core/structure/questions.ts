/**
 * Creating, replacing and deleting a question of a form, as edits of its structure: the rules of `core/questions`
 * and the places of `edits.ts`, with the refusals of contract section 5.
 */
import { problems } from '#core/problems/problems.ts';
import { mayComeBefore } from '#core/structure/path.ts';
import type { Question, QuestionInput } from '#core/structure/question-model.ts';
import { buildQuestion } from '#core/structure/question-rules.ts';
import { insertQuestion, questionCount, removeQuestion, updateQuestion } from './question-edits.ts';
import {
  findQuestion,
  findSection,
  MAX_QUESTIONS,
  type PlacedQuestion,
  type Section,
  type Structure,
} from './structure.ts';

/** The section of an id; 404 when it is gone. */
export function requireSection(structure: Structure, sectionId: string): Section {
  const section = findSection(structure, sectionId);
  if (!section) throw problems.notFound();
  return section;
}

/** The question of an id in a section; 404 when it is gone. */
export function requireQuestion(structure: Structure, sectionId: string, questionId: string): PlacedQuestion {
  const found = findQuestion(structure, questionId);
  if (!found || found.section.id !== sectionId) throw problems.notFound();
  return found;
}

type Asked = { sectionId: string; questionId: string; input: QuestionInput; now: string; newId: () => string };

/**
 * A structure with one more question; as it is when a run of the same request has made it before. Throws 400 for a
 * question that is not right, or one too many.
 */
export function createQuestion(structure: Structure, asked: Asked): Structure {
  requireSection(structure, asked.sectionId);
  if (findQuestion(structure, asked.questionId)) return structure;
  if (questionCount(structure) >= MAX_QUESTIONS) {
    throw problems.wrongState('too_many_questions', `A form may have ${MAX_QUESTIONS} questions`);
  }
  const question = { ...draft(structure, asked), id: asked.questionId, createdAt: asked.now, updatedAt: asked.now };
  return insertQuestion(structure, asked.sectionId, question, asked.input.order);
}

/** A structure with a question replaced. Throws 400 also when its type would change although it has answers. */
export function replaceQuestion(structure: Structure, answered: ReadonlySet<string>, asked: Asked): Structure {
  const { question: previous } = requireQuestion(structure, asked.sectionId, asked.questionId);
  const built = draft(structure, asked, previous);
  if (built.type !== previous.type && answered.has(previous.id)) {
    const detail = `must stay ${previous.type}: responses hold answers to this question`;
    throw problems.invalid([{ pointer: '/body/type', detail }]);
  }
  const question = { ...built, id: previous.id, createdAt: previous.createdAt, updatedAt: asked.now };
  return updateQuestion(structure, asked.sectionId, question, asked.input.order);
}

function draft(structure: Structure, { sectionId, input, newId }: Asked, previous?: Question) {
  const built = buildQuestion(input, {
    structure,
    sectionId,
    previous,
    comesBefore: (sourceSectionId) => mayComeBefore(structure.nodes, sourceSectionId, sectionId),
    newId,
  });
  if ('faults' in built) throw problems.invalid(built.faults);
  return built.question;
}

/** A structure without a question; one that responses answer leaves its title behind for tables. */
export function deleteQuestion(
  structure: Structure,
  answered: ReadonlySet<string>,
  { sectionId, questionId, now }: Pick<Asked, 'sectionId' | 'questionId' | 'now'>,
): Structure {
  requireQuestion(structure, sectionId, questionId);
  return removeQuestion(structure, sectionId, questionId, { keep: answered.has(questionId), now });
}
