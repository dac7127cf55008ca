/**
 * Whoever leaves a page with values that are not stored is asked: for every page with a form, every kind of control, every
 * button that shows the form again, and every way to leave.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { PEOPLE } from '#stacks/local/seed.ts';
import { pages } from '#test/support/declared-pages.ts';
import { newForm, newOrganization, type QuestionKind } from '#test/support/fixtures.ts';
import { arrive } from './arrival.ts';
import { servePages, signInAs } from './page-server.ts';

const server = servePages();

const CHOICES = ['Frogs', 'Newts'].map((name) => ({ name }));
/** A question of each type whose options have controls of their own, after the one that is asked by a condition. */
const QUESTIONS: QuestionKind[] = [
  { type: 'SHORT_TEXT' },
  { type: 'SINGLE_CHOICE', choices: CHOICES },
  { type: 'DETAILED_MULTIPLE_CHOICE', choices: CHOICES },
  { type: 'RATING', scale: { minVal: 1, maxVal: 2, icon: 'star' } },
  { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
  { type: 'UPLOAD_FILE', uploadFile: { allowedFileTypes: ['TXT'], maxFileAmount: 1, maxFileSizeLimit: 1_000 } },
];

let addresses: string[];
let formId: string;
let questionId: string;
let dateId: string;
let slug: string;
let unitAddress: string;
let viewAddress: string;
beforeAll(async () => {
  const alice = await signInAs('alice');
  const { client } = alice;
  ({ slug } = await newOrganization(alice));
  const form = await newForm(alice, slug, [QUESTIONS, []]);
  formId = form.formId;
  questionId = form.questionIds[1] ?? '';
  dateId = form.questionIds[4] ?? '';
  const params = { formId };
  await client.orgs.addMember({ params: { slug }, body: { email: 'bob@example.org' } });
  const unit = { name: 'North', description: '', metadata: {} };
  const { id: unitId } = (await client.units.createUnit({ params: { slug }, body: unit })).body;
  unitAddress = `/o/${slug}/units/${unitId}`;
  const { id: nodeId } = (await client.workflow.createNode({ params, body: { type: 'CONDITION', payload: {} } })).body;
  const { workflow } = (await client.workflow.getWorkflow({ params })).body;
  const conditionRule = { source: 'NON_CHOICE' as const, question: form.questionIds[0] ?? '', pattern: '^x$' };
  const body = workflow.map((node) => (node.id === nodeId ? { ...node, conditionRule } : node));
  await client.workflow.updateWorkflow({ params, body });
  const { id: viewId } = (await client.views.createView({ params, body: {} })).body;
  viewAddress = `/review/${formId}/views/${viewId}`;
  const { id: responseId } = (await client.responses.startResponse({ params, body: { submit: true } })).body;
  const [invitation] = (await client.invitations.createInvitations({ params, body: { guests: [{}] } })).body
    .invitations;
  const [section] = form.sectionIds;
  const ids: Record<string, string> = {
    slug,
    formId,
    sectionId: section ?? '',
    questionId,
    nodeId,
    unitId,
    viewId,
    responseId,
    memberId: PEOPLE.find(({ name }) => name === 'bob')?.id ?? '',
    version: '1',
    guestId: invitation?.id ?? '',
  };
  const readable = pages.filter(
    ({ method, audience }) => method === 'GET' && ['organizers', 'builders', 'authors', 'reviewers'].includes(audience),
  );
  // Files are no pages, and on the page of an export nothing is typed.
  const declared = readable.flatMap(({ path, name }) =>
    /^show(?:Definition|DownloadExport|Export|InvitationLinks)$/.test(name)
      ? []
      : [path.replace(/\{(\w+)\}/g, (_, id) => ids[id] ?? `no ${id}`)],
  );
  addresses = [
    ...declared,
    ...form.questionIds.map((id) => `/build/${formId}/q/${id}`),
    `/build/${formId}/s/${section}/new?type=SINGLE_CHOICE`,
    `/build/${formId}/s/${section}/rules?as=rows`,
    '/onboarding',
  ];
});

/** Whether the browser would ask before it leaves the page. */
const ASKS = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";

const asks = (page: Page): Promise<unknown> => page.evaluate(ASKS);

/** The forms whose values are worth keeping. */
const FORMS = `[...document.querySelectorAll('main form[method="post"]:not([data-disposable])')]`;

/** Changes each control of each form and changes it back. Returns the kinds of controls, and the ones that were not counted. */
const CHANGE_CONTROLS = `(() => {
  const asks = () => ${ASKS};
  const SAMPLES = { 'datetime-local': '2031-05-01T10:00', date: '2031-05-01', time: '10:00', number: '7', color: '#336699' };
  const change = (control) => {
    const before = control.value;
    if (control.type === 'checkbox') {
      control.click();
      return () => control.click();
    }
    if (control.type === 'radio') {
      const group = [...control.form.elements].filter(({ name }) => name === control.name);
      const [checked] = group.filter(({ checked }) => checked);
      control.click();
      return checked && checked !== control ? () => checked.click() : undefined;
    }
    if (control.type === 'file') {
      const files = new DataTransfer();
      files.items.add(new File(['x'], 'x.json'));
      control.files = files.files;
      return () => { control.value = ''; };
    }
    if (control.localName === 'select') {
      const { selectedIndex, options } = control;
      if (options.length < 2) return undefined;
      control.selectedIndex = (selectedIndex + 1) % options.length;
      return () => { control.selectedIndex = selectedIndex; };
    }
    control.value = SAMPLES[control.type] ?? before + 'x';
    return () => { control.value = before; };
  };
  const kinds = [];
  const faults = asks() ? ['asks before anything is changed'] : [];
  for (const form of ${FORMS}) {
    for (const control of form.elements) {
      const kind = control.localName === 'input' ? control.type : control.localName;
      // What has no name is not sent: the picker of a colour writes into the field of the colour.
      if (['button', 'fieldset', 'output'].includes(kind) || control.disabled || control.readOnly || control.name === '') continue;
      const undo = change(control);
      if (!undo) continue;
      kinds.push(kind);
      const changed = asks();
      undo();
      const isUndone = !asks();
      if (!changed || !isUndone) faults.push([form.getAttribute('action'), control.name, kind, changed ? 'undone' : 'changed'].join(' '));
    }
  }
  return { kinds, faults, disposable: [...document.querySelectorAll('form[data-disposable]')].map((form) => form.getAttribute('action')) };
})()`;

type Changed = { kinds: string[]; faults: string[]; disposable: string[] };

test('every control of every page of authors, organizers and reviewers counts, until it is what is stored again', async () => {
  const page = await server().open('alice');
  const faults: Record<string, string[]> = {};
  const [kinds, disposable] = [new Set<string>(), new Set<string>()];
  for (const address of addresses) {
    const response = await page.goto(server().url + address);
    expect([address, response?.status()]).toEqual([address, 200]);
    const changed = (await page.evaluate(CHANGE_CONTROLS)) as Changed;
    if (changed.faults.length > 0) faults[address] = changed.faults;
    for (const kind of changed.kinds) kinds.add(kind);
    for (const action of changed.disposable) disposable.add(action.replace(formId, '{formId}').replace(slug, '{slug}'));
  }
  expect(faults).toEqual({});
  const expected = 'checkbox date datetime-local email file hidden radio select text textarea';
  expect([...kinds].toSorted().join(' ')).toBe(expected);
  // What is typed there is neither stored nor work.
  expect([...disposable].toSorted()).toEqual([
    '/build/{formId}',
    '/build/{formId}/delete',
    '/build/{formId}/questions',
    '/build/{formId}/rules/try',
    '/build/{formId}/share',
    '/o/{slug}/delete',
    '/review/{formId}/export',
  ]);
  await page.context().close();
});

/** Types into the texts of the form with an index; the values of its buttons, each kind once. Undefined for one without controls. */
const typeInto = (index: number, text: string) => `(() => {
  const form = ${FORMS}[${index}];
  const fields = [...(form?.elements ?? [])].filter((field) => !field.readOnly && !field.disabled);
  const texts = fields.filter((field) => field.matches('textarea, input:is(:not([type]), [type="text"], [type="email"])'));
  const [choice] = fields.filter((field) => field.matches('input[type="checkbox"], select'));
  if (texts.length === 0 && !choice) return undefined;
  for (const field of texts) field.value += ${JSON.stringify(text)};
  if (texts.length === 0) choice.matches('select') ? choice.selectedIndex = choice.options.length - 1 : choice.click();
  const buttons = fields.filter(({ type, tabIndex }) => type === 'submit' && tabIndex !== -1);
  window.press = (value) => {
    window.settled = new Promise((resolve) => {
      document.addEventListener('pagechange', resolve, { once: true });
      setTimeout(resolve, 5_000);
    });
    form.requestSubmit(buttons.find((button) => button.value === value));
  };
  return [...new Map(buttons.map(({ value }) => [value.replace(/:.*/, ''), value])).values()];
})()`;

test('every button that shows typed values again leaves them unsaved, every other one has stored them', async () => {
  const page = await server().open('alice');
  page.on('dialog', (dialog) => dialog.accept());
  const seen = { typed: 0, stored: 0 };
  const press = async (address: string, index: number, text: string, value?: string): Promise<string[] | undefined> => {
    await page.goto(server().url + address);
    const values = (await page.evaluate(typeInto(index, text))) as string[] | undefined;
    if (value === undefined) return values;
    const response = page.waitForResponse((received) => received.request().method() === 'POST');
    await page.evaluate(`press(${JSON.stringify(value)})`);
    const received = await response;
    const isTyped = received.headers()['content-type']?.startsWith('text/html') === true;
    seen[isTyped ? 'typed' : 'stored'] += 1;
    await page.evaluate('settled').catch(() => undefined);
    await arrive(page);
    const now = await asks(page);
    expect([address, value, received.status(), now]).toEqual([address, value, received.status(), isTyped]);
    return undefined;
  };
  const pressed = new Set<string>();
  for (const address of addresses) {
    for (let index = 0, values: string[] | undefined = []; values; index += 1) {
      values = await press(address, index, 'x');
      for (const value of values ?? []) {
        const name = `${address.replace(/[^/]*-[^/?]*/g, '').replace(/\?.*/, '')} ${index} ${value.replace(/:.*/, '')}`;
        if (pressed.has(name)) continue;
        pressed.add(name);
        // Once so that it may be accepted, and then too long for any field.
        const { stored } = seen;
        await press(address, index, 'x', value);
        if (seen.stored > stored) await press(address, index, 'x'.repeat(6_000), value);
      }
    }
  }
  expect(seen.typed).toBeGreaterThan(30);
  expect(seen.stored).toBeGreaterThan(15);
  await page.context().close();
});

/** Pages with values that are not stored, and a control that has one of them. */
const UNSAVED: Record<string, { show: (page: Page) => Promise<unknown>; holds: string }> = {
  'typed text': {
    show: async (page) => {
      await page.goto(`${server().url}/build/${formId}/q/${questionId}`);
      await page.locator('#title').pressSequentially('Lakes');
    },
    holds: '#title[value]',
  },
  'half a date': {
    show: async (page) => {
      await page.goto(`${server().url}/build/${formId}/settings`);
      await page.locator('#deadline').pressSequentially('1231');
    },
    holds: '#deadline',
  },
  'a page that was rendered from typed values': {
    show: async (page) => {
      await page.goto(`${server().url}/build/${formId}/q/${questionId}`);
      await page.locator('#title').fill('Lakes');
      await page.locator('button[value="add-choice"]').click();
      await page.locator('#choice-2').waitFor();
    },
    holds: '#choice-2',
  },
  'a page that is not sent in place': {
    show: async (page) => {
      await page.goto(`${server().url}/orgs/new`);
      await page.locator('#name').fill('Lakes');
    },
    holds: '#name',
  },
  'a refused form that was not sent in place': {
    show: async (page) => {
      await page.goto(`${server().url}/orgs/new`);
      await page.locator('#slug').fill('no slug');
      await page.locator('#slug').press('Enter');
      await page.locator('[data-error-summary] h2').click();
    },
    holds: '#slug[value="no slug"]',
  },
  'a page that holds the only copy after the session has ended': {
    show: async (page) => {
      await page.goto(`${server().url}/build/${formId}/settings`);
      await page.locator('#previewMessage').fill('Lakes');
      const cookies = await page.context().cookies();
      await page.context().clearCookies();
      await page.locator('#previewMessage').press('Enter');
      await page.locator('a[href="/sign-in"]').waitFor();
      await page.context().addCookies(cookies);
      await page.locator('h1').click();
    },
    holds: 'input[value="Lakes"]',
  },
};

/** The ways to leave; undefined where a page does not have one. */
const WAYS: Record<string, (page: Page) => Promise<unknown>> = {
  'a link': (page) => page.locator('.brand').click({ noWaitAfter: true }),
  'the tab of another page': (page) => page.locator('.tabs a').last().click({ noWaitAfter: true }),
  'the language': (page) => page.locator('form[action="/language"] button').evaluate(CLICK),
  'sign-out': (page) => page.locator('form[action="/sign-out"] button').evaluate(CLICK),
  'the form beside it': (page) => page.locator('button[value="move"]').click({ noWaitAfter: true }),
  'the link that deletes': (page) => page.locator('a[data-dialog]').click({ noWaitAfter: true }),
  Back: (page) => page.evaluate('history.back()'),
  'a reload': (page) => page.evaluate('location.reload()'),
  'closing the tab': (page) => page.close({ runBeforeUnload: true }),
};
/** Menus need not be open. */
const CLICK = (button: { click(): void }): void => button.click();

/** Ways that only some pages have. */
const PARTS_OF_PAGES: Record<string, string> = {
  'the tab of another page': '.tabs',
  'the form beside it': 'button[value="move"]',
  'the link that deletes': 'a[data-dialog]',
  'sign-out': 'form[action="/sign-out"]',
};

test.for(Object.entries(UNSAVED))('%s: every way to leave is asked about', async ([, { show, holds }]) => {
  const page = await server().open('alice');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await show(page);
  expect(asked).toEqual([]);
  for (const [name, leave] of Object.entries(WAYS)) {
    const part = PARTS_OF_PAGES[name];
    if (part !== undefined && (await page.locator(part).count()) === 0) continue;
    asked.length = 0;
    await leave(page);
    await expect.poll(() => asked, { message: name }).toEqual(['beforeunload']);
    expect(await page.locator(holds).count(), name).toBe(1);
  }
  await page.context().close();
});

test('what is as it is stored again is not asked about, though the page was rendered from typed values', async () => {
  const page = await server().open('alice');
  await page.goto(`${server().url}/build/${formId}/q/${questionId}`);
  const title = page.locator('#title');
  const stored = await title.inputValue();
  await title.fill('Lakes');
  await page.locator('button[value="add-choice"]').click();
  await page.locator('#choice-2').fill('Toads');
  expect(await asks(page)).toBe(true);
  await page.locator('button[value="choice-remove:2"]').click();
  await page.locator('#choice-2').waitFor({ state: 'detached' });
  expect(await asks(page)).toBe(true);
  await title.fill(stored);
  expect(await asks(page)).toBe(false);
  await page.context().close();
});

test('a form whose sending was declined, because another one is not stored, can be sent again', async () => {
  const page = await server().open('alice');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void (asked.length < 2 ? dialog.dismiss() : dialog.accept());
  });
  await page.goto(server().url + viewAddress);
  await page.locator('#view-title').fill('Lakes');
  await page.locator('button[value="lock"]').click({ noWaitAfter: true });
  await expect.poll(() => asked.length).toBe(1);
  await page.locator('button[value="lock"]').click();
  await page.waitForURL('**?done=saved');
  expect(asked).toHaveLength(2);
  await page.context().close();
});

