/** The pages of rules: what an author chooses is the path that respondents take. */
import { describe, expect, test } from 'vitest';
import { newNode, readWorkflow, rewire } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { type Built, newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { preview, save, sent, start, submit } from '#test/support/responses.ts';

const cast = await newCast();

type Form = Built & { choices: string[]; page: string; end: string };

/** A form of three sections; the first one asks for a lake and for a number. */
async function branching(): Promise<Form> {
  const lake = {
    type: 'SINGLE_CHOICE' as const,
    title: 'Which lake?',
    required: true,
    choices: [{ name: 'A' }, { name: 'B' }],
  };
  const scale = {
    type: 'RATING' as const,
    title: 'How many?',
    required: true,
    scale: { minVal: 1, maxVal: 5, icon: 'star' as const },
  };
  const built = await newForm(cast.alice, cast.slug, [[lake, scale, { type: 'SHORT_TEXT', title: 'Why?' }], [], []], {
    publish: false,
  });
  const { body } = await cast.alice.client.sections.listSections({ params: { formId: built.formId } });
  const choices = body[0]?.section.questions?.[0]?.choices?.map(({ id }) => id) ?? [];
  const workflow = (await cast.alice.client.workflow.getWorkflow({ params: { formId: built.formId } })).body.workflow;
  const end = workflow.find(({ type }) => type === 'END')?.id ?? '';
  return { ...built, choices, end, page: `/build/${built.formId}/s/${built.sectionIds[0]}/rules?as=rows` };
}

/** Adds a rule about a question by its button, then fills in its row and presses the button that saves. */
async function addRule(
  { page, questionIds }: Form,
  about: number,
  fields: (index: number) => readonly [string, string][],
  presses = 1,
) {
  const pages = pagesOf(cast.bob);
  const html = await (await fillIn(cast.bob, page, [['newQuestion', questionIds[about] ?? '']], 'add-rule')).text();
  const shown = fieldsOf(html);
  const index = shown.filter(([name]) => name === 'rule.id').length - 1;
  const own = fields(index);
  // The row that was added is the last one.
  const rest = shown.filter(
    ([name], position) =>
      !own.some(([other]) => other === name && shown.findLastIndex(([each]) => each === name) === position),
  );
  const press = () => pages.post(page, [...rest, ...own, ['do', 'save']]);
  for (let pressed = 1; pressed < presses; pressed += 1) await press();
  return press();
}

/** One choice more than a rule can compare with. */
const MANY_CHOICES = Array.from({ length: 41 }, () => ['selected.0', crypto.randomUUID()] as const);

const sentences = async (formId: string) => textOf(await pagesOf(cast.bob).show(`/build/${formId}/rules`));

describe('rules', () => {
  test('lead respondents where the author has chosen, and read back in words', async () => {
    const form = await branching();
    const { formId, sectionIds, questionIds, choices, end } = form;
    const [lake = '', rating = ''] = questionIds;
    const first = await addRule(form, 0, (index) => [
      [`selected.${index}`, choices[1] ?? ''],
      ['rule.target', sectionIds[2] ?? ''],
    ]);
    expect(first.headers.get('location')).toContain('done=saved');
    const second = await addRule(form, 1, (index) => [
      [`selected.${index}`, '4'],
      [`selected.${index}`, '5'],
      ['rule.target', end],
    ]);
    expect(second.headers.get('location')).toContain('done=saved');
    const words = await sentences(formId);
    expect(words).toContain('If “Which lake?” is “B”, go to');
    expect(words).toContain('If “How many?” is 4 or 5, go to the end.');
    await cast.alice.client.forms.publishForm({ params: { formId } });
    for (const [choice, number, path] of [
      [1, 5, [0, 2]],
      [0, 4, [0]],
      [0, 3, [0, 1, 2]],
    ] as const) {
      const responseId = await start(cast.dave, formId);
      await save(cast.dave, responseId, [
        sent(lake, 'SINGLE_CHOICE', [choices[choice] ?? '']),
        sent(rating, 'RATING', number),
      ]);
      const { body } = await cast.dave.client.responses.getResponse({ params: { formId, responseId } });
      const onPath = body.sections.filter(({ progress }) => progress !== 'SKIPPED').map(({ id }) => id);
      expect(onPath).toEqual(path.map((index) => sectionIds[index]));
    }
  });

  test('are not stored before they are saved', async () => {
    const form = await branching();
    const add = await fillIn(cast.bob, form.page, [['newQuestion', form.questionIds[0] ?? '']], 'add-rule');
    expect(fieldsOf(await add.text()).filter(([name]) => name === 'rule.id')).toHaveLength(1);
    expect(await sentences(form.formId)).not.toContain('If “');
  });

  test('are saved once when the button is pressed twice', async () => {
    const form = await branching();
    const fill = (index: number): [string, string][] => [
      [`selected.${index}`, form.choices[0] ?? ''],
      ['rule.target', form.end],
    ];
    expect((await addRule(form, 0, fill, 2)).headers.get('location')).toContain('done=saved');
    const { workflow } = await readWorkflow(cast.bob, form.formId);
    expect(workflow.filter(({ type }) => type === 'CONDITION')).toHaveLength(1);
    expect(await sentences(form.formId)).toContain('If “Which lake?” is “A”, go to the end.');
  });

  test('are moved and removed', async () => {
    const form = await branching();
    const { page, choices, end, formId } = form;
    await addRule(form, 0, (index) => [
      [`selected.${index}`, choices[0] ?? ''],
      ['rule.target', end],
    ]);
    await addRule(form, 1, (index) => [
      [`selected.${index}`, '1'],
      ['rule.target', end],
    ]);
    const moved = fieldsOf(await (await fillIn(cast.bob, page, [], 'rule-up:1')).text());
    await pagesOf(cast.bob).post(page, moved);
    expect(await sentences(formId)).toMatch(/If “How many\?”.*If “Which lake\?”/);
    const less = fieldsOf(await (await fillIn(cast.bob, page, [], 'rule-remove:0')).text());
    await pagesOf(cast.bob).post(page, less);
    expect(await sentences(formId)).not.toContain('How many?');
    const { workflow } = (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body;
    expect(workflow.filter(({ type }) => type === 'CONDITION')).toHaveLength(1);
  });

  test.for([
    [0, MANY_CHOICES, 'a rule compares with 40 choices at most'],
    [0, [], 'Choose or enter what the answer is compared with'],
    [2, [['rule.text', '']], 'Choose or enter what the answer is compared with'],
    [
      2,
      [
        ['rule.test', 'pattern'],
        ['rule.text', '('],
      ],
      'This is not a valid pattern',
    ],
    [
      2,
      [
        ['rule.test', 'is'],
        ['rule.text', 'x'.repeat(500)],
      ],
      'Use at most 474 characters',
    ],
  ] as const)('say what is wrong and keep what was chosen: %#', async ([about, fields, message]) => {
    const form = await branching();
    const response = await addRule(form, about, () => [
      ...fields.map(([name, value]): [string, string] => [name, value]),
      ['rule.target', ''],
    ]);
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([400, expect.stringContaining(message)]);
    expect(textOf(html)).toContain('Choose where it goes');
    expect(await sentences(form.formId)).not.toContain('If “');
  });

  test.each([
    ['before the post', false],
    ['between the read and the write', true],
  ])('of somebody else are seen before they are replaced, when they are saved %s', async (_when, isRace) => {
    const form = await branching();
    const { page, end, choices, sectionIds } = form;
    const fields = fieldsOf(await pagesOf(cast.bob).show(page)).filter(([name]) => name !== 'otherwise');
    const theirs = () =>
      addRule(form, 0, (index) => [
        [`selected.${index}`, choices[0] ?? ''],
        ['rule.target', sectionIds[2] ?? ''],
      ]);
    const mine = () => pagesOf(cast.bob).post(page, [...fields, ['otherwise', end], ['do', 'save']]);
    if (!isRace) await theirs();
    const response = isRace ? await beforeFirstWrite(mine, theirs) : await mine();
    const html = await response.text();
    expect([response.status, textOf(html)]).toEqual([409, expect.stringContaining('If “Which lake?” is “A”')]);
    expect((await pagesOf(cast.bob).post(page, fieldsOf(html))).status).toBe(303);
    expect(await sentences(form.formId)).toContain('Then go to the end.');
  });
});

describe('a condition that two sections share', () => {
  /** A form whose first two sections lead to one condition, drawn by another client. */
  async function shared() {
    const form = await branching();
    const { formId, sectionIds, questionIds, choices, end } = form;
    const nodeId = await newNode(cast.alice, formId, 'CONDITION');
    const [first = '', second = '', third = ''] = sectionIds;
    const conditionRule = {
      source: 'CHOICE' as const,
      question: questionIds[0] ?? '',
      pattern: choices[0] ?? '',
      x: 1,
    };
    const drawn = { payload: { x: 7, color: 'red' }, conditionRule, nextTrue: third, nextFalse: end };
    await rewire(cast.alice, formId, { [first]: { next: nodeId }, [second]: { next: nodeId }, [nodeId]: drawn });
    return { ...form, nodeId, first, drawn, card: `/build/${formId}/c/${nodeId}` };
  }

  /** Changes fields of its page and saves. */
  async function edit(path: string, changes: Record<string, string>, html?: string) {
    const fields = fieldsOf(html ?? (await pagesOf(cast.bob).show(path)));
    const kept = fields.filter(([name]) => !Object.hasOwn(changes, name));
    return pagesOf(cast.bob).post(path, [...kept, ...Object.entries(changes)]);
  }

  const readNodes = async (formId: string) => (await readWorkflow(cast.alice, formId)).workflow;

  test('is said in words, with its pattern, and leads to a page of its own', async () => {
    const { formId, page, choices, first, card } = await shared();
    const words = await sentences(formId);
    expect(words).toContain('Then go to condition 1.');
    expect(words).toContain(`If “Which lake?” matches ${choices[0]}, go to`);
    expect((await pagesOf(cast.bob).get(page)).headers.get('location')).toBe(`/build/${formId}/rules`);
    expect(await pagesOf(cast.bob).show(`/build/${formId}/rules`)).toContain(card);
    expect(await pagesOf(cast.bob).show(`/build/${formId}/c/${first}`)).toContain('condition 1</option>');
  });

  test('is changed by itself: its question, its test and both ways; all else stays', async () => {
    const { formId, nodeId, questionIds, sectionIds, end, card, drawn, first } = await shared();
    const before = await readNodes(formId);
    const [, second = ''] = sectionIds;
    expect((await edit(card, { 'rule.target': end, otherwise: second })).status).toBe(303);
    const linked = { ...drawn, nextTrue: end, nextFalse: second };
    const withNode = (change: object) => before.map((node) => (node.id === nodeId ? { ...node, ...change } : node));
    expect(await readNodes(formId)).toEqual(withNode(linked));
    // Another question has another test, which must be chosen.
    const about = { 'rule.question': questionIds[1] ?? '' };
    const refused = await edit(card, about);
    const html = await refused.text();
    expect([refused.status, textOf(html)]).toEqual([400, expect.stringContaining('Choose or enter what')]);
    expect((await edit(card, { 'selected.0': '4' }, html)).status).toBe(303);
    const conditionRule = { source: 'NON_CHOICE', question: questionIds[1], pattern: '^4$', x: 1 };
    expect(await readNodes(formId)).toEqual(
      withNode({ ...linked, conditionRule, label: 'When How many? matches ^4$' }),
    );
    const named = 'ondition 1 (“How many?” is 4)';
    expect(await sentences(formId)).toContain(`Then go to c${named}.`);
    expect(await pagesOf(cast.bob).show(`/build/${formId}/rules`)).toContain(`<title>C${named}</title>`);
    expect(await pagesOf(cast.bob).show(`/build/${formId}/c/${first}`)).toContain(`>c${named}</option>`);
  });

  test('can lead to another condition, and a section elsewhere again', async () => {
    const { formId, nodeId, end, first, card } = await shared();
    const other = await newNode(cast.alice, formId, 'CONDITION');
    expect((await edit(card, { otherwise: other })).status).toBe(303);
    expect(await sentences(formId)).toContain('Otherwise go to condition 2.');
    expect((await edit(`/build/${formId}/c/${first}`, { otherwise: end })).status).toBe(303);
    const nodes = await readNodes(formId);
    expect(nodes.find(({ id }) => id === first)?.next).toBe(end);
    expect(nodes.find(({ id }) => id === nodeId)?.nextFalse).toBe(other);
  });

  test('that somebody else has changed meanwhile is seen before it is replaced', async () => {
    const { formId, nodeId, end, card, sectionIds } = await shared();
    const html = await pagesOf(cast.bob).show(card);
    await rewire(cast.alice, formId, { [nodeId]: { nextFalse: sectionIds[1] ?? '' } });
    const refused = await edit(card, { 'rule.target': end }, html);
    const both = await refused.text();
    expect([refused.status, textOf(both)]).toEqual([409, expect.stringContaining('Somebody')]);
    for (const _press of [1, 2]) expect((await edit(card, {}, both)).status).toBe(303);
    expect((await readNodes(formId)).find(({ id }) => id === nodeId)?.nextTrue).toBe(end);
  });

  test('is deleted: what led to it leads where it led otherwise, all else stays, and it can be undone', async () => {
    const { formId, nodeId, first, end, card } = await shared();
    const before = await readNodes(formId);
    expect(await pagesOf(cast.bob).show(card)).toContain(`href="${card}/delete"`);
    const asked = textOf(await pagesOf(cast.bob).show(`${card}/delete`));
    expect(asked).toMatch(/Delete condition 1\?.*from “New Section”, “New Section”, will go to the end instead/);
    for (const _press of [1, 2]) {
      const deleted = await pagesOf(cast.bob).post(`${card}/delete`);
      expect(deleted.headers.get('location')).toBe(`/build/${formId}/rules?done=conditionDeleted`);
    }
    const relinked = before.flatMap((node) => {
      if (node.id === nodeId) return [];
      return node.next === nodeId ? [{ ...node, next: end }] : [node];
    });
    expect(await readNodes(formId)).toEqual(relinked);
    const rules = await pagesOf(cast.bob).show(`/build/${formId}/rules`);
    const undo = /name="undo" value="([^"]+)"/.exec(rules)?.[1] ?? '';
    const undone = await pagesOf(cast.bob).post(`/build/${formId}/undo`, [['undo', undo]]);
    expect(undone.headers.get('location')).toBe(`/build/${formId}/rules?done=undone`);
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
    expect((await readNodes(formId)).sort(byId)).toEqual(before.sort(byId));
    expect((await readNodes(formId)).find(({ id }) => id === first)?.next).toBe(nodeId);
  });

  test('to which nothing leads follows the rules of a section when that is chosen, and is deleted without a trace', async () => {
    const { formId, sectionIds, questionIds, choices, end, page } = await branching();
    const strayId = await newNode(cast.alice, formId, 'CONDITION');
    const conditionRule = { source: 'CHOICE' as const, question: questionIds[0] ?? '', pattern: `^${choices[0]}$` };
    const drawn = { conditionRule, nextTrue: end, nextFalse: sectionIds[1] ?? '' };
    await rewire(cast.alice, formId, { [strayId]: drawn });
    const remove = `/build/${formId}/c/${strayId}/delete`;
    expect(textOf(await pagesOf(cast.bob).show(remove))).toContain('Nothing leads to it');
    expect((await fillIn(cast.bob, page, [['otherwise', strayId]])).status).toBe(303);
    expect(await sentences(formId)).toContain('If “Which lake?” is “A”, go to the end.');
    expect((await readWorkflow(cast.alice, formId)).info).toEqual([]);
    // In the list of a section it is removed with its row.
    expect((await pagesOf(cast.bob).get(remove)).headers.get('location')).toBe(`/build/${formId}/rules`);
    await fillIn(cast.bob, page, [['otherwise', end]]);
    const other = await newNode(cast.alice, formId, 'CONDITION');
    await pagesOf(cast.bob).post(`/build/${formId}/c/${other}/delete`);
    expect((await readNodes(formId)).some(({ id }) => id === other)).toBe(false);
  });

  test('that was deleted meanwhile is not found', async () => {
    const { formId, nodeId, card } = await shared();
    const html = await pagesOf(cast.bob).show(card);
    await cast.alice.client.workflow.deleteNode({ params: { formId, nodeId } });
    expect((await edit(card, {}, html)).status).toBe(404);
  });
});

