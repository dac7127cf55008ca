/** The valid requests of operations about responses, and about the tables and views that show them. */

import { storeMail } from '#test/support/mail.ts';
import type { Rows } from '#test/support/requests.ts';
import type { Resources } from '#test/support/scene.ts';

const answered = ({ questionId }: Resources) => ({
  answers: [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'Many frogs' }],
});

export const responseRows: Rows<'responses' | 'deliveries' | 'exports' | 'views'> = {
  responses: {
    startResponse: {
      by: 'respondent',
      input: (resources) => ({ params: { formId: resources.formId }, body: { ...answered(resources), submit: false } }),
    },
    listResponses: {
      by: 'member',
      input: ({ formId }) => ({ params: { formId }, query: { limit: 100, progress: 'SUBMITTED' } }),
    },
    listMyResponses: { by: 'respondent', input: ({ formId }) => ({ params: { formId }, query: { limit: 100 } }) },
    getResponse: {
      by: 'respondent',
      input: ({ formId, submittedId }) => ({ params: { formId, responseId: submittedId } }),
    },
    deleteResponse: {
      by: 'admin',
      consumes: true,
      input: ({ formId, submittedId }) => ({ params: { formId, responseId: submittedId } }),
    },
    updateAnswers: {
      by: 'respondent',
      input: (resources) => ({ params: { responseId: resources.draftId }, body: answered(resources) }),
    },
    getAnswer: {
      by: 'respondent',
      input: ({ submittedId, questionId }) => ({ params: { responseId: submittedId, questionId } }),
    },
    clearAnswer: {
      by: 'respondent',
      consumes: true,
      input: ({ draftId, fileQuestionId }) => ({ params: { responseId: draftId, questionId: fileQuestionId } }),
    },
    submitResponse: {
      by: 'respondent',
      consumes: true,
      input: (resources) => ({ params: { responseId: resources.draftId }, body: answered(resources) }),
    },
    getStatistics: { by: 'member', input: ({ formId }) => ({ params: { formId } }) },
    queryStatistics: { by: 'member', input: ({ formId }) => ({ params: { formId }, body: { filters: [] } }) },
    filterResponses: {
      by: 'member',
      input: ({ formId }) => ({ params: { formId }, query: { limit: 100 }, body: { filters: [] } }),
    },
    cancelResponse: {
      by: 'respondent',
      consumes: true,
      input: ({ submittedId }) => ({ params: { responseId: submittedId } }),
    },
  },
  deliveries: {
    retryDelivery: {
      by: 'member',
      consumes: true,
      input: async ({ formId, submittedId }) => {
        await storeMail(submittedId, 'sent');
        return { params: { formId, responseId: submittedId, kind: 'email' } };
      },
    },
  },
  exports: {
    previewTable: {
      by: 'member',
      input: ({ formId, questionId }) => ({
        params: { formId },
        query: { limit: 100 },
        body: { questionIds: [questionId] },
      }),
    },
    downloadTable: {
      by: 'member',
      input: ({ formId, questionId }) => ({ params: { formId }, body: { questionIds: [questionId] } }),
      others: ({ formId, questionId }) => [
        { params: { formId }, body: { questionIds: [questionId] }, headers: { prefer: 'respond-async' } },
      ],
    },
    listExports: { by: 'member', input: ({ formId }) => ({ params: { formId }, query: { limit: 100 } }) },
    getExport: { by: 'member', input: ({ exportId }) => ({ params: { exportId } }) },
    downloadExport: { by: 'member', input: ({ exportId }) => ({ params: { exportId } }) },
  },
  views: {
    createView: {
      by: 'member',
      input: ({ formId, questionId }) => ({ params: { formId }, body: { columns: [questionId] } }),
    },
    listViews: { by: 'member', input: ({ formId }) => ({ params: { formId } }) },
    getView: { by: 'member', input: ({ formId, viewId }) => ({ params: { formId, viewId } }) },
    updateView: {
      by: 'member',
      input: ({ formId, viewId, questionId }) => ({
        params: { formId, viewId },
        body: { title: 'For the board', order: 0, columns: [questionId] },
      }),
    },
    deleteView: { by: 'member', consumes: true, input: ({ formId, viewId }) => ({ params: { formId, viewId } }) },
    lockView: { by: 'member', input: ({ formId, viewId }) => ({ params: { formId, viewId } }) },
    unlockView: { by: 'member', input: ({ formId, viewId }) => ({ params: { formId, viewId } }) },
    duplicateView: { by: 'member', input: ({ formId, viewId }) => ({ params: { formId, viewId } }) },
    listDistinctAnswers: {
      by: 'member',
      input: ({ formId, viewId, choiceQuestionId }) => ({
        params: { formId, viewId, questionId: choiceQuestionId },
        body: { filters: [] },
      }),
    },
  },
};
