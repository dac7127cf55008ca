/** What organizers and authors see when something is refused: two who change the same, files that are none, rules that hold. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { question } from '#test/support/fixtures.ts';
import { jpeg } from '#test/support/pictures.ts';
import { addressOf, ownSheets } from '#test/support/sheets.ts';
import { expectAccessible, LOOKS, type Look, SCRIPTED_LOOKS, servePages, signInAs } from './page-server.ts';

const server = servePages();
ownSheets();

let alice: Awaited<ReturnType<typeof signInAs>>;
beforeAll(async () => {
  alice = await signInAs('alice');
});

type Visit = { page: Page; see: (content: string) => Promise<void>; go: (path: string) => Promise<unknown> };

/** Opens a page as alice; `see` waits for what a selector finds and checks the page as it is then. */
async function visit(look: Look): Promise<Visit> {
  const page = await server().open('alice', look);
  const see = async (content: string) => {
    await page.locator(content).first().waitFor();
    await expectAccessible(page, !('javaScriptEnabled' in look));
  };
  return { page, see, go: (path) => page.goto(`${server().url}${path}`) };
}

const REFUSED = '[data-error-summary]';
const save = (page: Page) =>
  page.locator('main .actions button:not([value]), main .actions button[value="save"]').first();

/** Changes what a page shows while it is open, saves, and decides to keep the own text. */
async function conflict(
  { page, see, go }: Visit,
  path: string,
  field: string,
  theirs: () => Promise<unknown>,
  mine = 'Mine',
) {
  await go(path);
  await theirs();
  await page.locator(field).fill(mine);
  await save(page).click();
  await see(REFUSED);
  expect(await page.locator(`${REFUSED} dd`).allTextContents()).toContain('Theirs');
  expect(await page.locator(field).inputValue()).toBe(mine);
  await save(page).click();
  await page.waitForURL('**?done=*');
  await go(path);
  expect(await page.locator(field).inputValue()).toBe(mine);
}

test.for(LOOKS)('two editors of the same see both texts, and lose none: %j', async (look) => {
  const seen = await visit(look);
  const { client } = alice;
  const slug = `lakes-${crypto.randomUUID().slice(0, 8)}`;
  const theirs = { name: 'Lakes', description: 'Theirs', metadata: {} };
  await client.orgs.createOrganization({ body: { ...theirs, description: '', slug } });
  await conflict(seen, `/o/${slug}/settings`, '#description', () =>
    client.orgs.updateOrganization({ params: { slug }, body: { ...theirs, slug } }),
  );
  const { id: unitId } = (await client.units.createUnit({ params: { slug }, body: { ...theirs, description: '' } }))
    .body;
  await conflict(seen, `/o/${slug}/units/${unitId}`, '#description', () =>
    client.units.updateUnit({ params: { slug, unitId }, body: theirs }),
  );
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { publish: false });
  await conflict(seen, `/build/${formId}/settings`, '#previewMessage', () =>
    client.forms.updateForm({ params: { formId }, body: { previewMessage: 'Theirs' } }),
  );
  const { page, see, go } = seen;
  await go(`/build/${formId}/look`);
  await client.forms.updateForm({ params: { formId }, body: { dressing: { headerFont: 'lora' } } });
  await page.locator('#headerFont').selectOption('inter');
  await save(page).click();
  await see(REFUSED);
  expect(await page.locator(`${REFUSED} dd`).textContent()).toContain('Lora');
  await save(page).click();
  await page.waitForURL('**/look?done=saved');
  expect(await page.locator('#headerFont').inputValue()).toBe('inter');
  await page.context().close();
});

test.for(SCRIPTED_LOOKS)('two authors of the same section, question, choices and rules lose none: %j', async (look) => {
  const seen = await visit(look);
  const { page, see, go } = seen;
  const { client } = alice;
  const choices = ['Theirs', 'Others'].map((name) => ({ name }));
  const built = await server().newForm([[{ type: 'SHORT_TEXT' }, { type: 'SINGLE_CHOICE', choices }], [], []], {
    publish: false,
  });
  const { formId } = built;
  const [asking = '', first = '', second = ''] = built.sectionIds;
  const [short = '', single = ''] = built.questionIds;
  const build = `/build/${formId}`;
  const nameSection = (sectionId: string, title: string) =>
    client.sections.updateSection({ params: { formId, sectionId }, body: { title } });
  const putQuestion = (questionId: string, body: Parameters<typeof question>[0]) =>
    client.questions.updateQuestion({ params: { sectionId: asking, questionId }, body: question(body) });
  await nameSection(second, 'Last');
  await conflict(seen, `${build}/s/${first}`, '#title', () => nameSection(first, 'Theirs'));
  await conflict(seen, `${build}/q/${short}`, '#title', () =>
    putQuestion(short, { type: 'SHORT_TEXT', title: 'Theirs', order: 1 }),
  );
  const stored = (await client.sections.listSections({ params: { formId } })).body[0]?.questions?.[1]?.choices ?? [];
  await conflict(
    seen,
    `${build}/q/${single}/choices`,
    '#choices',
    () => putQuestion(single, { type: 'SINGLE_CHOICE', choices: stored.slice(0, 1), order: 2 }),
    'Theirs\nMine',
  );

  // Once as a table of the choices, and once as rows.
  for (const [view, target] of [
    ['', second],
    ['?as=rows', first],
  ] as const) {
    const path = `${build}/s/${asking}/rules${view}`;
    await go(path);
    const { workflow } = (await client.workflow.getWorkflow({ params: { formId } })).body;
    const end = workflow.find(({ type }) => type === 'END')?.id ?? '';
    const body = workflow.map((node) => (node.id === asking ? { ...node, next: end } : node));
    await client.workflow.updateWorkflow({ params: { formId }, body });
    await page.locator('#otherwise').selectOption(target);
    await page.locator('main .actions button[value="save"]').click();
    await see(`${REFUSED} dd`);
    expect(await page.locator('#otherwise').inputValue()).toBe(target);
    await page.locator('main .actions button[value="save"]').click();
    await page.waitForURL('**/rules?done=saved*');
    await go(path);
    expect(await page.locator('#otherwise').inputValue()).toBe(target);
  }
  await page.context().close();
});

