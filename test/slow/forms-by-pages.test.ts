/** Whole forms that are made with the pages of authors only: the demo form of the README, and a large one. */
import { expect, test } from 'vitest';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { DEMO_SECTIONS } from '#stacks/local/demo-form.ts';
import { readWorkflow } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { newCast } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { png } from '#test/support/pictures.ts';
import { sent, start, submit } from '#test/support/responses.ts';

const cast = await newCast();

type Fields = [string, string][];
const placeOf = (response: Response): string => response.headers.get('location') ?? '';

/** What a person types for a question. */
function typedOf({
  title,
  name,
  text,
  required,
  choices = [],
  scale,
  date,
  uploadFile,
  oauthConnect,
}: QuestionInput): Fields {
  return [
    ['title', title],
    ...(name ? ([['name', name]] as Fields) : []),
    ...Object.entries(text ?? {}).map(([member, value]): [string, string] => [`text-${member}`, String(value)]),
    ...(required ? ([['required', 'on']] as Fields) : []),
    ...(choices ?? []).flatMap(
      ({ name, description, isOther }): Fields => [
        ['choice.id', ''],
        ['choice.name', name],
        ['choice.description', description ?? ''],
        ['choice.other', isOther ? 'yes' : ''],
      ],
    ),
    ...(scale
      ? ([
          ['scale-minVal', String(scale.minVal)],
          ['scale-maxVal', String(scale.maxVal)],
          ['scale-minValueLabel', scale.minValueLabel ?? ''],
          ['scale-maxValueLabel', scale.maxValueLabel ?? ''],
          ['scale-icon', scale.icon ?? ''],
        ] as Fields)
      : []),
    ...(date ? (['hasYear', 'hasMonth', 'hasDay'].map((part) => [`date-${part}`, 'on']) as Fields) : []),
    ...(uploadFile
      ? ([
          ...uploadFile.allowedFileTypes.map((type) => ['uploadFile-allowedFileTypes', type]),
          ['uploadFile-maxFileAmount', String(uploadFile.maxFileAmount)],
          ['uploadFile-maxFileSizeLimit', '9.999999'],
        ] as Fields)
      : []),
    ...(oauthConnect ? ([['oauthConnect', oauthConnect]] as Fields) : []),
  ];
}

async function newForm(title: string): Promise<string> {
  const created = await fillIn(cast.bob, `/o/${cast.slug}/new`, [['title', title]], 'empty');
  return /\/build\/([^?]+)\?done=created/.exec(placeOf(created))?.[1] ?? '';
}

/** Adds a section behind the last one by the last button of the list, and names it. */
async function addSection(formId: string, title: string): Promise<string> {
  const list = `/build/${formId}/questions`;
  const buttons = [...(await pagesOf(cast.bob).show(list)).matchAll(/value="(section:[^"]+)"/g)];
  const added = placeOf(await fillIn(cast.bob, list, [], buttons.at(-1)?.[1] ?? ''));
  const sectionId = /\/s\/([^?]+)/.exec(added)?.[1] ?? '';
  await fillIn(cast.bob, `/build/${formId}/s/${sectionId}`, [['title', title]]);
  return sectionId;
}

async function addQuestion(formId: string, sectionId: string, question: QuestionInput): Promise<string> {
  const page = `/build/${formId}/s/${sectionId}/new?type=${question.type}`;
  const added = placeOf(await fillIn(cast.bob, page, [['type', question.type], ...typedOf(question)]));
  return /questionAdded#q-(.+)/.exec(added)?.[1] ?? '';
}

