/**
 * The pages for people, declared one by one like operations but outside the OpenAPI document: routes below `/`, from
 * which `stacks/plan.ts` derives one function for each audience. A page's handler is found by its name:
 * `showHome` is `functions/pages/show-home.ts`.
 */
import type { Access } from '#core/access/access.ts';
import { kebabCase, MAX_BODY_BYTES, type Need } from './declare.ts';

/** Who uses a page. The pages of an audience share one function, so that a visit starts one function only. */
export type Audience = 'respondents' | 'reviewers' | 'organizers' | 'builders' | 'authors' | 'assets';

type PageSpec = {
  method: 'GET' | 'POST';
  /** Parameters in braces are names of `PATH_PARAMETERS`. */
  path: string;
  access: Access;
  needs: readonly Need[];
  /** The largest body of a posted form in bytes, if it is not that of a few short fields. */
  maxFormBytes?: number;
  /** The page shows files from storage, without access to storage of its own. */
  showsFiles?: true;
};

export type PageDeclaration<S extends PageSpec = PageSpec> = S & { noun: 'pages'; name: string; audience: Audience };

/** Declares the pages of an audience. */
function declarePages<const T extends Record<string, PageSpec>>(
  audience: Audience,
  specs: T,
): { [K in keyof T]: T[K] & { noun: 'pages'; name: K & string; audience: Audience } } {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, { ...spec, noun: 'pages', name, audience }]),
  ) as { [K in keyof T]: T[K] & { noun: 'pages'; name: K & string; audience: Audience } };
}

/** The page for browsers at an address without a route, shown by the fallback function. */
export const missingPage = {
  noun: 'pages',
  name: 'showMissing',
  method: 'GET',
  path: '$default',
  access: { credential: 'none' },
  needs: [],
} as const satisfies Omit<PageDeclaration, 'audience'>;

/** A few short fields, percent-encoded. */
const SMALL_FORM_BYTES = 16_384;
/** The title of a view and the ids of all its columns. */
const COLUMNS_BYTES = 65_536;
/** The places of 300 questions: ids of questions and sections, twice. */
const ORDER_BYTES = 131_072;
/** A question with 200 choices of 200 characters, each with a description of 500. */
const QUESTION_BYTES = 2_000_000;
/** A name, a description of 2,000 characters and metadata of 8 KB. */
const DETAILS_BYTES = 98_304;

/** Returns the largest body of the form that is posted to a page, in bytes. */
export const maxFormBytes = ({ maxFormBytes: max = SMALL_FORM_BYTES }: Pick<PageSpec, 'maxFormBytes'>): number => max;

/** Builds the path of a page's handler file. */
export const pageFile = ({ name }: PageDeclaration): string => `functions/pages/${kebabCase(name)}.ts`;

/**
 * Lists the needs of a page: a page for signed-in people also renews their session when the access token has expired.
 */
export const pageNeeds = ({ access, needs }: PageSpec): Need[] => [
  ...new Set<Need>([
    ...needs,
    ...(access.credential === 'user' ? (['table:read', 'table:write', 'tokens:sign'] as const) : []),
  ]),
];

const anybody = { credential: 'none' } as const;
const signedIn = { credential: 'user' } as const;
const owner = { credential: 'user', target: 'response', roles: ['owner'] } as const;
const memberOfOrganization = { credential: 'user', target: 'organization', roles: ['member'] } as const;
const adminOfOrganization = { credential: 'user', target: 'organization', roles: ['admin'] } as const;
const deleterOfOrganization = { credential: 'user', target: 'organization', roles: ['admin', 'operator'] } as const;
const form = { credential: 'user', target: 'form' } as const;
const member = { credential: 'user', target: 'form', roles: ['member'] } as const;
const formDeleter = { credential: 'user', target: 'form', roles: ['admin', 'creator'] } as const;
const memberOfView = { credential: 'user', target: 'view', roles: ['member'] } as const;
const memberOfResponse = { credential: 'user', target: 'response', roles: ['member'] } as const;
const deleter = { credential: 'user', target: 'response', roles: ['admin', 'creator'] } as const;
const exporter = { credential: 'user', target: 'export' } as const;

