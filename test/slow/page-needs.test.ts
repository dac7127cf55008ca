/**
 * What pages declare to need is what they use: less would fail in the cloud, more would be granted for nothing. The
 * journeys of a respondent and of a reviewer go through every page while the port functions that each page calls are
 * recorded. So are the calls to AWS, which the role of its function must allow.
 */
import { expect, test } from 'vitest';
import { authorPages } from '#core/api/author-pages.ts';
import { builderPages } from '#core/api/builder-pages.ts';
import type { Need } from '#core/api/declare.ts';
import { type PageDeclaration, pageNeeds } from '#core/api/declare-pages.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { respondentPages } from '#core/api/respondent-pages.ts';
import { reviewPages } from '#core/api/review-pages.ts';
import { objects } from '#core/db/bucket.ts';
import { app, replaceApp } from '#core/http/app.ts';
import { wrapPorts } from '#core/http/needs.ts';
import { pagePlan } from '#stacks/plan.ts';
import { deniedCalls, listUnusedGrants } from '#test/emulator/policies.ts';
import { newNode } from '#test/support/building.ts';
import { askForExport, buildExports } from '#test/support/exports.ts';
import { announced, local } from '#test/support/files.ts';
import { newCast, newForm, newOrganization, person, send } from '#test/support/fixtures.ts';
import { storeMail } from '#test/support/mail.ts';
import { fieldsOf } from '#test/support/pages.ts';
import { recordCalls } from '#test/support/recorded-calls.ts';
import { respond } from '#test/support/responses.ts';
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
  request: { headers: Record<string, string>; body?: string | FormData },
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
    return await recorded.during(file, () => send(declaration.method, path, { ...request }));
  } finally {
    replaceApp(before);
  }
}

const URL_ENCODED = 'application/x-www-form-urlencoded';
const origin = 'http://127.0.0.1:3000';

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
  const pages = respondentPages;
  const { dave, alice } = cast;
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 2, maxFileSizeLimit: 100 };
  const built = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }, { type: 'UPLOAD_FILE', uploadFile }]]);
  const form = { formId: built.formId };
  const headers = { cookie: `access_token=${dave.token}`, 'content-type': URL_ENCODED, origin };
  await visit(pages.showSignIn, {}, { headers });
  await visit(pages.signIn, {}, { headers, body: `uid=${dave.id}` });
  await visit(
    pages.signOut,
    {},
    { headers: { ...headers, cookie: `refresh_token=${(await newSession(dave)).refresh}` } },
  );
  await visit(pages.chooseLanguage, {}, { headers, body: 'language=en' });
  await visitAs(dave, pages.showOnboarding);
  await visitAs(dave, pages.onboard, {}, { username: `dave-${dave.id.slice(0, 5)}`, name: 'dave_2' });
  await visitAs(dave, pages.showLanding, form);
  const started = await visitAs(dave, pages.start, form, {});
  const [, responseId = ''] = /^\/r\/(.+)$/.exec(started.headers.get('location') ?? '') ?? [];
  const response = { responseId, sectionId: built.sectionIds[0] ?? '' };
  await visitAs(dave, pages.continueResponse, response);
  await visitAs(dave, pages.showSection, response);
  const fields = new FormData();
  fields.append(`q.${built.questionIds[1]}`, new File(['frogs'], 'frogs.txt'));
  expect((await visitAs(dave, pages.saveSection, response, fields)).status).toBe(303);
  // An upload of the scripts: an object that differs from its announcement is removed.
  const [, questionId = ''] = built.questionIds;
  const { fileId } = await announced(dave, { responseId, questionId }, local('herons.txt'));
  await app().bucket.put(objects.file(responseId, fileId), Buffer.from('other'), 'text/plain');
  const attach = { do: `attach:${questionId}:${fileId}` };
  expect((await visitAs(dave, pages.saveSection, response, attach)).status).toBe(400);
  const [file] = (await dave.client.files.listMyFiles()).body;
  await visitAs(dave, pages.downloadFile, { fileId: file?.id ?? '' });
  await visitAs(dave, pages.checkAnswers, response);
  await visitAs(dave, pages.submit, response, {});
  await visitAs(dave, pages.showDone, response);
  await visitAs(dave, pages.confirmWithdrawal, response);
  await visitAs(dave, pages.cancelSubmission, response, {});
  await visitAs(dave, pages.confirmDraftDeletion, response);
  await visitAs(dave, pages.deleteDraft, response, {});
  expectNeeds(pages);
});