test('the ways through a form are drawn and listed, each node with a link to its place', async () => {
  const form = await branching();
  const { formId, sectionIds, choices, end } = form;
  await addRule(form, 0, (index) => [
    [`selected.${index}`, choices[0] ?? ''],
    ['rule.target', end],
  ]);
  const html = await pagesOf(cast.bob).show(`/build/${formId}/rules`);
  const drawing = html.slice(html.indexOf('<svg width'), html.indexOf('</svg></div>'));
  expect(drawing.match(/<rect/g)).toHaveLength(5);
  // The start, two sections and the rule; otherwise.
  expect(drawing.match(/class="link"/g)).toHaveLength(4);
  expect(drawing.match(/class="link otherwise"/g)).toHaveLength(1);
  for (const id of sectionIds) expect(drawing).toContain(`href="/build/${formId}?s=${id}#s-${id}"`);
  expect([...drawing.matchAll(/class="answers"[^>]*><title>([^<]*)/g)].map(([, names]) => names)).toEqual(['A']);
  expect(html).not.toMatch(/<svg[^>]*style=|NaN/);
  expect(textOf(html)).toMatch(/→ by rule: End; otherwise: /);
});

test('of a large form the part around a chosen section is drawn', async () => {
  const sections = Array.from({ length: 45 }, () => []);
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, sections, { publish: false });
  const drawn = async (query: string): Promise<[around: string | undefined, drawn: boolean[]]> => {
    const html = await pagesOf(cast.bob).show(`/build/${formId}/rules${query}`);
    const drawing = html.slice(html.indexOf('<svg width'), html.indexOf('</svg></div>'));
    const chosen = /name="around".*?value="([^"]+)" selected/s.exec(html)?.[1];
    return [chosen, [0, 44].map((index) => drawing.includes(`#s-${sectionIds[index]}`))];
  };
  expect(await drawn('')).toEqual([undefined, [true, false]]);
  expect(await drawn(`?around=${sectionIds[44]}`)).toEqual([sectionIds[44], [false, true]]);
});

