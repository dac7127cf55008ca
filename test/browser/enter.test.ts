/** Enter in a field of any page does what the main button of its form does, with scripts and without. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#core/api/client.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { pages } from '#test/support/declared-pages.ts';
import type { Built } from '#test/support/fixtures.ts';
import { type PageServer, signInAs, startPageServer } from './page-server.ts';

const CHOICES = [{ name: 'Frogs' }, { name: '', isOther: true }];
const date = (hasYear: boolean, hasDay: boolean) => ({ date: { hasYear, hasMonth: true, hasDay } });
/** Every type of question, in every form that its controls have. */
const QUESTIONS: ({ type: QuestionInput['type'] } & Partial<QuestionInput>)[] = [
  { type: 'SHORT_TEXT' },
  { type: 'LONG_TEXT' },
  { type: 'HYPERLINK' },
  { type: 'SINGLE_CHOICE', choices: CHOICES },
  { type: 'MULTIPLE_CHOICE', choices: CHOICES },
  { type: 'DETAILED_MULTIPLE_CHOICE', choices: CHOICES },
  { type: 'DROPDOWN', choices: CHOICES },
  { type: 'RANKING', choices: CHOICES },
  { type: 'LINEAR_SCALE', scale: { minVal: 0, maxVal: 2 } },
  { type: 'RATING', scale: { minVal: 1, maxVal: 2, icon: 'star' } },
  { type: 'DATE', ...date(true, true) },
  { type: 'DATE', ...date(true, false) },
  { type: 'DATE', ...date(false, true) },
  { type: 'UPLOAD_FILE', uploadFile: { allowedFileTypes: ['TXT'], maxFileAmount: 1, maxFileSizeLimit: 1_000 } },
  { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' },
];

let server: PageServer;
let form: Built;
let responseId: string;
let viewId: string;
/** The demo form, which has questions of all types and a rule. */
const demo = { formId: '', sectionId: '', questionIds: new Map<string, string>() };
/** A form with one question and a condition of another client, to which nothing leads. */
const small = { formId: '', conditionId: '' };
/** A form for invited guests, and one of them. */
const inviting = { formId: '', guestId: '' };
let unitId: string;
beforeAll(async () => {
  server = await startPageServer();
  form = await server.newForm([[{ type: 'SHORT_TEXT', title: 'First' }], QUESTIONS]);
  const [alice, { client: dave }] = [(await signInAs('alice')).client, await signInAs('dave')];
  const params = { formId: form.formId };
  responseId = (await dave.responses.startResponse({ params })).body.id;
  await answerOthers(dave);
  await readDemo(alice);
  await makeSmall(alice);
  await invite(alice);
  viewId = (await alice.views.createView({ params, body: {} })).body.id;
  await dave.responses.startResponse({
    params,
    body: {
      answers: [{ questionId: form.questionIds[1] ?? '', questionType: 'SHORT_TEXT', value: 'x' }],
      submit: true,
    },
  });
});
afterAll(() => server?.stop());

async function invite(alice: Client): Promise<void> {
  const { formId } = await server.newForm([[{ type: 'SHORT_TEXT', title: 'First' }]]);
  const params = { formId };
  await alice.forms.updateForm({ params, body: { audience: 'INVITED', visibility: 'PRIVATE' } });
  const { body } = await alice.invitations.createInvitations({ params, body: { guests: [{ label: 'Ms Lin' }] } });
  Object.assign(inviting, { formId, guestId: body.invitations[0]?.id });
}

async function readDemo(alice: Client): Promise<void> {
  const organization = { params: { slug: 'demo' } };
  const forms = (await alice.forms.listOrganizationForms(organization)).body;
  demo.formId = forms.find(({ title }) => title === 'Visitor survey')?.id ?? '';
  const params = { formId: demo.formId };
  const sections = (await alice.sections.listSections({ params })).body;
  demo.sectionId = sections[0]?.section.id ?? '';
  for (const { id, type } of sections.flatMap(({ questions }) => questions ?? [])) demo.questionIds.set(type, id);
  unitId = (await alice.units.createUnit({ ...organization, body: { name: 'North', description: '', metadata: {} } }))
    .body.id;
}

/** Chooses the other choices, so that the controls of their texts are shown. */
async function answerOthers(dave: Client): Promise<void> {
  const sections = (await dave.sections.listSections({ params: { formId: form.formId } })).body;
  const answers = sections
    .flatMap(({ questions }) => questions ?? [])
    .flatMap(({ id, type, choices = [] }) => {
      const other = choices.find(({ isOther }) => isOther)?.id;
      return other === undefined ? [] : [{ questionId: id, questionType: type, value: [other], otherText: 'Newts' }];
    });
  await dave.responses.updateAnswers({ params: { responseId }, body: { answers } });
}

async function makeSmall(alice: Client): Promise<void> {
  const { formId, questionIds } = await server.newForm([[{ type: 'SHORT_TEXT' }], []]);
  const params = { formId };
  const { id } = (await alice.workflow.createNode({ params, body: { type: 'CONDITION', payload: {} } })).body;
  const { workflow } = (await alice.workflow.getWorkflow({ params })).body;
  const conditionRule = { source: 'NON_CHOICE' as const, question: questionIds[0] ?? null, pattern: '^x$' };
  const body = workflow.map((node) => (node.id === id ? { ...node, conditionRule } : node));
  await alice.workflow.updateWorkflow({ params, body });
  Object.assign(small, { formId, conditionId: id });
}

/** The pages with fields: who sees them, their address, and what Enter sends; `others`: in fields of another form, by name. */
const PAGES: Record<string, { who: string; path: () => string; sends: RegExp; others?: Record<string, RegExp> }> = {
  'a section': {
    who: 'dave',
    path: () => `/r/${responseId}/s/${form.sectionIds[1]}`,
    sends: /^POST \/r\/[^/]+\/s\/[^/]+ do=next$/,
  },
  'a section, from the list of answers': {
    who: 'dave',
    path: () => `/r/${responseId}/s/${form.sectionIds[0]}?from=check`,
    sends: /^POST \/r\/[^/]+\/s\/[^/]+ do=next$/,
  },
  onboarding: { who: 'dave', path: () => '/onboarding', sends: /^POST \/onboarding do=$/ },
  views: { who: 'alice', path: () => `/review/${form.formId}/views`, sends: /^POST \/review\/[^/]+\/views do=$/ },
  'a view': {
    who: 'alice',
    path: () => `/review/${form.formId}/views/${viewId}`,
    sends: /^POST \/review\/[^/]+\/views\/[^/]+ do=save$/,
  },
  'the filter of a table': {
    who: 'alice',
    path: () => `/review/${form.formId}?filter=open`,
    sends: /^GET \/review\/[^/]+ do=$/,
    others: { answers: /^POST \/review\/[^/]+\/notices do=$/ },
  },
  'an export': {
    who: 'alice',
    path: () => `/review/${form.formId}/export`,
    sends: /^POST \/review\/[^/]+\/export do=$/,
  },
};

const build = (path: string): string => `/build/${demo.formId}${path}`;

/** The pages with fields of organizers and authors, with the same members. */
const OWN_PAGES: typeof PAGES = {
  'the forms of an organization': { who: 'alice', path: () => '/o/demo', sends: /^GET \/o\/demo do=$/ },
  'a new organization': { who: 'alice', path: () => '/orgs/new', sends: /^POST \/orgs\/new do=$/ },
  'an organization': { who: 'alice', path: () => '/o/demo/settings', sends: /^POST \/o\/demo\/settings do=$/ },
  'the deletion of an organization, which demands its name': {
    who: 'alice',
    path: () => '/o/demo/delete',
    sends: /^POST \/o\/demo\/delete do=$/,
  },
  members: { who: 'alice', path: () => '/o/demo/members', sends: /^POST \/o\/demo\/members do=add$/ },
  units: { who: 'alice', path: () => '/o/demo/units', sends: /^POST \/o\/demo\/units do=$/ },
  'a unit': { who: 'alice', path: () => `/o/demo/units/${unitId}`, sends: /^POST \/o\/demo\/units\/[^/]+ do=save$/ },
  'a new form': { who: 'alice', path: () => '/o/demo/new', sends: /^POST \/o\/demo\/new do=empty$/ },
  'the settings of a form': { who: 'alice', path: () => build('/settings'), sends: /^POST .*\/settings do=save$/ },
  'the look of a form': { who: 'alice', path: () => build('/look'), sends: /^POST .*\/look do=save$/ },
  // The form of the audience, and that of a prefilled link.
  'who may respond, and a prefilled link': {
    who: 'alice',
    path: () => build('/share'),
    sends: /^POST .*\/share do=(?:audience)?$/,
  },
  'the deletion of a form, which demands its title': {
    who: 'alice',
    path: () => build('/delete'),
    sends: /^POST .*\/delete do=$/,
  },
  'the order of questions': {
    who: 'alice',
    path: () => `/build/${small.formId}/questions/order`,
    sends: /^POST .*\/order do=show$/,
  },
  'a section of a form': {
    who: 'alice',
    path: () => build(`/s/${demo.sectionId}`),
    sends: /^POST .*\/s\/[^/]+ do=save$/,
  },
  'a new question': {
    who: 'alice',
    path: () => build(`/s/${demo.sectionId}/new?type=SINGLE_CHOICE`),
    sends: /^POST .*\/new do=save$/,
  },
  ...Object.fromEntries(
    (
      ['SHORT_TEXT', 'DETAILED_MULTIPLE_CHOICE', 'RANKING', 'LINEAR_SCALE', 'RATING', 'DATE', 'UPLOAD_FILE'] as const
    ).map((type) => [
      `a question, ${type}`,
      { who: 'alice', path: () => build(`/q/${demo.questionIds.get(type)}`), sends: /^POST .*\/q\/[^/]+ do=save$/ },
    ]),
  ),
  'the rules of a section': {
    who: 'alice',
    path: () => build(`/s/${demo.sectionId}/rules?as=rows`),
    sends: /^POST .*\/rules do=save$/,
  },
  'a trial of the rules': { who: 'alice', path: () => build('/rules/try'), sends: /^POST .*\/try do=show$/ },
  'an invitation': {
    who: 'alice',
    path: () => `/build/${inviting.formId}/invitations/${inviting.guestId}`,
    sends: /^POST .*\/invitations\/[^/]+ do=save$/,
  },
  'the mails of invitations': {
    who: 'alice',
    path: () => `/build/${inviting.formId}/invitation-mails`,
    sends: /^POST .*\/invitation-mails do=preview$/,
  },
  'a condition': {
    who: 'alice',
    path: () => `/build/${small.formId}/c/${small.conditionId}`,
    sends: /^POST .*\/c\/[^/]+ do=save$/,
  },
};

/** Pages without fields for text, on which Enter only presses what has the focus. */
const WITHOUT_FIELDS = [
  // A field of several lines, in which Enter begins the next one.
  '/build/{formId}/invitations',
  '/build/{formId}/invitations/{guestId}/delete',
  '/build/{formId}/invitation-links',
  '/build/{formId}/invitation-sheet',
  '/',
  '/account',
  '/o/{slug}/members/{memberId}/remove',
  '/o/{slug}/units/{unitId}/delete',
  '/build/{formId}',
  '/build/{formId}/definition',
  '/build/{formId}/questions',
  '/build/{formId}/c/{nodeId}/delete',
  '/build/{formId}/s/{sectionId}/delete',
  '/build/{formId}/q/{questionId}/choices',
  '/build/{formId}/q/{questionId}/delete',
  '/build/{formId}/rules',
  '/build/{formId}/changes',
  '/build/{formId}/preview',
  '/build/{formId}/versions',
  '/build/{formId}/versions/{version}',
];

test('every page of organizers and authors is in a list', () => {
  const paths = Object.values(OWN_PAGES).map(({ path }) => path().split('?')[0] ?? '');
  const declared = pages.filter(({ audience }) => ['organizers', 'builders', 'authors'].includes(audience));
  const missing = declared.filter(({ method, path }) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return method === 'GET' && !WITHOUT_FIELDS.includes(path) && !paths.some((each) => pattern.test(each));
  });
  expect(missing.map(({ path }) => path)).toEqual([]);
});

