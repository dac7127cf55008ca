/** The valid requests of operations about responses, and about the tables that are made of them. */
import type { Rows } from '../requests.ts';
import type { Things } from '../scene.ts';

const answered = ({ questionId }: Things) => ({
  answers: [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'Many frogs' }],
});

export const responseRows: Rows<'responses' | 'exports'> = {
  responses: {
    startResponse: { by: 'respondent', input: ({ formId }) => ({ params: { formId } }) },
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
      input: (things) => ({ params: { responseId: things.draftId }, body: answered(things) }),
    },
    getAnswer: {
      by: 'respondent',
      input: ({ submittedId, questionId }) => ({ params: { responseId: submittedId, questionId } }),
    },
    clearAnswer: {
      by: 'respondent',
      consumes: true,
      input: ({ draftId, questionId }) => ({ params: { responseId: draftId, questionId } }),
    },
    submitResponse: {
      by: 'respondent',
      consumes: true,
      input: (things) => ({ params: { responseId: things.draftId }, body: answered(things) }),
    },
    cancelResponse: {
      by: 'respondent',
      consumes: true,
      input: ({ submittedId }) => ({ params: { responseId: submittedId } }),
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
    },
  },
};
