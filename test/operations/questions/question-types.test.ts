/** The 13 types of question and their options. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { FILE_TYPES } from '#core/structure/types/file-types.ts';
import { ICONS } from '#core/structure/types/scale.ts';
import { QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { draftForm, newNode, readFaults, requestAs } from '#test/support/building.ts';
import { type Cast, newCast, question } from '#test/support/fixtures.ts';
import { doc, p, text } from '#test/support/rich-text.ts';

let cast: Cast;
let formId: string;
let path: string;
beforeAll(async () => {
  cast = await newCast();
  formId = (await draftForm(cast.alice, cast.slug)).id;
  path = `/api/sections/${await newNode(cast.alice, formId)}/questions`;
});

const choices = [{ name: 'red', description: 'warm' }, { name: '🟢 green' }, { name: '', isOther: true }];
const OPTIONS = {
  choices,
  scale: { minVal: 1, maxVal: 5, minValueLabel: 'bad', maxValueLabel: 'good', icon: 'star' },
  uploadFile: { allowedFileTypes: ['PDF', 'WEBP'], maxFileAmount: 10, maxFileSizeLimit: 10_485_760 },
  date: { hasYear: true, hasMonth: true, hasDay: false, minDate: '2024-02-29', maxDate: '2026-01-01T00:00:00+08:00' },
  oauthConnect: 'PROVIDER_ONE',
} as const;
type Option = keyof typeof OPTIONS;

const OWN: Record<(typeof QUESTION_TYPES)[number], Option | undefined> = {
  SHORT_TEXT: undefined,
  LONG_TEXT: undefined,
  HYPERLINK: undefined,
  SINGLE_CHOICE: 'choices',
  MULTIPLE_CHOICE: 'choices',
  DROPDOWN: 'choices',
  DETAILED_MULTIPLE_CHOICE: 'choices',
  RANKING: 'choices',
  LINEAR_SCALE: 'scale',
  RATING: 'scale',
  UPLOAD_FILE: 'uploadFile',
  DATE: 'date',
  OAUTH_CONNECT: 'oauthConnect',
};
const plain = (type: QuestionInput['type']) => ({ ...question({ type }), order: 1 });
const create = (more: object) => requestAs(cast.bob, 'POST', path, { ...plain('SHORT_TEXT'), ...more });
const faults = (more: object) => readFaults(cast.bob, 'POST', path, { ...plain('SHORT_TEXT'), ...more });

/** The question of an id as the list shows it. */
async function read(id: string) {
  const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
  return listed.flatMap(({ questions }) => questions ?? []).find((each) => each.id === id);
}

describe.each(QUESTION_TYPES)('%s', (type) => {
  const own = OWN[type];

  test('is created with its own option only, and read back exactly', async () => {
    const description = doc(p(text('Why <b>?')));
    const { status, body, headers } = await create({ ...OPTIONS, type, required: true, title: 'T', description });
    expect(status).toBe(201);
    expect(headers.get('etag')).toMatch(/^"\d+"$/);
    const kept =
      own === 'choices' ? choices.map((choice) => ({ id: expect.any(String), ...choice })) : own && OPTIONS[own];
    expect(body).toEqual({
      id: expect.any(String),
      sectionId: path.split('/')[3],
      required: true,
      type,
      title: 'T',
      description,
      descriptionHtml: '<p>Why &lt;b&gt;?</p>',
      order: 1,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
      ...(own && { [own]: kept }),
    });
    expect(await read(body.id)).toEqual(body);
  });

  test('is updated to the same, whatever it was before', async () => {
    const { id } = (await create({ type: type === 'DATE' ? 'RATING' : 'DATE', ...OPTIONS })).body;
    const { status, body } = await requestAs(cast.bob, 'PUT', `${path}/${id}`, { ...plain(type), ...OPTIONS });
    expect({ status, body }).toMatchObject({ status: 200, body: { id, type } });
    const others = ['choices', 'sourceId', 'scale', 'uploadFile', 'date', 'oauthConnect'].filter(
      (name) => name !== own,
    );
    expect(others.filter((name) => name in body)).toEqual([]);
    expect(await read(id)).toEqual(body);
  });
});

test.each(
  QUESTION_TYPES.flatMap((type) => (OWN[type] ? [[type, OWN[type]] as const] : [])),
)('%s without %s is 400', async (type, own) => {
  for (const nothing of [undefined, null]) {
    expect(await faults({ type, ...OPTIONS, [own]: nothing })).toEqual([`/body/${own}`]);
  }
});

test('required, type, title, description and order are required; all that is missing is reported at once', async () => {
  const all = ['/body/description', '/body/order', '/body/required', '/body/title', '/body/type'];
  expect(await readFaults(cast.bob, 'POST', path, {})).toEqual(all);
  const wrong = { required: 'no', type: 'TEXT', title: '', description: 'text', order: 0 };
  expect(await readFaults(cast.bob, 'POST', path, wrong)).toEqual(all);
  expect(await faults({ title: 'x'.repeat(501), description: doc(p(text(''))) })).toEqual([
    '/body/description/content/0/content/0/text',
    '/body/title',
  ]);
});

test.each([
  null,
  { type: 'doc' },
  { type: 'doc', content: [] },
])('an empty description is returned as sent, with no HTML: %j', async (description) => {
  expect((await create({ description })).body).toMatchObject({ description, descriptionHtml: '' });
});

