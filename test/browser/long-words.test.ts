/**
 * Words that are longer than a narrow screen, in every text that authors and respondents write: no page scrolls
 * sideways, at 320 pixels and as zoomed to 400 %, where the bar of progress does not stay in the way either.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { type Built, clientWith } from '#test/support/fixtures.ts';
import { sent } from '#test/support/responses.ts';
import { type PageServer, startPageServer } from './page-server.ts';

/** A word without a place to break, of at least a thousand pixels. */
const word = (text: string): string => `${text}${'w'.repeat(100)}`;
const paragraph = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
});
const CHOICES = [
  { name: word('First'), description: word('About-the-first') },
  { name: word('Second'), description: word('About-the-second') },
  { name: word('Another'), isOther: true },
];
const described = { description: paragraph(word('Description')) };
const DATE = { hasYear: true, hasMonth: true, hasDay: true };

/** Where authors write a text: each form has one kind of question with long words. */
const QUESTIONS = {
  'a text': [{ type: 'SHORT_TEXT', title: word('Text'), ...described }],
  'a long text': [{ type: 'LONG_TEXT', title: word('Story'), ...described }],
  'a web address': [{ type: 'HYPERLINK', title: word('Address'), ...described }],
  'a choice': [{ type: 'SINGLE_CHOICE', title: word('Choice'), choices: CHOICES, ...described }],
  'several choices': [{ type: 'DETAILED_MULTIPLE_CHOICE', title: word('Choices'), choices: CHOICES, ...described }],
  'a drop-down': [{ type: 'DROPDOWN', title: word('Drop-down'), choices: CHOICES, ...described }],
  'a ranking': [{ type: 'RANKING', title: word('Ranking'), choices: CHOICES, ...described }],
  'a scale': [
    {
      type: 'LINEAR_SCALE',
      title: word('Scale'),
      scale: { minVal: 1, maxVal: 10, minValueLabel: word('Least'), maxValueLabel: word('Most') },
      ...described,
    },
  ],
  'a rating': [
    {
      type: 'RATING',
      title: word('Rating'),
      scale: { minVal: 1, maxVal: 10, icon: 'thumbs-up', minValueLabel: word('Least'), maxValueLabel: word('Most') },
      ...described,
    },
  ],
  'a date': [{ type: 'DATE', title: word('Date'), date: DATE, ...described }],
  files: [
    {
      type: 'UPLOAD_FILE',
      title: word('Files'),
      uploadFile: { allowedFileTypes: ['TXT'], maxFileAmount: 2, maxFileSizeLimit: 1_000 },
      ...described,
    },
  ],
  'an account': [{ type: 'OAUTH_CONNECT', title: word('Account'), oauthConnect: 'PROVIDER_ONE', ...described }],
} as const satisfies Record<string, Parameters<PageServer['newForm']>[0][number]>;

let server: PageServer;
const forms = new Map<string, Built & { responseId: string; submittedId: string }>();
let slug = '';
const idOf = (who: string): string => PEOPLE.find(({ name }) => name === who)?.id ?? '';
const newClient = async (who: string) =>
  clientWith(await app().tokens.sign({ id: idOf(who), roles: ['USER'] }, app().now()));

beforeAll(async () => {
  server = await startPageServer();
  const [alice, dave] = await Promise.all([newClient('alice'), newClient('dave')]);
  slug = 'long-words';
  await alice.orgs.createOrganization({ body: { name: word('Organization'), description: '', metadata: {}, slug } });
  for (const [kind, questions] of Object.entries(QUESTIONS)) {
    const form = await server.newForm([[...questions]], { title: word('Form') });
    const params = { formId: form.formId };
    const body = { description: paragraph(word('Form-description')), messageAfterSubmission: word('Message') };
    await alice.forms.updateForm({ params, body });
    const [sectionId = ''] = form.sectionIds;
    const section = { title: word('Section'), description: paragraph(word('Section-description')) };
    await alice.sections.updateSection({ params: { ...params, sectionId }, body: section });
    const { body: sections } = await alice.sections.listSections({ params });
    const [question] = sections[0]?.questions ?? [];
    const [id, type] = [question?.id ?? '', question?.type];
    const choiceIds = question?.choices?.map((choice) => choice.id) ?? [];
    const values = {
      SHORT_TEXT: word('Answer'),
      LONG_TEXT: word('Answer'),
      HYPERLINK: `https://example.org/${'w'.repeat(200)}`,
      RANKING: choiceIds,
      DETAILED_MULTIPLE_CHOICE: choiceIds,
      SINGLE_CHOICE: choiceIds.slice(-1),
      DROPDOWN: choiceIds.slice(-1),
      LINEAR_SCALE: 3,
      RATING: 3,
    } as const;
    const value = Object.entries(values).find(([name]) => name === type)?.[1];
    const other = Array.isArray(value) ? word('Own-answer') : undefined;
    const answers =
      value === undefined || !type ? [] : [sent(id, type, typeof value === 'object' ? [...value] : value, other)];
    const start = async (submit: boolean) =>
      (await dave.responses.startResponse({ params, body: { answers, submit } })).body.id;
    forms.set(kind, { ...form, responseId: await start(false), submittedId: await start(true) });
    const view = { title: word('View'), columns: form.questionIds };
    await alice.views.createView({ params, body: view });
  }
});
afterAll(() => server?.stop());

