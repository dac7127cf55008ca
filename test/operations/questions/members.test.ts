/** The members of questions besides their option: who has which, what an update leaves, and what is refused. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import {
  type Built,
  type Cast,
  expectProblem,
  newCast,
  newForm,
  type Person,
  question,
} from '#test/support/fixtures.ts';
import { save, sent, start, submit, text } from '#test/support/responses.ts';
import { doc, p } from '#test/support/rich-text.ts';

let cast: Cast;
let form: Built;
let path: string;
beforeAll(async () => {
  cast = await newCast();
  form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Your name', name: 'who' }], []]);
  path = `/api/sections/${form.sectionIds[1]}/questions`;
});

const choices = [{ name: 'Red' }, { name: 'Blue' }, { name: 'Green' }];
const OPTIONS: Partial<Record<QuestionInput['type'], Partial<QuestionInput>>> = {
  SINGLE_CHOICE: { choices },
  MULTIPLE_CHOICE: { choices },
  DROPDOWN: { choices },
  DETAILED_MULTIPLE_CHOICE: { choices },
  RANKING: { choices },
  LINEAR_SCALE: { scale: { minVal: 1, maxVal: 5 } },
  RATING: { scale: { minVal: 1, maxVal: 5, icon: 'star' } },
  DATE: { date: { hasYear: true, hasMonth: true, hasDay: true } },
  UPLOAD_FILE: { uploadFile: { allowedFileTypes: ['PDF'], maxFileAmount: 1, maxFileSizeLimit: 100 } },
  OAUTH_CONNECT: { oauthConnect: 'PROVIDER_ONE' },
};
const plain = (type: QuestionInput['type'], more: object = {}) => ({
  ...question({ type, ...OPTIONS[type] }),
  order: 1,
  ...more,
});

const ALL = {
  text: { format: 'NUMBER', min: 1, maxLength: 9 },
  selection: { min: 1, max: 2 },
  shuffle: true,
  hidden: true,
  grid: true,
};
/** Which members questions of each type have, besides a name. */
const MEMBERS: [QuestionInput['type'], (keyof typeof ALL)[]][] = [
  ['SHORT_TEXT', ['text', 'hidden']],
  ['LONG_TEXT', ['text']],
  ['SINGLE_CHOICE', ['shuffle', 'hidden', 'grid']],
  ['MULTIPLE_CHOICE', ['selection', 'shuffle']],
  ['DROPDOWN', ['shuffle']],
  ['DETAILED_MULTIPLE_CHOICE', ['selection', 'shuffle']],
  ['RANKING', ['selection', 'shuffle']],
  ['LINEAR_SCALE', ['hidden', 'grid']],
  ['RATING', []],
  ['DATE', []],
  ['UPLOAD_FILE', []],
  ['OAUTH_CONNECT', []],
  ['HYPERLINK', []],
];

type Returned = { id: string } & Partial<QuestionInput>;
const requestBody = async (person: Person, method: string, at: string, body: object): Promise<Returned> => {
  const response = await requestAs(person, method, at, body);
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
  return response.body as Returned;
};
const membersOf = (returned: Partial<QuestionInput>) =>
  Object.keys(ALL).filter((member) => returned[member as keyof QuestionInput] !== undefined);

describe.each(MEMBERS)('%s', (type, members) => {
  test('has its own members and no others, keeps those that an update does not name, and loses them for null', async () => {
    const name = `m_${type}`.toLowerCase().slice(0, 30);
    const created = await requestBody(cast.bob, 'POST', path, plain(type, { ...ALL, name }));
    expect(membersOf(created)).toEqual(members);
    expect(created.name).toBe(name);
    const expectedText = type === 'LONG_TEXT' ? { maxLength: 9 } : ALL.text;
    expect(created.text).toEqual(members.includes('text') ? expectedText : undefined);
    const at = `${path}/${created.id}`;
    // A client that knows only what the interface had before.
    const updated = await requestBody(cast.bob, 'PUT', at, plain(type, { title: 'Changed' }));
    expect(updated).toMatchObject({ title: 'Changed', name });
    expect(membersOf(updated)).toEqual(members);
    const nothing = Object.fromEntries([...Object.keys(ALL), 'name'].map((member) => [member, null]));
    const cleared = await requestBody(cast.bob, 'PUT', at, plain(type, nothing));
    expect(membersOf(cleared)).toEqual([]);
    expect(cleared).not.toHaveProperty('name');
  });
});