test('every page of organizers declares what it uses, and uses what it declares', async () => {
  const pages = organizerPages;
  const { alice, bob } = cast;
  const { slug, orgId } = await newOrganization(alice, bob);
  const unitId = (
    await alice.client.units.createUnit({ params: { slug }, body: { name: 'North', description: '', metadata: {} } })
  ).body.id;
  const params = { slug, unitId, memberId: bob.id };
  const details = { name: 'Lakes', description: '', slug: `lakes-${orgId.slice(-8)}` };
  for (const page of [pages.showHome, pages.showAccount, pages.showNewOrganization]) await visitAs(alice, page);
  await visitAs(await person('eve'), pages.endSessions, {}, {});
  await visitAs(alice, pages.createOrganization, {}, details);
  for (const page of Object.values<PageDeclaration>(pages).filter(
    ({ method, path }) => method === 'GET' && path.includes('{'),
  )) {
    expect([page.name, (await visitAs(alice, page, params)).status]).toEqual([page.name, 200]);
  }
  await visitAs(alice, pages.changeMembers, params, { do: `ADMIN:${bob.id}` });
  await visitAs(alice, pages.changeMembers, params, { do: 'add', email: 'nobody@example.org' });
  await visitAs(alice, pages.removeMember, params, {});
  await visitAs(alice, pages.removeMember, { ...params, memberId: alice.id }, {});
  await visitAs(alice, pages.createUnit, params, { name: 'South' });
  await visitAs(alice, pages.changeUnit, params, { name: 'North-East', do: 'save' });
  await visitAs(alice, pages.deleteUnit, params, {});
  await visitAs(alice, pages.changeSettings, params, { name: 'Rivers', slug: 'no slug' });
  await visitAs(alice, pages.changeSettings, params, { name: 'Rivers', slug });
  await visitAs(alice, pages.deleteOrganization, params, { name: 'Something else' });
  const { name } = (await alice.client.orgs.getOrganization({ params: { slug } })).body;
  expect((await visitAs(alice, pages.deleteOrganization, params, { name })).status).toBe(303);
  expectNeeds(pages);
});

test('every page of builders declares what it uses, and uses what it declares', async () => {
  const pages = builderPages;
  const { alice } = cast;
  const built = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Lakes', publish: false });
  const params = { slug: cast.slug, formId: built.formId };
  const gets = Object.values<PageDeclaration>(pages).filter(({ method }) => method === 'GET');
  for (const page of gets) expect([page.name, (await visitAs(alice, page, params)).status]).toEqual([page.name, 200]);
  await visitAs(alice, pages.createForm, params, { title: 'Rivers' });
  const cover = new FormData();
  cover.append('cover', new File([webp(1_200, 400)], 'cover.webp', { type: 'image/webp' }));
  cover.append('do', 'upload');
  expect((await visitAs(alice, pages.changeCover, params, cover)).status).toBe(303);
  await visitAs(alice, pages.showLook, params);
  await visitAs(alice, pages.createForm, params, { title: '' });
  await visitAs(alice, pages.createForm, params, { do: 'copy', form: built.formId });
  for (const action of ['duplicate', 'publish', 'close', 'archive', 'unarchive', 'publish']) {
    await visitAs(alice, pages.changeStatus, params, { do: action });
  }
  await visitAs(alice, pages.changeLook, params, { color: 'no colour' });
  await visitAs(alice, pages.changeLook, params, { color: '#123456' });
  await visitAs(alice, pages.changeFormSettings, params, { do: 'check', spreadsheetUrl: addressOf('lakes') });
  await visitAs(alice, pages.changeFormSettings, params, { title: 'Lakes', visibility: 'PRIVATE' });
  await visitAs(alice, pages.deleteForm, params, { title: 'Something else' });
  // Whether a draft is visible to others depends on their responses.
  const draft = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  for (const page of Object.values<PageDeclaration>(pages)) {
    if (page.path.startsWith('/o/')) continue;
    await visitAs(cast.chelsea, page, { formId: draft.formId }, page.method === 'POST' ? {} : undefined);
  }
  await visitAs(alice, pages.deleteForm, params, { title: 'Lakes' });
  expectNeeds(pages);
});

