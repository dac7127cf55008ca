/**
 * What pages declare to need is what they use: less would fail in the cloud, more would be granted for nothing. The
 * journeys of a respondent and of a reviewer go through every page while the port functions that each page calls are
 * recorded. So are the calls to AWS, which the role of its function must allow.
 */
import { expect, test } from 'vitest';
import type { Need } from '#core/api/declare.ts';
import { objects } from '#core/db/bucket.ts';
import { formKey, idWithin, invitedIdWithin } from '#core/db/keys.ts';
import { app, replaceApp } from '#core/http/app.ts';
import { wrapPorts } from '#core/http/needs.ts';
import { findSlugOwner } from '#core/organizations/store.ts';
import { type PageDeclaration, pageNeeds } from '#core/pages/shell/declare-page.ts';
import { pagePlan } from '#stacks/plan.ts';
import { deniedCalls, listUnusedGrants } from '#test/emulator/policies.ts';
import { newNode } from '#test/support/building.ts';
import { pageNamed, pagesFor } from '#test/support/declared-pages.ts';
import { askForExport, buildExports } from '#test/support/exports.ts';
import { announced, local } from '#test/support/files.ts';
import { newCast, newForm, newOrganization, person, send } from '#test/support/fixtures.ts';
import { newInvitation, newInvited } from '#test/support/invitations.ts';
import { storeMail } from '#test/support/mail.ts';
import { fieldsOf } from '#test/support/pages.ts';
import { manyNewGuests, newProof } from '#test/support/prepared.ts';
import { recordCalls } from '#test/support/recorded-calls.ts';
import { respond, start } from '#test/support/responses.ts';
import { newSession } from '#test/support/sessions.ts';
import { addressOf, ownSheets } from '#test/support/sheets.ts';
import { webp } from '#test/support/webp.ts';

const recorded = recordCalls();

const cast = await newCast();

ownSheets();

const used = new Map<string, Set<Need>>();

/** Requests a page with an access token or a session that must be renewed, and records what it uses. */
async function visit(
  declaration: PageDeclaration,
  params: Record<string, string>,
  { query = '', ...request }: { headers: Record<string, string>; body?: string | FormData; query?: string },
): Promise<Response> {
  const needs = used.get(declaration.name) ?? new Set<Need>();
  used.set(declaration.name, needs);
  const before = app();
  const recording = wrapPorts(before, (need, call) => (...args) => {
    needs.add(need);
    return call(...args);
  });
  replaceApp(recording);
  try {
    const path = declaration.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? '');
    const { file = '' } = pagePlan.find(({ audience }) => audience === declaration.audience) ?? {};
    return await recorded.during(file, () => send(declaration.method, `${path}?${query}`, request));
  } finally {
    replaceApp(before);
  }
}

const URL_ENCODED = 'application/x-www-form-urlencoded';
const origin = 'http://127.0.0.1:3000';

const newAudience = (formId: string) =>
  cast.alice.client.forms.updateForm({ params: { formId }, body: { audience: 'ANYONE' } });

/** Visits a page as a person, with a session that has to be renewed. */
async function visitAs(
  person: { id: string },
  declaration: PageDeclaration,
  params: Record<string, string> = {},
  body?: Record<string, string> | FormData,
): Promise<Response> {
  const { refresh } = await newSession(person);
  const headers = { cookie: `refresh_token=${refresh}`, origin };
  if (!body) return visit(declaration, params, { headers });
  if (body instanceof FormData) return visit(declaration, params, { headers, body });
  const encoded = new URLSearchParams(body).toString();
  return visit(declaration, params, { headers: { ...headers, 'content-type': URL_ENCODED }, body: encoded });
}