test('choices: 1 to 500, names of 1 to 200 trimmed, descriptions up to 500, one isOther at most', async () => {
  const wrong = (list: object[]) => faults({ type: 'SINGLE_CHOICE', choices: list });
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `choice ${index}` }));
  expect(await wrong([])).toEqual(['/body/choices']);
  expect(await wrong(many(501))).toEqual(['/body/choices']);
  expect((await create({ type: 'SINGLE_CHOICE', choices: many(500) })).body.choices).toHaveLength(500);
  const each = [
    { name: ' ' },
    { name: 'x'.repeat(201) },
    { name: 'a', description: 'x'.repeat(501) },
    {},
    { name: 'a', id: 'x' },
  ];
  expect(await wrong(each)).toEqual([
    '/body/choices/0/name',
    '/body/choices/1/name',
    '/body/choices/2/description',
    '/body/choices/3/name',
    '/body/choices/4/id',
  ]);
  expect(await wrong([{ name: 'a', isOther: true }, { name: 'b' }, { name: 'c', isOther: true }])).toEqual([
    '/body/choices/2/isOther',
  ]);
  const limits = { name: ` ${'x'.repeat(200)}\n`, description: 'x'.repeat(500) };
  const [kept] = (await create({ type: 'RANKING', choices: [limits] })).body.choices;
  expect(kept).toEqual({ id: expect.any(String), name: 'x'.repeat(200), description: 'x'.repeat(500) });
});

test('LINEAR_SCALE: minVal 0 or 1, maxVal 2 to 10; RATING: minVal 1, an icon of the list', async () => {
  const linear = (scale: object) => create({ type: 'LINEAR_SCALE', scale });
  expect((await linear({ minVal: 0, maxVal: 2 })).body.scale).toEqual({ minVal: 0, maxVal: 2 });
  expect((await linear({ minVal: 1, maxVal: 10 })).status).toBe(201);
  for (const scale of [
    { minVal: -1, maxVal: 11 },
    { minVal: 2, maxVal: 1 },
    { minVal: 0.5, maxVal: 2.5 },
    { minVal: '0', maxVal: null },
  ]) {
    expect(await faults({ type: 'LINEAR_SCALE', scale })).toEqual(['/body/scale/maxVal', '/body/scale/minVal']);
  }
  expect(await faults({ type: 'RATING', scale: { minVal: 0, maxVal: 5 } })).toEqual([
    '/body/scale/icon',
    '/body/scale/minVal',
  ]);
  expect(await faults({ type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'skull' } })).toEqual([
    '/body/scale/icon',
  ]);
  for (const icon of ICONS)
    expect((await create({ type: 'RATING', scale: { minVal: 1, maxVal: 2, icon } })).status).toBe(201);
});

test('UPLOAD_FILE: types of the list, 1 to 10 files, 1 to 10,485,760 bytes', async () => {
  const every = { allowedFileTypes: [...FILE_TYPES], maxFileAmount: 1, maxFileSizeLimit: 1 };
  expect((await create({ type: 'UPLOAD_FILE', uploadFile: every })).body.uploadFile).toEqual(every);
  const pointers = ['/body/uploadFile/maxFileAmount', '/body/uploadFile/maxFileSizeLimit'];
  for (const [maxFileAmount, maxFileSizeLimit] of [
    [0, 0],
    [11, 10_485_761],
    [1.5, '1'],
  ]) {
    const uploadFile = { allowedFileTypes: ['EXE', 'pdf'], maxFileAmount, maxFileSizeLimit };
    const types = ['/body/uploadFile/allowedFileTypes/0', '/body/uploadFile/allowedFileTypes/1'];
    expect(await faults({ type: 'UPLOAD_FILE', uploadFile })).toEqual([...types, ...pointers]);
  }
  expect(await faults({ type: 'UPLOAD_FILE', uploadFile: { ...every, allowedFileTypes: [] } })).toEqual([
    '/body/uploadFile/allowedFileTypes',
  ]);
});

test('DATE: at least one part, real dates as RFC 3339 or YYYY-MM-DD, min not after max', async () => {
  const all = { hasYear: true, hasMonth: true, hasDay: true };
  const wrong = (date: object) => faults({ type: 'DATE', date });
  expect(await wrong({ hasYear: false, hasMonth: false, hasDay: false })).toEqual(['/body/date']);
  expect(await wrong({ hasYear: true })).toEqual(['/body/date/hasDay', '/body/date/hasMonth']);
  expect(await wrong({ ...all, minDate: '2025-02-29', maxDate: '1.5.2026' })).toEqual([
    '/body/date/maxDate',
    '/body/date/minDate',
  ]);
  expect(await wrong({ ...all, minDate: '2026-01-02', maxDate: '2026-01-01' })).toEqual(['/body/date/minDate']);
  const same = { ...all, minDate: '2026-01-01', maxDate: '2026-01-01' };
  expect((await create({ type: 'DATE', date: same })).body.date).toEqual(same);
});

test('OAUTH_CONNECT: PROVIDER_ONE or PROVIDER_TWO', async () => {
  expect((await create({ type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_TWO' })).body.oauthConnect).toBe(
    'PROVIDER_TWO',
  );
  expect(await faults({ type: 'OAUTH_CONNECT', oauthConnect: 'LOGIN_PROVIDER_1' })).toEqual(['/body/oauthConnect']);
});