test.for(
  SCRIPTED_LOOKS,
)('a question that somebody else deleted is saved as a new one, and another section chosen: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const { client } = alice;
  const built = await server().newForm([[{ type: 'SHORT_TEXT' }], []], { publish: false });
  const [sectionId = '', deleted = ''] = built.sectionIds;
  const [questionId = ''] = built.questionIds;
  await go(`/build/${built.formId}/q/${questionId}`);
  await client.questions.deleteQuestion({ params: { sectionId, questionId } });
  await page.locator('#title').fill('Mine');
  await save(page).click();
  await see(REFUSED);
  await save(page).click();
  await page.waitForURL('**/questions?done=questionAdded*');
  const titles = page.locator('.builder-section .rows h3 a');
  expect(await titles.allTextContents()).toEqual(['Mine']);

  await go(`/build/${built.formId}/s/${deleted}/new?type=SHORT_TEXT`);
  await client.workflow.deleteNode({ params: { formId: built.formId, nodeId: deleted } });
  await page.locator('#title').fill('New');
  await save(page).click();
  await see(REFUSED);
  await page.locator('#section').selectOption(sectionId);
  await save(page).click();
  await page.waitForURL('**/questions?done=questionAdded*');
  expect(await titles.allTextContents()).toEqual(['Mine', 'New']);
  await page.context().close();
});

test.for(SCRIPTED_LOOKS)('a move is not undone when the path was changed since: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }], []], { publish: false });
  const params = { formId };
  await go(`/build/${formId}/questions`);
  await page.locator('button[value^="section-down:"]').first().click();
  await page.waitForURL('**?done=sectionMoved*');
  const { workflow } = (await alice.client.workflow.getWorkflow({ params })).body;
  const after = workflow.find(({ type }) => type === 'START')?.id ?? '';
  await alice.client.workflow.createNode({ params, body: { type: 'SECTION', payload: {}, after } });
  await page.locator('button[form="undo"]').click();
  await see(REFUSED);
  expect(await page.locator('main dl.facts').count()).toBeGreaterThan(0);
  await page.context().close();
});

test.for(SCRIPTED_LOOKS)('archived changes come back, unless the form changed meanwhile: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const built = await server().newForm([[{ type: 'SHORT_TEXT', title: 'Which lake?' }]]);
  const build = `/build/${built.formId}`;
  await go(`${build}/q/${built.questionIds[0]}`);
  await page.locator('#title').fill('Which ocean?');
  await save(page).click();
  await page.waitForURL('**/questions?done=saved*');
  await go(`${build}/changes`);
  await page.locator('button[value="discard"]').click();
  await page.waitForURL('**?done=changesDiscarded*');
  await go(`${build}/versions`);
  await page.locator('main h3 a').click();
  await see('button[value="restore"]');
  const [sectionId = ''] = built.sectionIds;
  const params = { formId: built.formId, sectionId };
  await alice.client.sections.updateSection({ params, body: { title: 'Theirs' } });
  const putBack = page.locator('button[value="restore"]');
  await putBack.click();
  await see(REFUSED);
  await putBack.click();
  await page.waitForURL('**/changes?done=changesRestored');
  await see('button[value="publish"]');
  expect(await page.locator('main').innerText()).toContain('Which ocean?');
  await page.context().close();
});

test.for(SCRIPTED_LOOKS)('an archived form shows its questions and rules, and is not changed: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const built = await server().newForm([[{ type: 'SHORT_TEXT', title: 'Which lake?' }], []]);
  const build = `/build/${built.formId}`;
  await go(`${build}/q/${built.questionIds[0]}`);
  await alice.client.forms.archiveForm({ params: { formId: built.formId } });
  await page.locator('#title').fill('Mine');
  await save(page).click();
  await see(REFUSED);
  expect(await page.locator('#title').inputValue()).toBe('Mine');
  for (const path of [`${build}/questions`, `${build}/rules`]) {
    await go(path);
    await see('.builder-section');
    expect(await page.locator('main .notice').count()).toBe(1);
    expect(await page.locator('.builder-section :is(a.button, button)').count()).toBe(0);
  }
  await page.context().close();
});

