/** How a response is read along its path: its preview, and which of its answers count. Pure (contract section 7). */

import { displayOrder, walk } from '#core/structure/path.ts';
import type { Question, QuestionView } from '#core/structure/question-model.ts';
import { showQuestion } from '#core/structure/question-view.ts';
import { findQuestion, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { offeredChoices } from './answers.ts';
import { answersBy, onPath } from './edit.ts';
import { type Answer, type Response, type ResponsePreview, type SECTION_PROGRESS, storedAnswer } from './model.ts';

type SectionProgress = (typeof SECTION_PROGRESS)[number];

/** The preview of a response: the sections of its path in order, then the others as SKIPPED. */
export function previewOf(response: Response, structure: Structure): ResponsePreview {
  const path = walk(structure, answersBy(response.answers)).sections;
  const onPath = new Set(path);
  const skipped = displayOrder(structure).filter((sectionId) => !onPath.has(sectionId));
  const sections = [...path, ...skipped].flatMap((sectionId) => {
    const section = structure.sections.find((candidate) => candidate.id === sectionId);
    if (!section) return [];
    return [
      {
        id: section.id,
        title: sectionTitle(structure, section.id),
        progress: onPath.has(section.id) ? progressOf(response, section) : ('SKIPPED' as const),
        answerDetails: answerDetails(response, structure, section),
      },
    ];
  });
  return { id: response.id, formId: response.formId, progress: response.progress, sections };
}

/** The progress of a section that is on the path. */
function progressOf(response: Response, section: Section): SectionProgress {
  if (response.progress === 'SUBMITTED' || section.questions.length === 0) return 'COMPLETED';
  const answered = answersBy(response.answers);
  const given = section.questions.filter((question) => answered(question.id));
  if (given.length === 0) return 'NOT_STARTED';
  return section.questions.every((question) => !question.required || answered(question.id)) ? 'COMPLETED' : 'DRAFT';
}

function answerDetails(response: Response, structure: Structure, section: Section) {
  const answered = answersBy(response.answers);
  return section.questions.map((question, index) => {
    const answer = answered(question.id);
    return {
      question: resolved(question, structure, response, showQuestion(question, section.id, index + 1)),
      payload: answer ? storedAnswer(response.id, question.id, answer) : null,
    };
  });
}

/** A question whose choices come from another one shows those of this response; none before that is answered. */
function resolved(question: Question, structure: Structure, response: Response, view: QuestionView): QuestionView {
  if (question.sourceId === undefined) return view;
  return { ...view, choices: offeredChoices(structure, onPath(structure, response.answers), question.id) };
}

/** The answers of a response that count: those to questions on its path, and to questions that no longer exist. */
export function countedAnswers(response: Response, structure: Structure): (questionId: string) => Answer | undefined {
  const answered = answersBy(response.answers);
  const counted = onPath(structure, response.answers);
  return (questionId) => (findQuestion(structure, questionId) ? counted(questionId) : answered(questionId));
}