export const respondentPages = declarePages('respondents', {
  showSignIn: { method: 'GET', path: '/sign-in', access: anybody, needs: ['table:read'] },
  signIn: { method: 'POST', path: '/sign-in', access: anybody, needs: ['table:read', 'table:write', 'tokens:sign'] },
  signOut: { method: 'POST', path: '/sign-out', access: anybody, needs: ['table:write'] },
  chooseLanguage: { method: 'POST', path: '/language', access: anybody, needs: [] },
  showOnboarding: { method: 'GET', path: '/onboarding', access: signedIn, needs: ['table:read'] },
  onboard: { method: 'POST', path: '/onboarding', access: signedIn, needs: ['table:read', 'table:write'] },
  showLanding: {
    method: 'GET',
    path: '/f/{formId}',
    access: form,
    needs: ['table:read', 'table:list', 'covers:read'],
  },
  start: {
    method: 'POST',
    path: '/f/{formId}/start',
    access: form,
    needs: ['table:read', 'table:list', 'table:write'],
  },
  continueResponse: { method: 'GET', path: '/r/{responseId}', access: owner, needs: ['table:read'] },
  showSection: {
    method: 'GET',
    path: '/r/{responseId}/s/{sectionId}',
    access: owner,
    needs: ['table:read', 'files:write'],
  },
  saveSection: {
    method: 'POST',
    path: '/r/{responseId}/s/{sectionId}',
    access: owner,
    needs: ['table:read', 'table:write', 'files:read', 'files:write', 'files:remove'],
    maxFormBytes: MAX_BODY_BYTES,
  },
  checkAnswers: { method: 'GET', path: '/r/{responseId}/check', access: owner, needs: ['table:read'] },
  submit: { method: 'POST', path: '/r/{responseId}/submit', access: owner, needs: ['table:read', 'table:write'] },
  confirmWithdrawal: { method: 'GET', path: '/r/{responseId}/withdraw', access: owner, needs: ['table:read'] },
  showDone: { method: 'GET', path: '/r/{responseId}/done', access: owner, needs: ['table:read'] },
  cancelSubmission: {
    method: 'POST',
    path: '/r/{responseId}/cancel',
    access: owner,
    needs: ['table:read', 'table:write'],
  },
  downloadFile: {
    method: 'GET',
    path: '/files/{fileId}',
    access: { credential: 'user', target: 'file' },
    needs: ['table:read', 'files:read'],
  },
});