/**
 * The first field of each name. In the others Enter sends nothing: it is a line break, or opens the field; or the first button of the
 * form does nothing, for boxes that select rows.
 */
const FIELDS = `[...new Set([...document.querySelectorAll('main input:not([type="hidden"], [type="file"], [type="color"])')]
  .filter((field) => field.checkVisibility() && !field.form?.querySelector('button')?.matches('[formmethod=dialog]')).map(({ name }) => name))]`;

describe.for([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test.for(Object.entries({ ...PAGES, ...OWN_PAGES }))('on the page of %s', async ([
    ,
    { who, path, sends, others },
  ]) => {
    const page = await server.open(who, { javaScriptEnabled });
    const sent: Request[] = [];
    const address = server.url + path();
    // Without a response, or one that leads back, the page stays as it is.
    await page.route('**', (route) => {
      const request = route.request();
      if (request.headers().accept === 'application/json, text/html') {
        sent.push(request);
        return route.fulfill({ json: { location: address } });
      }
      const isPress = request.isNavigationRequest() && request.url() !== address;
      const isPost = request.isNavigationRequest() && request.method() === 'POST';
      if (!isPress && !isPost) return route.continue();
      sent.push(request);
      return route.fulfill({ status: 204 });
    });
    await page.goto(address);
    await openDetails(page);
    const names = (await page.evaluate(FIELDS)) as string[];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      // With scripts the page waits for the response of the last press.
      if (javaScriptEnabled) await page.goto(address);
      await openDetails(page);
      const before = sent.length;
      await page.locator(`main input[name="${name}"]`).first().press('Enter', { noWaitAfter: true });
      await expect.poll(() => sent.length, { message: name }).toBe(before + 1);
      expect(summary(sent.at(-1))).toMatch(others?.[name] ?? sends);
    }
    await page.context().close();
  });
});

const openDetails = (page: Page): Promise<unknown> =>
  page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })");

/** The method, path and pressed button of a request. */
function summary(request: Request | undefined): string {
  const body = request?.postDataBuffer()?.toString() ?? '';
  const pressed = /name="do"\r\n\r\n([^\r]*)/.exec(body)?.[1] ?? new URLSearchParams(body).get('do') ?? '';
  return `${request?.method()} ${new URL(request?.url() ?? '').pathname} do=${pressed}`;
}