test('typed values that were shown again stay when the form beside them is sent', async () => {
  const page = await server().open('alice');
  await page.goto(server().url + unitAddress);
  await page.locator('#name').fill('');
  await page.locator('#description').fill('Sunny');
  await page.locator('button[value="save"]').click();
  await page.locator('[data-error-summary]').waitFor();
  await page.locator('button[value="move"]').click();
  await page.locator('[data-flash]').waitFor();
  expect(await page.locator('#description').inputValue()).toBe('Sunny');
  expect(await asks(page)).toBe(true);
  await page.context().close();
});

test.for([
  true,
  false,
])('a form with half a date is not sent, and the field says so, with scripts: %s', async (scripts) => {
  const page = await server().open('alice', { javaScriptEnabled: scripts });
  const posted: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posted.push(request.url()));
  for (const [path, field] of [
    ['settings', '#deadline'],
    [`q/${dateId}`, '#date-minDate'],
  ] as const) {
    await page.goto(`${server().url}/build/${formId}/${path}`);
    await page.locator(field).pressSequentially('1231');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator(`${field}:focus`).waitFor();
    expect(await page.locator('[data-flash]').count()).toBe(0);
  }
  await page.locator('#date-minDate').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('[data-flash]').waitFor();
  expect(posted).toHaveLength(1);
  await page.context().close();
});