export const reviewPages = declarePages('reviewers', {
  showResponses: {
    method: 'GET',
    path: '/review/{formId}',
    access: member,
    needs: ['table:read', 'table:list'],
  },
  showDrafts: {
    method: 'GET',
    path: '/review/{formId}/drafts',
    access: member,
    needs: ['table:read', 'table:list'],
  },
  showStatistics: {
    method: 'GET',
    path: '/review/{formId}/statistics',
    access: member,
    needs: ['table:read', 'table:list'],
  },
  chooseHighlight: {
    method: 'POST',
    path: '/review/{formId}/highlight',
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
  },
  showResponse: {
    method: 'GET',
    path: '/review/{formId}/r/{responseId}',
    access: memberOfResponse,
    needs: ['table:read', 'table:list'],
    showsFiles: true,
  },
  resend: {
    method: 'POST',
    path: '/review/{formId}/r/{responseId}/deliveries/{kind}',
    access: memberOfResponse,
    needs: ['table:read', 'table:write'],
  },
  confirmDeletion: {
    method: 'GET',
    path: '/review/{formId}/r/{responseId}/delete',
    access: deleter,
    needs: ['table:read'],
  },
  deleteResponse: {
    method: 'POST',
    path: '/review/{formId}/r/{responseId}/delete',
    access: deleter,
    needs: ['table:read', 'table:write', 'table:remove'],
  },
  showExports: {
    method: 'GET',
    path: '/review/{formId}/export',
    access: member,
    needs: ['table:read', 'table:list'],
  },
  requestExport: {
    method: 'POST',
    path: '/review/{formId}/export',
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
  },
  showExport: {
    method: 'GET',
    path: '/review/{formId}/export/{exportId}',
    access: exporter,
    needs: ['table:read'],
  },
  downloadExport: {
    method: 'GET',
    path: '/review/{formId}/export/{exportId}/file',
    access: exporter,
    needs: ['table:read', 'exports:read'],
  },
  showViews: { method: 'GET', path: '/review/{formId}/views', access: member, needs: ['table:read', 'table:list'] },
  createView: {
    method: 'POST',
    path: '/review/{formId}/views',
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
  },
  showView: {
    method: 'GET',
    path: '/review/{formId}/views/{viewId}',
    access: memberOfView,
    needs: ['table:read', 'table:list'],
  },
  changeView: {
    method: 'POST',
    path: '/review/{formId}/views/{viewId}',
    access: memberOfView,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
  },
  confirmViewDeletion: {
    method: 'GET',
    path: '/review/{formId}/views/{viewId}/delete',
    access: memberOfView,
    needs: ['table:read', 'table:list'],
  },
});

const READ = ['table:read'] as const;
const LIST = ['table:read', 'table:list'] as const;
const WRITE = ['table:read', 'table:write'] as const;

export const organizerPages = declarePages('organizers', {
  showHome: { method: 'GET', path: '/', access: signedIn, needs: LIST },
  showAccount: { method: 'GET', path: '/account', access: signedIn, needs: LIST },
  showNewOrganization: { method: 'GET', path: '/orgs/new', access: signedIn, needs: READ },
  createOrganization: {
    method: 'POST',
    path: '/orgs/new',
    access: { credential: 'user', onboarded: true },
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
  },
  showOrganization: { method: 'GET', path: '/o/{slug}', access: memberOfOrganization, needs: LIST },
  showSettings: { method: 'GET', path: '/o/{slug}/settings', access: memberOfOrganization, needs: LIST },
  changeSettings: {
    method: 'POST',
    path: '/o/{slug}/settings',
    access: adminOfOrganization,
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
  },
  confirmOrganizationDeletion: {
    method: 'GET',
    path: '/o/{slug}/delete',
    access: deleterOfOrganization,
    needs: READ,
  },
  deleteOrganization: { method: 'POST', path: '/o/{slug}/delete', access: deleterOfOrganization, needs: WRITE },
  showMembers: { method: 'GET', path: '/o/{slug}/members', access: memberOfOrganization, needs: LIST },
  changeMembers: {
    method: 'POST',
    path: '/o/{slug}/members',
    access: adminOfOrganization,
    needs: [...LIST, 'table:write'],
  },
  confirmRemoval: {
    method: 'GET',
    path: '/o/{slug}/members/{memberId}/remove',
    access: adminOfOrganization,
    needs: READ,
  },
  removeMember: {
    method: 'POST',
    path: '/o/{slug}/members/{memberId}/remove',
    access: adminOfOrganization,
    needs: [...LIST, 'table:write'],
  },
  showUnits: { method: 'GET', path: '/o/{slug}/units', access: memberOfOrganization, needs: READ },
  createUnit: {
    method: 'POST',
    path: '/o/{slug}/units',
    access: adminOfOrganization,
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
  },
  showUnit: { method: 'GET', path: '/o/{slug}/units/{unitId}', access: memberOfOrganization, needs: READ },
  changeUnit: {
    method: 'POST',
    path: '/o/{slug}/units/{unitId}',
    access: adminOfOrganization,
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
  },
  confirmUnitDeletion: {
    method: 'GET',
    path: '/o/{slug}/units/{unitId}/delete',
    access: adminOfOrganization,
    needs: READ,
  },
  deleteUnit: { method: 'POST', path: '/o/{slug}/units/{unitId}/delete', access: adminOfOrganization, needs: WRITE },
});