test.for(LOOKS)('an organization keeps its last admin, and says who is gone: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const { client } = alice;
  const slug = `lakes-${crypto.randomUUID().slice(0, 8)}`;
  const params = { slug };
  await client.orgs.createOrganization({ body: { name: 'Lakes', description: '', metadata: {}, slug } });
  const { member } = (await client.orgs.addMember({ params, body: { email: 'chelsea@example.org' } })).body;
  await go(`/o/${slug}/members`);
  await client.orgs.removeMember({ params: { slug, memberId: member.id } });
  await page.locator(`button[value="ADMIN:${member.id}"]`).click();
  await see(REFUSED);
  // The only admin is offered nothing that would be refused.
  await expect.poll(() => page.locator(`button[value="MEMBER:${alice.id}"]`).count()).toBe(0);
  const colleague = await signInAs('dave');
  await client.orgs.addMember({ params, body: { email: 'dave@example.org' } });
  await client.orgs.updateMember({ params: { slug, memberId: colleague.id }, body: { role: 'ADMIN' } });
  await go(`/o/${slug}/members`);
  await colleague.client.orgs.removeMember({ params: { slug, memberId: alice.id } });
  // Whatever is pressed now says why it does nothing, in place of a bare refusal.
  await page.locator(`button[value="MEMBER:${alice.id}"]`).click();
  await see('.card h1');
  await page.context().close();
});

test.for(LOOKS)('a form says why it is not published, shared, covered or connected: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { publish: false });
  const build = `/build/${formId}`;
  await go(`${build}/share`);
  await see('.qr svg');

  await go(`${build}/look`);
  const cover = async (buffer: Buffer, mimeType: string) => {
    await page.locator('#cover').setInputFiles({ name: 'cover.jpg', mimeType, buffer });
    await page.locator('button[value="upload"]:not([disabled])').click();
    await see(REFUSED);
    await page.locator('#cover-error').waitFor();
  };
  await cover(Buffer.from('no picture'), 'text/plain');
  await cover(Buffer.from(jpeg(1_200, 400)).subarray(0, 20), 'image/jpeg');
  await cover(Buffer.concat([jpeg(1_200, 400), Buffer.alloc(2_100_000)]), 'image/jpeg');

  await go(`${build}/settings`);
  const check = page.locator('button[value="check"]');
  await page.locator('#spreadsheetUrl').fill('https://example.org/none');
  await check.click();
  await see('.notice');
  expect(await page.locator('#spreadsheetUrl').inputValue()).toBe('https://example.org/none');
  await page.locator('#spreadsheetUrl').fill(addressOf('sheet-1'));
  await check.click();
  await see('.notice:not(.warning)');

  await go(build);
  // Somebody else deletes what the form consists of before it is published.
  const { workflow } = (await alice.client.workflow.getWorkflow({ params: { formId } })).body;
  const section = workflow.find(({ type }) => type === 'SECTION')?.id ?? '';
  const unlinked = workflow.map((node) => (node.type === 'START' ? { ...node, next: undefined } : node));
  await alice.client.workflow.updateWorkflow({ params: { formId }, body: unlinked });
  await page.locator('button[value="publish"]').click();
  await see(REFUSED);
  const linked = workflow.map((node) => (node.type === 'START' ? { ...node, next: section } : node));
  await alice.client.workflow.updateWorkflow({ params: { formId }, body: linked });
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=published');
  await alice.client.forms.archiveForm({ params: { formId } });
  await go(`${build}/share`);
  await see('.qr svg');
  await page.context().close();
});

test.for(LOOKS)('a file that is no form says where its faults are, and a template becomes a form: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT', title: 'Which lake?' }]], { title: 'Rivers' });
  const { body } = await alice.client.forms.getDefinition({ params: { formId } });
  const send = async (json: unknown) => {
    const buffer = Buffer.from(JSON.stringify(json));
    await page.locator('#file').setInputFiles({ name: 'form.json', mimeType: 'application/json', buffer });
    await page.locator('button[value="file"]').click();
  };
  await go('/o/demo/new');
  const nodes = body.form.nodes.filter(({ type }) => type !== 'END');
  await send({ ...body, form: { ...body.form, title: 7, nodes } });
  await see('.faults');
  expect(await page.locator('.faults li').count()).toBeGreaterThan(2);
  await send(body);
  await page.waitForURL('**/build/*?done=created');
  await page.getByRole('heading', { level: 1, name: 'Rivers' }).waitFor();
  await go('/o/demo/new');
  await page.locator('button[value="template:feedback"]').click();
  await page.waitForURL('**/build/*?done=created');
  await see('h1');
  await page.context().close();
});
