/**
 * One example for each named response schema and each problem. They share one scenario: the form "Spring survey" of an
 * organization that measures rivers, and one response to it.
 */
import type { ShortUser, User } from '#core/accounts/model.ts';
import type { FormDefinition } from '#core/definitions/model.ts';
import type { ExportDocument } from '#core/exports/model.ts';
import type { FileDocument, UploadResult } from '#core/files/model.ts';
import type { FormDocument, FormSummary } from '#core/forms/model.ts';
import { fillSettings } from '#core/forms/settings.ts';
import type { InvitationDocument } from '#core/invitations/model.ts';
import type { SendingDocument } from '#core/invitations/sending-model.ts';
import type { GuestMails } from '#core/organizations/guest-mails-model.ts';
import type { Organization, SlugUsage, Unit } from '#core/organizations/model.ts';
import { type Problem, problemBody, problems } from '#core/problems/problems.ts';
import type { DeliveryStatus } from '#core/responses/delivery-model.ts';
import type { ResponseList, ResponsePreview, ResponseSummary, StoredAnswer } from '#core/responses/model.ts';
import type { ChangesConflict, ChangesDocument, Difference } from '#core/structure/changes-model.ts';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import type { SectionDocument } from '#core/structure/section-model.ts';
import type { UploadedFile } from '#core/structure/types/content.ts';
import type { FormVersion, FormVersionContent } from '#core/structure/versions-model.ts';
import type { WorkflowInfo, WorkflowNode } from '#core/structure/workflow-model.ts';
import type { HighlightDocument } from '#core/table/highlight-model.ts';
import type { DistinctAnswers, FilterResult, TablePreview } from '#core/table/model.ts';
import type { Statistics } from '#core/table/statistics-model.ts';
import type { ViewDocument } from '#core/views/model.ts';

/** Ids of what belongs to a form begin like the id of the form. */
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
  file: inForm('0040'),
  cover: inForm('0041'),
  export: inForm('0050'),
};
const orgId = '3f2b8c1e-5d47-4e0a-9b6c-2a1f0e9d8c7b';
const unitId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d';
const guestId = '7c9e6679-7425-8a1b-e4c1-9d3f0b27a6e5';
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

