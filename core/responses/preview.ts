/** Evaluates a response along its path: its preview, and which of its answers count. Pure. */

import type { Caller, Role } from '#core/access/access.ts';
import { loadAccount } from '#core/accounts/accounts.ts';
import { type Account, showShortUser } from '#core/accounts/model.ts';
import type { Table } from '#core/db/table.ts';
import { formRoles } from '#core/forms/open.ts';
import { showQuestion } from '#core/structure/documents.ts';
import { type AnswerLookup, offeredChoices } from '#core/structure/offered-choices.ts';
import { displayOrder, walk } from '#core/structure/path.ts';
import type { Question, QuestionView } from '#core/structure/question-model.ts';
import {
  findQuestion,
  type RemovedQuestion,
  removedTitle,
  type Section,
  type Structure,
  sectionTitle,
} from '#core/structure/structure.ts';
import type { OpenedResponse } from './change.ts';
import { isRequired } from './completion.ts';
import { loadDeliveryStatuses } from './deliveries.ts';
import { answersBy, type Current } from './edits.ts';
import { type Answer, type Response, type ResponsePreview, type SECTION_PROGRESS, storedAnswer } from './model.ts';

type SectionProgress = (typeof SECTION_PROGRESS)[number];
type SectionPreview = ResponsePreview['sections'][number];

/** The sections on the path of a response: the stored path if submitted, otherwise the path of its answers. */
export const pathOf = ({ response, structure }: Current): readonly string[] =>
  response.path ?? walk(structure, answersBy(response.answers)).sections;

/**
 * Looks up the answers of a response that count: those in sections on its path. An answer to a removed question counts
 * if its section is on the path.
 */
export function countedAnswers(current: Current): (questionId: string) => Answer | undefined {
  const answerTo = answersBy(current.response.answers);
  const { structure } = current;
  let path: ReadonlySet<string> | undefined;
  return (questionId) => {
    path ??= new Set(pathOf(current));
    const sectionId =
      findQuestion(structure, questionId)?.section.id ??
      structure.removed.find((question) => question.id === questionId)?.sectionId;
    return sectionId !== undefined && path.has(sectionId) ? answerTo(questionId) : undefined;
  };
}

/** The preview of a response: the sections of its path in order, the others as SKIPPED, then removed questions. */
export function previewOf(current: Current, respondent: Account | undefined): ResponsePreview {
  const { response, structure } = current;
  const path = pathOf(current);
  const onPath = new Set(path);
  const skipped = displayOrder(structure).filter((sectionId) => !onPath.has(sectionId));
  const counted = countedAnswers(current);
  const sections = [...path, ...skipped].flatMap((sectionId): SectionPreview[] => {
    const section = structure.sections.find((candidate) => candidate.id === sectionId);
    if (!section) return [];
    return [
      {
        id: section.id,
        title: sectionTitle(structure, section.id),
        progress: onPath.has(section.id) ? progressOf(current, section, counted) : 'SKIPPED',
        answerDetails: section.questions.map((question, index) => ({
          question: resolved(question, structure, counted, showQuestion(question, section.id, index + 1)),
          payload: payloadOf(response, question.id),
        })),
      },
    ];
  });
  const { id, formId, userId, progress, createdAt, updatedAt, submittedAt } = response;
  return {
    id,
    formId,
    progress,
    submittedBy: userId,
    respondent: showShortUser(userId, respondent),
    createdAt,
    updatedAt,
    submittedAt,
    sections: [...sections, ...removedSections(current, onPath)],
  };
}

function payloadOf(response: Response, questionId: string) {
  const answer = answersBy(response.answers)(questionId);
  return answer ? storedAnswer(response.id, questionId, answer) : null;
}

/** The progress of a section on the path. */
function progressOf({ response, structure }: Current, { questions }: Section, counted: AnswerLookup): SectionProgress {
  if (response.progress === 'SUBMITTED' || questions.length === 0) return 'COMPLETED';
  if (!questions.some(({ id }) => counted(id))) return 'NOT_STARTED';
  const isOpen = (question: Question): boolean => !counted(question.id) && isRequired(structure, counted, question);
  return questions.some(isOpen) ? 'DRAFT' : 'COMPLETED';
}

/** A question with a source is shown with the choices offered to this respondent. */
function resolved(
  question: Question,
  structure: Structure,
  counted: (questionId: string) => Answer | undefined,
  view: QuestionView,
): QuestionView {
  if (question.sourceId === undefined) return view;
  return { ...view, choices: offeredChoices(structure, counted, question.id) };
}

/** Removed questions that this response answered, grouped by their section. */
function removedSections({ response, structure }: Current, onPath: ReadonlySet<string>): SectionPreview[] {
  const answered = structure.removed.filter((question) => Object.hasOwn(response.answers, question.id));
  return [...Map.groupBy(answered, ({ sectionId }) => sectionId)].map(([sectionId, questions]) => ({
    id: sectionId,
    title: sectionTitle(structure, sectionId),
    progress: onPath.has(sectionId) ? 'COMPLETED' : 'SKIPPED',
    answerDetails: questions.map((question, index) => ({
      question: removedView(question, index + 1),
      payload: payloadOf(response, question.id),
    })),
  }));
}

const removedView = (removed: RemovedQuestion, order: number): QuestionView => ({
  id: removed.id,
  sectionId: removed.sectionId,
  required: false,
  type: removed.type,
  title: removedTitle(removed),
  description: null,
  descriptionHtml: '',
  order,
  createdAt: removed.removedAt,
  updatedAt: removed.removedAt,
});

// A response as its readers see it: its preview, and for members what became of its deliveries.

type Reader = { caller: Caller; roles: readonly Role[] };

/** The preview of a response for a reader. */
export async function showResponse(
  table: Table,
  opened: OpenedResponse,
  { caller, roles }: Reader,
): Promise<ResponsePreview> {
  const { id, userId } = opened.response;
  const isMember = roles.includes('member');
  const [respondent, statuses] = await Promise.all([
    loadAccount(table, userId),
    isMember ? loadDeliveryStatuses(table, id) : undefined,
  ]);
  const preview = previewOf(opened, respondent);
  if (statuses) return { ...preview, deliveries: statuses };
  // The roles of an owner in the organization are known only from the account.
  const isOwnerMember = userId === caller.id && formRoles(respondent, opened.gate, caller).includes('member');
  return isOwnerMember ? { ...preview, deliveries: await loadDeliveryStatuses(table, id) } : preview;
}