test('every page of respondents declares what it uses, and uses what it declares', async () => {
  const { dave, alice } = cast;
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 2, maxFileSizeLimit: 100 };
  const built = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }, { type: 'UPLOAD_FILE', uploadFile }]]);
  const form = { formId: built.formId };
  const headers = { cookie: `access_token=${dave.token}`, 'content-type': URL_ENCODED, origin };
  await visit(pageNamed('showSignIn'), {}, { headers });
  await visit(pageNamed('postSignIn'), {}, { headers, body: `uid=${dave.id}` });
  await visit(
    pageNamed('postSignOut'),
    {},
    { headers: { ...headers, cookie: `refresh_token=${(await newSession(dave)).refresh}` } },
  );
  await visit(pageNamed('postLanguage'), {}, { headers, body: 'language=en' });
  await visitAs(dave, pageNamed('showOnboarding'));
  await visitAs(dave, pageNamed('postOnboarding'), {}, { username: `dave-${dave.id.slice(0, 5)}`, name: 'dave_2' });
  await visitAs(dave, pageNamed('showLanding'), form);
  const started = await visitAs(dave, pageNamed('postStart'), form, {});
  const [, responseId = ''] = /^\/r\/(.+)$/.exec(started.headers.get('location') ?? '') ?? [];
  const response = { responseId, sectionId: built.sectionIds[0] ?? '' };
  await visitAs(dave, pageNamed('showContinueResponse'), response);
  await visitAs(dave, pageNamed('showSection'), response);
  const fields = new FormData();
  fields.append(`q.${built.questionIds[1]}`, new File(['frogs'], 'frogs.txt'));
  expect((await visitAs(dave, pageNamed('postSection'), response, fields)).status).toBe(303);
  // An upload of the scripts: an object that differs from its announcement is removed.
  const [, questionId = ''] = built.questionIds;
  const { fileId } = await announced(dave, { responseId, questionId }, local('herons.txt'));
  await app().bucket.put(objects.file(responseId, fileId), Buffer.from('other'), 'text/plain');
  const attach = { do: `attach:${questionId}:${fileId}` };
  expect((await visitAs(dave, pageNamed('postSection'), response, attach)).status).toBe(400);
  const [file] = (await dave.client.files.listMyFiles()).body;
  await visitAs(dave, pageNamed('showDownloadFile'), { fileId: file?.id ?? '' });
  await visitAs(dave, pageNamed('showCheck'), response);
  await visitAs(dave, pageNamed('postSubmit'), response, {});
  await visitAs(dave, pageNamed('showDone'), response);
  await visitAs(dave, pageNamed('showPendingEdit'), response);
  await visitAs(dave, pageNamed('postPendingEdit'), response, { do: 'discard' });
  await visitAs(dave, pageNamed('showWithdrawal'), response);
  await visitAs(dave, pageNamed('postCancelSubmission'), response, {});
  await visitAs(dave, pageNamed('showDeleteDraft'), response);
  await visitAs(dave, pageNamed('postDeleteDraft'), response, {});
  await newAudience(built.formId);
  await manyNewGuests(built.formId);
  const stranger = { 'content-type': URL_ENCODED, origin };
  expect((await visit(pageNamed('showLanding'), form, { headers: { origin } })).status).toBe(200);
  expect((await visit(pageNamed('postStart'), form, { headers: stranger, body: '' })).status).toBe(429);
  await visit(pageNamed('showForget'), form, { headers });
  await visit(pageNamed('postForget'), form, { headers, body: '' });
  const guest = { id: idWithin(built.formId, app().uuid()), roles: [], guestOf: formKey(built.formId) };
  const link = new URLSearchParams({ guest: await app().tokens.signGuestLink(guest, app().now()) }).toString();
  expect((await visit(pageNamed('showResume'), form, { headers, query: link })).status).toBe(200);
  expect((await visit(pageNamed('postResume'), form, { headers, body: link })).status).toBe(303);
  const { guest: invited } = await newInvited({ formId: built.formId, member: cast.alice });
  const invitedGuest = await app().tokens.verifyGuest(invited.token, app().now());
  const invitedToken = invitedGuest && (await app().tokens.signGuestLink(invitedGuest, app().now()));
  const invitedLink = new URLSearchParams({ guest: invitedToken ?? '' }).toString();
  const code = `code=${(await newInvitation({ formId: built.formId, member: cast.alice }, { email: 'lin@example.org' })).code}`;
  expect((await visit(pageNamed('showCode'), form, { headers, query: code })).status).toBe(303);
  expect((await visit(pageNamed('showCode'), form, { headers })).status).toBe(200);
  expect((await visit(pageNamed('postCode'), form, { headers, body: code })).status).toBe(303);
  expect((await visit(pageNamed('postCode'), form, { headers, body: 'code=0001' })).status).toBe(400);
  expect((await visit(pageNamed('showResume'), form, { headers, query: invitedLink })).status).toBe(200);
  expect((await visit(pageNamed('postResume'), form, { headers, body: invitedLink })).status).toBe(303);
  const mail = { orgId: await findSlugOwner(app().table, cast.slug), addressHash: 'hash' };
  const ofMail = new URLSearchParams({
    mail: await app().tokens.signUnsubscribe({ ...mail, orgId: mail.orgId ?? '' }, app().now()),
  }).toString();
  expect((await visit(pageNamed('showUnsubscribe'), {}, { headers, query: ofMail })).status).toBe(200);
  expect((await visit(pageNamed('postUnsubscribe'), {}, { headers, query: ofMail, body: '' })).status).toBe(200);
  await visitAsAddressed(form, built.formId);
  expectNeeds(pagesFor('respondents'));
});