const chosen = {
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
  retentionFrom: null,
  messageAfterSubmission: 'Thank you for measuring.',
  sendResponseEmail: false,
  dressing: { color: '#2a6f97', headerFont: 'noto-sans-tc' },
  layout: 'ONE_QUESTION',
  coverImage: null,
  spreadsheetUrl: 'https://docs.google.com/spreadsheets/d/local-demo/edit',
  spreadsheet: { state: 'READY', reason: null, since: null },
  visibility: 'PUBLIC',
  audience: 'ACCOUNT',
  maxResponses: 200,
  retentionDays: 90,
  draftDays: 30,
  closedMessage: 'All places are taken. Write to us if you want to be on the waiting list.',
  allowEditResponse: true,
  ...times,
} satisfies Partial<FormDocument>;
/** Settings that are not chosen are blank. */
const form: FormDocument = { ...chosen, ...fillSettings(chosen) };
const invited = { email: 'lin@example.org', label: 'Ms Lin, row 3' };
const invitation: InvitationDocument = {
  id: guestId,
  number: 42,
  code: '0042-A7QK-3M9T-X2P',
  link: `https://forms.example.org/f/${formId}/code?code=0042-A7QK-3M9T-X2P`,
  ...invited,
  prefill: { 'q.city': 'Taipei' },
  state: 'NOT_STARTED',
  createdAt: created,
  revokedAt: null,
  sentAt: changed,
  remindedAt: null,
  mailFault: null,
};
const sending: SendingDocument = {
  to: 'NOT_ANSWERED',
  subject: 'Your visit to the river',
  text: 'Please answer by Friday.',
  startedAt: changed,
  state: 'SENDING',
  queued: 500,
  continuesAt: '2026-03-03T00:00:00.000Z',
  stoppedAt: null,
  nextAt: '2026-03-03T10:30:00.000Z',
};
const guestMails: GuestMails = {
  perDay: 500,
  today: 500,
  since: created,
  queued: 1_200,
  bounced: 3,
  pausedAt: null,
  pausedReason: null,
};
const summary: FormSummary = {
  id: formId,
  title: form.title,
  deadline: form.deadline,
  allowEditResponse: true,
  status: 'IN_PROGRESS',
  responseIds: [ids.response],
};
const question: QuestionDocument = {
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
const neutral = (number: string): string => `00000000-0000-8000-9c3d-0242ac12${number}`;
const definition: FormDefinition = {
  format: 'form-service',
  version: 1,
  form: {
    title: form.title,
    visibility: 'PUBLIC',
    allowEditResponse: true,
    nodes: [
      { id: neutral('0001'), type: 'START', label: 'Start', payload: { x: 0, y: 0 }, next: neutral('0003') },
      { id: neutral('0003'), type: 'SECTION', label: 'About you', payload: { x: 0, y: 120 }, next: neutral('0002') },
      { id: neutral('0002'), type: 'END', label: 'End', payload: { x: 0, y: 240 } },
    ],
    sections: [
      {
        id: neutral('0003'),
        description: null,
        questions: [
          {
            id: neutral('0009'),
            type: 'SINGLE_CHOICE',
            required: true,
            title: 'How did you hear of us?',
            description: null,
            choices: [
              { id: neutral('0011'), name: 'From a friend' },
              { id: neutral('0012'), name: 'Something else', isOther: true },
            ],
          },
        ],
      },
    ],
    highlight: null,
    views: [],
  },
};
const highlight: HighlightDocument = {
  questionId: ids.choice,
  questionTitle: question.title,
  displayTitle: question.title,
  choices: [
    { choiceId: ids.friend, name: 'From a friend', count: 12 },
    { choiceId: ids.other, name: 'Something else', count: 3 },
  ],
};
const statistics: Statistics = {
  formId,
  startedCount: 21,
  submittedCount: 15,
  countedResponses: 15,
  countedDrafts: 6,
  completionRate: 15 / 21,
  timeToComplete: { medianSeconds: 184, readCount: 15 },
  overTime: { unit: 'DAY', timeZone: 'UTC', periods: [{ period: '2026-05-01', count: 15 }] },
  sections: [{ sectionId: ids.section, title: 'About you', reachedCount: 21, submittedCount: 15, stoppedCount: 6 }],
  questions: [
    {
      questionId: ids.choice,
      sectionId: ids.section,
      title: question.title,
      type: 'SINGLE_CHOICE',
      askedCount: 15,
      answeredCount: 15,
      choices: highlight.choices,
      removedChoicesCount: 0,
    },
  ],
};
const section: SectionDocument = {
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
  message: 'Section "About you" has no next node (next).',
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
const submission: ResponseList['responses'][number] = {
  id: ids.response,
  submittedBy: user.id,
  respondent: shortUser,
  progress: 'SUBMITTED',
  createdAt: answered,
  updatedAt: answered,
  submittedAt: answered,
};
const list: ResponseList = {
  formId,
  totalCount: 1,
  draftCount: 0,
  submittedCount: 1,
  responses: [submission],
  nextCursor: null,
};
const status: DeliveryStatus = { state: 'SENT', updatedAt: answered, attempts: 1 };
const preview: ResponsePreview = {
  ...submission,
  formId,
  deliveries: { email: status },
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
const view: ViewDocument = {
  id: ids.view,
  formId,
  title: 'For the board',
  locked: false,
  order: 0,
  columns: [{ questionId: ids.choice, questionTitle: question.title }],
  query: { filters: [{ questionId: ids.choice, isEmpty: false }], sort: { descending: true } },
  ...times,
};
const distinct: DistinctAnswers = {
  viewId: ids.view,
  formId,
  questionId: ids.choice,
  answers: [{ displayValue: 'From a friend', matchValue: ids.friend, selected: false }],
  truncated: false,
  nextCursor: null,
};

const uploaded: UploadedFile = {
  fileId: ids.file,
  originalFilename: 'river.pdf',
  contentType: 'application/pdf',
  size: 9_000_000,
};
const upload = {
  method: 'PUT' as const,
  url: 'https://storage.example.org/files/…?X-Amz-Signature=…',
  headers: {
    'content-type': uploaded.contentType,
    'x-amz-checksum-sha256': 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
  },
  expiresAt: '2026-05-01T13:00:00.000Z',
};
const announced: UploadResult = { files: [{ ...uploaded, upload }] };
const { fileId: id, ...about } = uploaded;
const file: FileDocument = { id, ...about, uploadedBy: user.id, createdAt: answered };
const exported: ExportDocument = {
  id: ids.export,
  formId,
  state: 'RUNNING',
  ...{ processed: 12_000, total: 45_678, createdAt: answered, finishedAt: null },
};
const coverUrl = `https://forms.example.org/api/forms/${formId}/cover`;

const difference: Difference = { kind: 'nowRequired', title: 'How did you hear of us?', isAnswered: true };
const placedDifference: Difference = { ...difference, questionId: ids.choice };

const conflict: ChangesConflict = { kind: 'QUESTION', id: ids.choice, title: 'How did you hear of us?' };

const changes: ChangesDocument = {
  sections: [section],
  workflow: nodes,
  info: [],
  differences: [placedDifference],
  isOutdated: true,
  liveVersion: 12,
  conflicts: [conflict],
  updatedAt: '2026-03-02T10:30:00.000Z',
};

const version: FormVersion = {
  version: 12,
  kind: 'PUBLISHED',
  publishedAt: '2026-03-02T10:30:00.000Z',
  publishedBy: form.creator,
  differences: [difference],
  moreDifferences: 0,
};

const content: FormVersionContent = { version: 12, isExact: true, isLive: false, sections: [section], workflow: nodes };

/** An HTML page that the service returns. */
export const PAGE_EXAMPLE =
  '<!doctype html><title>Account connected</title><h1>Account connected</h1><p>Your account is now the answer to the question.</p>';

/** Example responses by the name of their schema. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  AnswerByQuestion: { id: ids.choice, answer: stored },
  AttachedFiles: { files: [uploaded] },
  Cover: { imageUrl: coverUrl, path: `covers/${formId}/${ids.cover}` },
  CreatedWorkflowNode: { id: ids.section, type: 'SECTION', label: 'New Section' },
  DeliveryStatus: status,
  DistinctAnswers: distinct,
  Download: { url: 'https://storage.example.org/files/…?X-Amz-Signature=…', expiresAt: '2026-05-01T12:01:00.000Z' },
  ExportJob: exported,
  ExportList: { exports: [exported], nextCursor: null },
  File: file,
  FileList: { files: [file], total: 1, limit: 20, offset: 0 },
  FilterResult: filtered,
  Font: { id: 'noto-sans-tc', name: 'Noto Sans TC' },
  SessionList: {
    sessions: [{ createdAt: created, usedAt: changed, expiresAt: '2026-04-01T10:30:00.000Z', isCurrent: true }],
  },
  Statistics: statistics,
  QuestionStatistics: statistics.questions[0],
  SectionStatistics: statistics.sections[0],
  StatisticsCount: { state: 'DONE', processed: 15, total: 15, createdAt: created, finishedAt: changed, statistics },
  StatisticsInput: { filters: [], timeZone: 'Asia/Taipei' },
  SpreadsheetCheck: { isValid: true },
  SpreadsheetStatus: form.spreadsheet,
  SpreadsheetEmail: { email: 'forms@local-demo.iam.gserviceaccount.com' },
  Form: form,
  FormDefinition: definition,
  FormSummary: summary,
  FormVersion: version,
  FormVersionContent: content,
  GuestInput: invited,
  InvitationsInput: { guests: [invited] },
  Invitation: invitation,
  InvitationState: 'NOT_STARTED',
  InvitationPatch: { newCode: true },
  Invitations: { invitations: [invitation] },
  Recipients: 'ALL',
  SendingInput: { to: sending.to, subject: sending.subject, text: sending.text },
  Sending: sending,
  GuestMails: guestMails,
  InvitationList: { invitations: [invitation], nextCursor: null },
  GuestCredential: { token: 'eyJhbGciOiJFZERTQSIs…', expiresAt: '2026-05-31T12:00:00.000Z' },
  Health: { status: 'ok', version: '0.1.0' },
  Difference: placedDifference,
  FormChanges: changes,
  ChangesConflict: conflict,
  Highlight: highlight,
  Id: unitId,
  MemberAdded: { orgId, member: user },
  MemberChanged: { orgId, member: user, role: 'ADMIN' },
  Message: { message: 'Signed in' },
  Places: { left: 12, choices: [{ choiceId: ids.friend, left: 0 }] },
  Notices: { frequency: 'DAILY' },
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
  UploadResult: announced,
  User: user,
  View: view,
  Workflow: { workflow: nodes, info: [info] },
  WorkflowNode: nodes[0],
};

const example = (problem: Problem) => ({ value: problemBody(problem, `/api/forms/${formId}`) });

/** An example of each problem, by the name of its component. */
export const PROBLEM_EXAMPLES = {
  Problem400: example(problems.invalid([{ pointer: '/body/title', detail: 'must be 1 to 200 characters' }])),
  Problem401: example(problems.unauthorized()),
  Problem403: example(problems.forbidden('This action is only for: members of the organization.')),
  Problem404: example(problems.notFound()),
  Problem409: example(problems.stale()),
  Problem413: example(problems.tooLarge('A request body may have at most 4500000 bytes; this one has 5000000')),
  Problem415: example(problems.unsupportedMediaType('This operation takes JSON, not multipart')),
  Problem429: example(problems.tooManyRequests(30)),
  Problem500: example(problems.internal('5f0c8a6e-1b2d-4c3e-9f4a-6b7c8d9e0f1a', undefined)),
  Problem503: example(problems.unavailable(undefined)),
};
