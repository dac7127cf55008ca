/**
 * One line for each declared operation: who may call it, and a valid request. The permissions are written from the
 * contract and not from the declarations, so that they can disagree with the code. An operation that is declared without
 * a line is a type error.
 */
import type { CallInput } from '#core/api/client.ts';
import type { Declaration } from '#core/api/declare.ts';
import type { Api } from '#core/api/index.ts';
import { app } from '#core/http/app.ts';
import { sha256 } from '#core/schema/hash.ts';
import { DEMO_SPREADSHEET } from '#stacks/local/sheets/sheets.ts';
import { settings } from './building.ts';
import { putCover } from './covers.ts';
import { about, formOf, local } from './files.ts';
import { newForm, newOrganization, question } from './fixtures.ts';
import { newInvitation, newInvited } from './invitations.ts';
import { storeMail } from './mail.ts';
import { connectPath, loginPath } from './oauth.ts';
import type { Permission, Sender } from './permissions.ts';
import {
  broughtBack,
  cover,
  earlierVersion,
  keptVersion,
  newCover,
  newMember,
  newProof,
  pauseMails,
  refreshCookie,
  sentFile,
  withChanges,
  withCount,
  withInvitation,
  withSending,
} from './prepared.ts';
import { start, text as textAnswer } from './responses.ts';
import { doc, p, text } from './rich-text.ts';
import { newUnit, type Resources, type Status } from './scene.ts';

/** A request; of its path parameters only those that are not the ids of the form. */
export type Given<Input> = { [K in keyof Input]?: K extends 'params' ? Partial<Input[K]> : Input[K] };

export type Row<Input> = {
  may: Permission;
  /** Who sends it, of those who may: by default the least of them. */
  by?: Sender;
  /** The status of the form at which it succeeds; PUBLISHED by default. */
  on?: Status;
  /** It cannot be sent twice on the same resources, or changes them for others: it gets new ones. */
  consumes?: true;
  /** Changes what others share, so that it succeeds; done on new resources only. */
  prepare?: (resources: Resources) => Promise<unknown>;
  /** The request; creates what it needs beside the form. */
  input: Given<Input> | ((resources: Resources) => Given<Input> | Promise<Given<Input>>);
  /** More requests, of an operation of which one request does not show everything that it needs. */
  others?: (resources: Resources) => Given<Input>[] | Promise<Given<Input>[]>;
};

type Rows = {
  [N in keyof Api]: { [O in keyof Api[N]]: Api[N][O] extends Declaration ? Row<CallInput<Api[N][O]>> : never };
};

type More<Input> = Omit<Row<Input>, 'may' | 'input'> | NonNullable<Row<Input>['others']>;
type Make = <Input>(input?: NoInfer<Row<Input>['input']>, more?: NoInfer<More<Input>>) => Row<Input>;
/** Makes rows of a permission; `more` as a function is `others`. */
const row =
  (may: Permission): Make =>
  (input = {}, more = {}) => ({ may, input, ...(typeof more === 'function' ? { others: more } : more) });

const everybody = row({ on: 'nothing', who: 'everybody' });
const signedIn = row({ on: 'nothing', who: 'signed in' });
const anyone = row({ on: 'organization', who: 'signed in' });
const insider = row({ on: 'organization', who: 'member' });
const author = row({ on: 'organization', who: 'onboarded member' });
const owner = row({ on: 'organization', who: 'admin' });
const reader = row({ on: 'form', who: 'reader' });
/** Also guests of the form, who may respond and see what a respondent sees. */
const readerOrGuest = row({ on: 'form', who: 'reader', guests: true });
const member = row({ on: 'form', who: 'member' });
const admin = row({ on: 'form', who: 'admin' });
const ownerOrMember = row({ on: 'response', who: 'owner or member', guests: true });
const fileReader = row({ on: 'file', who: 'owner or member or operator', guests: true });
const requesterOrAdmin = row({ on: 'export', who: 'requester or admin' });
/** Answers are written only while the form is open. */
const whileOpen = row({ on: 'response', who: 'owner', in: ['PUBLISHED'], guests: true });

const consumed = { consumes: true } as const;
const many = { query: { limit: 100 } };
const team = { name: 'Field team', description: 'Takes the samples', metadata: { room: '2.14' } };
const rivers = (slug: string) => ({ ...team, name: 'Rivers', metadata: { contact: 'rivers@example.org' }, slug });
const hello = doc(p(text('Hello')));
const everySetting = {
  ...settings({ description: hello, dressing: { color: '#abcdef' }, sendResponseEmail: false }),
  ...{ previewMessage: 'Tell us', messageAfterSubmission: 'Thank you' },
  ...{ deadline: null, publishTime: null, coverImage: null, spreadsheetUrl: null },
};
const node = { type: 'SECTION' as const, payload: { x: 0, y: 2 } };
const frogs = (content = 'Many frogs') => local('frogs.txt', content);

