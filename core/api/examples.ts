/**
 * One example answer for each named schema, used by every operation that answers it. They tell one story: the form
 * "Spring survey" of an organization that measures rivers, and one response to it.
 */
import type { ShortUser, User } from '#core/accounts/model.ts';
import type { TablePreview } from '#core/exports/table-model.ts';
import type { FormSummary, FormView, HighlightView } from '#core/forms/model.ts';
import type { Organization, SlugUsage } from '#core/orgs/model.ts';
import type { QuestionView } from '#core/questions/model.ts';
import type { ResponseList, ResponsePreview, ResponseSummary, StoredAnswer } from '#core/responses/model.ts';
import type { SectionView } from '#core/structure/section-model.ts';
import type { Unit } from '#core/units/model.ts';
import type { DistinctAnswers, FilterResult } from '#core/views/filter-model.ts';
import type { ViewShown } from '#core/views/model.ts';
import type { WorkflowInfo, WorkflowNode } from '#core/workflow/model.ts';

/** Whatever belongs to a form has an id that begins like the form's. */
const inForm = (number: string): string => `7c9e6679-7425-8a1b-9c3d-0242ac12${number}`;
const formId = '7c9e6679-7425-8a1b-8f00-5d1c2b3a4f5e';
const ids = {
  start: inForm('0001'),
  end: inForm('0002'),
  section: inForm('0003'),
  text: inForm('0008'),
  choice: inForm('0009'),
  friend: inForm('0011'),
  other: inForm('0012'),
  response: inForm('0020'),
  view: inForm('0030'),
};
const orgId = '3f2b8c1e-5d47-4e0a-9b6c-2a1f0e9d8c7b';
const unitId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d';
const created = '2026-03-01T09:00:00.000Z';
const changed = '2026-03-02T10:30:00.000Z';
const answered = '2026-05-01T12:00:00.000Z';
const times = { createdAt: created, updatedAt: changed };

const user: User = {
  id: '00000000-0000-4000-8000-0000000000a1',
  username: 'alice.a',
  name: 'alice',
  emails: ['alice@example.org'],
  roles: ['USER'],
  require_onboarding: false,
  avatarUrl: '',
};
const shortUser: ShortUser = { id: user.id, name: user.name, username: user.username, emails: user.emails };

const organization: Organization = {
  id: orgId,
  name: 'Rivers of the North',
  description: 'Water quality, measured by volunteers',
  metadata: { contact: 'rivers@example.org' },
  slug: 'rivers',
  ...times,
};
const slugUsage: SlugUsage = { orgId, orgName: organization.name, startedAt: created, endedAt: null };
const unit: Unit = { id: unitId, name: 'Field team', description: 'Takes the samples', metadata: {}, ...times };

const description = {
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'What we find in our rivers this spring.' }] }],
};
const descriptionHtml = '<p>What we find in our rivers this spring.</p>';

const form: FormView = {
  id: formId,
  title: 'Spring survey',
  description,
  descriptionHtml,
  previewMessage: 'What we find in our river',
  status: 'PUBLISHED',
  unitId: orgId,
  creator: shortUser,
  lastEditor: shortUser,
  deadline: '2026-06-01T00:00:00.000Z',
  publishTime: null,
  messageAfterSubmission: 'Thank you for measuring.',
  sendResponseEmail: false,
  dressing: { color: '#2a6f97', headerFont: 'noto-sans-tc' },
  coverImage: null,
  spreadsheetUrl: null,
  visibility: 'PUBLIC',
  allowEditResponse: true,
  ...times,
};
const summary: FormSummary = {
  id: formId,
  title: form.title,
  deadline: form.deadline,
  allowEditResponse: true,
  status: 'IN_PROGRESS',
  responseIds: [ids.response],
};
const question: QuestionView = {
  id: ids.choice,
  sectionId: ids.section,
  required: true,
  type: 'SINGLE_CHOICE',
  title: 'How did you hear of us?',
  description: null,
  descriptionHtml: '',
  order: 1,
  choices: [
    { id: ids.friend, name: 'From a friend' },
    { id: ids.other, name: 'Something else', isOther: true },
  ],
  ...times,
};
const highlight: HighlightView = {
  questionId: ids.choice,
  questionTitle: question.title,
  displayTitle: question.title,
  choices: [
    { choiceId: ids.friend, name: 'From a friend', count: 12 },
    { choiceId: ids.other, name: 'Something else', count: 3 },
  ],
};
const section: SectionView = {
  id: ids.section,
  formId,
  title: 'About you',
  progress: '',
  description: null,
  descriptionHtml: '',
  ...times,
  questions: [question],
};

const nodes: WorkflowNode[] = [
  { id: ids.start, type: 'START', label: '開始表單', payload: { x: 0, y: 0 }, next: ids.section },
  { id: ids.section, type: 'SECTION', label: 'About you', payload: { x: 0, y: 1 } },
  { id: ids.end, type: 'END', label: '確認/送出', payload: { x: 0, y: 2 } },
];
const info: WorkflowInfo = {
  type: 'node_validation_failed',
  nodeId: ids.section,
  message: 'The section "About you" leads nowhere: link it to the next node',
};

