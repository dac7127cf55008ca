/**
 * Who may do what: one line for each operation, and the rules of what is visible to whom. Written from the contract and
 * not from the declarations, so that it can disagree with the code.
 */
import type { Declaration } from '#core/api/declare.ts';
import type { Person } from './fixtures.ts';
import { nameOf, type OperationName } from './requests.ts';
import { type Resources, type Scene, STATUSES, type Status } from './scene.ts';

/** The target of an operation and who may call it; it succeeds at the form's statuses `in`, and is 400 at others. */
export type Permission =
  | { on: 'nothing'; who: 'everybody' | 'signed in' | 'onboarded' }
  | { on: 'organization'; who: 'signed in' | 'member' | 'onboarded member' | 'admin' | 'admin or operator' }
  | { on: 'unit'; who: 'admin' }
  | { on: 'form'; who: 'reader' | 'member' | 'admin' | 'admin or creator'; in?: readonly Status[] }
  | { on: 'response'; who: 'owner' | 'member' | 'owner or member' | 'admin or creator'; in?: readonly Status[] }
  /** `ownerIn`: the statuses at which it succeeds for its owner; for others it does at all. */
  | { on: 'export'; who: 'requester or admin' }
  | { on: 'file'; who: 'owner or member or operator' | 'owner or admin'; ownerIn?: readonly Status[] };

const organization = (who: Extract<Permission, { on: 'organization' }>['who']) =>
  ({ on: 'organization', who }) as const;
const everybody = { on: 'nothing', who: 'everybody' } as const;
const signedIn = { on: 'nothing', who: 'signed in' } as const;
const reader = { on: 'form', who: 'reader' } as const;
const member = { on: 'form', who: 'member' } as const;
const admin = { on: 'form', who: 'admin' } as const;
const ownerOrMember = { on: 'response', who: 'owner or member' } as const;
const requesterOrAdmin = { on: 'export', who: 'requester or admin' } as const;
/** Answers are written only while the form is open. */
const ownerWhileOpen = { on: 'response', who: 'owner', in: ['PUBLISHED'] } as const;