/** Visits the pages of people who confirm an address. */
async function visitAsAddressed(form: { formId: string }, formId: string): Promise<void> {
  const { client } = cast.alice;
  await client.forms.updateForm({ params: { formId }, body: { audience: 'EMAIL', visibility: 'PRIVATE' } });
  const headers = { 'content-type': URL_ENCODED, origin };
  expect((await visit(pageNamed('showAddress'), form, { headers })).status).toBe(200);
  const { challenge, solution } = await newProof(formId);
  const asked = new URLSearchParams({ email: 'lin@example.org', challenge, solution }).toString();
  expect((await visit(pageNamed('postAddress'), form, { headers, body: asked })).status).toBe(303);
  expect((await visit(pageNamed('postAddress'), form, { headers, body: 'email=lin@example.org' })).status).toBe(429);
  expect((await visit(pageNamed('postAddress'), form, { headers, body: 'email=lin' })).status).toBe(400);
  const id = invitedIdWithin(formId, app().uuid().replaceAll('-', ''), true);
  const guest = { id, roles: [], guestOf: formKey(formId), generation: 0, email: 'wu@example.org' };
  const link = new URLSearchParams({ guest: await app().tokens.signGuestLink(guest, app().now()) }).toString();
  expect((await visit(pageNamed('showResume'), form, { headers, query: link })).status).toBe(200);
  const resumed = await visit(pageNamed('postResume'), form, { headers, body: link });
  expect(resumed.status).toBe(303);
  const cookie = /guest_[^;]+/.exec(resumed.headers.getSetCookie()[0] ?? '')?.[0] ?? '';
  expect((await visit(pageNamed('showPrivacy'), form, { headers })).status).toBe(200);
  const mail = async () => {
    const { refresh } = await newSession(cast.dave);
    const both = { ...headers, cookie: `refresh_token=${refresh}; ${cookie}` };
    return (await visit(pageNamed('postMailLink'), form, { headers: both, body: '' })).status;
  };
  expect(await mail()).toBe(303);
  // Whether a guest has begun a response is asked where the form takes no new ones of them.
  await client.forms.updateForm({ params: { formId }, body: { audience: 'ACCOUNT' } });
  expect(await mail()).toBe(404);
  const guestOnly = { cookie, origin };
  expect((await visit(pageNamed('showPrivacy'), form, { headers: guestOnly })).status).toBe(404);
  expect((await visitAs(cast.dave, pageNamed('showPrivacy'), form)).status).toBe(200);
}

