/** Enter in a field of any page does what the main button of its form does, with scripts and without. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#core/api/client.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import type { Built } from '#test/support/fixtures.ts';
import { type PageServer, personOf, startPageServer } from './page-server.ts';

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
beforeAll(async () => {
  server = await startPageServer();
  form = await server.newForm([[{ type: 'SHORT_TEXT', title: 'First' }], QUESTIONS]);
  const [alice, { client: dave }] = [(await personOf('alice')).client, await personOf('dave')];
  const params = { formId: form.formId };
  responseId = (await dave.responses.startResponse({ params })).body.id;
  await answerOthers(dave);
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

/** The pages with fields: who sees them, their address, and what Enter sends. */
const PAGES: Record<string, { who: string; path: () => string; sends: RegExp }> = {
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
  },
  'an export': {
    who: 'alice',
    path: () => `/review/${form.formId}/export`,
    sends: /^POST \/review\/[^/]+\/export do=$/,
  },
};

/** The first field of each name. In the others Enter sends nothing: it is a line break, or opens the field. */
const FIELDS = `[...new Set([...document.querySelectorAll('main input:not([type="hidden"], [type="file"])')]
  .filter((field) => field.checkVisibility()).map(({ name }) => name))]`;

describe.for([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test.for(Object.entries(PAGES))('on the page of %s', async ([, { who, path, sends }]) => {
    const page = await server.open(who, { javaScriptEnabled });
    const sent: Request[] = [];
    const address = server.url + path();
    // Without a response the page stays as it is.
    await page.route('**', (route) => {
      const request = route.request();
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
      expect(summary(sent.at(-1))).toMatch(sends);
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
