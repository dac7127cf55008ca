/** Filtering submitted responses. */
import { beforeAll, describe, expect, test } from 'vitest';
import { paginate } from '#core/api/client.ts';
import { app } from '#core/http/app.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import { type Built, newForm } from '#test/support/fixtures.ts';
import {
  branchedForm,
  CHOICES,
  cancel,
  castAt,
  choice,
  pass,
  readQuestion,
  respond,
  type Sent,
  save,
  sent,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();

type Filter = [questionId: string | undefined, ...options: string[]];
const filtersOf = (filters: Filter[]) =>
  filters.map(([questionId = '', ...options]) => ({ questionId, answers: options.map((option) => ({ option })) }));

const readPage = async (formId: string, filters: Filter[], query: { limit?: number; cursor?: string } = {}) => {
  const body = { filters: filtersOf(filters) };
  return (await cast.bob.client.responses.filterResponses({ params: { formId }, query, body })).body;
};
/** The ids of the responses that match. */
const matching = async (formId: string, ...filters: Filter[]): Promise<string[]> =>
  (await readPage(formId, filters)).responses.map(({ id }) => id);
const filterPath = (formId: string): string => `/api/forms/${formId}/responses/query`;

describe('responses to a form with a text and a choice', () => {
  let form: Built;
  let [name, colour]: [string, string] = ['', ''];
  let ids: Record<string, string> = {};
  const id = (key: string): string => ids[key] ?? '';
  let option: (key: string) => string;

  beforeAll(async () => {
    const { alice, dave, slug } = cast;
    form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }, { type: 'MULTIPLE_CHOICE', choices: CHOICES }]]);
    [name = '', colour = ''] = form.questionIds;
    const view = await readQuestion(alice, form.formId, colour);
    option = (key) => choice(view, key);
    const answers = (who: string, colours: string[], other?: string): Sent[] => [
      text(name, who),
      ...(colours.length > 0 ? [sent(colour, 'MULTIPLE_CHOICE', colours.map(option), other)] : []),
    ];
    const given: [key: string, answers: Sent[]][] = [
      ['annRed', answers('Ann', ['Red'])],
      ['benBlue', answers('Ben', ['Blue'])],
      ['annBoth', answers('Ann', ['Blue', 'Red'])],
      ['benOther', answers('Ben', ['Other'], 'Green')],
      ['annNone', answers('Ann', [])],
    ];
    for (const [key, each] of given) {
      ids = { ...ids, [key]: await respond(dave, form.formId, each) };
      pass(1);
    }
  });

  test('filters: [] = all, and an entry without answers matches all', async () => {
    const all = ['annRed', 'benBlue', 'annBoth', 'benOther', 'annNone'].map(id);
    expect(await matching(form.formId)).toEqual(all);
    expect(await matching(form.formId, [colour])).toEqual(all);
  });

  test('an option is a choice id: every response that selected it, whatever else it selected', async () => {
    expect(await matching(form.formId, [colour, option('Red')])).toEqual([id('annRed'), id('annBoth')]);
    expect(await matching(form.formId, [colour, option('Other')])).toEqual([id('benOther')]);
    expect(await matching(form.formId, [colour, 'Red'])).toEqual([]);
  });

  test('OR inside an entry', async () => {
    const both = await matching(form.formId, [colour, option('Red'), option('Other')]);
    expect(both).toEqual([id('annRed'), id('annBoth'), id('benOther')]);
  });

  test('AND between entries, also of the same question', async () => {
    expect(await matching(form.formId, [colour, option('Blue')], [name, 'Ben'])).toEqual([id('benBlue')]);
    const twice = await matching(form.formId, [colour, option('Blue')], [colour, option('Red')]);
    expect(twice).toEqual([id('annBoth')]);
    expect(await matching(form.formId, [name, 'Ann'], [name, 'Ben'])).toEqual([]);
  });

  test('answers maps every question id to the stored answer or null', async () => {
    const { formId, responses } = await readPage(form.formId, [[colour, option('Other')]]);
    expect(formId).toBe(form.formId);
    expect(responses).toMatchObject([
      {
        id: id('benOther'),
        answers: {
          [name]: { responseId: id('benOther'), displayValue: 'Ben', answer: { questionId: name, value: 'Ben' } },
          [colour]: { displayValue: 'Green', answer: { value: [option('Other')], otherText: 'Green' } },
        },
      },
    ]);
    const none = await readPage(form.formId, [[name, 'Ann']]);
    expect(none.responses.at(-1)?.answers[colour]).toBeNull();
  });

  test('comes in pages, oldest submission first, and a cursor is valid for its filter only', async () => {
    const { bob } = cast;
    const body = { filters: filtersOf([[name, 'Ann']]) };
    const input = { params: { formId: form.formId }, query: { limit: 2 }, body };
    const pages = [];
    for await (const page of paginate(bob.client.responses.filterResponses, input)) pages.push(page.body);
    const found = pages.map(({ responses }) => responses.map((each) => each.id));
    expect(found.flat()).toEqual([id('annRed'), id('annBoth'), id('annNone')]);
    expect(found[0]).toHaveLength(2);
    const cursor = encodeURIComponent(pages[0]?.nextCursor ?? '');
    const other = { filters: filtersOf([[name, 'Ben']]) };
    const path = `${filterPath(form.formId)}?cursor=${cursor}`;
    expect(await readFaults(bob, 'POST', path, other)).toEqual(['/query/cursor']);
  });

  test('pages of one response make the whole list, whatever the filter', async () => {
    for (const filters of [[], [[name, 'Ann']], [[colour, option('Blue'), option('Red')]]] satisfies Filter[][]) {
      const input = { params: { formId: form.formId }, query: { limit: 1 }, body: { filters: filtersOf(filters) } };
      const found: string[] = [];
      for await (const { body } of paginate(cast.bob.client.responses.filterResponses, input)) {
        expect(body.responses.length).toBeLessThanOrEqual(1);
        found.push(...body.responses.map((each) => each.id));
      }
      expect(found).toEqual(await matching(form.formId, ...filters));
    }
  });

  test('an unknown question, or one of another form, is 404', async () => {
    const [foreign] = (await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]])).questionIds;
    for (const questionId of [foreign, app().uuid()]) {
      const body = { filters: filtersOf([[name, 'Ann'], [questionId]]) };
      expect((await requestAs(cast.bob, 'POST', filterPath(form.formId), body)).status).toBe(404);
    }
  });

  test('an invalid body is 400 with all its faults, and a missing form comes first', async () => {
    const { bob, dave } = cast;
    const path = filterPath(form.formId);
    const wrong = { filters: [{ questionId: 'x', answers: [{ option: 7 }, {}] }, { questionId: name }] };
    expect(await readFaults(bob, 'POST', path, wrong)).toEqual([
      '/body/filters/0/answers/0/option',
      '/body/filters/0/answers/1/option',
      '/body/filters/0/questionId',
      '/body/filters/1/answers',
    ]);
    expect(await readFaults(bob, 'POST', path, {})).toEqual(['/body/filters']);
    expect(await readFaults(bob, 'POST', `${path}?limit=0`, { filters: [] })).toEqual(['/query/limit']);
    expect((await requestAs(bob, 'POST', filterPath(app().uuid()), wrong)).status).toBe(404);
    expect((await requestAs(dave, 'POST', path, wrong)).status).toBe(403);
  });
});

