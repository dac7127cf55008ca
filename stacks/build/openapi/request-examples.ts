/**
 * An example of the body of each operation that takes one, and of responses that have no other example. They are kept out of
 * the declarations because those are part of every function.
 */
type Example = { body?: unknown; response?: unknown };

const columns = { questionIds: ['7c9e6679-7425-8a1b-9c3d-0242ac120009'] };

const organization = {
  name: 'Rivers of the North',
  description: 'Water quality, measured by volunteers',
  metadata: { contact: 'rivers@example.org' },
  slug: 'rivers',
};

const question = {
  required: true,
  type: 'SINGLE_CHOICE',
  title: 'How did you hear of us?',
  description: null,
  order: 1,
  choices: [{ name: 'From a friend' }, { name: 'Something else', isOther: true }],
};

const answers = {
  answers: [
    {
      questionId: '7c9e6679-7425-8a1b-9c3d-0242ac120009',
      questionType: 'SHORT_TEXT',
      value: 'Clear water, many frogs',
    },
    { questionId: '7c9e6679-7425-8a1b-9c3d-0242ac120010', questionType: 'LINEAR_SCALE', value: 8 },
  ],
};

const unit = { name: 'Field team', description: 'Takes the samples', metadata: { room: '2.14' } };

/** By noun and name of the operation. */
export const REQUEST_EXAMPLES: Readonly<Record<string, Example>> = {
  'auth.loginInternal': { body: { uid: '00000000-0000-4000-8000-0000000000a1' } },
  'exports.previewTable': { body: columns },
  'exports.downloadTable': { body: columns },
  'files.uploadFiles': {
    body: {
      files: [
        {
          filename: 'river.pdf',
          contentType: 'application/pdf',
          size: 9_000_000,
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      ],
    },
  },
  'files.completeUploads': { body: { fileIds: ['7c9e6679-7425-8a1b-9c3d-0242ac120040'] } },
  'forms.createForm': { body: { title: 'Spring survey', visibility: 'PUBLIC', allowEditResponse: true } },
  'forms.verifySpreadsheet': { body: { spreadsheetUrl: 'https://docs.google.com/spreadsheets/d/local-demo/edit' } },
  'forms.updateForm': { body: { title: 'Spring survey 2027', deadline: '2027-06-01T00:00:00Z', previewMessage: null } },
  'forms.duplicateForm': { body: { title: 'Autumn survey' } },
  'forms.importForm': {
    body: {
      format: 'form-service',
      version: 1,
      form: {
        title: 'Spring survey',
        visibility: 'PUBLIC',
        allowEditResponse: true,
        nodes: [
          {
            id: '00000000-0000-8000-9c3d-0242ac120001',
            type: 'START',
            label: 'Start',
            payload: { x: 0, y: 0 },
            next: '00000000-0000-8000-9c3d-0242ac120002',
          },
          { id: '00000000-0000-8000-9c3d-0242ac120002', type: 'END', label: 'End', payload: { x: 0, y: 240 } },
        ],
        sections: [],
      },
    },
  },
  'forms.publishChanges': { body: { keep: 'MINE' } },
  'forms.restoreVersion': { body: { force: true } },
  'forms.uploadCover': {
    body: {
      contentType: 'image/webp',
      size: 120_000,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  'guests.admitGuest': { body: { proof: { challenge: 'eyJhbGciOiJIUzI1NiIs…', solution: '48213' } } },
  'invitations.createInvitations': { body: { guests: [{ email: 'lin@example.org', label: 'Ms Lin, row 3' }] } },
  'invitations.updateInvitation': { body: { newCode: true } },
  'invitations.sendInvitations': {
    body: { to: 'NOT_ANSWERED', subject: 'Your visit to the river', text: 'Please answer by Friday.' },
  },
  'forms.setMyNotices': { body: { frequency: 'DAILY' } },
  'forms.setHighlight': { body: { questionId: '7c9e6679-7425-8a1b-9c3d-0242ac120009', displayTitle: null } },
  'forms.updateHighlight': { body: { displayTitle: 'What people like' } },
  'orgs.createOrganization': { body: organization },
  'orgs.updateOrganization': { body: organization },
  'orgs.addMember': { body: { email: 'bob@example.org' } },
  'orgs.updateMember': { body: { role: 'ADMIN' } },
  'questions.createQuestion': { body: question },
  'questions.updateQuestion': { body: question },
  'questions.moveQuestion': { body: { sectionId: '01890a5d-ac96-774b-bcce-b302099a8057', after: null } },
  'responses.startResponse': { body: { ...answers, submit: true } },
  'responses.countStatistics': { body: { filters: [], from: '2026-05-01T00:00:00Z', timeZone: 'Asia/Taipei' } },
  'responses.queryStatistics': {
    body: {
      filters: [
        {
          questionId: '7c9e6679-7425-8a1b-9c3d-0242ac120009',
          answers: [{ option: '7c9e6679-7425-8a1b-9c3d-0242ac120011' }],
        },
      ],
    },
  },
  'responses.filterResponses': {
    body: {
      respondent: 'dave',
      sort: { descending: true },
      filters: [
        {
          questionId: '7c9e6679-7425-8a1b-9c3d-0242ac120009',
          answers: [{ option: '7c9e6679-7425-8a1b-9c3d-0242ac120011' }],
        },
      ],
    },
  },
  'responses.updateAnswers': { body: answers },
  'responses.submitResponse': { body: answers },
  'sections.updateSection': { body: { title: 'About you' } },
  'units.createUnit': { body: unit },
  'units.updateUnit': { body: unit },
  'units.linkUnits': {
    body: {
      parentId: '7c9e6679-7425-4a1b-9c3d-0242ac120001',
      childId: '7c9e6679-7425-4a1b-9c3d-0242ac120002',
      orgId: '7c9e6679-7425-4a1b-9c3d-0242ac120003',
    },
  },
  'users.onboardUser': { body: { username: 'alice.a', name: 'alice' } },
  'views.createView': { body: { title: 'For the board' } },
  'views.updateView': { body: { title: 'For the board', order: 0 } },
  'views.listDistinctAnswers': { body: { filters: [] } },
  'workflow.updateWorkflow': {
    body: [
      {
        id: '7c9e6679-7425-8a1b-9c3d-0242ac120001',
        label: 'Start',
        payload: { x: 0, y: 0 },
        next: '7c9e6679-7425-8a1b-9c3d-0242ac120002',
      },
      { id: '7c9e6679-7425-8a1b-9c3d-0242ac120002', label: 'End', payload: { x: 0, y: 240 } },
    ],
  },
  'workflow.createNode': { body: { type: 'SECTION', payload: { x: 0, y: 120 } } },
};