test('the demo form of the README', async () => {
  const formId = await newForm('Visitor survey');
  const sectionIds: string[] = [];
  const questionIds = new Map<string, string>();
  for (const { title, questions } of DEMO_SECTIONS) {
    const sectionId = await addSection(formId, title);
    sectionIds.push(sectionId);
    for (const question of questions) questionIds.set(question.title, await addQuestion(formId, sectionId, question));
  }
  const [visit = '', details = '', closing = ''] = sectionIds;
  const rules = `/build/${formId}/s/${visit}/rules?as=rows`;
  const asked = questionIds.get('Was this your first visit?') ?? '';
  const withRule = await (await fillIn(cast.bob, rules, [['newQuestion', asked]], 'add-rule')).text();
  const choice = /name="selected\.0" value="([^"]+)"/.exec(withRule)?.[1] ?? '';
  const shown = fieldsOf(withRule).filter(([name]) => !['rule.target', 'otherwise'].includes(name));
  const saved = await pagesOf(cast.bob).post(rules.replace(/\?.*/, ''), [
    ...shown,
    ['selected.0', choice],
    ['rule.target', details],
    ['otherwise', closing],
    ['do', 'save'],
  ]);
  expect(placeOf(saved)).toContain('done=saved');
  const cover = new FormData();
  cover.append('cover', new File([Uint8Array.from(png(1_200, 400))], 'park.png'));
  const uploaded = await pagesOf(cast.bob).upload(`/build/${formId}/cover`, cover);
  expect(placeOf(uploaded)).toContain('done=saved');
  expect(placeOf(await fillIn(cast.bob, `/build/${formId}`, [], 'publish'))).toContain('done=published');
  expect(await pagesOf(cast.dave).show(`/f/${formId}`)).toContain(`src="/api/forms/${formId}/cover"`);
  expect((await cast.dave.client.forms.getForm({ params: { formId } })).body.coverImage).not.toBeNull();

  const { body } = await cast.alice.client.sections.listSections({ params: { formId } });
  expect(body.map(({ section }) => section.title)).toEqual(DEMO_SECTIONS.map(({ title }) => title));
  const made = body.flatMap(({ section }) => section.questions ?? []);
  const wanted = DEMO_SECTIONS.flatMap(({ questions }) => questions);
  for (const [index, { order: _order, uploadFile, ...question }] of wanted.entries()) {
    expect(made[index]).toMatchObject(question);
    expect(made[index]?.uploadFile?.allowedFileTypes).toEqual(uploadFile?.allowedFileTypes);
  }
  // Somebody for whom it was not the first visit skips the second section.
  const answerTo = (title: string, value: unknown) => {
    const question = made.find((each) => each.title === title);
    return sent(question?.id ?? '', question?.type ?? 'SHORT_TEXT', value as string);
  };
  const again = made.find(({ id }) => id === asked)?.choices?.[1]?.id ?? '';
  const responseId = await start(cast.dave, formId);
  await submit(cast.dave, responseId, [
    answerTo('What shall we call you?', 'Dave'),
    answerTo('Was this your first visit?', [again]),
    answerTo('How was it?', 4),
  ]);
  const preview = (await cast.dave.client.responses.getResponse({ params: { formId, responseId } })).body;
  expect(preview.sections.map(({ id, progress }) => [id, progress === 'SKIPPED'])).toEqual([
    [visit, false],
    [closing, false],
    [details, true],
  ]);
});

test('a form of 30 sections, 200 questions and 100 rules', async () => {
  const [SECTIONS, QUESTIONS, RULED] = [30, 200, 25];
  const formId = await newForm('Large');
  const sectionIds: string[] = [];
  for (let count = 0; count < SECTIONS; count += 1) sectionIds.push(await addSection(formId, `Section ${count + 1}`));
  for (let count = 0; count < QUESTIONS; count += 1) {
    const isFirst = count < SECTIONS;
    await addQuestion(formId, sectionIds[count % SECTIONS] ?? '', {
      ...{ title: `Question ${count + 1}`, required: isFirst, description: null, order: 1 },
      ...(isFirst
        ? { type: 'SINGLE_CHOICE', choices: ['A', 'B', 'C', 'D'].map((name) => ({ name })) }
        : { type: 'SHORT_TEXT' }),
    });
  }
  // Each of four answers leads to another section; without an answer, the next one follows.
  for (const [index, sectionId] of sectionIds.slice(0, RULED).entries()) {
    const page = `/build/${formId}/s/${sectionId}/rules`;
    const targets = [5, 4, 3, 2].map((step) => sectionIds[index + step] ?? '');
    const fields = fieldsOf(await pagesOf(cast.bob).show(page)).map(([name, value]): [string, string] =>
      name === 'table.target' ? [name, targets.shift() ?? ''] : [name, value],
    );
    expect(placeOf(await pagesOf(cast.bob).post(page, [...fields, ['do', 'save']]))).toContain('done=saved');
  }
  const { workflow, info } = await readWorkflow(cast.alice, formId);
  expect([info, workflow.filter(({ type }) => type === 'CONDITION').length]).toEqual([[], 4 * RULED]);
  for (const [path, words] of [
    ['/questions', 'Question 200'],
    ['/questions/order', 'Question 200'],
    ['/rules', 'If “Question 25” is “A”, go to “Section 30”.'],
    ['/rules/try', 'Question 25'],
    ['', '200 questions in 30 sections'],
  ] as const) {
    const { cost, result } = await measureCost(() => pagesOf(cast.bob).show(`/build/${formId}${path}`));
    expect(textOf(result)).toContain(words);
    expect([path, cost.roundTrips <= 2]).toEqual([path, true]);
  }
  expect(placeOf(await fillIn(cast.bob, `/build/${formId}`, [], 'publish'))).toContain('done=published');
}, 120_000);