describe('a table of choices', () => {
  const tableOf = ({ page }: Form) => page.replace('?as=rows', '');

  /** The table as it is shown: where each row leads. */
  const shown = async (form: Form) =>
    fieldsOf(await pagesOf(cast.bob).show(tableOf(form))).filter(([name]) => /^table\.target|^otherwise/.test(name));

  const choose = (form: Form, targets: readonly [string, string], otherwise: string) => {
    const values = [...targets];
    return async (html: string) =>
      pagesOf(cast.bob).post(
        tableOf(form),
        fieldsOf(html).map(([name, value]) => {
          if (name === 'otherwise') return [name, otherwise];
          return [name, name === 'table.target' ? (values.shift() ?? value) : value];
        }),
      );
  };

  test('leads each choice where the author has chosen, and reads back', async () => {
    const form = await branching();
    const [, second = '', third = ''] = form.sectionIds;
    const html = await pagesOf(cast.bob).show(tableOf(form));
    expect(textOf(html)).toContain('What follows each answer to “Which lake?”');
    expect((await choose(form, [third, form.end], second)(html)).status).toBe(303);
    expect(await shown(form)).toEqual([
      ['table.target', third],
      ['table.target', form.end],
      ['otherwise', second],
    ]);
    const words = await sentences(form.formId);
    expect(words).toContain('If “Which lake?” is “A”, go to');
    expect(words).toContain('If “Which lake?” is “B”, go to the end.');
    expect(textOf(await pagesOf(cast.bob).show(form.page))).toContain('Edit as a table');
  });

  test('says which row leads nowhere', async () => {
    const form = await branching();
    const html = await pagesOf(cast.bob).show(tableOf(form));
    const refuse = async (targets: readonly [string, string], otherwise: string) => {
      const response = await choose(form, targets, otherwise)(html);
      expect(response.status).toBe(400);
      return [...(await response.text()).matchAll(/href="#(target-\d|otherwise)"/g)].map(([, id]) => id);
    };
    expect(await refuse(['', form.end], form.end)).toEqual(['target-0']);
    expect(await refuse(['otherwise', form.end], '')).toEqual(['otherwise']);
  });

  test('sends all answers elsewhere by one choice, if none has a way of its own', async () => {
    const form = await branching();
    const html = await pagesOf(cast.bob).show(tableOf(form));
    for (const _press of [1, 2])
      expect((await choose(form, ['otherwise', 'otherwise'], form.end)(html)).status).toBe(303);
    expect((await shown(form)).map(([, target]) => target)).toEqual(['otherwise', 'otherwise', form.end]);
    expect(await sentences(form.formId)).not.toContain('If “Which lake?”');
  });

  test('keeps what others did meanwhile: a choice that came, one that went', async () => {
    const form = await branching();
    const [, second = '', third = ''] = form.sectionIds;
    await choose(form, [third, form.end], second)(await pagesOf(cast.bob).show(tableOf(form)));
    const html = await pagesOf(cast.bob).show(tableOf(form));
    const [a = ''] = form.choices;
    const params = { sectionId: form.sectionIds[0] ?? '', questionId: form.questionIds[0] ?? '' };
    const body = { type: 'SINGLE_CHOICE' as const, title: 'Which lake?', required: true, description: null, order: 1 };
    const choices = [{ id: a, name: 'A' }, { name: 'C' }];
    await cast.alice.client.questions.updateQuestion({ params, body: { ...body, choices } });
    expect((await choose(form, [second, form.end], third)(html)).status).toBe(303);
    // C leads where every other answer leads; the rule on B waits for its author.
    expect(await shown(form)).toEqual([
      ['table.target', second],
      ['table.target', 'otherwise'],
      ['table.target', form.end],
      ['otherwise', third],
    ]);
    const current = await pagesOf(cast.bob).show(tableOf(form));
    expect(textOf(current)).toContain('A deleted choice');
    const forgotten = fieldsOf(current).map(([name, value]) => [name, value === form.end ? '' : value] as const);
    expect((await pagesOf(cast.bob).post(tableOf(form), forgotten)).status).toBe(303);
    expect(await shown(form)).toHaveLength(3);
  });

  test('is not saved over rules that somebody else has made meanwhile', async () => {
    const form = await branching();
    const html = await pagesOf(cast.bob).show(tableOf(form));
    await addRule(form, 1, (index) => [
      [`selected.${index}`, '4'],
      ['rule.target', form.end],
    ]);
    const refused = await choose(form, [form.end, form.end], form.sectionIds[1] ?? '')(html);
    const both = await refused.text();
    expect([refused.status, textOf(both)]).toEqual([409, expect.stringContaining('If “How many?” is 4')]);
    expect(fieldsOf(both).filter(([name]) => name === 'rule.target')).toEqual([['rule.target', form.end]]);
    expect(await sentences(form.formId)).toContain('If “How many?” is 4');
  });
});

