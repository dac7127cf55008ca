/** Moving a question behind another one, in its section and to other sections of the form. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseStructure } from '#core/structure/store.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { newKey, postWithKey, readFaults, requestAs } from '#test/support/building.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { expectProblem, newCast, newForm } from '#test/support/fixtures.ts';
import { respond, start, text } from '#test/support/responses.ts';

const cast = await newCast();

/** A published form with the questions a, b, c in one section and d, e in the next. */
async function twoSections() {
  const questions = ['abc', 'de'].map((titles) => [...titles].map((title) => ({ type: 'SHORT_TEXT', title }) as const));
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, questions);
  const idOf = (title: string) => questionIds['abcde'.indexOf(title)] ?? '';
  const [first = '', second = ''] = sectionIds;
  const sectionOf = (title: string) => ('abc'.includes(title) ? first : second);
  return { formId, first, second, idOf, sectionOf };
}
type Form = Awaited<ReturnType<typeof twoSections>>;

/** Moves a question from the section in which it was created; `after` is a title. */
const move = ({ idOf, sectionOf }: Form, title: string, sectionId: string, after: string | null) =>
  cast.bob.client.questions.moveQuestion({
    params: { sectionId: sectionOf(title), questionId: idOf(title) },
    body: { sectionId, after: after === null ? null : idOf(after) },
  });

/** The titles of each section in order; fails unless the orders are 1…n. */
async function read({ formId }: Form): Promise<string[]> {
  const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
  return listed.map(({ questions }) => {
    expect(questions?.map(({ order }) => order)).toEqual(questions?.map((_, index) => index + 1));
    return (questions ?? []).map(({ title }) => title).join('');
  });
}

const pathOf = ({ sectionOf, idOf }: Form, title: string) =>
  `/sections/${sectionOf(title)}/questions/${idOf(title)}/move`;

test.each<[string, string, 'first' | 'second', string | null, number, string[]]>([
  ['down', 'a', 'first', 'b', 2, ['bac', 'de']],
  ['up', 'c', 'first', 'a', 2, ['acb', 'de']],
  ['to the top of its section', 'c', 'first', null, 1, ['cab', 'de']],
  ['to the top of another section', 'b', 'second', null, 1, ['ac', 'bde']],
  ['into another section', 'b', 'second', 'd', 2, ['ac', 'dbe']],
  ['to the end of another section', 'a', 'second', 'e', 3, ['bc', 'dea']],
])('moves a question %s', async (_, title, to, after, order, expected) => {
  const form = await twoSections();
  const { status, body } = await move(form, title, form[to], after);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: form.idOf(title), title, sectionId: form[to], order });
  expect(await read(form)).toEqual(expected);
});

test('changes nothing, not even the ETag, when the question is there already', async () => {
  const form = await twoSections();
  const first = await move(form, 'b', form.first, 'a');
  const again = await move(form, 'b', form.first, 'a');
  expect(again).toMatchObject({ status: 200, body: { title: 'b', order: 2 } });
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  const moved = await move(form, 'b', form.first, 'c');
  expect(moved.headers.get('etag')).not.toBe(first.headers.get('etag'));
});