export const builderPages = declarePages('builders', {
  showNewForm: { method: 'GET', path: '/o/{slug}/new', access: memberOfOrganization, needs: READ },
  createForm: {
    method: 'POST',
    path: '/o/{slug}/new',
    access: { ...memberOfOrganization, onboarded: true },
    needs: WRITE,
    maxFormBytes: MAX_BODY_BYTES,
  },
  showOverview: { method: 'GET', path: '/build/{formId}', access: member, needs: LIST },
  changeStatus: {
    method: 'POST',
    path: '/build/{formId}',
    access: member,
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
  },
  downloadDefinition: { method: 'GET', path: '/build/{formId}/definition', access: member, needs: LIST },
  showFormSettings: {
    method: 'GET',
    path: '/build/{formId}/settings',
    access: member,
    needs: [...LIST, 'sheets:call'],
  },
  changeFormSettings: {
    method: 'POST',
    path: '/build/{formId}/settings',
    access: member,
    needs: [...LIST, 'table:write', 'sheets:call'],
  },
  showLook: { method: 'GET', path: '/build/{formId}/look', access: member, needs: [...LIST, 'covers:read'] },
  changeLook: {
    method: 'POST',
    path: '/build/{formId}/look',
    access: member,
    needs: [...LIST, 'table:write', 'covers:read'],
  },
  changeCover: {
    method: 'POST',
    path: '/build/{formId}/cover',
    access: member,
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
    maxFormBytes: MAX_BODY_BYTES,
  },
  showShare: { method: 'GET', path: '/build/{formId}/share', access: member, needs: LIST },
  prefillLink: {
    method: 'POST',
    path: '/build/{formId}/share',
    access: member,
    needs: LIST,
    maxFormBytes: DETAILS_BYTES,
  },
  confirmFormDeletion: { method: 'GET', path: '/build/{formId}/delete', access: formDeleter, needs: LIST },
  deleteForm: { method: 'POST', path: '/build/{formId}/delete', access: formDeleter, needs: [...LIST, 'table:write'] },
});

/** The pages on which questions and rules are made. */
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
  showChanges: { method: 'GET', path: '/build/{formId}/changes', access: member, needs: LIST },
  publishChanges: {
    method: 'POST',
    path: '/build/{formId}/changes',
    access: member,
    needs: [...LIST, 'table:write'],
  },
  undoEdit: { method: 'POST', path: '/build/{formId}/undo', access: member, needs: [...LIST, 'table:write'] },
  showVersions: { method: 'GET', path: '/build/{formId}/versions', access: member, needs: LIST },
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

export const assetPages = declarePages('assets', {
  getAsset: { method: 'GET', path: '/assets/{asset}', access: anybody, needs: ['assets:read'] },
});

export const pages: readonly PageDeclaration[] = [
  respondentPages,
  reviewPages,
  organizerPages,
  builderPages,
  authorPages,
  assetPages,
].flatMap((declarations): PageDeclaration[] => Object.values(declarations));

const readablePaths = new Set(pages.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));

/**
 * Counts the segments of a form's address below the page to which its reader can return: the page at the same address, or
 * the nearest one above it.
 */
export function countSegmentsBelowPage({ path }: Pick<PageSpec, 'path'>): number {
  const segments = path.split('/').slice(1);
  const nearestIndex = segments.findLastIndex((_, index) =>
    readablePaths.has(`/${segments.slice(0, index + 1).join('/')}`),
  );
  return segments.length - 1 - nearestIndex;
}
