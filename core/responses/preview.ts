/** Evaluates a response along its path: its preview, and which of its answers count. Pure. */

import type { Caller, Role } from '#core/access/access.ts';
import { loadRespondent } from '#core/accounts/accounts.ts';
import { presentShortUser, type Respondent } from '#core/accounts/model.ts';
import type { Table } from '#core/db/table.ts';
import { formRoles } from '#core/forms/open.ts';
import { presentQuestion } from '#core/structure/documents.ts';
import { type AnswerLookup, displayOrder, offeredChoices, walk } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import {
  findSection,
  type RemovedQuestion,
  removedTitle,
  type Section,
  type Structure,
  sectionAt,
  sectionTitle,
} from '#core/structure/structure.ts';
import { answerLookup, type Current, countedAnswers, findPath, findSectionOf, isRequired } from './answers.ts';
import type { OpenedResponse } from './change.ts';
import { loadDeliveryStatuses } from './deliveries.ts';
import type { DeliveryStatuses } from './delivery-model.ts';
import { type Answer, presentAnswer, type ResponsePreview, type SECTION_PROGRESS } from './model.ts';
import { recallBefore, recallInQuestion } from './recall.ts';

type SectionProgress = (typeof SECTION_PROGRESS)[number];

/** A question with the choices that this respondent may select, and the stored answer. */
export type AskedQuestion = { question: Question; answer: Answer | undefined };

/** A section as a response has it. */
export type ResponseSection = {
  id: string;
  title: string;
  progress: SectionProgress;
  questions: readonly AskedQuestion[];
};

/** Finds a section on the path of a response; undefined for any other. */
export function findSectionFor(current: Current, sectionId: string): ResponseSection | undefined {
  const section = findSection(current.structure, sectionId);
  if (!section || !findPath(current).includes(sectionId)) return undefined;
  // Only a submitted response can have a question in another section than its form.
  const questions = current.response.path ? (placeQuestions(current).get(sectionId) ?? []) : section.questions;
  return toResponseSection(current, { ...section, questions }, { isOnPath: true, counted: countedAnswers(current) });
}

/**
 * Lists the sections on the path of a response in order, then the others as SKIPPED, then removed questions with answers.
 * Each question is in the section in which the response has it: for a submitted response, where it was then. `path`: the
 * sections that have a progress.
 */
export function listSectionsFor(current: Current, path: readonly string[] = findPath(current)): ResponseSection[] {
  const { structure } = current;
  const placed = placeQuestions(current);
  const onPath = new Set(path);
  const skipped = displayOrder(structure).filter((sectionId) => !onPath.has(sectionId));
  const counted = countedAnswers(current);
  const sections = [...path, ...skipped].flatMap((sectionId): ResponseSection[] => {
    const section = findSection(structure, sectionId);
    const questions = placed.get(sectionId) ?? [];
    if (!section) return [];
    return [toResponseSection(current, { ...section, questions }, { isOnPath: onPath.has(sectionId), counted })];
  });
  return [...sections, ...listRemovedQuestions(current, onPath, placed)];
}

/** Groups the questions by the section in which a response has them: first those that are still there, in order. */
function placeQuestions(current: Current): ReadonlyMap<string, Question[]> {
  const placed = current.structure.sections.flatMap(({ id, questions }) =>
    questions.map((question) => ({ question, at: findSectionOf(current, question.id) ?? id, now: id })),
  );
  const [unmoved, moved] = [placed.filter(({ at, now }) => at === now), placed.filter(({ at, now }) => at !== now)];
  const groups = Map.groupBy([...unmoved, ...moved], ({ at }) => at);
  return new Map([...groups].map(([sectionId, group]) => [sectionId, group.map(({ question }) => question)]));
}

/**
 * Lists the sections that a respondent filled in, as they saw them: those on the path without hidden questions and with earlier
 * answers in their texts, and removed questions of these with answers.
 */
export function listAnsweredSections(current: Current): ResponseSection[] {
  const path = findPath(current);
  return listSectionsFor(current)
    .filter(({ progress }) => progress !== 'SKIPPED')
    .map((section) => {
      const recall = recallBefore(current, path, section.id);
      const shown = section.questions.filter(({ question }) => !question.hidden);
      return {
        ...section,
        title: recall(section.title),
        questions: shown.map(({ question, answer }) => ({ question: recallInQuestion(question, recall), answer })),
      };
    });
}

