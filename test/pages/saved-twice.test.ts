/** A question that is saved again, and one that two authors change: every type, and every member of every option. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { app } from '#core/http/app.ts';
import { reloadEditedForm } from '#core/structure/changes.ts';
import { listDifferences } from '#core/structure/differences.ts';
import { type QuestionDocument, QuestionInput, type QuestionType } from '#core/structure/question-model.ts';
import { getTraits, QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { newCast, newForm, question } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { doc, p, text } from '#test/support/rich-text.ts';

const cast = await newCast();
const pages = pagesOf(cast.alice);

type Change = Partial<QuestionInput>;
const date = { hasYear: true, hasMonth: true, hasDay: true, minDate: '2020-01-01', maxDate: '2030-01-01' };
const uploadFile = { allowedFileTypes: ['PDF' as const], maxFileAmount: 1, maxFileSizeLimit: 1_048_576 };
const scale = { minVal: 1, maxVal: 5, minValueLabel: 'low', maxValueLabel: 'high', icon: 'star' as const };
const choices = [{ name: 'a' }, { name: 'b', description: 'B' }];

const ofChoices: Change[] = [
  { choices: [{ name: 'c' }, choices[1] ?? { name: '' }] },
  { choices: [...choices].reverse() },
  { choices: [...choices, { name: '', isOther: true }] },
  { choices: [{ name: 'a' }, { name: 'b', description: 'C' }] },
];
const ofScale: Change[] = [
  { scale: { ...scale, maxVal: 7 } },
  { scale: { ...scale, minValueLabel: 'none' } },
  { scale: { ...scale, maxValueLabel: 'all' } },
  { scale: { ...scale, icon: 'heart' } },
];
const CHOICES = [{ choices }, ofChoices] as const;

/** The option with which a question of each type is created, and what another author makes of it. */
const OPTIONS: Record<QuestionType, readonly [Change, readonly Change[]]> = {
  SHORT_TEXT: [{}, []],
  LONG_TEXT: [{}, []],
  HYPERLINK: [{}, []],
  SINGLE_CHOICE: CHOICES,
  MULTIPLE_CHOICE: CHOICES,
  DROPDOWN: CHOICES,
  DETAILED_MULTIPLE_CHOICE: CHOICES,
  RANKING: CHOICES,
  LINEAR_SCALE: [{ scale }, [{ scale: { ...scale, minVal: 0 } }, ...ofScale]],
  RATING: [{ scale }, ofScale],
  DATE: [
    { date },
    [
      { date: { ...date, hasYear: false, minDate: null, maxDate: null } },
      { date: { ...date, hasMonth: false, hasDay: false } },
      { date: { ...date, hasDay: false } },
      { date: { ...date, minDate: '2021-01-01' } },
      { date: { ...date, maxDate: '2031-01-01' } },
    ],
  ],
  UPLOAD_FILE: [
    { uploadFile },
    [
      { uploadFile: { ...uploadFile, allowedFileTypes: ['PDF', 'ZIP'] } },
      { uploadFile: { ...uploadFile, maxFileAmount: 2 } },
      { uploadFile: { ...uploadFile, maxFileSizeLimit: 524_288 } },
    ],
  ],
  OAUTH_CONNECT: [{ oauthConnect: 'PROVIDER_ONE' }, [{ oauthConnect: 'PROVIDER_TWO' }]],
};

async function setUp(type: QuestionType) {
  const [option] = OPTIONS[type];
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]], { publish: false });
  const [sectionId = ''] = sectionIds;
  const body = { ...question({ type }), order: 1, ...option };
  const { client } = cast.bob;
  const { id } = (await client.questions.createQuestion({ params: { sectionId }, body })).body;
  const params = { sectionId, questionId: id };
  const read = async (): Promise<QuestionDocument> => {
    const [listed] = (await client.sections.listSections({ params: { formId } })).body;
    return (listed?.questions ?? [])[0] as QuestionDocument;
  };
  const path = `/build/${formId}/q/${id}`;
  const fields = [...fieldsOf(await pages.show(path)), ['do', 'save'] as const];
  const change = async (changed: Change) => client.questions.updateQuestion({ params, body: { ...body, ...changed } });
  const readStructure = async () => (await reloadEditedForm(app().table, formId)).live;
  const readDefinition = async () => (await client.forms.getDefinition({ params: { formId } })).body.form;
  return { id, path, fields, read, change, readStructure, readDefinition };
}

