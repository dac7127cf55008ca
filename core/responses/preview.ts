/** Evaluates a response along its path: its preview, and which of its answers count. Pure. */

import type { Caller, Role } from '#core/access/access.ts';
import { loadAccount } from '#core/accounts/accounts.ts';
import { type Account, presentShortUser } from '#core/accounts/model.ts';
import type { Table } from '#core/db/table.ts';
import { formRoles } from '#core/forms/open.ts';
import { presentQuestion } from '#core/structure/documents.ts';
import { type AnswerLookup, displayOrder, offeredChoices, walk } from '#core/structure/path.ts';
import type { Question, QuestionDocument } from '#core/structure/question-model.ts';
import {
  findQuestion,
  type RemovedQuestion,
  removedTitle,
  type Section,
  type Structure,
  sectionTitle,
} from '#core/structure/structure.ts';
import type { OpenedResponse } from './change.ts';
import { loadDeliveryStatuses } from './deliveries.ts';
import { answerLookup, type Current, isRequired } from './edits.ts';
import { type Answer, presentAnswer, type Response, type ResponsePreview, type SECTION_PROGRESS } from './model.ts';

type SectionProgress = (typeof SECTION_PROGRESS)[number];
type SectionPreview = ResponsePreview['sections'][number];

/** Finds the sections on the path of a response: the stored path if submitted, otherwise the path of its answers. */
export const findPath = ({ response, structure }: Current): readonly string[] =>
  response.path ?? walk(structure, answerLookup(response.answers)).sections;

/**
 * Looks up the answers of a response that count: those in sections on its path. An answer to a removed question counts
 * if its section is on the path.
 */
export function countedAnswers(current: Current): (questionId: string) => Answer | undefined {
  const answerTo = answerLookup(current.response.answers);
  const { structure } = current;
  let path: ReadonlySet<string> | undefined;
  return (questionId) => {
    path ??= new Set(findPath(current));
    const sectionId =
      findQuestion(structure, questionId)?.section.id ??
      structure.removed.find((question) => question.id === questionId)?.sectionId;
    return sectionId !== undefined && path.has(sectionId) ? answerTo(questionId) : undefined;
  };
}

/** Builds the preview of a response: the sections of its path in order, the others as SKIPPED, then removed questions. */
export function buildPreview(current: Current, respondent: Account | undefined): ResponsePreview {
  const { response, structure } = current;
  const path = findPath(current);
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
        progress: onPath.has(section.id) ? findSectionProgress(current, section, counted) : 'SKIPPED',
        answerDetails: section.questions.map((question, index) => ({
          question: withOfferedChoices(question, structure, counted, presentQuestion(question, section.id, index + 1)),
          payload: presentPayload(response, question.id),
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
    respondent: presentShortUser(userId, respondent),
    createdAt,
    updatedAt,
    submittedAt,
    sections: [...sections, ...removedSections(current, onPath)],
  };
}

function presentPayload(response: Response, questionId: string) {
  const answer = answerLookup(response.answers)(questionId);
  return answer ? presentAnswer(response.id, questionId, answer) : null;
}

/** Finds the progress of a section on the path. */
function findSectionProgress(
  { response, structure }: Current,
  { questions }: Section,
  counted: AnswerLookup,
): SectionProgress {
  if (response.progress === 'SUBMITTED' || questions.length === 0) return 'COMPLETED';
  if (!questions.some(({ id }) => counted(id))) return 'NOT_STARTED';
  const isMissing = (question: Question): boolean => !counted(question.id) && isRequired(structure, counted, question);
  return questions.some(isMissing) ? 'DRAFT' : 'COMPLETED';
}

/** Adds the choices offered to this respondent to a question with a source. */
function withOfferedChoices(
  question: Question,
  structure: Structure,
  counted: (questionId: string) => Answer | undefined,
  document: QuestionDocument,
): QuestionDocument {
  if (question.sourceId === undefined) return document;
  return { ...document, choices: offeredChoices(structure, counted, question.id) };
}

/** Removed questions that this response answered, grouped by their section. */
function removedSections({ response, structure }: Current, onPath: ReadonlySet<string>): SectionPreview[] {
  const answered = structure.removed.filter((question) => Object.hasOwn(response.answers, question.id));
  return [...Map.groupBy(answered, ({ sectionId }) => sectionId)].map(([sectionId, questions]) => ({
    id: sectionId,
    title: sectionTitle(structure, sectionId),
    progress: onPath.has(sectionId) ? 'COMPLETED' : 'SKIPPED',
    answerDetails: questions.map((question, index) => ({
      question: presentRemovedQuestion(question, index + 1),
      payload: presentPayload(response, question.id),
    })),
  }));
}

const presentRemovedQuestion = (removed: RemovedQuestion, order: number): QuestionDocument => ({
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

// Presents a response to its readers: its preview, and for members the statuses of its deliveries.

type Reader = { caller: Caller; roles: readonly Role[] };

/** Presents a response to a reader; members also get the statuses of its deliveries. */
export async function presentResponse(
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
  const preview = buildPreview(opened, respondent);
  if (statuses) return { ...preview, deliveries: statuses };
  // The roles of an owner in the organization are known only from the account.
  const isOwnerMember = userId === caller.id && formRoles(respondent, opened.gate, caller).includes('member');
  return isOwnerMember ? { ...preview, deliveries: await loadDeliveryStatuses(table, id) } : preview;
}