test.each([
  ['en', 'This rule changes nothing'],
  ['zh-TW', '這條規則沒有作用'],
])('what is odd is said beside the rule and as a task of the form: %s', async (language, words) => {
  const form = await branching();
  const saved = await addRule(form, 2, () => [
    ['rule.text', 'tea'],
    ['rule.target', form.sectionIds[1] ?? ''],
  ]);
  expect(saved.status).toBe(303);
  const pages = pagesOf(cast.bob, { 'accept-language': language });
  const rules = await pages.show(`/build/${form.formId}/rules`);
  expect(textOf(rules)).toContain(words);
  const overview = await pages.show(`/build/${form.formId}`);
  const task = overview.slice(overview.indexOf(`/build/${form.formId}/s/${form.sectionIds[0]}/rules#rule-0"`));
  expect(textOf(task.slice(0, task.indexOf('</a>')))).toContain(words);
});

test('only members see rules, those of an archived form are not changed, and no page waits long', async () => {
  const { formId, page } = await branching();
  for (const path of [`/build/${formId}/rules`, page]) {
    expect([path, (await pagesOf(cast.chelsea).get(path)).status]).toEqual([path, 404]);
    const { cost } = await measureCost(() => pagesOf(cast.bob).show(path));
    expect([path, cost.roundTrips <= 2]).toEqual([path, true]);
  }
  await cast.alice.client.forms.publishForm({ params: { formId } });
  expect((await pagesOf(cast.chelsea).post(page)).status).toBe(403);
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  const before = await sentences(formId);
  // What was typed stays on the page.
  const refused = await pagesOf(cast.bob).post(page, [['otherwise', '']]);
  expect([refused.status, textOf(await refused.text())]).toEqual([
    409,
    expect.stringContaining('The form is archived.'),
  ]);
  expect(await sentences(formId)).toBe(before);
});

