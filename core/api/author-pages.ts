/** The pages on which questions and rules are made. */
import { declarePages, LIST, member } from './declare-pages.ts';

/** The places of 300 questions: ids of questions and sections, twice. */
const ORDER_BYTES = 131_072;
/** A question with 200 choices of 200 characters, each with a description of 500. */
const QUESTION_BYTES = 2_000_000;

export const authorPages = declarePages('authors', {
  showQuestions: { method: 'GET', path: '/build/{formId}/questions', access: member, needs: LIST },
  changeQuestions: {
    method: 'POST',
    path: '/build/{formId}/questions',
    access: member,
    needs: [...LIST, 'table:write'],
  },
  showOrder: { method: 'GET', path: '/build/{formId}/questions/order', access: member, needs: LIST },
  changeOrder: {
    method: 'POST',
    path: '/build/{formId}/questions/order',
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: ORDER_BYTES,
  },
  editSection: { method: 'GET', path: '/build/{formId}/s/{sectionId}', access: member, needs: LIST },
  changeSection: {
    method: 'POST',
    path: '/build/{formId}/s/{sectionId}',
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
  },
  showNewQuestion: { method: 'GET', path: '/build/{formId}/s/{sectionId}/new', access: member, needs: LIST },
  createQuestion: {
    method: 'POST',
    path: '/build/{formId}/s/{sectionId}/new',
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
  },
  confirmSectionDeletion: {
    method: 'GET',
    path: '/build/{formId}/s/{sectionId}/delete',
    access: member,
    needs: LIST,
  },
  deleteSection: {
    method: 'POST',
    path: '/build/{formId}/s/{sectionId}/delete',
    access: member,
    needs: [...LIST, 'table:write'],
  },
  editQuestion: { method: 'GET', path: '/build/{formId}/q/{questionId}', access: member, needs: LIST },
  changeQuestion: {
    method: 'POST',
    path: '/build/{formId}/q/{questionId}',
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
  },
  editChoices: { method: 'GET', path: '/build/{formId}/q/{questionId}/choices', access: member, needs: LIST },
  changeChoices: {
    method: 'POST',
    path: '/build/{formId}/q/{questionId}/choices',
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
  },
  confirmQuestionDeletion: {
    method: 'GET',
    path: '/build/{formId}/q/{questionId}/delete',
    access: member,
    needs: LIST,
  },
  deleteQuestion: {
    method: 'POST',
    path: '/build/{formId}/q/{questionId}/delete',
    access: member,
    needs: [...LIST, 'table:write'],
  },
  showRules: { method: 'GET', path: '/build/{formId}/rules', access: member, needs: LIST },
  editRules: { method: 'GET', path: '/build/{formId}/s/{sectionId}/rules', access: member, needs: LIST },
  changeRules: {
    method: 'POST',
    path: '/build/{formId}/s/{sectionId}/rules',
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
  },
  showTrial: { method: 'GET', path: '/build/{formId}/rules/try', access: member, needs: LIST },
  tryRules: {
    method: 'POST',
    path: '/build/{formId}/rules/try',
    access: member,
    needs: LIST,
    maxFormBytes: QUESTION_BYTES,
  },
  editCondition: { method: 'GET', path: '/build/{formId}/c/{nodeId}', access: member, needs: LIST },
  changeCondition: {
    method: 'POST',
    path: '/build/{formId}/c/{nodeId}',
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
  },
  confirmConditionDeletion: {
    method: 'GET',
    path: '/build/{formId}/c/{nodeId}/delete',
    access: member,
    needs: LIST,
  },
  deleteCondition: {
    method: 'POST',
    path: '/build/{formId}/c/{nodeId}/delete',
    access: member,
    needs: [...LIST, 'table:write'],
  },
  showChanges: { method: 'GET', path: '/build/{formId}/changes', access: member, needs: LIST },
  publishChanges: {
    method: 'POST',
    path: '/build/{formId}/changes',
    access: member,
    needs: [...LIST, 'table:write'],
  },
  undoEdit: {
    method: 'POST',
    path: '/build/{formId}/undo',
    access: member,
    needs: [...LIST, 'table:write'],
    segmentsBelowPage: 1,
  },
  showVersions: { method: 'GET', path: '/build/{formId}/versions', access: member, needs: LIST },
  restoreAside: { method: 'POST', path: '/build/{formId}/versions', access: member, needs: [...LIST, 'table:write'] },
  showVersion: { method: 'GET', path: '/build/{formId}/versions/{version}', access: member, needs: LIST },
  restoreVersion: {
    method: 'POST',
    path: '/build/{formId}/versions/{version}',
    access: member,
    needs: [...LIST, 'table:write'],
  },
  showPreview: { method: 'GET', path: '/build/{formId}/preview', access: member, needs: LIST },
  tryPreview: {
    method: 'POST',
    path: '/build/{formId}/preview',
    access: member,
    needs: LIST,
    maxFormBytes: QUESTION_BYTES,
  },
});