const ofDraft = ({ draftId: responseId, questionId }: Resources) => ({ params: { responseId, questionId } });
const ofFiles = (form: Resources) => ofDraft({ ...form, questionId: form.fileQuestionId });
const ofConnection = (form: Resources) => ofDraft({ ...form, questionId: form.connectQuestionId });
const mailText = { to: 'ALL' as const, subject: 'Your rivers', text: 'Please answer by Friday.' };
const ofInvitation = ({ id: guestId }: { id: string }) => ({ params: { guestId } });
const columns = ({ questionId }: Resources) => ({ questionIds: [questionId] });
const answered = ({ questionId }: Resources) => ({ answers: [textAnswer(questionId, 'Many frogs')] });

export const rows: Rows = {
  health: { getHealth: everybody() },
  auth: {
    loginInternal: everybody(({ respondent }) => ({ body: { uid: respondent.id } })),
    // With the refresh cookie of a session, which the request brings along.
    refresh: everybody(({ respondent }) => refreshCookie(respondent)),
    logout: everybody(({ respondent }) => refreshCookie(respondent)),
    startLogin: everybody(() => ({
      params: { oauthProvider: 'LOGIN_PROVIDER_1' },
      query: { c: app().config.publicUrl },
    })),
    // With the state and the cookie of a browser that comes back from the provider, and so for connections.
    finishLogin: everybody(async () => ({
      params: { oauthProvider: 'LOGIN_PROVIDER_1' },
      ...(await broughtBack(loginPath({ c: app().config.publicUrl }))),
    })),
  },
  users: {
    getCurrentUser: signedIn(),
    onboardUser: signedIn(() => ({ body: { username: `new.${app().uuid()}`, name: 'new_name' } })),
    listSessions: signedIn(),
    endSessions: signedIn(),
  },
  orgs: {
    listOrganizations: signedIn(many, { by: 'member' }),
    listMyOrganizations: signedIn(many, { by: 'member' }),
    createOrganization: row({ on: 'nothing', who: 'onboarded' })(() => ({ body: rivers(`org-${app().uuid()}`) })),
    getOrganization: anyone(),
    updateOrganization: owner(({ slug }) => ({ body: rivers(slug) })),
    listMembers: insider(many),
    addMember: owner((place) => ({ body: { email: place.member.email } })),
    deleteOrganization: row({ on: 'organization', who: 'admin or operator' })(async (place) => {
      const { slug } = await newOrganization(place.admin, place.member);
      await newForm(place.admin, slug, [], { publish: false });
      return { params: { slug } };
    }),
    getGuestMails: insider(),
    resumeGuestMails: owner({}, async (place) => {
      await pauseMails(place.slug);
      return [{}];
    }),
    getSlugStatus: anyone(),
    getSlugHistory: anyone(many),
    updateMember: owner(async (place) => ({ ...(await newMember(place)), body: { role: 'ADMIN' } })),
    removeMember: owner(newMember),
  },
  units: {
    listUnits: insider(many),
    listUnitIds: insider(({ unitId }) => ({ query: { parentId: unitId } })),
    createUnit: owner({ body: team }),
    getUnit: insider(),
    updateUnit: owner({ body: team }),
    deleteUnit: owner(async (place) => ({ params: { unitId: await newUnit(place.admin.client, place.slug) } })),
    listSubunits: insider(many),
    listSubunitIds: insider(),
    linkUnits: owner(({ orgId, unitId, childId }) => ({ body: { parentId: unitId, childId, orgId } })),
    // Its path names no organization, only a unit, and units are visible to members.
    unlinkUnit: row({ on: 'unit', who: 'admin' })(async ({ slug, orgId, unitId, admin: { client } }) => {
      const childId = await newUnit(client, slug);
      await client.units.linkUnits({ body: { parentId: unitId, childId, orgId } });
      return { params: { childId } };
    }),
  },
  forms: {
    listMyForms: signedIn(many),
    listForms: signedIn({ query: { limit: 100, status: ['DRAFT', 'PUBLISHED'] } }, { by: 'member' }),
    createForm: author({ body: everySetting }, async (form) => [
      { body: { ...everySetting, coverImage: await newCover(form) } },
    ]),
    importForm: author(async ({ formId, admin: { client } }) => ({
      body: (await client.forms.getDefinition({ params: { formId } })).body,
    })),
    listOrganizationForms: insider({ query: { limit: 100, status: ['ARCHIVED'] } }),
    listFonts: signedIn(),
    getSpreadsheetEmail: signedIn(),
    verifySpreadsheet: signedIn({ body: { spreadsheetUrl: DEMO_SPREADSHEET } }),
    getForm: readerOrGuest(),
    updateForm: member({ body: everySetting }, async (form) => {
      await newCover(form);
      // Sent straight to storage, where it waits to be taken.
      return [{ body: { coverImage: await putCover(form.admin, form.formId, cover) } }];
    }),
    deleteForm: row({ on: 'form', who: 'admin or creator' })({}, consumed),
    duplicateForm: member({ body: { title: 'Autumn survey' } }, async (form) => {
      const coverImage = await newCover(form);
      await form.admin.client.forms.updateForm({ params: { formId: form.formId }, body: { coverImage } });
      return [{ body: { slug: form.slug } }];
    }),
    getDefinition: member(),
    publishForm: row({ on: 'form', who: 'member', in: ['DRAFT'] })({}, { on: 'DRAFT', ...consumed }),
    getChanges: member(withChanges),
    discardChanges: member(withChanges),
    // Others leave workflows behind that cannot be published.
    publishChanges: member(async (form) => ({ ...(await withChanges(form)), body: { force: true } }), consumed),
    listVersions: member(),
    getVersion: member(keptVersion),
    restoreVersion: member(async (form) => ({ ...(await earlierVersion(form)), body: { force: true } }), consumed),
    archiveForm: admin({}, consumed),
    unarchiveForm: row({ on: 'form', who: 'admin', in: ['ARCHIVED'] })({}, { on: 'ARCHIVED', ...consumed }),
    uploadCover: member(
      { body: { contentType: 'image/webp', size: cover.length, sha256: sha256(cover, 'hex') } },
      async (form) => {
        await newCover(form);
        return [{ form: formOf([local('cover.webp', cover, 'image/webp')], 'coverImage') }];
      },
    ),
    getCover: readerOrGuest((form) => newCover(form).then(() => ({}))),
    getMyNotices: member(),
    setMyNotices: member({ body: { frequency: 'DAILY' } }),
    getHighlight: member(),
    setHighlight: member((form) => ({ body: { questionId: form.choiceQuestionId, displayTitle: 'What people like' } })),
    updateHighlight: member({ body: { displayTitle: 'What people like' } }),
    deleteHighlight: member({}, consumed),
  },
  sections: {
    listSections: readerOrGuest(),
    updateSection: member({ body: { title: 'About you', description: hello } }),
    // Not the one with the required question: responses to the form stay complete.
    copySection: member(async ({ formId, admin: { client } }) => {
      const { id } = (await client.workflow.createNode({ params: { formId }, body: node })).body;
      return { params: { sectionId: id } };
    }),
  },
  questions: {
    createQuestion: member({
      body: question({ type: 'DROPDOWN', choices: [{ name: 'From a friend' }, { name: 'Elsewhere' }] }),
    }),
    updateQuestion: member({
      body: question({ type: 'SHORT_TEXT', required: true, order: 1, title: 'What did you see?' }),
    }),
    moveQuestion: member(({ sectionId, questionId, choiceQuestionId }) => ({
      params: { questionId: choiceQuestionId },
      body: { sectionId, after: questionId },
    })),
    // Not the required one: responses to the form stay complete.
    copyQuestion: member(({ choiceQuestionId }) => ({ params: { questionId: choiceQuestionId } })),
    deleteQuestion: member({}, consumed),
  },
  workflow: {
    getWorkflow: readerOrGuest(),
    updateWorkflow: member(async ({ formId, admin: { client } }) => {
      const { workflow } = (await client.workflow.getWorkflow({ params: { formId } })).body;
      return { body: workflow.map((each) => ({ ...each, payload: { moved: true } })) };
    }),
    createNode: member({ body: node }),
    deleteNode: member({}, consumed),
  },
  responses: {
    startResponse: row({ on: 'form', who: 'reader', in: ['PUBLISHED'], guests: true })((form) => ({
      body: { ...answered(form), submit: false },
    })),
    // Members list all responses, others their own: nobody to whom the form is visible is refused.
    listResponses: reader({ query: { limit: 100, progress: 'SUBMITTED' } }, { by: 'member' }),
    listMyResponses: readerOrGuest(many),
    getPlaces: readerOrGuest(),
    getResponse: ownerOrMember(),
    deleteResponse: row({ on: 'response', who: 'admin or creator', guests: true })({}, consumed),
    updateAnswers: whileOpen((form) => ({ ...ofDraft(form), body: answered(form) })),
    getAnswer: ownerOrMember(),
    clearAnswer: whileOpen(ofFiles, consumed),
    submitResponse: whileOpen((form) => ({ ...ofDraft(form), body: answered(form) }), consumed),
    cancelResponse: whileOpen({}, consumed),
    filterResponses: member({ ...many, body: { filters: [] } }),
    getStatistics: member(),
    queryStatistics: member({ body: { filters: [] } }),
    countStatistics: member({ body: { filters: [] } }),
    getStatisticsCount: member({}, async (form) => [await withCount(form)]),
  },
  deliveries: {
    retryDelivery: row({ on: 'response', who: 'member' })(async ({ submittedId }) => {
      await storeMail(submittedId, 'sent');
      return { params: { kind: 'email' } };
    }, consumed),
  },
  files: {
    uploadFiles: whileOpen(
      (form) => ({ ...ofFiles(form), body: { files: [about(frogs())] } }),
      (form) => [{ ...ofFiles(form), form: formOf([frogs()]) }],
    ),
    // The second is not the text that its name says: it is refused and removed.
    completeUploads: row({ on: 'response', who: 'owner', guests: true })(
      (form) => ({ ...ofFiles(form), body: { fileIds: [form.fileId] } }),
      (form) => Promise.all([frogs(), frogs('\u0000\u0001')].map((file) => sentFile(form, file))),
    ),
    clearFiles: whileOpen(ofFiles, consumed),
    listFiles: signedIn({ query: { limit: 100, offset: 0 } }),
    listMyFiles: signedIn(many),
    downloadFile: fileReader(),
    getFile: fileReader(),
    deleteFile: row({ on: 'file', who: 'owner or admin', ownerIn: ['PUBLISHED'], guests: true })({}, consumed),
  },
  connections: {
    startConnection: whileOpen((form) => ({ ...ofConnection(form), query: { r: app().config.publicUrl } })),
    finishConnection: everybody(async (form) => {
      const path = connectPath({ ...ofConnection(form).params, r: app().config.publicUrl });
      return { params: { provider: 'PROVIDER_ONE' }, ...(await broughtBack(path, form.respondent)) };
    }),
  },
  guests: {
    admitGuest: everybody(
      async ({ formId }) => ({ body: { proof: await newProof(formId) } }),
      async (form) => {
        const { code } = await newInvitation(form, { email: 'lin@example.org' });
        return [{}, { body: { code } }];
      },
    ),
  },
  invitations: {
    createInvitations: member({ body: { guests: [{ email: 'lin@example.org', label: 'Ms Lin' }, {}] } }),
    listInvitations: member(many, async (form) => {
      await newInvitation(form);
      return [{ query: { limit: 10, state: 'NOT_STARTED' } }];
    }),
    updateInvitation: member(async (form) => ({ ...ofInvitation(await newInvitation(form)), body: { newCode: true } })),
    sendInvitations: row({ on: 'form', who: 'admin', in: ['PUBLISHED'] })(
      { body: mailText },
      { ...consumed, prepare: withInvitation },
    ),
    getSending: member(withSending),
    stopSending: admin(withSending),
    deleteInvitation: admin(
      async (form) => ofInvitation(await newInvitation(form)),
      async (form) => {
        const { guest } = await newInvited(form);
        await start(guest, form.formId);
        return [ofInvitation(guest)];
      },
    ),
  },
  exports: {
    previewTable: member((form) => ({ ...many, body: columns(form) })),
    downloadTable: member(
      (form) => ({ body: columns(form) }),
      (form) => [{ body: columns(form), headers: { prefer: 'respond-async' } }],
    ),
    // Admins list all exports, other members their own.
    listExports: member(many),
    getExport: requesterOrAdmin(),
    downloadExport: requesterOrAdmin(),
  },
  views: {
    createView: member(({ questionId }) => ({ body: { columns: [questionId] } })),
    listViews: member(),
    getView: member(),
    updateView: member(({ questionId }) => ({ body: { title: 'For the board', order: 0, columns: [questionId] } })),
    deleteView: member({}, consumed),
    lockView: member(),
    unlockView: member(),
    duplicateView: member(),
    listDistinctAnswers: member(({ choiceQuestionId }) => ({
      params: { questionId: choiceQuestionId },
      body: { filters: [] },
    })),
  },
};