describe('what a filter considers', () => {
  test('are SUBMITTED responses, oldest submission first: no drafts, and a cancelled one only once it is submitted again', async () => {
    const { alice, dave, erin, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = questionIds;
    const answers = [text(questionId, 'yes')];
    const draft = await start(erin, formId);
    await save(erin, draft, answers);
    const first = await respond(dave, formId, answers);
    pass(1);
    const second = await respond(erin, formId, answers);
    expect(await matching(formId, [questionId, 'yes'])).toEqual([first, second]);
    await cancel(dave, first);
    expect(await matching(formId, [questionId, 'yes'])).toEqual([second]);
    pass(1);
    await submit(erin, draft);
    pass(1);
    await submit(dave, first);
    expect(await matching(formId, [questionId, 'yes'])).toEqual([second, draft, first]);
  });

  test('are answers on the path: one off it does not match and is null, until it is on the path again', async () => {
    const { alice, dave, slug } = cast;
    const kind = { type: 'SHORT_TEXT' as const };
    const { formId, asked, yes, no } = await branchedForm(
      { person: alice, slug },
      { first: [kind], yes: [kind], no: [kind] },
    );
    const [inYes = '', inNo = ''] = [yes[0], no[0]];
    const id = await respond(dave, formId, [text(asked, 'yes'), text(inYes, 'same')]);
    expect(await matching(formId, [inYes, 'same'])).toEqual([id]);
    await save(dave, id, [text(asked, 'no'), text(inNo, 'same')]);
    expect(await matching(formId, [inYes, 'same'])).toEqual([]);
    expect(await matching(formId, [inNo, 'same'])).toEqual([id]);
    const [shown] = (await readPage(formId, [])).responses;
    expect(shown?.answers[inYes]).toBeNull();
    await save(dave, id, [text(asked, 'yes')]);
    expect(await matching(formId, [inYes, 'same'])).toEqual([id]);
  });

  test('are answers to removed questions too: they match, and their answers are shown', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds, sectionIds } = await newForm(alice, slug, [
      [{ type: 'SHORT_TEXT' }, { type: 'LONG_TEXT' }],
    ]);
    const [kept = '', removed = ''] = questionIds;
    const id = await respond(dave, formId, [text(kept, 'a'), sent(removed, 'LONG_TEXT', 'b')]);
    await respond(dave, formId, [text(kept, 'a')]);
    const params = { sectionId: sectionIds[0] ?? '', questionId: removed };
    await alice.client.questions.deleteQuestion({ params });
    const { responses } = await readPage(formId, [[removed, 'b']]);
    expect(responses).toMatchObject([{ id, answers: { [removed]: { displayValue: 'b' } } }]);
  });
});