export const PERMISSIONS = {
  'health.getHealth': everybody,
  'auth.loginInternal': everybody,
  // With the refresh cookie of a session, which the request brings along.
  'auth.refresh': everybody,
  'auth.logout': everybody,
  'auth.startLogin': everybody,
  // With the state and the cookie of a browser that comes back from the provider, and so for connections.
  'auth.finishLogin': everybody,
  'users.getCurrentUser': signedIn,
  'users.onboardUser': signedIn,
  'orgs.listOrganizations': signedIn,
  'orgs.listMyOrganizations': signedIn,
  'orgs.createOrganization': { on: 'nothing', who: 'onboarded' },
  'orgs.getOrganization': organization('signed in'),
  'orgs.updateOrganization': organization('admin'),
  'orgs.listMembers': organization('member'),
  'orgs.addMember': organization('admin'),
  'orgs.deleteOrganization': organization('admin or operator'),
  'orgs.getSlugStatus': organization('signed in'),
  'orgs.getSlugHistory': organization('signed in'),
  'orgs.updateMember': organization('admin'),
  'orgs.removeMember': organization('admin'),
  'units.listUnits': organization('member'),
  'units.listUnitIds': organization('member'),
  'units.createUnit': organization('admin'),
  'units.getUnit': organization('member'),
  'units.updateUnit': organization('admin'),
  'units.deleteUnit': organization('admin'),
  'units.listSubunits': organization('member'),
  'units.listSubunitIds': organization('member'),
  'units.linkUnits': organization('admin'),
  // Its path names no organization, only a unit, and units are visible to members.
  'units.unlinkUnit': { on: 'unit', who: 'admin' },
  'forms.listMyForms': signedIn,
  'forms.listForms': signedIn,
  'forms.createForm': organization('onboarded member'),
  'forms.importForm': organization('onboarded member'),
  'forms.listOrganizationForms': organization('member'),
  'forms.listFonts': signedIn,
  'forms.getSpreadsheetEmail': signedIn,
  'forms.verifySpreadsheet': signedIn,
  'forms.getForm': reader,
  'forms.updateForm': member,
  'forms.deleteForm': { on: 'form', who: 'admin or creator' },
  'forms.duplicateForm': member,
  'forms.getDefinition': member,
  'forms.publishForm': { ...member, in: ['DRAFT'] },
  'forms.getChanges': member,
  'forms.discardChanges': member,
  'forms.publishChanges': member,
  'forms.listVersions': member,
  'forms.getVersion': member,
  'forms.restoreVersion': member,
  'forms.archiveForm': admin,
  'forms.unarchiveForm': { ...admin, in: ['ARCHIVED'] },
  'forms.uploadCover': member,
  'forms.getCover': reader,
  'forms.getHighlight': member,
  'forms.setHighlight': member,
  'forms.updateHighlight': member,
  'forms.deleteHighlight': member,
  'sections.listSections': reader,
  'sections.updateSection': member,
  'sections.copySection': member,
  'questions.createQuestion': member,
  'questions.updateQuestion': member,
  'questions.moveQuestion': member,
  'questions.copyQuestion': member,
  'questions.deleteQuestion': member,
  'workflow.getWorkflow': reader,
  'workflow.updateWorkflow': member,
  'workflow.createNode': member,
  'workflow.deleteNode': member,
  'responses.startResponse': { ...reader, in: ['PUBLISHED'] },
  // Members list all responses, others their own: nobody to whom the form is visible is refused.
  'responses.listResponses': reader,
  'responses.listMyResponses': reader,
  'responses.getResponse': ownerOrMember,
  'responses.deleteResponse': { on: 'response', who: 'admin or creator' },
  'responses.updateAnswers': ownerWhileOpen,
  'responses.getAnswer': ownerOrMember,
  'responses.clearAnswer': ownerWhileOpen,
  'responses.submitResponse': ownerWhileOpen,
  'responses.cancelResponse': ownerWhileOpen,
  'deliveries.retryDelivery': { on: 'response', who: 'member' },
  'files.uploadFiles': ownerWhileOpen,
  'files.completeUploads': { on: 'response', who: 'owner' },
  'files.clearFiles': ownerWhileOpen,
  'files.listFiles': signedIn,
  'files.listMyFiles': signedIn,
  'files.downloadFile': { on: 'file', who: 'owner or member or operator' },
  'files.getFile': { on: 'file', who: 'owner or member or operator' },
  'files.deleteFile': { on: 'file', who: 'owner or admin', ownerIn: ['PUBLISHED'] },
  'connections.startConnection': ownerWhileOpen,
  'connections.finishConnection': everybody,
  'exports.previewTable': member,
  'responses.filterResponses': member,
  'responses.getStatistics': member,
  'responses.queryStatistics': member,
  'exports.downloadTable': member,
  // Admins list all exports, other members their own.
  'exports.listExports': member,
  'exports.getExport': requesterOrAdmin,
  'exports.downloadExport': requesterOrAdmin,
  'views.createView': member,
  'views.listViews': member,
  'views.getView': member,
  'views.updateView': member,
  'views.deleteView': member,
  'views.lockView': member,
  'views.unlockView': member,
  'views.duplicateView': member,
  'views.listDistinctAnswers': member,
} as const satisfies Record<OperationName, Permission>;

/** The permission of an operation; throws when it has no line here. */
export function permissionOf(declaration: Declaration): Permission {
  const permission = Object.entries<Permission>(PERMISSIONS).find(([name]) => name === nameOf(declaration))?.[1];
  if (!permission) throw new Error(`${nameOf(declaration)} has no line in test/support/permissions.ts`);
  return permission;
}

/** The cast as rows of the matrix. */
export const PEOPLE = ['nobody', 'chelsea', 'dave', 'erin', 'bob', 'alice', 'oscar'] as const;
export type Name = (typeof PEOPLE)[number];

/**
 * Who is tried on a target: everybody of the cast on own forms, and of those who are the same to a target, as all are to
 * a foreign one, those who would gain the most from a gap.
 */