test('another type drops the members that it does not have', async () => {
  const created = await requestBody(cast.bob, 'POST', path, plain('SINGLE_CHOICE', { shuffle: true, grid: true }));
  const updated = await requestBody(cast.bob, 'PUT', `${path}/${created.id}`, plain('LINEAR_SCALE'));
  expect(membersOf(updated)).toEqual(['grid']);
});

const faults = (more: object) => readFaults(cast.bob, 'POST', path, { ...plain('SHORT_TEXT'), ...more });

test.for<[string, object, string[]]>([
  ['a name of another question, whatever the case', { name: 'WHO' }, ['/body/name']],
  ['a name with a sign', { name: 'a-b' }, ['/body/name']],
  ['a name that begins with a digit', { name: '1a' }, ['/body/name']],
  ['a name of 33 characters', { name: 'a'.repeat(33) }, ['/body/name']],
  ['lengths in the wrong order', { text: { minLength: 3, maxLength: 2 } }, ['/body/text/minLength']],
  ['a length beyond the type', { text: { maxLength: 501 } }, ['/body/text/maxLength']],
  ['bounds in the wrong order', { text: { format: 'NUMBER', min: 2, max: 1 } }, ['/body/text/min']],
  ['a bound with seven decimals', { text: { format: 'NUMBER', min: 0.1234567 } }, ['/body/text/min']],
  ['a pattern without a hint', { text: { format: 'PATTERN', pattern: 'a' } }, ['/body/text/hint']],
  ['a hint without a pattern', { text: { format: 'PATTERN', hint: 'a' } }, ['/body/text/pattern']],
  ['a faulty pattern', { text: { format: 'PATTERN', pattern: '(', hint: 'a' } }, ['/body/text/pattern']],
  ['look-around', { text: { format: 'PATTERN', pattern: '(?=a)', hint: 'a' } }, ['/body/text/pattern']],
  [
    'more than the choices',
    { ...plain('MULTIPLE_CHOICE'), selection: { min: 4, max: 5 } },
    ['/body/selection/max', '/body/selection/min'],
  ],
  ['none at all', { ...plain('MULTIPLE_CHOICE'), selection: { min: 0 } }, ['/body/selection/min']],
  ['counts in the wrong order', { ...plain('RANKING'), selection: { min: 2, max: 1 } }, ['/body/selection/min']],
])('refuses %s', async ([, more, expected]) => expect(await faults(more)).toEqual(expected));

test('what a request does not name is never its fault', async () => {
  const selection = { min: 3 };
  const created = await requestBody(cast.bob, 'POST', path, plain('MULTIPLE_CHOICE', { selection }));
  const fewer = { choices: [{ name: 'Red' }] };
  const updated = await requestBody(cast.bob, 'PUT', `${path}/${created.id}`, plain('MULTIPLE_CHOICE', fewer));
  expect(updated.selection).toEqual({ min: 3 });
});

test('a name that changes is changed where the texts of the form have it', async () => {
  const built = await newForm(cast.alice, cast.slug, [
    [{ type: 'SHORT_TEXT', name: 'old' }],
    [{ type: 'SHORT_TEXT', title: 'Hello {{OLD}}, {{other}}' }],
  ]);
  const at = `/api/sections/${built.sectionIds[0]}/questions/${built.questionIds[0]}`;
  await requestBody(cast.bob, 'PUT', at, plain('SHORT_TEXT', { name: 'fresh' }));
  const listed = (await cast.bob.client.sections.listSections({ params: { formId: built.formId } })).body;
  expect(listed[1]?.questions?.[0]?.title).toBe('Hello {{fresh}}, {{other}}');
});

test('names in texts survive a definition and a copy as they were written', async () => {
  const title = 'Hi {{who}}, {{ WHO }} {{{{who}}}} {{nobody}} {{}} {{';
  const description = doc(p({ type: 'text', text: title }, { type: 'variable', attrs: { name: 'who' } }));
  const { formId } = await newForm(cast.alice, cast.slug, [
    [{ type: 'SHORT_TEXT', title: 'Name', name: 'who' }],
    [{ type: 'SHORT_TEXT', title, description }],
  ]);
  const { client } = cast.alice;
  await client.forms.updateForm({ params: { formId }, body: { messageAfterSubmission: title } });
  const definition = (await client.forms.getDefinition({ params: { formId } })).body;
  const copies = [
    (await client.forms.importForm({ params: { slug: cast.slug }, body: definition })).body,
    (await client.forms.duplicateForm({ params: { formId }, body: {} })).body,
  ];
  for (const { id, messageAfterSubmission } of copies) {
    const sections = (await client.sections.listSections({ params: { formId: id } })).body;
    expect([sections[0]?.section.questions?.[0]?.name, messageAfterSubmission]).toEqual(['who', title]);
    expect(sections[1]?.section.questions?.[0]).toMatchObject({ title, description });
  }
});

