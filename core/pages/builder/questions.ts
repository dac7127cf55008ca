/** The list of all questions by section, in the order of the path. */
import { MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Problem } from '#core/problems/problems.ts';
import { formatFileSize } from '#core/schema/format.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { buildHref } from './frame.ts';

/** Whether the pages may change the questions of a form now. */
export const mayEditQuestions = ({ status }: Pick<Gate, 'status'>): boolean => status !== 'ARCHIVED';

/** Says why the questions of a form cannot be changed now; undefined if they can. */
export const lockedText = (context: PageContext, { status }: Pick<Gate, 'status'>): string | undefined =>
  status === 'ARCHIVED' ? getQuestionsTexts(context).list.archived : undefined;

/** Says on its page why an edit of the questions was refused: the form would become too large, or `refused`. */
export const explainEdit = (
  context: PageContext,
  { code }: Pick<Problem, 'code'>,
  refused: string,
): { refusal: string; status: 409 | 413 } => {
  if (code !== 'content_too_large') return { refusal: refused, status: 409 };
  const max = formatFileSize(context, MAX_ENTITY_BYTES);
  return { refusal: getQuestionsTexts(context).list.tooLarge(max), status: 413 };
};

/** Builds the address of the list of questions. */
export const questionsHref = (formId: string): string => `${buildHref(formId)}/questions`;

/** Builds the address of the page of a section. */
export const sectionHref = (formId: string, sectionId: string): string => `${buildHref(formId)}/s/${sectionId}`;

/** Builds the address of the page of a question. */
export const questionHref = (formId: string, questionId: string): string => `${buildHref(formId)}/q/${questionId}`;

/** Lists the conditions that ask for a question. */
export const listConditionsOn = (structure: Structure, questionId: string) =>
  structure.nodes.filter(({ conditionRule }) => conditionRule?.question === questionId);

/** Lists the questions that take their choices from a question. */
export const listDependents = (structure: Structure, questionId: string): Question[] =>
  structure.sections.flatMap(({ questions }) => questions).filter(({ sourceId }) => sourceId === questionId);