test('a rule on a date asks for its year or month, is said in words and kept as it is typed', async () => {
  const kinds = [
    [{ type: 'DATE' as const, title: 'When?', date: { hasYear: true, hasMonth: true, hasDay: false } }],
    [],
  ];
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, kinds, { publish: false });
  const end = (await readWorkflow(cast.alice, formId)).workflow.find(({ type }) => type === 'END')?.id ?? '';
  const page = `/build/${formId}/s/${sectionIds[0]}/rules`;
  const added = fieldsOf(
    await (await fillIn(cast.bob, page, [['newQuestion', questionIds[0] ?? '']], 'add-rule')).text(),
  );
  const saveAs = (test: string, text: string) => {
    const own = { 'rule.test': test, 'rule.text': text, 'rule.target': end };
    return pagesOf(cast.bob).post(page, [...added.filter(([name]) => !(name in own)), ...Object.entries(own)]);
  };
  for (const [test, typed] of [
    ['is', '2026-06-31'],
    ['month', '13'],
    ['year', 'soon'],
  ] as const) {
    const refused = await saveAs(test, typed);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      400,
      expect.stringContaining('one of these forms'),
    ]);
  }
  expect((await saveAs('month', '6')).status).toBe(303);
  expect(await sentences(formId)).toContain('If “When?” is in June, go to the end.');
  const shown = await pagesOf(cast.bob).show(page);
  expect(Object.fromEntries(fieldsOf(shown))).toMatchObject({ 'rule.test': 'month', 'rule.text': '06' });
  expect(shown).not.toContain('<option value="contains"');
  const edited = await fillIn(cast.bob, page, [['rule.text', '2026-6']]);
  expect(edited.status).toBe(303);
  expect(await sentences(formId)).toContain('is in June 2026');
  await fillIn(cast.bob, page, [
    ['rule.test', 'year'],
    ['rule.text', '2026'],
  ]);
  expect(await sentences(formId)).toContain('is in the year 2026');
});

