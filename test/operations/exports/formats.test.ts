/** What an export has: the kinds of files, a column for each choice, some of the responses, and the list of questions. */
import { beforeAll, describe, expect, test } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import type { ExportInput } from '#core/exports/options.ts';
import { app } from '#core/http/app.ts';
import { replaceStoredStructure } from '#test/support/building.ts';
import { askForExport, buildExports, readLocation } from '#test/support/exports.ts';
import { type Built, expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  CHOICES,
  castAt,
  choice,
  pass,
  readQuestion,
  readTable,
  respond,
  type Sent,
  sent,
  text,
} from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();
const BYTE_ORDER_MARK = '\u{feff}';

const ask = (formId: string, body: ExportInput) => cast.bob.client.exports.downloadTable({ params: { formId }, body });
const textOf = async (formId: string, body: ExportInput): Promise<string> =>
  fileOf(await ask(formId, body)).toString('utf8');
const linesOf = async (formId: string, body: ExportInput): Promise<string[]> => {
  const csv = await textOf(formId, { ...body, format: 'CSV' });
  expect(csv.startsWith(BYTE_ORDER_MARK)).toBe(true);
  expect(csv.endsWith('\r\n')).toBe(true);
  return csv.slice(1, -2).split('\r\n');
};
/** The rows of a CSV file without the columns of the response. */
const cellsOf = async (formId: string, body: ExportInput): Promise<string[]> =>
  (await linesOf(formId, body)).map((line) => line.split(',').slice(3).join(','));