describe('is refused', () => {
  test('with 400 for a section of another form, an unknown one, and a question that is not in the section', async () => {
    const [form, other] = [await twoSections(), await twoSections()];
    const path = `/api${pathOf(form, 'b')}`;
    const faults = (body: unknown) => readFaults(cast.bob, 'POST', path, body);
    expect(await faults({ sectionId: other.first, after: null })).toEqual(['/body/sectionId']);
    expect(await faults({ sectionId: form.idOf('a'), after: null })).toEqual(['/body/sectionId']);
    expect(await faults({ sectionId: form.first, after: form.idOf('d') })).toEqual(['/body/after']);
    expect(await faults({ sectionId: form.first, after: other.idOf('a') })).toEqual(['/body/after']);
    expect(await faults({ sectionId: form.first, after: form.idOf('b') })).toEqual(['/body/after']);
    expect(await faults({ sectionId: 'x', after: 1 })).toEqual(['/body/after', '/body/sectionId']);
    expect(await faults({})).toEqual(['/body/after', '/body/sectionId']);
    expect(await read(form)).toEqual(['abc', 'de']);
  });

  test('with 404 for a question that is not in the section of the path; an unknown one also with a bad body', async () => {
    const form = await twoSections();
    const path = `/api/sections/${form.second}/questions`;
    const body = { sectionId: form.first, after: null };
    expect((await requestAs(cast.bob, 'POST', `${path}/${form.idOf('a')}/move`, body)).status).toBe(404);
    expect((await requestAs(cast.bob, 'POST', `${path}/${form.first}/move`, {})).status).toBe(404);
  });
});

test('with an Idempotency-Key, a repeated request replays the result', async () => {
  const form = await twoSections();
  const [key, body] = [newKey(), { sectionId: form.second, after: null }];
  const first = await postWithKey(cast.bob, pathOf(form, 'a'), key, body);
  const again = await postWithKey(cast.bob, pathOf(form, 'a'), key, body);
  expect(first.status).toBe(200);
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await read(form)).toEqual(['bc', 'ade']);
});

describe('at the same time', () => {
  test('moves of two questions both happen', async () => {
    const form = await twoSections();
    await beforeFirstWrite(
      () => move(form, 'a', form.second, 'd'),
      () => move(form, 'e', form.first, 'b'),
    );
    expect(await read(form)).toEqual(['bec', 'da']);
  });

  test('a question can follow one that is moved in its section', async () => {
    const form = await twoSections();
    await beforeFirstWrite(
      () => move(form, 'd', form.first, 'c'),
      () => move(form, 'c', form.first, null),
    );
    expect(await read(form)).toEqual(['cdab', 'e']);
  });

  test.each([
    ['the question it should follow has left the section', 'c', 400],
    ['the question itself has left its section', 'a', 404],
  ] as const)('a move is refused when %s', async (_, other, status) => {
    const form = await twoSections();
    const refused = beforeFirstWrite(
      () => expectProblem(move(form, 'a', form.first, 'c')),
      () => move(form, other, form.second, null),
    );
    expect(await refused).toMatchObject({ status });
    expect((await read(form)).join('').split('').toSorted().join('')).toBe('abcde');
  });

  test('a first answer is not lost: the move is remembered of a question that is answered meanwhile', async () => {
    const form = await twoSections();
    const readMoves = async (title: string) => {
      const [item] = await app().table.read([keys.formStructure(form.formId)]);
      const structure = parseStructure(item);
      return structure && findQuestion(structure, form.idOf(title))?.question.moves;
    };
    await move(form, 'b', form.second, null);
    expect(await readMoves('b')).toBeUndefined();
    await beforeFirstWrite(
      () => move(form, 'a', form.second, null),
      () => respond(cast.dave, form.formId, [text(form.idOf('a'), 'kept')]),
    );
    expect(await readMoves('a')).toMatchObject([{ from: form.first }]);
    const { body } = await cast.bob.client.exports.previewTable({
      params: { formId: form.formId },
      body: { questionIds: [form.idOf('a')] },
    });
    expect(body.rows[0]?.answers[form.idOf('a')]?.displayValue).toBe('kept');
  });

  test('an answer that is saved while its question moves is judged by the newest structure', async () => {
    const form = await twoSections();
    const id = await beforeFirstWrite(
      () => start(cast.dave, form.formId, [text(form.idOf('a'), 'kept')]),
      () => move(form, 'a', form.second, null),
    );
    const { sections } = (
      await cast.dave.client.responses.getResponse({ params: { formId: form.formId, responseId: id } })
    ).body;
    expect(sections[1]?.answerDetails[0]?.payload?.displayValue).toBe('kept');
  });
});