test('a definition with a name twice is refused at the second one', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT', title: 'First', name: 'a' },
      { type: 'SHORT_TEXT', name: 'b' },
    ],
  ]);
  const { body: definition } = await cast.alice.client.forms.getDefinition({ params: { formId } });
  const named = structuredClone(definition);
  const second = named.form.sections[0]?.questions[1];
  if (!second) throw new Error('the definition has no second question');
  second.name = 'A';
  const refused = await expectProblem(cast.alice.client.forms.importForm({ params: { slug: cast.slug }, body: named }));
  expect(refused.errors).toEqual([
    {
      pointer: '/body/form/sections/0/questions/1/name',
      detail: 'is the name of the question "First" already; upper and lower case are the same',
    },
  ]);
});

test('a choice that is taken away and sent again by its name counts as before', async () => {
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [
    [{ type: 'SINGLE_CHOICE', choices }],
  ]);
  const at = `/api/sections/${sectionIds[0]}/questions/${questionIds[0]}`;
  const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
  const [red, blue] = (listed[0]?.questions?.[0]?.choices ?? []).map(({ id }) => id);
  await start(cast.dave, formId, [sent(questionIds[0] ?? '', 'SINGLE_CHOICE', [red ?? ''])]);
  await requestBody(cast.bob, 'PUT', at, plain('SINGLE_CHOICE', { choices: [{ name: 'Blue' }] }));
  const back = await requestBody(
    cast.bob,
    'PUT',
    at,
    plain('SINGLE_CHOICE', { choices: [{ name: 'Red' }, { name: 'Blue' }] }),
  );
  expect(back.choices?.map(({ id }) => id)).toEqual([red, blue]);
});

test('a copy has no name, and what else the question has', async () => {
  const body = plain('SHORT_TEXT', { name: 'copied', text: { format: 'TIME' } });
  const { id } = await requestBody(cast.bob, 'POST', path, body);
  const copy = await requestBody(cast.bob, 'POST', `${path}/${id}/copy`, {});
  expect(copy.text).toEqual({ format: 'TIME' });
  expect(copy).not.toHaveProperty('name');
});

test('patterns of answers count with those of conditions', async () => {
  // Each has about 590 steps on texts of 500 characters; together they may have 600 on 10,000.
  const heavy = { format: 'PATTERN', pattern: `(?:${'[a-f]x'.repeat(58)}){5}`, hint: 'x' };
  const { sectionIds } = await newForm(cast.alice, cast.slug, [[]]);
  const at = `/api/sections/${sectionIds[0]}/questions`;
  const body = plain('SHORT_TEXT', { text: heavy });
  let count = 0;
  while ((await requestAs(cast.bob, 'POST', at, body)).status === 201) count += 1;
  expect(await readFaults(cast.bob, 'POST', at, body)).toEqual(['/workflow']);
  expect(count).toBe(20);
});