function toResponseSection(
  current: Current,
  section: Section,
  { isOnPath, counted }: { isOnPath: boolean; counted: AnswerLookup<Answer> },
): ResponseSection {
  const { response, structure } = current;
  const answerTo = answerLookup(response.answers);
  return {
    id: section.id,
    title: sectionTitle(structure, section.id),
    progress: isOnPath ? findSectionProgress(current, section, counted) : 'SKIPPED',
    questions: section.questions.map((question) => ({
      question: withOfferedChoices(structure, counted, question),
      answer: answerTo(question.id),
    })),
  };
}

/** Finds the sections of a draft that its answers have reached: what follows a question without an answer is not known yet. */
const findReached = ({ response, structure }: Current): readonly string[] =>
  response.path ?? walk(structure, answerLookup(response.answers), () => true).sections;

/** Builds the preview of a response as the API returns it. */
export function buildPreview(current: Current, respondent: Respondent | undefined): ResponsePreview {
  const { id, formId, userId, progress, createdAt, updatedAt, submittedAt } = current.response;
  return {
    id,
    formId,
    progress,
    submittedBy: userId,
    respondent: presentShortUser(userId, respondent),
    createdAt,
    updatedAt,
    submittedAt,
    sections: listSectionsFor(current, findReached(current)).map(({ questions, ...section }) => ({
      ...section,
      answerDetails: questions.map(({ question, answer }, index) => ({
        question: presentQuestion(question, section.id, index + 1),
        payload: answer ? presentAnswer(id, question.id, answer) : null,
      })),
    })),
  };
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

/** Returns a question with the choices that its source offers this respondent. */
const withOfferedChoices = (structure: Structure, counted: AnswerLookup<Answer>, question: Question): Question =>
  question.sourceId === undefined
    ? question
    : { ...question, choices: [...offeredChoices(structure, counted, question.id)] };

/**
 * Lists the questions that a response answered and that are in none of the sections: removed ones, and those that were
 * moved out of a section that was then deleted; grouped by their section.
 */
function listRemovedQuestions(
  { response, structure }: Current,
  onPath: ReadonlySet<string>,
  placed: ReadonlyMap<string, Question[]>,
): ResponseSection[] {
  const answerTo = answerLookup(response.answers);
  const unplaced = [
    ...[...placed]
      .filter(([sectionId]) => !findSection(structure, sectionId))
      .flatMap(([sectionId, questions]) => questions.map((question) => ({ sectionId, question }))),
    ...structure.removed.map((removed) => ({
      sectionId: sectionAt(removed, response.structureVersion),
      question: toPlainQuestion(removed),
    })),
  ].filter(({ question }) => answerTo(question.id));
  return [...Map.groupBy(unplaced, ({ sectionId }) => sectionId)].map(([sectionId, group]) => ({
    id: sectionId,
    title: sectionTitle(structure, sectionId),
    progress: onPath.has(sectionId) ? 'COMPLETED' : 'SKIPPED',
    questions: group.map(({ question }) => ({ question, answer: answerTo(question.id) })),
  }));
}

/** Returns a removed question with what is kept of it. */
const toPlainQuestion = (removed: RemovedQuestion): Question => ({
  id: removed.id,
  required: false,
  type: removed.type,
  title: removedTitle(removed),
  description: null,
  createdAt: removed.removedAt,
  updatedAt: removed.removedAt,
});

// Presents a response to its readers: its preview, and for members the statuses of its deliveries.

type Reader = { caller: Caller; roles: readonly Role[] };

/**
 * What a reader sees of a response in addition to its answers: who responded, and for members the statuses of its
 * deliveries.
 */
export type ResponseContext = { respondent: Respondent | undefined; deliveries?: DeliveryStatuses };

/** Loads what a reader sees of a response in addition to its answers. */
export async function loadResponseContext(
  table: Table,
  { response, gate }: OpenedResponse,
  { caller, roles }: Reader,
): Promise<ResponseContext> {
  const isMember = roles.includes('member');
  const [respondent, deliveries] = await Promise.all([
    loadRespondent(table, response.userId),
    isMember ? loadDeliveryStatuses(table, response.id) : undefined,
  ]);
  if (deliveries) return { respondent, deliveries };
  // The roles of an owner in the organization are known only from the account.
  const account = respondent && 'memberships' in respondent ? respondent : undefined;
  const isOwnerMember = response.userId === caller.id && formRoles(account, gate, caller).includes('member');
  return isOwnerMember ? { respondent, deliveries: await loadDeliveryStatuses(table, response.id) } : { respondent };
}

/** Presents a response to a reader, as the API returns it. */
export async function presentResponse(table: Table, opened: OpenedResponse, reader: Reader): Promise<ResponsePreview> {
  const { respondent, ...statuses } = await loadResponseContext(table, opened, reader);
  return { ...buildPreview(opened, respondent), ...statuses };
}