/** The elements that are wider than the screen, where the page scrolls sideways. */
const OVERFLOW = `document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
  [...document.querySelectorAll('main *')].filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.outerHTML.slice(0, 120))`;

const SIZES = {
  'at 320 pixels': { width: 320, height: 640 },
  'at 400 %': { width: 320, height: 256 },
  'at 1,280 pixels': { width: 1_280, height: 800 },
};

async function expectNoSidewaysScroll(page: Page, path: string): Promise<void> {
  await page.goto(server.url + path);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    expect([path, size, await page.evaluate(OVERFLOW)]).toEqual([path, size, []]);
  }
}

type Form = Built & { responseId: string; submittedId: string };
const PATHS: Record<string, (form: Form) => string[]> = {
  dave: ({ formId, sectionIds, responseId, submittedId }) => [
    `/f/${formId}`,
    `/r/${responseId}/s/${sectionIds[0]}`,
    `/r/${responseId}/check`,
    `/r/${submittedId}/done`,
    `/r/${submittedId}/withdraw`,
  ],
  alice: ({ formId, submittedId, questionIds }) => [
    `/review/${formId}`,
    `/review/${formId}?filter=open&f-${questionIds[0]}=${'w'.repeat(100)}`,
    `/review/${formId}/r/${submittedId}`,
    `/review/${formId}/r/${submittedId}/delete`,
    `/review/${formId}/drafts`,
    `/review/${formId}/statistics`,
    `/review/${formId}/q/${questionIds[0]}`,
    `/review/${formId}/notices`,
    `/review/${formId}/failed`,
    `/review/${formId}/views`,
    `/review/${formId}/export`,
  ],
};
test.for(Object.entries(PATHS))('no page with long words scrolls sideways, as seen by %s', async ([who, pathsOf]) => {
  const page = await server.open(who);
  for (const path of ['/', ...[...forms.values()].flatMap(pathsOf)]) await expectNoSidewaysScroll(page, path);
  await page.context().close();
});

test('no page of an organization or of a form that is built scrolls sideways', async () => {
  const page = await server.open('alice');
  const [form] = forms.values();
  const pages = ['', '/settings', '/units', '/delete', '/new'].map((path) => `/o/${slug}${path}`);
  const builder = ['', '/questions', '/settings', '/look', '/share', '/delete'].map(
    (path) => `/build/${form?.formId}${path}`,
  );
  const guests = [{ email: `${'w'.repeat(60)}@example.org`, label: word('L').slice(0, 100) }];
  const params = { formId: form?.formId ?? '' };
  const { body } = await (await newClient('alice')).invitations.createInvitations({ params, body: { guests } });
  const invitations = `/build/${form?.formId}/invitations`;
  const ofGuests = [
    invitations,
    `${invitations}?email=${'w'.repeat(100)}`,
    `${invitations}/${body.invitations[0]?.id}`,
  ];
  for (const path of [...pages, ...builder, ...ofGuests, '/account', '/o/demo', '/o/demo/members']) {
    await expectNoSidewaysScroll(page, path);
  }
  await page.context().close();
});

test('the deepest tree of units leaves room for every name at 320 pixels', async () => {
  const alice = await newClient('alice');
  const slug = 'deep-units';
  await alice.orgs.createOrganization({ body: { name: 'Deep', description: '', metadata: {}, slug } });
  const ids: string[] = [];
  for (let level = 1; level <= 32; level++) {
    const body = { name: `${level} ${word('Unit')}`, description: '', metadata: {}, parentId: ids.at(-1) ?? null };
    ids.push((await alice.units.createUnit({ params: { slug }, body })).body.id);
  }
  const page = await server.open('alice');
  for (const path of ['', `/${ids[0]}`, `/${ids[31]}`]) await expectNoSidewaysScroll(page, `/o/${slug}/units${path}`);
  await page.goto(`${server.url}/o/${slug}/units`);
  await page.setViewportSize(SIZES['at 320 pixels']);
  const box = await page.locator(`.tree a[href$="${ids[31]}"]`).boundingBox();
  expect(box?.width).toBeGreaterThan(120);
  await page.context().close();
});

test('the bar of progress stays in view while one scrolls, unless the screen is low', async () => {
  const form = forms.get('a ranking');
  const page = await server.open('dave', { viewport: { width: 320, height: 640 } });
  await page.goto(`${server.url}/r/${form?.responseId}/s/${form?.sectionIds[0]}`);
  const top = async () => {
    await page.evaluate('scrollTo({ top: document.body.scrollHeight, behavior: "instant" })');
    return (await page.locator('.progress').boundingBox())?.y;
  };
  expect(await top()).toBe(0);
  await page.setViewportSize({ width: 320, height: 256 });
  expect(await top()).toBeLessThan(0);
  await page.context().close();
});
