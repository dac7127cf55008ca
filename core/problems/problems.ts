/**
 * The catalogue of problems: every failure that the service reports, with its code, status and detail. The domain
 * throws a `Problem`; the request shell converts it to a response. `code` is stable and for programs, `detail` is for
 * people.
 */

import type { ValueIssue } from '#core/schema/issue-text.ts';
import type { AnswerFault, AnswerFaultCode } from './answer-faults.ts';
import type { StructureFaultCode } from './structure-faults.ts';

/**
 * One fault of a request, located by a JSON pointer such as `/body/title`, `/path/formId` or `/query/limit`. `code`: for
 * pages, which have texts of their own; not part of the response of the API.
 */
export type Fault = {
  pointer: string;
  detail: string;
  code?: AnswerFaultCode | StructureFaultCode | 'spreadsheet_taken';
  /** What the texts for `code` contain. */
  params?: readonly unknown[];
  /** In place of `code`: why a value does not match its schema. */
  issue?: ValueIssue;
};

/** A fault of a value that does not match its schema, with the names and positions that lead to it in its part. */
export type ValueFault = Fault & { path: readonly PropertyKey[] };

/** Builds a JSON pointer (RFC 6901) from its parts. */
export const toJsonPointer = (parts: readonly PropertyKey[]): string =>
  parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;
export type ProblemStatus = keyof typeof TITLES;

/** Every code with its status. */
export const PROBLEM_CODES = {
  invalid_request: 400,
  export_not_available: 400,
  form_not_open: 400,
  last_admin: 400,
  node_not_deletable: 400,
  response_incomplete: 400,
  response_not_submitted: 400,
  too_many_nodes: 400,
  too_many_organizations: 400,
  too_many_questions: 400,
  too_many_responses: 400,
  too_many_units: 400,
  too_many_uploads: 400,
  too_many_views: 400,
  unusable_state: 400,
  workflow_invalid: 400,
  wrong_form_status: 400,
  unauthorized: 401,
  account_needed: 403,
  forbidden: 403,
  invitation_needed: 403,
  onboarding_required: 403,
  origin_not_allowed: 403,
  response_submitted: 403,
  not_found: 404,
  already_started: 409,
  changes_conflict: 409,
  delivery_under_way: 409,
  idempotency_key_reused: 409,
  mails_paused: 409,
  no_place_left: 409,
  slug_taken: 409,
  stale_version: 409,
  username_taken: 409,
  view_locked: 409,
  view_title_taken: 409,
  content_too_large: 413,
  storage_full: 413,
  unsupported_media_type: 415,
  proof_needed: 429,
  too_many_requests: 429,
  internal: 500,
  provider_unavailable: 503,
  spreadsheets_busy: 503,
  spreadsheets_not_set_up: 503,
  unavailable: 503,
} as const satisfies Record<string, ProblemStatus>;
export type ProblemCode = keyof typeof PROBLEM_CODES;

type Extras = {
  errors?: readonly Fault[];
  faultsByQuestion?: ReadonlyMap<string, AnswerFault>;
  headers?: Record<string, string>;
  cookies?: readonly string[];
  cause?: unknown;
};