test.each<[about: number, fields: [string, string][], en: string, zh: string]>([
  [
    1,
    [
      ['rule.test', 'atLeast'],
      ['rule.text', ' 3,0 '],
    ],
    'If “How many?” is at least 3',
    '至少為 3',
  ],
  [
    1,
    [
      ['rule.test', 'atMost'],
      ['rule.text', '2'],
    ],
    'If “How many?” is at most 2',
    '至多為 2',
  ],
  [
    1,
    [
      ['rule.test', 'between'],
      ['rule.text', '2'],
      ['rule.to', '4'],
    ],
    '“How many?” is between 2 and 4',
    '介於 2 與 4',
  ],
  [0, [['rule.test', 'answered']], 'If “Which lake?” is answered', '已作答'],
  [2, [['rule.test', 'empty']], 'If “Why?” is empty', '未作答'],
  [
    2,
    [
      ['rule.test', 'exactly'],
      ['rule.text', ' tea '],
    ],
    'If “Why?” is exactly “ tea ”',
    '完全等於「 tea 」',
  ],
  [
    2,
    [
      ['rule.test', 'is'],
      ['rule.text', ' tea '],
    ],
    'If “Why?” is “tea”',
    '是「tea」',
  ],
])('a test is said in words, and its page shows it as it was typed: %#', async (about, fields, en, zh) => {
  const form = await branching();
  const saved = await addRule(form, about, () => [...fields, ['rule.target', form.end]]);
  expect(saved.status).toBe(303);
  const path = `/build/${form.formId}/rules`;
  expect(textOf(await pagesOf(cast.bob).show(path))).toContain(en.replaceAll(/ +/g, ' '));
  expect(textOf(await pagesOf(cast.bob, { 'accept-language': 'zh-TW' }).show(path))).toContain(zh);
  const shown = fieldsOf(await pagesOf(cast.bob).show(form.page));
  const read = fields.map(([name]) => shown.find(([other]) => other === name)?.[1]);
  expect(read[0]).toBe(fields[0]?.[1]);
  // Saved again without a change it is the same.
  expect((await pagesOf(cast.bob).post(form.page, [...shown, ['do', 'save']])).status).toBe(303);
  expect(textOf(await pagesOf(cast.bob).show(path))).toContain(en.replaceAll(/ +/g, ' '));
});

