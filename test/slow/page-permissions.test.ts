/**
 * Who may see and use the pages of organizers, builders and authors: the same people as the operation of the API that a page stands
 * on, by everybody on own and foreign organizations and on forms in every status (`permissions.ts`).
 */
import { expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { reloadStructure } from '#core/structure/store.ts';
import { pagesFor } from '#test/support/declared-pages.ts';
import { newForm, newOrganization, person } from '#test/support/fixtures.ts';
import { newInvitation } from '#test/support/invitations.ts';
import { pagesOf } from '#test/support/pages.ts';
import {
  expectedStatus,
  type Name,
  type Permission,
  peopleOf,
  personOf,
  resourcesOf,
  type Target,
  targetsOf,
} from '#test/support/permissions.ts';
import { type OperationName, rowOf } from '#test/support/requests.ts';
import { newResources, newScene, newUnit, type Resources } from '#test/support/scene.ts';

type Fields = Readonly<Record<string, string>>;

/** An operation, and the fields of the form that stands for it; forms are filled in wrongly where that changes nothing. */
type Row = readonly [operation: OperationName, fields?: Fields, consumes?: 'consumes'];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  showHome: [['forms.listMyForms']],
  showAccount: [['users.getCurrentUser']],
  postAccount: [['users.endSessions']],
  showNewOrganization: [['users.getCurrentUser']],
  postNewOrganization: [['orgs.createOrganization', { name: '' }]],
  showOrganization: [['forms.listOrganizationForms']],
  // An organization is visible to everybody who is signed in, its pages are for members only, as its members are.
  showOrganizationSettings: [['orgs.listMembers']],
  postOrganizationSettings: [['orgs.updateOrganization', { name: '' }]],
  showDeleteOrganization: [['orgs.deleteOrganization']],
  postDeleteOrganization: [['orgs.deleteOrganization', { name: 'Something else' }]],
  showMembers: [['orgs.listMembers']],
  postMembers: [
    ['orgs.addMember', { do: 'add', email: 'nobody@example.org' }],
    ['orgs.updateMember', { do: 'MEMBER:{memberId}' }],
  ],
  showRemoveMember: [['orgs.removeMember']],
  // The only admin cannot be removed.
  postRemoveMember: [['orgs.removeMember', {}]],
  showUnits: [['units.listUnits']],
  postUnits: [['units.createUnit', { name: '' }]],
  showUnit: [['units.getUnit']],
  postUnit: [
    ['units.updateUnit', { do: 'save', name: '' }],
    ['units.linkUnits', { do: 'move', parent: '' }],
  ],
  showDeleteUnit: [['units.deleteUnit']],
  postDeleteUnit: [['units.deleteUnit', {}, 'consumes']],
  showNewForm: [['forms.createForm']],
  postNewForm: [
    ['forms.createForm', { title: '' }],
    ['forms.importForm', { do: 'file' }],
    ['forms.createForm', { do: 'copy', form: 'none' }],
  ],
  showOverview: [['forms.getDefinition']],
  postOverview: [
    ['forms.publishForm', { do: 'publish' }, 'consumes'],
    ['forms.updateForm', { do: 'close' }, 'consumes'],
    ['forms.archiveForm', { do: 'archive' }, 'consumes'],
    ['forms.unarchiveForm', { do: 'unarchive' }, 'consumes'],
    ['forms.duplicateForm', { do: 'duplicate' }, 'consumes'],
  ],
  showDefinition: [['forms.getDefinition']],
  // A form is visible to its readers, its settings page is for members only, as its definition is.
  showFormSettings: [['forms.getDefinition']],
  postFormSettings: [['forms.updateForm', { title: '' }]],
  showLook: [['forms.getDefinition']],
  postLook: [['forms.updateForm', { color: 'no colour' }]],
  postCover: [
    ['forms.uploadCover', { do: 'upload' }],
    ['forms.updateForm', { do: 'remove' }],
  ],
  showShare: [['forms.getDefinition']],
  postShare: [
    ['forms.getDefinition', {}],
    ['forms.updateForm', { do: 'audience', audience: 'NOBODY' }],
  ],
  showInvitations: [['invitations.listInvitations']],
  postInvitations: [['invitations.createInvitations', { guests: '' }]],
  showInvitation: [['invitations.updateInvitation']],
  postInvitation: [['invitations.updateInvitation', { do: 'newCode' }]],
  showDeleteInvitation: [['invitations.deleteInvitation']],
  postDeleteInvitation: [['invitations.deleteInvitation', {}, 'consumes']],
  showInvitationMails: [['invitations.getSending']],
  postInvitationMails: [['invitations.sendInvitations', { do: 'preview' }]],
  showInvitationLinks: [['invitations.listInvitations']],
  showInvitationSheet: [['invitations.listInvitations']],
  showDeleteForm: [['forms.deleteForm']],
  postDeleteForm: [['forms.deleteForm', { title: 'Something else' }]],
  // The questions of a form are visible to its readers, the pages on which they are made are for members only.
  showQuestions: [['forms.getDefinition']],
  postQuestions: [
    ['questions.moveQuestion', { do: 'up:{questionId}' }],
    ['questions.copyQuestion', { do: 'copy:{questionId}' }, 'consumes'],
    ['workflow.createNode', { do: 'section:{sectionId}' }, 'consumes'],
    ['sections.copySection', { do: 'copy-section:{sectionId}' }, 'consumes'],
  ],
  showEditSection: [['forms.getDefinition']],
  postEditSection: [['sections.updateSection', { title: 'x'.repeat(201) }]],
  showNewQuestion: [['forms.getDefinition']],
  postNewQuestion: [['questions.createQuestion', { title: '' }]],
  showDeleteSection: [['forms.getDefinition']],
  postDeleteSection: [['workflow.deleteNode', {}, 'consumes']],
  showQuestion: [['forms.getDefinition']],
  postQuestion: [['questions.updateQuestion', { title: '' }]],
  showChoices: [['forms.getDefinition']],
  postChoices: [['questions.updateQuestion', { choices: '' }]],
  showDeleteQuestion: [['forms.getDefinition']],
  postDeleteQuestion: [['questions.deleteQuestion', {}, 'consumes']],
  showRules: [['forms.getDefinition']],
  showSectionRules: [['forms.getDefinition']],
  postSectionRules: [['workflow.updateWorkflow', { do: 'add-rule' }]],
  showTryRules: [['forms.getDefinition']],
  postTryRules: [['forms.getDefinition']],
  showCondition: [['forms.getDefinition']],
  postCondition: [['workflow.updateWorkflow', { do: 'question' }]],
  showDeleteCondition: [['forms.getDefinition']],
  postDeleteCondition: [['workflow.deleteNode', {}, 'consumes']],
  showChanges: [['forms.getDefinition']],
  postChanges: [['workflow.updateWorkflow', { do: 'discard', revision: '1' }]],
  showOrder: [['forms.getDefinition']],
  postOrder: [['workflow.updateWorkflow', { do: 'save' }]],
  postUndo: [['workflow.updateWorkflow', { undo: 'none' }]],
  showVersions: [['forms.listVersions']],
  showVersion: [['forms.getVersion']],
  postVersion: [['forms.restoreVersion', { do: 'restore', revision: '0' }]],
  showPreview: [['forms.getDefinition']],
  postPreview: [['forms.getDefinition']],
};