test('every page of authors declares what it uses, and uses what it declares', async () => {
  const pages = authorPages;
  const { alice } = cast;
  const kinds = [[{ type: 'DROPDOWN' as const, choices: [{ name: 'Loch Ness' }] }]];
  const built = await newForm(alice, cast.slug, kinds, { title: 'Lakes', publish: false });
  const [sectionId = '', questionId = ''] = [...built.sectionIds, ...built.questionIds];
  const nodeId = await newNode(alice, built.formId, 'CONDITION');
  // The condition made a second version of the structure.
  const params = { formId: built.formId, sectionId, questionId, nodeId, version: '2' };
  const gets = Object.values<PageDeclaration>(pages).filter(({ method }) => method === 'GET');
  for (const page of gets) expect([page.name, (await visitAs(alice, page, params)).status]).toEqual([page.name, 200]);
  // Whether a draft is visible to others depends on their responses.
  for (const page of Object.values<PageDeclaration>(pages)) {
    await visitAs(cast.chelsea, page, params, page.method === 'POST' ? {} : undefined);
  }
  await visitAs(alice, pages.changeQuestions, params, { do: `copy:${questionId}` });
  await visitAs(alice, pages.tryPreview, params, {});
  await visitAs(alice, pages.tryRules, params, {});
  const pending = await newForm(alice, cast.slug, kinds);
  const [pendingSection = ''] = pending.sectionIds;
  await visitAs(alice, pages.deleteSection, { formId: pending.formId, sectionId: pendingSection }, {});
  const seenRevision = async (page: PageDeclaration, version = ''): Promise<string> => {
    const shown = await visitAs(alice, page, { formId: pending.formId, version });
    return /name="revision" value="(\d+)"/.exec(await shown.text())?.[1] ?? '';
  };
  const settle = async (action: string) =>
    visitAs(
      alice,
      pages.publishChanges,
      { formId: pending.formId },
      { do: action, revision: await seenRevision(pages.showChanges) },
    );
  await settle('publish');
  const version = { formId: pending.formId, version: '1' };
  const revision = await seenRevision(pages.showVersion, '1');
  await visitAs(alice, pages.restoreVersion, version, { do: 'restore', revision });
  await settle('discard');
  await visitAs(alice, pages.changeSection, params, { title: 'Lakes' });
  const rules = await (await visitAs(alice, pages.editRules, params)).text();
  const { workflow } = (await alice.client.workflow.getWorkflow({ params: built })).body;
  const end = workflow.find(({ type }) => type === 'END')?.id ?? '';
  await visitAs(alice, pages.changeRules, params, {
    hash: new Map(fieldsOf(rules)).get('hash') ?? '',
    otherwise: end,
  });
  const asked = { 'rule.id': nodeId, 'rule.question': questionId, asked: questionId, 'rule.target': end };
  await visitAs(alice, pages.changeCondition, params, { ...asked, 'selected.0': questionId, otherwise: end });
  await visitAs(alice, pages.deleteCondition, params, {});
  await visitAs(alice, pages.createQuestion, params, { type: 'SHORT_TEXT', title: 'Which lake?' });
  await visitAs(alice, pages.changeQuestion, params, { title: 'Which lake?', 'choice.name': 'Loch Ness' });
  await visitAs(alice, pages.changeChoices, params, { choices: 'Loch Ness\nWindermere' });
  await visitAs(alice, pages.deleteQuestion, params, {});
  await visitAs(alice, pages.deleteSection, params, {});
  expectNeeds(pages);
});

test('every page of reviewers declares what it uses, and uses what it declares', async () => {
  const pages = reviewPages;
  const { alice, chelsea, dave } = cast;
  const [built, draft] = [
    await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]),
    await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false }),
  ];
  const { formId, questionIds } = built;
  const responseId = await respond(dave, formId, []);
  await storeMail(responseId, 'bounced');
  const { id: exportId } = await askForExport(alice, formId, questionIds);
  await buildExports();
  const created = await visitAs(alice, pages.createView, { formId }, {});
  const [, viewId = ''] = /view=(.+)$/.exec(created.headers.get('location') ?? '') ?? [];
  const params = { formId, responseId, exportId, viewId, kind: 'email' };
  // The response is deleted last.
  const { createView: _created, deleteResponse, ...others } = pages;
  for (const page of [...Object.values<PageDeclaration>(others), deleteResponse]) {
    const column = { column: questionIds[0] ?? '', do: 'lock' };
    const response = await visitAs(alice, page, params, page.method === 'POST' ? column : undefined);
    expect([page.name, response.status]).toEqual([page.name, expect.toBeOneOf([200, 303])]);
  }
  // Whether a draft is visible to others depends on their responses.
  for (const page of Object.values<PageDeclaration>(pages)) {
    const response = await visitAs(
      chelsea,
      page,
      { ...params, formId: draft.formId },
      page.method === 'POST' ? {} : undefined,
    );
    expect([page.name, response.status]).toEqual([page.name, 404]);
  }
  expectNeeds(pages);
});

test('no page makes a call that the role of its function does not allow', () => {
  // Assets are no pages.
  expect(recorded.calls.size).toBe(pagePlan.length - 1);
  expect(deniedCalls(recorded.functions(), recorded.calls)).toEqual([]);
  console.log(`Grants that were not used:\n${listUnusedGrants(recorded.functions(), recorded.calls).join('\n')}`);
});

function expectNeeds(pages: Record<string, PageDeclaration>): void {
  for (const page of Object.values(pages)) {
    const unseen = page.needs.filter((need) => isOfBrowser(page, need));
    expect([...(used.get(page.name) ?? []), ...unseen].sort(), page.name).toEqual(pageNeeds(page).sort());
  }
}

/** The needs that give a page the address of storage, to which its browser connects. */
const isOfBrowser = ({ name }: PageDeclaration, need: Need): boolean =>
  (['showLanding', 'showLook', 'changeLook', 'changeCover'].includes(name) && need === 'covers:read') ||
  (name === 'showSection' && need === 'files:write');