test.each<[fields: [string, string][], message: string]>([
  [
    [
      ['rule.test', 'atLeast'],
      ['rule.text', 'many'],
    ],
    'Enter numbers such as 18 or 2.5, the smaller one first',
  ],
  [
    [
      ['rule.test', 'between'],
      ['rule.text', '4'],
      ['rule.to', '2'],
    ],
    'Enter numbers such as 18 or 2.5',
  ],
  [
    [
      ['rule.test', 'between'],
      ['rule.text', '4'],
    ],
    'Enter numbers such as 18 or 2.5',
  ],
  [
    [
      ['rule.test', 'atMost'],
      ['rule.text', ''],
    ],
    'Choose or enter what the answer is compared with',
  ],
])('bounds that are none are refused and stay as typed: %#', async (fields, message) => {
  const form = await branching();
  const refused = await addRule(form, 1, () => [...fields, ['rule.target', form.end]]);
  const html = await refused.text();
  expect([refused.status, textOf(html)]).toEqual([400, expect.stringContaining(message)]);
  expect(fieldsOf(html)).toEqual(expect.arrayContaining(fields));
});

test('sentences also say what follows in the list of questions, in changes and before a version is restored', async () => {
  const form = await branching();
  const { formId, choices, end } = form;
  await cast.alice.client.forms.publishForm({ params: { formId } });
  await addRule(form, 0, (index) => [
    [`selected.${index}`, choices[1] ?? ''],
    ['rule.target', end],
  ]);
  const show = async (page: string) => textOf(await pagesOf(cast.bob).show(`/build/${formId}${page}`));
  const rule = 'If “Which lake?” is “B”, go to the end.';
  const [before, now] = ['Then go to “New Section”.', `${rule} Otherwise go to “New Section”.`];
  expect(await show('/questions')).toContain(`${now} Rules After “New Section”`);
  expect(await show('/changes')).toContain(`Before ${before} Now ${now}`);
  await fillIn(cast.bob, `/build/${formId}/changes`, [], 'publish');
  expect(await show('/versions/1')).toContain(`Before ${now} Now ${before}`);
  // Only what is different is said.
  await fillIn(cast.bob, form.page, [['otherwise', end]]);
  expect(await show('/changes')).toContain('Before Otherwise go to “New Section”. Now Otherwise go to the end.');
});

test('what follows the start can be chosen', async () => {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }], []], {
    publish: false,
  });
  const { client } = cast.alice;
  const nodes = async () => (await client.workflow.getWorkflow({ params: { formId } })).body.workflow;
  const start = (await nodes()).find(({ type }) => type === 'START');
  const path = `/build/${formId}/c/${start?.id}`;
  expect(await pagesOf(cast.bob).show(`/build/${formId}/rules`)).toContain(`href="${path}"`);
  expect(textOf(await pagesOf(cast.bob).show(path))).toContain('After “Start”');
  const saved = await fillIn(cast.bob, path, [['otherwise', sectionIds[1] ?? '']]);
  expect(saved.headers.get('location')).toBe(`/build/${formId}/rules?done=saved#c-${start?.id}`);
  expect((await nodes()).find(({ type }) => type === 'START')?.next).toBe(sectionIds[1]);
  // Somebody else has chosen meanwhile.
  const shown = fieldsOf(await pagesOf(cast.bob).show(path));
  await fillIn(cast.alice, path, [['otherwise', sectionIds[0] ?? '']]);
  expect((await pagesOf(cast.bob).post(path, [...shown, ['do', 'save']])).status).toBe(409);
});