/** A failure that is reported to the caller. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: ProblemStatus;
  readonly errors: readonly Fault[];
  /** The faults of answers by the id of their question, for pages; not part of the response of the API. */
  readonly faultsByQuestion: ReadonlyMap<string, AnswerFault>;
  readonly headers: Record<string, string>;
  /** Set-Cookie values of the response. */
  readonly cookies: readonly string[];

  constructor(code: ProblemCode, detail: string, extras: Extras = {}) {
    super(detail, { cause: extras.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = PROBLEM_CODES[code];
    this.errors = extras.errors ?? [];
    this.faultsByQuestion = extras.faultsByQuestion ?? new Map();
    this.headers = extras.headers ?? {};
    this.cookies = extras.cookies ?? [];
  }
}

const inUse = (member: string): Extras => ({ errors: [{ pointer: `/body/${member}`, detail: 'is in use' }] });
const atMost = (max: number, what: string): string => `At most ${max} ${what} allowed.`;

/** The most faults that a refusal lists, so that the response stays below Lambda's 6 MB. */
export const MAX_FAULTS = 1_000;

export const problems = {
  /** Faults of path, query or body; all of them at once, at most 1,000. */
  invalid: (errors: readonly Fault[]) =>
    new Problem(
      'invalid_request',
      errors.every((error) => error.pointer.startsWith('/body'))
        ? 'The request body contains invalid data'
        : 'The request contains invalid data',
      { errors: errors.slice(0, MAX_FAULTS) },
    ),
  /** One fault for each question, section or node that was edited in the changes and in the live form. */
  changesConflict: (errors: readonly Fault[]) =>
    new Problem(
      'changes_conflict',
      'The changes and the live form were edited in the same place. `errors` lists where; decide whose edit stays.',
      { errors },
    ),
  /** `reason`: a sentence on the state of the export. */
  exportNotAvailable: (reason: string) => new Problem('export_not_available', reason),
  /** `reason`: a sentence on the state of the form. */
  formNotOpen: (reason: string) => new Problem('form_not_open', reason),
  lastAdmin: () =>
    new Problem('last_admin', 'An organization needs at least one admin. Make another member an admin first.'),
  nodeNotDeletable: (type: string) =>
    new Problem('node_not_deletable', `The ${type} node of a workflow cannot be deleted.`),
  /** One fault for each question that keeps the response from being submitted. */
  responseIncomplete: (errors: readonly Fault[], faultsByQuestion: ReadonlyMap<string, AnswerFault>) =>
    new Problem('response_incomplete', 'The response is not complete. `errors` lists what to change.', {
      errors,
      faultsByQuestion,
    }),
  responseNotSubmitted: () =>
    new Problem('response_not_submitted', 'Only a submitted response can be cancelled; this one is a draft.'),
  tooManyNodes: (max: number, type: string) =>
    new Problem('too_many_nodes', atMost(max, `${type} nodes in a form are`)),
  tooManyOrganizations: (max: number) =>
    new Problem('too_many_organizations', atMost(max, 'organizations of one person are')),
  memberOfTooMany: (max: number) =>
    new Problem(
      'too_many_organizations',
      `This person is in at least ${max} organizations: nobody can be added to more.`,
    ),
  tooManyQuestions: (max: number) => new Problem('too_many_questions', atMost(max, 'questions in a form are')),
  tooManyResponses: (max: number) =>
    new Problem(
      'too_many_responses',
      `${atMost(max, 'responses to a form by one person are')} Continue or delete one of yours.`,
    ),
  tooManyUnits: (max: number) => new Problem('too_many_units', atMost(max, 'units in an organization are')),
  tooManyUploads: (max: number) =>
    new Problem(
      'too_many_uploads',
      `${atMost(max, 'announced uploads of a question are')} Complete them or wait until their URLs expire.`,
    ),
  tooManyViews: (max: number) => new Problem('too_many_views', atMost(max, 'views of a form are')),
  unusableState: () =>
    new Problem(
      'unusable_state',
      'This sign-in or connection was started in another browser, took too long, or was already finished. Start again.',
      { errors: [{ pointer: '/query/state', detail: 'is not valid' }] },
    ),
  /** One fault for each faulty node. */
  workflowInvalid: (errors: readonly Fault[]) =>
    new Problem('workflow_invalid', 'The form cannot be published: its workflow has the faults listed in `errors`.', {
      errors,
    }),
  wrongFormStatus: (transition: string, status: string, allowed: readonly string[]) =>
    new Problem(
      'wrong_form_status',
      `Cannot ${transition} a form with the status ${status}; it must be ${allowed.join(' or ')}.`,
    ),
  /** `cookies`: the cookies that clear a rejected session. */
  unauthorized: (cookies: readonly string[] = []) =>
    new Problem('unauthorized', 'Authentication credentials were missing or invalid', {
      headers: { 'www-authenticate': 'Bearer' },
      cookies,
    }),
  /** The resource is visible to the caller, the action is not allowed. */
  forbidden: (detail: string) => new Problem('forbidden', detail),
  accountNeeded: () =>
    new Problem(
      'account_needed',
      'This form takes new responses only from people with an account. Sign in to start one.',
    ),
  invitationNeeded: () =>
    new Problem(
      'invitation_needed',
      'This form takes responses only from guests. Become one first: with the code of your invitation, or the link that is mailed to your address.',
    ),
  onboardingRequired: () =>
    new Problem('onboarding_required', 'Choose a username and a name first: PUT /api/users/onboarding.'),
  originNotAllowed: (origin: string) =>
    new Problem('origin_not_allowed', `Requests with cookies are not accepted from the origin ${origin}.`),
  responseSubmitted: () =>
    new Problem(
      'response_submitted',
      'The response is submitted and this form does not allow changes. Cancel the submission to edit it.',
    ),
  /** The same for absent resources and for those that are not visible to the caller. */
  notFound: () => new Problem('not_found', 'The requested resource was not found'),
  alreadyStarted: (responseId: string) =>
    new Problem('already_started', `You have begun a response: ${responseId}. Continue, submit or delete that one.`),
  deliveryUnderWay: () =>
    new Problem('delivery_under_way', 'The delivery is under way. Wait until it was sent or has failed.'),
  /** `reason`: why the mails of an organization to guests are paused. */
  mailsPaused: (reason: 'BOUNCES' | 'COMPLAINT') =>
    new Problem(
      'mails_paused',
      reason === 'BOUNCES'
        ? 'The organization sends no mails to guests, because too many came back. An admin can resume them, after correcting the addresses.'
        : 'The organization sends no mails to guests, because somebody has reported one as unwanted. An admin can resume them.',
    ),
  keyReused: () =>
    new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was already used with a different request. Use a new key.',
    ),
  /** One fault for each question of which a chosen choice is full, or for the form. */
  noPlaceLeft: (errors: readonly Fault[], faultsByQuestion: ReadonlyMap<string, AnswerFault>) =>
    new Problem(
      'no_place_left',
      errors.some(({ pointer }) => pointer === '/form') ? 'The form has no place left' : 'A choice has no place left',
      { errors, faultsByQuestion },
    ),
  slugTaken: (slug: string) =>
    new Problem('slug_taken', `The slug "${slug}" is in use. Choose another.`, inUse('slug')),
  stale: () =>
    new Problem(
      'stale_version',
      'The resource was changed since you read it (If-Match does not match). Read it again, then repeat your change.',
    ),
  usernameTaken: (username: string) =>
    new Problem('username_taken', `The username "${username}" is in use. Choose another.`, inUse('username')),
  viewLocked: () => new Problem('view_locked', 'The view is locked. Unlock it before you delete it.'),
  viewTitleTaken: (title: string) =>
    new Problem('view_title_taken', `A view with the title "${title}" exists. Choose another title.`, inUse('title')),
  tooLarge: (detail: string, errors: readonly Fault[] = []) => new Problem('content_too_large', detail, { errors }),
  storageFull: (maxBytes: number) =>
    new Problem(
      'storage_full',
      `The files of this organization would have more than ${maxBytes} bytes, which is all that it may store. Delete files or responses first.`,
    ),
  guestStorageFull: (maxBytes: number) =>
    new Problem(
      'storage_full',
      `The files of people without an account would have more than ${maxBytes} bytes in this form, which is all that they may have.`,
    ),
  unsupportedMediaType: (detail: string) => new Problem('unsupported_media_type', detail),
  /** `seconds`: until the next request is accepted. */
  tooManyRequests: (seconds: number, detail = 'You have sent this request too often. Repeat it later.') =>
    new Problem('too_many_requests', detail, { headers: { 'retry-after': String(seconds) } }),
  /** `challenge`: what the caller solves; `seconds`: until the next request can be accepted. */
  proofNeeded: (challenge: string, seconds: number) =>
    new Problem(
      'proof_needed',
      'This form is protected from programs. Find a number whose SHA-256 after the text in `guest-challenge` and a full stop begins with 16 zero bits, and send both as `proof`.',
      { headers: { 'retry-after': String(seconds), 'guest-challenge': challenge } },
    ),
  unavailable: (cause: unknown) =>
    new Problem('unavailable', 'Storage is busy. Repeat the request later.', {
      headers: { 'retry-after': '1' },
      cause,
    }),
  spreadsheetsNotSetUp: () =>
    new Problem('spreadsheets_not_set_up', 'This installation has no account for spreadsheets: ask its operator.', {
      headers: { 'retry-after': '3600' },
    }),
  spreadsheetsBusy: (cause: unknown) =>
    new Problem(
      'spreadsheets_busy',
      'The spreadsheet service accepts no more requests now. Repeat the request later.',
      {
        headers: { 'retry-after': '60' },
        cause,
      },
    ),
  providerUnavailable: (name: string, cause: unknown) =>
    new Problem('provider_unavailable', `The identity provider ${name} cannot be reached. Try again later.`, {
      headers: { 'retry-after': '5' },
      cause,
    }),
  internal: (requestId: string, cause: unknown) =>
    new Problem('internal', `An internal error occurred. Quote request ${requestId} when you report it.`, {
      cause,
    }),
} as const;

/** Builds the body of a problem response (RFC 9457). */
export function problemBody(problem: Problem, instance: string) {
  return {
    type: 'about:blank',
    title: TITLES[problem.status],
    status: problem.status,
    detail: problem.message,
    instance,
    code: problem.code,
    ...(problem.errors.length > 0
      ? { errors: problem.errors.map(({ pointer, detail }) => ({ pointer, detail })) }
      : {}),
  };
}

/** Whether a problem has faults, all of them in the path of the request. */
export const isFaultOfPath = ({ errors }: Problem): boolean =>
  errors.length > 0 && errors.every(({ pointer }) => pointer.startsWith('/path/'));

/** Returns where a fault is in the body, or for the whole body `/`. */
export const placeInBody = ({ pointer }: Fault): string => pointer.replace(/^\/body/, '') || '/';

/** Returns what was read. Throws 404 when there is nothing. */
export function requireFound<T>(value: T | undefined): T {
  if (value === undefined) throw problems.notFound();
  return value;
}