const stored: StoredAnswer = {
  createdAt: answered,
  updatedAt: answered,
  responseId: ids.response,
  answer: { questionId: ids.choice, questionType: 'SINGLE_CHOICE', value: [ids.friend] },
  displayValue: 'From a friend',
};
const response: ResponseSummary = {
  id: ids.response,
  formId,
  createdAt: answered,
  submittedAt: answered,
  progress: 'SUBMITTED',
};
const list: ResponseList = {
  formId,
  totalCount: 1,
  draftCount: 0,
  submittedCount: 1,
  responses: [
    {
      id: ids.response,
      submittedBy: user.id,
      progress: 'SUBMITTED',
      createdAt: answered,
      updatedAt: answered,
      submittedAt: answered,
    },
  ],
  nextCursor: null,
};
const preview: ResponsePreview = {
  id: ids.response,
  formId,
  progress: 'SUBMITTED',
  sections: [
    { id: ids.section, title: 'About you', progress: 'COMPLETED', answerDetails: [{ question, payload: stored }] },
  ],
};
const row = { id: ids.response, answers: { [ids.choice]: stored } };
const table: TablePreview = {
  headers: [{ id: ids.choice, title: question.title }],
  rows: [row],
  nextCursor: null,
};
const filtered: FilterResult = { formId, responses: [row], nextCursor: null };
const view: ViewShown = {
  id: ids.view,
  formId,
  title: 'For the board',
  locked: false,
  order: 0,
  columns: [{ questionId: ids.choice, questionTitle: question.title }],
  ...times,
};
const distinct: DistinctAnswers = {
  viewId: ids.view,
  formId,
  questionId: ids.choice,
  answers: [{ displayValue: 'From a friend', matchValue: ids.friend, selected: false }],
  truncated: false,
};

/** Example answers by the name of their schema. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  AnswerByQuestion: { id: ids.choice, answer: stored },
  CreatedWorkflowNode: { id: ids.section, type: 'SECTION', label: 'New Section' },
  DistinctAnswers: distinct,
  FilterResult: filtered,
  Font: { id: 'noto-sans-tc', name: 'Noto Sans TC' },
  Form: form,
  FormSummary: summary,
  Health: { status: 'ok', version: '0.1.0' },
  Highlight: highlight,
  Id: unitId,
  MemberAdded: { orgId, member: user },
  MemberChanged: { orgId, member: user, role: 'ADMIN' },
  Message: { message: 'Signed in' },
  Organization: organization,
  Question: question,
  ResponseList: list,
  ResponsePreview: preview,
  ResponseSummary: response,
  SavedAnswers: { answers: [stored] },
  Section: section,
  SectionWithQuestions: { section, questions: [question] },
  SlugRecord: { current: { available: false, orgId }, history: [slugUsage], nextCursor: null },
  SlugStatus: { available: false, orgId },
  StartedResponse: { id: ids.response },
  TablePreview: table,
  Unit: unit,
  UnitLink: { parentId: unitId, childId: '1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9', orgId },
  User: user,
  View: view,
  Workflow: { workflow: nodes, info: [info] },
  WorkflowNode: nodes[0],
};

const problem = (status: number, title: string, code: string, detail: string, more: Record<string, unknown> = {}) => ({
  value: { type: 'about:blank', title, status, detail, instance: `/api/forms/${formId}`, code, ...more },
});

/** An example of each problem, by the name of its component. */
export const PROBLEM_EXAMPLES = {
  Problem400: problem(400, 'Bad Request', 'invalid_request', 'The request body contains invalid data', {
    errors: [{ pointer: '/body/title', detail: 'must be 1 to 200 characters' }],
  }),
  Problem401: problem(401, 'Unauthorized', 'unauthorized', 'Authentication credentials were missing or invalid'),
  Problem403: problem(403, 'Forbidden', 'forbidden', 'You may know this, but doing this needs one of: member'),
  Problem404: problem(404, 'Not Found', 'not_found', 'The requested resource was not found'),
  Problem409: problem(
    409,
    'Conflict',
    'stale_version',
    'This was changed by somebody else since you read it (If-Match does not hold): read it again, then repeat your change',
  ),
  Problem413: problem(
    413,
    'Content Too Large',
    'content_too_large',
    'A request body may have 4500000 bytes; this one has 5000000',
  ),
  Problem415: problem(
    415,
    'Unsupported Media Type',
    'unsupported_media_type',
    'This operation takes JSON, not multipart',
  ),
  Problem429: problem(429, 'Too Many Requests', 'too_many_requests', 'Too many requests: repeat this one later'),
  Problem500: problem(
    500,
    'Internal Server Error',
    'internal',
    'Something went wrong on our side; quote request 5f0c8a6e-1b2d-4c3e-9f4a-6b7c8d9e0f1a when you report it',
  ),
  Problem503: problem(503, 'Service Unavailable', 'unavailable', 'Storage is busy: repeat the request later'),
} as const;