describe('of three responses', () => {
  let form: Built;
  let ids: string[] = [];
  let byName = { note: '', colours: '', order: '', age: '', day: '' };
  let [red, blue, other]: [string, string, string] = ['', '', ''];
  let times: string[] = [];

  beforeAll(async () => {
    const { alice, dave, erin, slug } = cast;
    const choices = [{ name: 'Tea, green' }, { name: 'Coffee' }];
    form = await newForm(
      alice,
      slug,
      [
        [
          { type: 'SHORT_TEXT', title: 'Note, please' },
          { type: 'MULTIPLE_CHOICE', title: 'Colours', name: 'colours', choices: CHOICES },
          { type: 'RANKING', title: 'Order', choices },
          { type: 'SHORT_TEXT', title: 'Age', name: 'age', text: { format: 'NUMBER' } },
          { type: 'DATE', title: 'Day', date: { hasYear: true, hasMonth: true, hasDay: true } },
        ],
      ],
      { title: 'Drinks' },
    );
    const [note = '', colours = '', order = '', age = '', day = ''] = form.questionIds;
    byName = { note, colours, order, age, day };
    const [colourView, orderView] = [
      await readQuestion(alice, form.formId, colours),
      await readQuestion(alice, form.formId, order),
    ];
    [red, blue, other] = [choice(colourView, 'Red'), choice(colourView, 'Blue'), choice(colourView, 'Other')];
    const [tea, coffee] = [choice(orderView, 'Tea, green'), choice(orderView, 'Coffee')];
    const given: Sent[][] = [
      [
        text(note, '=1+1'),
        sent(colours, 'MULTIPLE_CHOICE', [red, other], 'Pink'),
        sent(order, 'RANKING', [coffee, tea]),
        text(age, '41'),
        sent(day, 'DATE', '2026-05-01T00:00:00Z'),
      ],
      [text(note, 'He said "hi",\nand left'), sent(colours, 'MULTIPLE_CHOICE', [blue]), text(age, '-7.5')],
      [],
    ];
    ids = [];
    times = [];
    for (const [index, answers] of given.entries()) {
      ids.push(await respond(index === 1 ? erin : dave, form.formId, answers));
      times.push(app().now().toISOString());
      pass(60);
    }
  });

  test('CSV has a header with the names of questions, numbers and dates as such, and quotes where needed', async () => {
    const lines = await linesOf(form.formId, { questionIds: form.questionIds });
    expect(lines).toEqual([
      'Response ID,Submitted at,Respondent,"Note, please",colours,Order,age,Day',
      `${ids[0]},${times[0]},${cast.dave.email},'=1+1,"Red, Pink","Coffee > Tea, green",41,2026-05-01`,
      `${ids[1]},${times[1]},${cast.erin.email},"He said ""hi"",\nand left",Blue,,-7.5,`,
      `${ids[2]},${times[2]},${cast.dave.email},,,,,`,
    ]);
    const { headers } = await ask(form.formId, { questionIds: form.questionIds, format: 'CSV' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('filename=Drinks.csv');
  });

  test('CSV that is raw has a text that begins like a formula as it is', async () => {
    expect(await cellsOf(form.formId, { questionIds: [byName.note], raw: true })).toEqual([
      '"Note, please"',
      '=1+1',
      '"He said ""hi"",\nand left"',
      '',
    ]);
  });

  test('a column for each choice has 1 or 0, places of a ranking, and the other text apart', async () => {
    const options = { questionIds: [byName.colours, byName.order], columnPerChoice: true };
    expect(await cellsOf(form.formId, options)).toEqual([
      'colours: Red,colours: Blue,colours: Other,colours: other text,"Order: Tea, green",Order: Coffee,Order: other text',
      '1,0,1,Pink,2,1,',
      '0,1,0,,,,',
      ',,,,,,',
    ]);
    const sheet = sheetOf(await open(fileOf(await ask(form.formId, options))));
    expect(valuesOf(sheet, 10).map((row) => row.slice(3))).toEqual([
      [1, 0, 1, 'Pink', 2, 1, null],
      [0, 1, 0, null, null, null, null],
      [null, null, null, null, null, null, null],
    ]);
    expect(sheet.getCell('D1').value).toBe('Colours: Red');
  });

  test('the reference of each response is the last column, if it is asked for, and finds the response', async () => {
    const options = { questionIds: [byName.age], reference: true };
    const [head, ...lines] = await linesOf(form.formId, options);
    expect(head).toBe('Response ID,Submitted at,Respondent,age,Reference');
    const references = lines.map((line) => line.split(',').at(-1) ?? '');
    for (const reference of references) expect(reference).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}$/);
    const sheet = sheetOf(await open(fileOf(await ask(form.formId, options))));
    expect(valuesOf(sheet, 5).map((row) => row[4])).toEqual(references);
    const document = JSON.parse(await textOf(form.formId, { ...options, format: 'JSON' }));
    expect(document.responses.map(({ reference }: { reference: string }) => reference)).toEqual(references);
    const found = await cast.bob.client.responses.filterResponses({
      params: { formId: form.formId },
      body: { filters: [], respondent: references[1] },
    });
    expect(found.body.responses.map(({ id }) => id)).toEqual([ids[1]]);
    const plain = JSON.parse(await textOf(form.formId, { questionIds: [byName.age], format: 'JSON' }));
    expect(plain.responses[0]).not.toHaveProperty('reference');
  });

  test('JSON has the questions with their choices, and the answers as the API has them', async () => {
    const { questionIds } = form;
    const document = JSON.parse(await textOf(form.formId, { questionIds, format: 'JSON' }));
    expect(document).toMatchObject({
      formId: form.formId,
      title: 'Drinks',
      questions: [
        { id: byName.note, name: null, title: 'Note, please', type: 'SHORT_TEXT', required: false, choices: [] },
        { id: byName.colours, name: 'colours', choices: [{ id: red, name: 'Red' }, { id: blue }, { id: other }] },
        { id: byName.order, choices: [{ name: 'Tea, green' }, { name: 'Coffee' }] },
        { id: byName.age, name: 'age' },
        { id: byName.day, type: 'DATE' },
      ],
    });
    const { rows } = await readTable(cast.bob, form.formId, questionIds);
    const listed: { id: string; answers: unknown }[] = document.responses;
    expect(listed.map(({ id, answers }) => ({ id, answers }))).toEqual(rows);
    expect(document.responses[1]).toMatchObject({ submittedAt: times[1], respondent: cast.erin.email });
  });

  test('XLSX has the questions in a second sheet: each with its name, its type and the ids of its choices', async () => {
    const workbook = await open(fileOf(await ask(form.formId, { questionIds: [byName.note, byName.colours] })));
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Responses', 'Questions']);
    const [, questions] = workbook.worksheets;
    if (!questions) throw new Error('there is no second sheet');
    const section = questions.getCell('E2').value;
    expect(valuesOf(questions, 8)).toEqual([
      [byName.note, null, 'Note, please', 'SHORT_TEXT', section, 'no', null, null],
      [byName.colours, 'colours', 'Colours', 'MULTIPLE_CHOICE', section, 'no', red, 'Red'],
      [byName.colours, 'colours', 'Colours', 'MULTIPLE_CHOICE', section, 'no', blue, 'Blue'],
      [byName.colours, 'colours', 'Colours', 'MULTIPLE_CHOICE', section, 'no', other, 'Other'],
    ]);
  });

  const exportedIds = async (body: Omit<ExportInput, 'questionIds'>): Promise<number[]> => {
    const lines = await linesOf(form.formId, { questionIds: [byName.age], ...body });
    return lines.slice(1).map((line) => ids.indexOf(line.split(',')[0] ?? ''));
  };

  test.for<[string, () => Omit<ExportInput, 'questionIds'>, number[]]>([
    ['a filter', () => ({ filters: [{ questionId: byName.age, min: 0 }] }), [0]],
    ['a time of submission', () => ({ from: times[1], to: times[2] }), [1]],
    ['a search for a respondent', () => ({ respondent: cast.erin.email.slice(1, 8).toUpperCase() }), [1]],
    ['a search for an answer', () => ({ respondent: '2026-05-01' }), [0]],
    ['selected responses', () => ({ responseIds: [ids[2] ?? '', ids[0] ?? ''] }), [0, 2]],
    ['selected responses of a time', () => ({ responseIds: ids, from: times[1] }), [1, 2]],
    ['a filter that matches nothing', () => ({ filters: [{ questionId: byName.age, min: 99 }] }), []],
  ])('of %s has exactly these rows, directly and as a job', async ([, options, expected]) => {
    expect(await exportedIds(options())).toEqual(expected);
    const body = { questionIds: [byName.age], format: 'CSV' as const, ...options() };
    const job = await askForExport(cast.bob, form.formId, body);
    await buildExports();
    const stored = await app().bucket.inspect(objects.export(job.id), 100_000);
    const csv = Buffer.from(stored?.start ?? []).toString('utf8');
    const lines = csv.trim().split('\r\n').slice(1);
    expect(lines.map((line) => ids.indexOf(line.split(',')[0] ?? ''))).toEqual(expected);
    const { body: done } = await cast.bob.client.exports.getExport({ params: { exportId: job.id } });
    expect([done.state, done.processed, done.total]).toEqual(['DONE', expected.length, expected.length]);
    const signed = new URL(await readLocation(cast.bob, job)).searchParams;
    expect(signed.get('response-content-type')).toBe('text/csv; charset=utf-8');
    expect(signed.get('response-content-disposition')).toContain('Drinks.csv');
  });

  test('the preview and the statistics of a filter have the same responses', async () => {
    const filters = [{ questionId: byName.age, isEmpty: false }];
    const params = { formId: form.formId };
    const body = { questionIds: [byName.age], filters };
    const { rows } = (await cast.bob.client.exports.previewTable({ params, body })).body;
    expect(rows.map(({ id }) => ids.indexOf(id))).toEqual([0, 1]);
    expect(await exportedIds({ filters })).toEqual([0, 1]);
    const counted = await cast.bob.client.responses.queryStatistics({ params, body: { filters } });
    expect(counted.body.matches).toEqual({ count: 2, isComplete: true });
  });

  test('of a view has its questions in its order, directly and as a job', async () => {
    const params = { formId: form.formId };
    const view = await cast.bob.client.views.createView({ params, body: { columns: [byName.day, byName.age] } });
    const [header] = await cellsOf(form.formId, { viewId: view.body.id });
    expect(header).toBe('Day,age');
    const job = await askForExport(cast.bob, form.formId, { viewId: view.body.id, format: 'CSV' });
    await buildExports();
    const stored = await app().bucket.inspect(objects.export(job.id), 100_000);
    const csv = Buffer.from(stored?.start ?? []).toString('utf8');
    expect(csv.split('\r\n')[1]).toBe(`${ids[0]},${times[0]},${cast.dave.email},2026-05-01,41`);
    const unknown = ask(form.formId, { viewId: form.formId });
    expect((await expectProblem(unknown)).status).toBe(404);
  });

  test('another filter or format is another job, the same one is the same', async () => {
    const questionIds = [byName.age];
    const filters = [{ questionId: byName.age, min: 1 }];
    const bodies: ExportInput[] = [
      { questionIds },
      { questionIds, format: 'CSV' },
      { questionIds, format: 'CSV', columnPerChoice: true },
      { questionIds, filters },
      { questionIds, responseIds: ids },
    ];
    const jobs: string[] = [];
    for (const body of bodies) {
      pass(1);
      jobs.push((await askForExport(cast.bob, form.formId, body)).id);
    }
    expect(new Set(jobs).size).toBe(bodies.length);
    const again = { questionIds, responseIds: ids.toReversed(), format: 'XLSX' as const, filters: [] };
    expect((await askForExport(cast.bob, form.formId, again)).id).toBe(jobs.at(-1));
    await buildExports();
  });
});