test('every page of organizers declares what it uses, and uses what it declares', async () => {
  const { alice, bob } = cast;
  const { slug, orgId } = await newOrganization(alice, bob);
  const unitId = (
    await alice.client.units.createUnit({ params: { slug }, body: { name: 'North', description: '', metadata: {} } })
  ).body.id;
  const params = { slug, unitId, memberId: bob.id };
  const details = { name: 'Lakes', description: '', slug: `lakes-${orgId.slice(-8)}` };
  for (const page of [pageNamed('showHome'), pageNamed('showAccount'), pageNamed('showNewOrganization')])
    await visitAs(alice, page);
  await visitAs(await person('eve'), pageNamed('postAccount'), {}, {});
  await visitAs(alice, pageNamed('postNewOrganization'), {}, details);
  for (const page of pagesFor('organizers').filter(({ method, path }) => method === 'GET' && path.includes('{'))) {
    expect([page.name, (await visitAs(alice, page, params)).status]).toEqual([page.name, 200]);
  }
  await visitAs(alice, pageNamed('postMembers'), params, { do: `ADMIN:${bob.id}` });
  await visitAs(alice, pageNamed('postMembers'), params, { do: 'add', email: 'nobody@example.org' });
  await visitAs(alice, pageNamed('postRemoveMember'), params, {});
  await visitAs(alice, pageNamed('postRemoveMember'), { ...params, memberId: alice.id }, {});
  await visitAs(alice, pageNamed('postUnits'), params, { name: 'South' });
  await visitAs(alice, pageNamed('postUnit'), params, { name: 'North-East', do: 'save' });
  await visitAs(alice, pageNamed('postDeleteUnit'), params, {});
  await visitAs(alice, pageNamed('postOrganizationSettings'), params, { name: 'Rivers', slug: 'no slug' });
  await visitAs(alice, pageNamed('postOrganizationSettings'), params, { name: 'Rivers', slug });
  await visitAs(alice, pageNamed('postDeleteOrganization'), params, { name: 'Something else' });
  const { name } = (await alice.client.orgs.getOrganization({ params: { slug } })).body;
  expect((await visitAs(alice, pageNamed('postDeleteOrganization'), params, { name })).status).toBe(303);
  expectNeeds(pagesFor('organizers'));
});

test('every page of builders declares what it uses, and uses what it declares', async () => {
  const { alice } = cast;
  const built = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Lakes', publish: false });
  const { id: guestId } = await newInvitation({ formId: built.formId, member: alice });
  const params = { slug: cast.slug, formId: built.formId, guestId };
  const gets = pagesFor('builders').filter(({ method }) => method === 'GET');
  for (const page of gets) expect([page.name, (await visitAs(alice, page, params)).status]).toEqual([page.name, 200]);
  await visitAs(alice, pageNamed('postNewForm'), params, { title: 'Rivers' });
  const cover = new FormData();
  cover.append('cover', new File([webp(1_200, 400)], 'cover.webp', { type: 'image/webp' }));
  cover.append('do', 'upload');
  expect((await visitAs(alice, pageNamed('postCover'), params, cover)).status).toBe(303);
  await visitAs(alice, pageNamed('showLook'), params);
  await visitAs(alice, pageNamed('postNewForm'), params, { title: '' });
  await visitAs(alice, pageNamed('postNewForm'), params, { do: 'copy', form: built.formId });
  for (const action of ['duplicate', 'publish', 'close', 'archive', 'unarchive', 'publish']) {
    await visitAs(alice, pageNamed('postOverview'), params, { do: action });
  }
  await visitAs(alice, pageNamed('postLook'), params, { color: 'no colour' });
  await visitAs(alice, pageNamed('postLook'), params, { color: '#123456' });
  await visitAs(alice, pageNamed('postFormSettings'), params, { do: 'check', spreadsheetUrl: addressOf('lakes') });
  await visitAs(alice, pageNamed('postFormSettings'), params, { title: 'Lakes', visibility: 'PRIVATE' });
  await visitAs(alice, pageNamed('postShare'), params, { do: 'audience', audience: 'ANYONE' });
  await visitAs(alice, pageNamed('postInvitation'), params, { do: 'newCode' });
  await visitAs(alice, pageNamed('postInvitations'), params, { guests: 'Ms Lin' });
  const { guest } = await newInvited({ formId: built.formId, member: alice });
  await alice.client.forms.updateForm({ params: { formId: built.formId }, body: { deadline: null } });
  await start(guest, built.formId);
  await visitAs(alice, pageNamed('postDeleteInvitation'), { ...params, guestId: guest.id }, {});
  const mail = { to: 'ALL', subject: 'Lakes', text: 'Please answer.' };
  await alice.client.forms.updateForm({
    params: { formId: built.formId },
    body: { audience: 'INVITED', visibility: 'PRIVATE' },
  });
  expect((await visitAs(alice, pageNamed('showInvitationMails'), params)).status).toBe(200);
  for (const [action, status] of [
    ['preview', 200],
    ['send', 303],
    ['stop', 303],
    ['resume', 303],
  ] as const)
    expect([
      action,
      (await visitAs(alice, pageNamed('postInvitationMails'), params, { do: action, ...mail })).status,
    ]).toEqual([action, status]);
  await visitAs(alice, pageNamed('postDeleteForm'), params, { title: 'Something else' });
  // Whether a draft is visible to others depends on their responses.
  const draft = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  for (const page of pagesFor('builders')) {
    if (page.path.startsWith('/o/')) continue;
    await visitAs(cast.chelsea, page, { formId: draft.formId, guestId }, page.method === 'POST' ? {} : undefined);
  }
  await visitAs(alice, pageNamed('postDeleteForm'), params, { title: 'Lakes' });
  expectNeeds(pagesFor('builders'));
});