/** What a question of each type must have, so that nobody can change it. */
const FIXED: Partial<Record<QuestionType, readonly string[]>> = { RATING: ['minVal'] };

test.each(QUESTION_TYPES)('of %s, every member of its option is changed', (type) => {
  const { option } = getTraits(type);
  const [first, changes] = OPTIONS[type];
  const schema = option && QuestionInput().shape[option].unwrap().unwrap();
  if (!option || !(schema instanceof z.ZodObject))
    return expect(option ?? 'choices').toMatch(/^(?:choices|oauthConnect)$/);
  const changed = Object.keys(schema.shape).filter((name) =>
    changes.some((change) => !isDeepStrictEqual(Object(change[option])[name], Object(first[option])[name])),
  );
  expect([...changed, ...(FIXED[type] ?? [])].toSorted()).toEqual(Object.keys(schema.shape).toSorted());
});

describe.each(QUESTION_TYPES)('%s', (type) => {
  test('saved twice from one page is saved, without a conflict with oneself', async () => {
    const { path, fields, read } = await setUp(type);
    const typed = fields.map(([name, value]) => [name, name === 'title' ? 'Another title' : value] as const);
    for (const again of [fields, typed, typed]) {
      const response = await pages.post(path, again);
      expect(response.status).toBe(303);
    }
    expect(await read()).toMatchObject({ title: 'Another title', ...OPTIONS[type][0] });
  });

  test('changed by another author is asked about, whatever they have changed', async () => {
    const changes: Change[] = [
      { title: 'Theirs' },
      { required: true },
      { description: doc(p(text('Theirs'))) },
      ...OPTIONS[type][1],
    ];
    for (const change of changes) {
      const { path, fields, read, change: changeElsewhere } = await setUp(type);
      await changeElsewhere(change);
      const theirs = await read();
      const typed = fields.map(([name, value]) => [name, name === 'title' ? 'Mine' : value] as const);
      const response = await pages.post(path, typed);
      expect([change, response.status]).toEqual([change, 409]);
      const words = textOf(await response.text());
      expect(words).toContain('Somebody else has changed this meanwhile');
      expect(words).not.toMatch(/Options of the type Nothing/);
      expect(await read()).toEqual(theirs);
    }
  });

  test('with another option is different for authors, and in the definition', async () => {
    for (const change of OPTIONS[type][1]) {
      const { id, change: changeElsewhere, readStructure, readDefinition } = await setUp(type);
      const { structure, answered } = await readStructure();
      const before = { structure, answered: { ...answered, ids: new Set([id]) } };
      const definition = await readDefinition();
      await changeElsewhere(change);
      const { structure: after } = await readStructure();
      const kinds = listDifferences(before, after).flatMap(({ details = [] }) => details.map(({ kind }) => kind));
      expect([change, kinds]).not.toEqual([change, []]);
      if (!change.choices) expect([change, kinds]).toEqual([change, ['options']]);
      expect([change, await readDefinition()]).not.toEqual([change, definition]);
    }
  });
});

/** Options in which the same texts are in other members, so that they read alike. */
const MOVED: [QuestionType, Change, Change][] = [
  [
    'LINEAR_SCALE',
    { scale: { ...scale, minValueLabel: 'here', maxValueLabel: null } },
    { scale: { ...scale, minValueLabel: null, maxValueLabel: 'here' } },
  ],
  ['DATE', { date: { ...date, minDate: null } }, { date: { ...date, minDate: '2030-01-01', maxDate: null } }],
];

test.each(
  MOVED,
)('%s: a text that another author has moved to another member is asked about', async (type, first, other) => {
  const { path, read, change } = await setUp(type);
  await change(first);
  const fields = [...fieldsOf(await pages.show(path)), ['do', 'save'] as const];
  await change(other);
  const theirs = await read();
  const response = await pages.post(
    path,
    fields.map(([name, value]) => [name, name === 'required' ? 'on' : value] as const),
  );
  expect(response.status).toBe(409);
  expect(await response.text()).toContain('Somebody else has changed this meanwhile');
  expect(await read()).toEqual(theirs);
});