describe('is refused', () => {
  test('without questions or a view, with too much of a filter, and for a bound that does not fit', async () => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = questionIds;
    const option = 'a'.repeat(9_000);
    const tooMuch = [{ questionId, answers: Array.from({ length: 6 }, () => ({ option })) }];
    const faultsOf = async (body: ExportInput) => (await expectProblem(ask(formId, body))).errors;
    expect(await faultsOf({})).toEqual([
      { pointer: '/body/questionIds', detail: 'must be given, or viewId must name a view' },
    ]);
    expect(await faultsOf({ questionIds, filters: tooMuch })).toEqual([
      { pointer: '/body/filters', detail: 'may have at most 50000 characters as JSON' },
    ]);
    expect(await faultsOf({ questionIds, filters: [{ questionId, min: 1 }] })).toEqual([
      { pointer: '/body/filters/0/min', detail: 'needs a question for a number or a date' },
    ]);
  });

  test('with more columns than a sheet has, unless they are not columns', async () => {
    const choices = Array.from({ length: 500 }, (_, n) => ({ name: `${n}` }));
    const kinds = Array.from({ length: 33 }, () => ({ type: 'MULTIPLE_CHOICE' as const, choices: [{ name: 'A' }] }));
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [
      [{ type: 'MULTIPLE_CHOICE', choices }, ...kinds],
    ]);
    const [sourceId = ''] = questionIds;
    await replaceStoredStructure(formId, (structure) => ({
      ...structure,
      sections: structure.sections.map((section) => ({
        ...section,
        questions: section.questions.map(({ choices: own, ...question }) =>
          question.id === sourceId ? { ...question, ...(own && { choices: own }) } : { ...question, sourceId },
        ),
      })),
    }));
    const refused = await expectProblem(ask(formId, { questionIds, columnPerChoice: true }));
    expect([refused.status, refused.errors]).toEqual([
      400,
      [
        {
          pointer: '/body/columnPerChoice',
          detail: 'makes 17037 columns; a sheet has at most 16384. Choose fewer questions, or JSON.',
        },
      ],
    ]);
    expect((await ask(formId, { questionIds, columnPerChoice: true, format: 'JSON' })).status).toBe(200);
    expect((await ask(formId, { questionIds })).status).toBe(200);
  });

  test('a response of another form is not in an export that names it', async () => {
    const [one, two] = [
      await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]),
      await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]),
    ];
    const foreign = await respond(cast.dave, two.formId);
    const lines = await linesOf(one.formId, { questionIds: one.questionIds, responseIds: [foreign] });
    expect(lines).toHaveLength(1);
  });
});