export function peopleOf({ side, status, maker }: Target): readonly Name[] {
  if (maker === 'bob') return ['bob', 'alice'];
  if (side === 'foreign') return ['dave', 'alice', 'oscar'];
  return status === 'PUBLISHED' ? PEOPLE : PEOPLE.filter((name) => name !== 'nobody');
}

/** Somebody of the cast, as requests take them. */
export const personOf = (scene: Scene, name: Name): Person | 'nobody' =>
  name === 'nobody' ? 'nobody' : scene.cast[name];

/** What a request is about: whose it is, who made it, and in which status its form is. */
export type Target = { name: string; side: 'own' | 'foreign'; status: Status; maker: Name | 'stranger' };

const TARGETS: readonly Target[] = [
  ...STATUSES.flatMap((status): Target[] => [
    { name: `own ${status}`, side: 'own', status, maker: 'alice' },
    { name: `foreign ${status}`, side: 'foreign', status, maker: 'stranger' },
  ]),
  { name: 'own PUBLISHED made by bob', side: 'own', status: 'PUBLISHED', maker: 'bob' },
];

/** Everything that an operation can be about: forms in every status, or just an organization. */
export const targetsOf = ({ on }: Permission): readonly Target[] =>
  TARGETS.filter(
    ({ status, maker }) =>
      on === 'form' ||
      on === 'response' ||
      on === 'file' ||
      on === 'export' ||
      (status === 'PUBLISHED' && maker !== 'bob'),
  );

/** The resources of a target in a scene. */
export const resourcesOf = (scene: Scene, { side, status, maker }: Target): Resources =>
  maker === 'bob' ? scene.madeByMember : scene[side][status];

/** What somebody is to a target. */
function rolesTo({ side, maker }: Target, name: Name): ReadonlySet<string> {
  const isMember = side === 'own' && (name === 'bob' || name === 'alice');
  const roles = {
    'signed in': name !== 'nobody',
    onboarded: name !== 'nobody',
    operator: name === 'oscar',
    member: isMember,
    admin: side === 'own' && name === 'alice',
    creator: isMember && name === maker,
    respondent: side === 'own' && (name === 'dave' || name === 'erin'),
    owner: side === 'own' && name === 'dave',
    requester: side === 'own' && name === 'bob',
  };
  return new Set(Object.entries(roles).flatMap(([role, has]) => (has ? [role] : [])));
}

/**
 * Whether a target is visible: an organization to everybody signed in; a form to its members and respondents, while
 * PUBLISHED to everybody signed in; a response to its owner and the members; a unit to the members; a file to who
 * uploaded it, the members, and operators; an export to the member who asked for it and the admins.
 */
function isVisible(on: Permission['on'], target: Target, roles: ReadonlySet<string>): boolean {
  if (on === 'response') return roles.has('owner') || roles.has('member');
  if (on === 'file') return ['owner', 'member', 'operator'].some((role) => roles.has(role));
  if (on === 'export') return roles.has('requester') || roles.has('admin');
  if (on === 'unit') return roles.has('member');
  return on !== 'form' || target.status === 'PUBLISHED' || roles.has('member') || roles.has('respondent');
}

/** Whether a caller has one of the roles; a reader is everybody to whom the resource is visible. */
const isOneOf = (who: Permission['who'], roles: ReadonlySet<string>): boolean =>
  who === 'everybody' ||
  who === 'reader' ||
  who
    .replace('onboarded ', '')
    .split(' or ')
    .some((role) => roles.has(role));

/** The status of the response; `success` stands for the one that the operation declares. */
export function expectedStatus(permission: Permission, target: Target, name: Name): 'success' | 400 | 401 | 403 | 404 {
  const roles = rolesTo(target, name);
  if (permission.who !== 'everybody' && !roles.has('signed in')) return 401;
  if (!isVisible(permission.on, target, roles)) return 404;
  if (!isOneOf(permission.who, roles)) return 403;
  if ('ownerIn' in permission && !roles.has('admin') && !permission.ownerIn?.includes(target.status)) return 400;
  const statuses = 'in' in permission ? permission.in : undefined;
  return statuses && !statuses.includes(target.status) ? 400 : 'success';
}