test('every page of authors declares what it uses, and uses what it declares', async () => {
  const { alice } = cast;
  const kinds = [[{ type: 'DROPDOWN' as const, choices: [{ name: 'Loch Ness' }] }]];
  const built = await newForm(alice, cast.slug, kinds, { title: 'Lakes', publish: false });
  const [sectionId = '', questionId = ''] = [...built.sectionIds, ...built.questionIds];
  const nodeId = await newNode(alice, built.formId, 'CONDITION');
  // The condition made a second version of the structure.
  const params = { formId: built.formId, sectionId, questionId, nodeId, version: '2' };
  const gets = pagesFor('authors').filter(({ method }) => method === 'GET');
  for (const page of gets) expect([page.name, (await visitAs(alice, page, params)).status]).toEqual([page.name, 200]);
  // Whether a draft is visible to others depends on their responses.
  for (const page of pagesFor('authors')) {
    await visitAs(cast.chelsea, page, params, page.method === 'POST' ? {} : undefined);
  }
  await visitAs(alice, pageNamed('postQuestions'), params, { do: `copy:${questionId}` });
  await visitAs(alice, pageNamed('postPreview'), params, {});
  await visitAs(alice, pageNamed('postTryRules'), params, {});
  const pending = await newForm(alice, cast.slug, kinds);
  const [pendingSection = ''] = pending.sectionIds;
  await visitAs(alice, pageNamed('postDeleteSection'), { formId: pending.formId, sectionId: pendingSection }, {});
  const seenRevision = async (page: PageDeclaration, version = ''): Promise<string> => {
    const shown = await visitAs(alice, page, { formId: pending.formId, version });
    return /name="revision" value="(\d+)"/.exec(await shown.text())?.[1] ?? '';
  };
  const settle = async (action: string) =>
    visitAs(
      alice,
      pageNamed('postChanges'),
      { formId: pending.formId },
      { do: action, revision: await seenRevision(pageNamed('showChanges')) },
    );
  await settle('publish');
  const version = { formId: pending.formId, version: '1' };
  const revision = await seenRevision(pageNamed('showVersion'), '1');
  await visitAs(alice, pageNamed('postVersion'), version, { do: 'restore', revision });
  await settle('discard');
  await visitAs(alice, pageNamed('postEditSection'), params, { title: 'Lakes' });
  const rules = await (await visitAs(alice, pageNamed('showSectionRules'), params)).text();
  const { workflow } = (await alice.client.workflow.getWorkflow({ params: built })).body;
  const end = workflow.find(({ type }) => type === 'END')?.id ?? '';
  await visitAs(alice, pageNamed('postSectionRules'), params, {
    hash: new Map(fieldsOf(rules)).get('hash') ?? '',
    otherwise: end,
  });
  const asked = { 'rule.id': nodeId, 'rule.question': questionId, asked: questionId, 'rule.target': end };
  await visitAs(alice, pageNamed('postCondition'), params, { ...asked, 'selected.0': questionId, otherwise: end });
  await visitAs(alice, pageNamed('postDeleteCondition'), params, {});
  await visitAs(alice, pageNamed('postNewQuestion'), params, { type: 'SHORT_TEXT', title: 'Which lake?' });
  await visitAs(alice, pageNamed('postQuestion'), params, { title: 'Which lake?', 'choice.name': 'Loch Ness' });
  await visitAs(alice, pageNamed('postChoices'), params, { choices: 'Loch Ness\nWindermere' });
  await visitAs(alice, pageNamed('postDeleteQuestion'), params, {});
  await visitAs(alice, pageNamed('postDeleteSection'), params, {});
  expectNeeds(pagesFor('authors'));
});