describe('an answer that is not what its question asks for', () => {
  const asked = async (more: Partial<QuestionInput> & { type: QuestionInput['type'] }, settings = {}) => {
    const built = await newForm(cast.alice, cast.slug, [[more, { type: 'SHORT_TEXT' }]], settings);
    const [questionId = '', otherId = ''] = built.questionIds;
    return { ...built, questionId, otherId };
  };
  const number = { type: 'SHORT_TEXT', text: { format: 'NUMBER', min: 1 } } as const;

  test('is kept in a draft as it was typed, and refused by submit with what is expected', async () => {
    const { formId, questionId } = await asked(number);
    const responseId = await start(cast.dave, formId, [text(questionId, 'two')]);
    await save(cast.dave, responseId, [text(questionId, 'twelv')]);
    const problem = await expectProblem(submit(cast.dave, responseId));
    expect([problem.status, problem.errors]).toEqual([
      400,
      [
        {
          pointer: `/answers/${questionId}`,
          detail: '"A SHORT_TEXT question": the answer must be a number of at most 15 digits, such as 12 or 3.5',
        },
      ],
    ]);
    await submit(cast.dave, responseId, [text(questionId, ' 12 ')]);
    const { body } = await cast.dave.client.responses.getAnswer({ params: { responseId, questionId } });
    expect(body.answer.answer.value).toBe(' 12 ');
  });

  test('is refused at once where a request starts and submits, and in an edit of what was submitted', async () => {
    const { formId, questionId, otherId } = await asked(number);
    const body = { answers: [text(questionId, '0')], submit: true };
    const refused = await expectProblem(cast.dave.client.responses.startResponse({ params: { formId }, body }));
    expect(refused.errors?.[0]?.detail).toBe('"A SHORT_TEXT question": the answer must be at least 1');
    const responseId = await start(cast.dave, formId, [text(questionId, '1')]);
    await submit(cast.dave, responseId);
    const edit = await expectProblem(save(cast.dave, responseId, [text(questionId, '0,5')]));
    expect(edit.status).toBe(400);
    await save(cast.dave, responseId, [text(otherId, 'more')]);
  });

  test('may be missing: only what is required has to be there', async () => {
    const { formId } = await asked({ type: 'MULTIPLE_CHOICE', choices, selection: { min: 2 } });
    await submit(cast.dave, await start(cast.dave, formId));
  });

  test('selects a number of choices', async () => {
    const { formId, questionId, sectionIds } = await asked({ type: 'MULTIPLE_CHOICE', choices, selection: { min: 2 } });
    const listed = (await cast.dave.client.sections.listSections({ params: { formId } })).body;
    const section = listed.find((each) => each.section.id === sectionIds[0]);
    const [red = '', blue = ''] = (section?.questions?.[0]?.choices ?? []).map(({ id }) => id);
    const responseId = await start(cast.dave, formId, [sent(questionId, 'MULTIPLE_CHOICE', [red])]);
    const problem = await expectProblem(submit(cast.dave, responseId));
    expect(problem.errors?.[0]?.detail).toBe('"A MULTIPLE_CHOICE question": the answer must select at least 2');
    await submit(cast.dave, responseId, [sent(questionId, 'MULTIPLE_CHOICE', [red, blue])]);
  });
});

describe('a hidden question', () => {
  test('is answered when a response is started, and then keeps its answer', async () => {
    const hidden = { type: 'SHORT_TEXT', required: true, hidden: true } as const;
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[hidden, { type: 'SHORT_TEXT' }]]);
    const [source = '', shown = ''] = questionIds;
    const responseId = await start(cast.dave, formId, [text(source, 'poster')]);
    await save(cast.dave, responseId, [text(source, 'poster'), text(shown, 'Dave')]);
    for (const value of ['newsletter', '']) {
      const problem = await expectProblem(save(cast.dave, responseId, [text(source, value)]));
      expect(problem.errors).toEqual([
        {
          pointer: '/body/answers/0/value',
          detail: 'can only be set when the response is started: the question is not shown',
        },
      ]);
    }
    await submit(cast.dave, responseId);
    // It is not required.
    await submit(cast.dave, await start(cast.dave, formId));
    await expectProblem(save(cast.dave, await start(cast.dave, formId), [text(source, 'late')]));
  });

  test('without an answer counts as an empty text where it decides', async () => {
    const kinds = [{ type: 'SHORT_TEXT', hidden: true, required: true } as const];
    const built = await newForm(cast.alice, cast.slug, [kinds, [{ type: 'SHORT_TEXT', required: true }]], {
      publish: false,
    });
    const { client } = cast.alice;
    const { formId, questionIds, sectionIds } = built;
    const condition = await client.workflow.createNode({
      params: { formId },
      body: { type: 'CONDITION', payload: {} },
    });
    const nodes = (await client.workflow.getWorkflow({ params: { formId } })).body.workflow;
    const end = nodes.find(({ type }) => type === 'END')?.id ?? '';
    const body = nodes.map((node) => {
      if (node.id === sectionIds[0]) return { ...node, next: condition.body.id };
      if (node.id !== condition.body.id) return node;
      const conditionRule = { source: 'NON_CHOICE' as const, question: questionIds[0] ?? '', pattern: '^$' };
      return { ...node, conditionRule, nextTrue: end, nextFalse: sectionIds[1] ?? '' };
    });
    await client.workflow.updateWorkflow({ params: { formId }, body });
    await client.forms.publishForm({ params: { formId } });
    await submit(cast.dave, await start(cast.dave, formId));
    const named = await start(cast.dave, formId, [text(questionIds[0] ?? '', 'poster')]);
    const problem = await expectProblem(submit(cast.dave, named));
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([`/answers/${questionIds[1]}`]);
  });
});