const PAGES = (['organizers', 'builders', 'authors'] as const).flatMap(pagesFor);
const CASES = PAGES.flatMap((page) =>
  (ROWS[page.name] ?? []).map(([operation, fields, consumes]) => ({ page, operation, fields, consumes })),
);
type Case = (typeof CASES)[number];

const scene = await newScene();

test('every page of organizers, builders and authors has a row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(PAGES.map(({ name }) => name).sort());
});

test.for(CASES)('$page.name has the access of $operation', async (attempted) => {
  const permission = rowOf(attempted.operation).may;
  const attempts = targetsOf(permission).flatMap((target) => peopleOf(target).map((name) => ({ target, name })));
  const results: [string, number | string][] = [];
  for (const { target, name } of attempts) {
    results.push([`${name}, ${target.name}`, await visit(attempted, target, name)]);
  }
  expect(results).toEqual(
    attempts.map(({ target, name }) => [`${name}, ${target.name}`, expected(attempted, permission, target, name)]),
  );
});

/** A reader without a session is led to the sign-in page; a form that is not valid was accepted from its sender. */
function expected({ page }: Case, permission: Permission, target: Target, name: Name): unknown {
  const status = expectedStatus(permission, target, name);
  if (status === 'success') return expect.toBeOneOf([200, 303, 400, 409, 415]);
  return status === 401 && page.method === 'GET' ? '/sign-in' : status;
}

async function visit(attempted: Case, target: Target, name: Name): Promise<number | string> {
  const { page, fields = {} } = attempted;
  const params = await paramsFor(attempted, target);
  const path = page.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => params[parameter] ?? '');
  const person = await personOf(scene, name, resourcesOf(scene, target));
  const posted = Object.entries(fields).map(([field, value]) => [field, fillIn(value, params)] as const);
  const { token } = person === 'nobody' ? { token: '' } : person;
  const pages = pagesOf({ token });
  const response = page.method === 'GET' ? await pages.get(path) : await pages.post(path, posted);
  const [location = ''] = (response.headers.get('location') ?? '').split('?');
  return location === '/sign-in' ? location : response.status;
}

const fillIn = (value: string, params: Record<string, string>): string =>
  value.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => params[parameter] ?? '');

/** The path parameters of a target; what a form consumes is new. */
async function paramsFor({ consumes, page }: Case, target: Target): Promise<Record<string, string>> {
  const place = scene.places[target.side];
  const isNewForm = consumes && page.path.includes('{formId}');
  const resources: Resources = isNewForm
    ? await newResources(place, target.status, target.maker === 'bob' ? place.member : place.admin)
    : resourcesOf(scene, target);
  const unitId = consumes ? await newUnit(place.admin.client, place.slug) : place.unitId;
  const { formId, sectionId, questionId } = resources;
  // The live structure is a version of every form.
  const { structure } = await reloadStructure(app().table, formId);
  const version = String(structure.version);
  const guestId = page.path.includes('{guestId}') ? (await newInvitation(resources)).id : '';
  const ids = { formId, sectionId, nodeId: sectionId, questionId, unitId, version, guestId };
  return { slug: place.slug, ...ids, memberId: place.admin.id };
}

test('only people who have chosen names create organizations and forms', async () => {
  const newcomer = await person('newcomer', { onboarded: false });
  const { alice } = scene.cast;
  const { slug } = await newOrganization(alice, newcomer);
  const { formId } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const pages = pagesOf(newcomer);
  const results = [
    await pages.post('/orgs/new', []),
    await pages.post(`/o/${slug}/new`, [['title', 'Lakes']]),
    await pages.post(`/build/${formId}`, [['do', 'duplicate']]),
  ];
  expect(results.map(({ status }) => status)).toEqual([403, 403, 403]);
});