describe('a section that is shown only if', () => {
  /** Presses a button of the form of the gate with some of its fields changed; the last row gets those of `own`. */
  async function press(form: Form, action: string, changes: readonly [string, string][] = [], language?: string) {
    const pages = pagesOf(cast.bob, language ? { 'accept-language': language } : {});
    const path = `/build/${form.formId}/s/${form.sectionIds[1]}/rules`;
    return pages.post(path, [...gateFields(await pages.show(path)), ...changes, ['do', action]]);
  }
  const gateFields = (html: string): [string, string][] =>
    fieldsOf(`<main>${/<form[^>]* id="gate".*?<\/form>/s.exec(html)?.[0]}`).filter(([name]) => name !== 'gateQuestion');

  /** Sets a gate with two comparisons: the lake is A, and more than three, or not so. */
  async function gated(form: Form, needs: string, isNot: string): Promise<Response> {
    const [lake = '', many = ''] = form.questionIds;
    const first = await (await press(form, 'gate-add', [['gateQuestion', lake]])).text();
    const pages = pagesOf(cast.bob);
    const path = `/build/${form.formId}/s/${form.sectionIds[1]}/rules`;
    const both = await (
      await pages.post(path, [...gateFields(first), ['gateQuestion', many], ['do', 'gate-add']])
    ).text();
    const fields = gateFields(both).filter(([name]) => !/^(?:needs|rule\.(?:test|text|not))$/.test(name));
    return pages.post(path, [
      ...fields,
      ['needs', needs],
      ['selected.100', form.choices[0] ?? ''],
      ['rule.test', 'choices'],
      ['rule.text', ''],
      ['rule.not', ''],
      ['rule.test', 'atLeast'],
      ['rule.text', '3'],
      ['rule.not', isNot],
      ['do', 'save'],
    ]);
  }

  test.each([
    [
      'all',
      '',
      'Shown only if “Which lake?” is “A” and “How many?” is at least 3.',
      'only if A and “How many…',
      { A4: true, A2: false, B4: false },
    ],
    [
      'any',
      '',
      'Shown only if “Which lake?” is “A” or “How many?” is at least 3.',
      'only if A or “How many?…',
      { A2: true, B4: true, B2: false },
    ],
    [
      'all',
      'not',
      'Shown only if “Which lake?” is “A” and not (“How many?” is at least 3).',
      'only if A and not (“How…',
      { A2: true, A4: false },
    ],
  ])('%s of its comparisons are true (%s) is said, drawn and followed', async (needs, isNot, sentence, short, expected) => {
    const form = await branching();
    const saved = await gated(form, needs, isNot);
    expect([saved.status, saved.headers.get('location')]).toEqual([
      303,
      `/build/${form.formId}/rules?done=saved#s-${form.sectionIds[1]}`,
    ]);
    const rules = await pagesOf(cast.bob).show(`/build/${form.formId}/rules`);
    expect(textOf(rules)).toContain(sentence);
    const drawing = rules.slice(rules.indexOf('<svg width'), rules.indexOf('</svg></div>'));
    const [, title, written] =
      /node section gated".*?<title>(.*?)<\/title>.*?class="gate"[^>]*>(.*?)</s.exec(drawing) ?? [];
    expect(title).toContain(sentence);
    expect(written).toBe(short);
    const asList = rules.slice(
      rules.indexOf('</svg></div>'),
      rules.indexOf('</details>', rules.indexOf('</svg></div>')),
    );
    expect(textOf(asList)).toContain(sentence);
    expect(textOf(rules)).not.toContain('Condition 1');
    const { info } = (await cast.alice.client.workflow.getWorkflow({ params: { formId: form.formId } })).body;
    expect(info).toEqual([]);
    await cast.alice.client.forms.publishForm({ params: { formId: form.formId } });
    for (const [given, isShown] of Object.entries(expected)) {
      const responseId = await start(cast.dave, form.formId, [
        sent(form.questionIds[0] ?? '', 'SINGLE_CHOICE', [form.choices[given.startsWith('A') ? 0 : 1] ?? '']),
        sent(form.questionIds[1] ?? '', 'RATING', Number(given.slice(1))),
      ]);
      await submit(cast.dave, responseId);
      const { sections } = await preview(cast.dave, form.formId, responseId);
      const shown = sections.find((each) => each.id === form.sectionIds[1])?.progress;
      expect([given, shown]).toEqual([given, isShown ? 'COMPLETED' : 'SKIPPED']);
    }
  });

  test('is always shown again without comparisons, in both languages', async () => {
    const form = await branching();
    await gated(form, 'all', '');
    const path = `/build/${form.formId}/s/${form.sectionIds[1]}/rules`;
    expect(textOf(await pagesOf(cast.bob, { 'accept-language': 'zh-TW' }).show(path))).toContain(
      '只在下列情況顯示這個區段',
    );
    const pages = pagesOf(cast.bob);
    const one = await (await press(form, 'gate-remove:0')).text();
    const none = await (await pages.post(path, [...gateFields(one), ['do', 'gate-remove:0']])).text();
    expect(textOf(none)).toContain('It is always shown.');
    expect((await pages.post(path, [...gateFields(none), ['do', 'save']])).status).toBe(303);
    const { workflow } = (await cast.alice.client.workflow.getWorkflow({ params: { formId: form.formId } })).body;
    expect(workflow.filter(({ type }) => type === 'CONDITION')).toEqual([]);
  });

  test('says what is wrong, keeps what was typed, and shows what somebody else has set meanwhile', async () => {
    const form = await branching();
    const path = `/build/${form.formId}/s/${form.sectionIds[1]}/rules`;
    const html = await (await press(form, 'gate-add', [['gateQuestion', form.questionIds[1] ?? '']])).text();
    const typed: [string, string][] = gateFields(html).filter(([name]) => !/^rule\.(?:test|text)$/.test(name));
    const filled = (text: string): [string, string][] => [
      ...typed,
      ['rule.test', 'atLeast'],
      ['rule.text', text],
      ['do', 'save'],
    ];
    const refused = await pagesOf(cast.bob).post(path, filled('many'));
    const page = await refused.text();
    expect([refused.status, textOf(page)]).toEqual([400, expect.stringContaining('Enter numbers such as 18')]);
    expect(gateFields(page)).toContainEqual(['rule.text', 'many']);
    await gated(form, 'all', '');
    const stale = await pagesOf(cast.bob).post(path, filled('2'));
    expect([stale.status, textOf(await stale.text())]).toEqual([
      409,
      expect.stringContaining('Shown only if “Which lake?” is “A”'),
    ]);
  });

  test('keeps its gate in a copy of the form, and in an exported definition', async () => {
    const form = await branching();
    await gated(form, 'any', '');
    const sentence = 'Shown only if “Which lake?” is “A” or “How many?” is at least 3.';
    const copy = (await cast.alice.client.forms.duplicateForm({ params: { formId: form.formId }, body: {} })).body;
    expect(textOf(await pagesOf(cast.bob).show(`/build/${copy.id}/rules`))).toContain(sentence);
  });
});