test('every page of reviewers declares what it uses, and uses what it declares', async () => {
  const { alice, chelsea, dave } = cast;
  const [built, draft] = [
    await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]),
    await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false }),
  ];
  const { formId, questionIds } = built;
  const responseId = await respond(dave, formId, []);
  await storeMail(responseId, 'bounced');
  const selectedId = await respond(dave, formId, []);
  const { id: exportId } = await askForExport(alice, formId, questionIds);
  await alice.client.responses.countStatistics({ params: { formId }, body: { filters: [] } });
  await buildExports();
  const { refresh } = await newSession(alice);
  const headers = { cookie: `refresh_token=${refresh}`, origin };
  await visit(pageNamed('showStatistics'), { formId }, { headers, query: 'all=1' });
  const created = await visitAs(alice, pageNamed('postViews'), { formId }, {});
  const [, viewId = ''] = /view=(.+)$/.exec(created.headers.get('location') ?? '') ?? [];
  const params = { formId, responseId, exportId, viewId, questionId: questionIds[0] ?? '', kind: 'email' };
  // The response is deleted last.
  const last = pageNamed('postDeleteResponse');
  const others = pagesFor('reviewers').filter((page) => page !== last && page.name !== 'postViews');
  for (const page of [...others, last]) {
    const column = { column: questionIds[0] ?? '', do: 'lock', r: selectedId, frequency: 'DAILY' };
    const response = await visitAs(alice, page, params, page.method === 'POST' ? column : undefined);
    expect([page.name, response.status]).toEqual([page.name, expect.toBeOneOf([200, 303])]);
  }
  // Whether a draft is visible to others depends on their responses.
  for (const page of pagesFor('reviewers')) {
    const response = await visitAs(
      chelsea,
      page,
      { ...params, formId: draft.formId },
      page.method === 'POST' ? {} : undefined,
    );
    expect([page.name, response.status]).toEqual([page.name, 404]);
  }
  expectNeeds(pagesFor('reviewers'));
});

test('no page makes a call that the role of its function does not allow', () => {
  // Assets are no pages.
  expect(recorded.calls.size).toBe(pagePlan.length - 1);
  expect(deniedCalls(recorded.functions(), recorded.calls)).toEqual([]);
  console.log(`Grants that were not used:\n${listUnusedGrants(recorded.functions(), recorded.calls).join('\n')}`);
});

function expectNeeds(pages: readonly PageDeclaration[]): void {
  for (const page of pages) {
    const unseen = page.needs.filter((need) => isOfBrowser(page, need));
    expect([...(used.get(page.name) ?? []), ...unseen].sort(), page.name).toEqual(pageNeeds(page).sort());
  }
}

/** The needs that give a page the address of storage, to which its browser connects. */
const isOfBrowser = ({ name }: PageDeclaration, need: Need): boolean =>
  (['showLanding', 'showLook', 'postLook', 'postCover'].includes(name) && need === 'covers:read') ||
  (name === 'showSection' && need === 'files:write');
