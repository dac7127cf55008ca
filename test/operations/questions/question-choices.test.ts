/** The identity of choices across updates, and choices taken from another question (contract section 5, "Options"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, draftForm, faultsOf, newNode } from '#test/support/building.ts';
import { type Cast, linkInOrder, newCast, question } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

type Sent = { id?: string; name: string; description?: string; isOther?: boolean };

async function newSection(): Promise<string> {
  return newNode(cast.alice, (await draftForm(cast.alice, cast.slug)).id);
}

async function choiceQuestion(
  sectionId: string,
  choices: Sent[] = [{ name: 'red' }, { name: 'green' }, { name: 'blue' }],
) {
  const body = question({ type: 'SINGLE_CHOICE', choices });
  return (await cast.bob.client.questions.createQuestion({ params: { sectionId }, body })).body;
}

describe('identity', () => {
  /** A question with red, green and blue, and a way to replace its choices. */
  async function colours() {
    const { id: questionId, sectionId, choices = [] } = await choiceQuestion(await newSection());
    const replace = async (sent: Sent[]) => {
      const body = question({ type: 'SINGLE_CHOICE', choices: sent });
      const params = { sectionId, questionId };
      return (await cast.bob.client.questions.updateQuestion({ params, body })).body.choices ?? [];
    };
    const [red = '', green = '', blue = ''] = choices.map(({ id }) => id);
    return { red, green, blue, replace, path: `/api/sections/${sectionId}/questions/${questionId}` };
  }

  test('an id that is sent back keeps a choice’s identity through renames and moves', async () => {
    const { red, green, blue, replace } = await colours();
    const renamed = [
      { id: blue, name: 'navy' },
      { id: red, name: 'green' },
      { id: green, name: 'red' },
    ];
    expect(await replace(renamed)).toEqual(renamed);
  });

  test('without ids choices are matched by name; what has no match is new', async () => {
    const { red, green, blue, replace } = await colours();
    const [first, second, third] = await replace([{ name: ' blue ' }, { name: 'white' }, { name: 'red' }]);
    expect([first?.id, third?.id]).toEqual([blue, red]);
    expect([red, green, blue]).not.toContain(second?.id);
    const [back] = await replace([{ name: 'green' }]);
    expect([red, green, blue]).not.toContain(back?.id);
  });

  test('an id goes before a name, and one choice is never matched twice', async () => {
    const { red, green, blue, replace } = await colours();
    const [first, second, third] = await replace([{ name: 'red' }, { id: red, name: 'red' }, { name: 'green' }]);
    expect([second?.id, third?.id]).toEqual([red, green]);
    expect([red, green, blue]).not.toContain(first?.id);
  });

  test('an id of no choice of this question is not taken over: it could be another’s', async () => {
    const { replace } = await colours();
    const foreign = (await choiceQuestion(await newSection())).choices?.[0]?.id ?? '';
    const [choice] = await replace([{ id: foreign, name: 'white' }]);
    expect(choice?.id).not.toBe(foreign);
  });

  test('an id sent twice is 400', async () => {
    const { red, path } = await colours();
    const choices = [
      { id: red, name: 'a' },
      { id: red, name: 'b' },
    ];
    expect(await faultsOf(cast.bob, 'PUT', path, question({ type: 'SINGLE_CHOICE', choices }))).toEqual([
      '/body/choices/1/id',
    ]);
  });

  test('equal names are different choices, and each keeps its identity', async () => {
    const {
      sectionId,
      id: questionId,
      choices = [],
    } = await choiceQuestion(await newSection(), [{ name: 'a' }, { name: 'a' }]);
    expect(choices[0]?.id).not.toBe(choices[1]?.id);
    const body = question({ type: 'SINGLE_CHOICE', choices: [{ name: 'a' }, { name: 'a' }] });
    const again = await cast.bob.client.questions.updateQuestion({ params: { sectionId, questionId }, body });
    expect(again.body.choices).toEqual(choices);
  });

  test('choices keep their identity through a change to another choice type', async () => {
    const { sectionId, id: questionId, choices } = await choiceQuestion(await newSection());
    const body = question({ type: 'RANKING', choices: [{ name: 'red' }, { name: 'green' }, { name: 'blue' }] });
    const ranked = await cast.bob.client.questions.updateQuestion({ params: { sectionId, questionId }, body });
    expect(ranked.body).toMatchObject({ type: 'RANKING', choices });
  });
});

describe('sourceId', () => {
  const SOURCED = ['SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'DROPDOWN', 'RANKING'] as const;

  /** Two sections in a row and one aside, with a choice question in the first and in the second. */
  async function threeSections() {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const [first, second, aside] = [
      await newNode(cast.alice, formId),
      await newNode(cast.alice, formId),
      await newNode(cast.alice, formId),
    ];
    await linkInOrder(cast.alice.client, formId, [first, second]);
    return { formId, first, second, aside, early: await choiceQuestion(first), late: await choiceQuestion(second) };
  }

  const create = (sectionId: string, body: object) =>
    ask(cast.bob, 'POST', `/api/sections/${sectionId}/questions`, { ...question({ type: 'SINGLE_CHOICE' }), ...body });
  const refused = (sectionId: string, body: object) =>
    faultsOf(cast.bob, 'POST', `/api/sections/${sectionId}/questions`, {
      ...question({ type: 'SINGLE_CHOICE' }),
      ...body,
    });

  test.each(SOURCED)('a %s question may take its choices from one in an earlier or the same section', async (type) => {
    const { first, second, early } = await threeSections();
    for (const sectionId of [first, second]) {
      const { status, body } = await create(sectionId, { type, sourceId: early.id, choices: null });
      expect(status).toBe(201);
      expect(body.sourceId).toBe(early.id);
      expect('choices' in body).toBe(false);
    }
  });

  test('choices and sourceId together are 400; neither is 400', async () => {
    const { second, early } = await threeSections();
    expect(await refused(second, { sourceId: early.id, choices: [{ name: 'a' }] })).toEqual(['/body/sourceId']);
    expect(await refused(second, {})).toEqual(['/body/choices']);
    expect((await create(second, { sourceId: early.id, choices: [] })).status).toBe(201);
  });

  test('a source in a later section, or in one that no link leads on from, is 400', async () => {
    const { first, second, aside, late } = await threeSections();
    const alone = await choiceQuestion(aside);
    expect(await refused(first, { sourceId: late.id })).toEqual(['/body/sourceId']);
    expect(await refused(second, { sourceId: alone.id })).toEqual(['/body/sourceId']);
    expect((await create(aside, { sourceId: alone.id })).status).toBe(201);
  });

  test('a source of another form, without choices, or that does not exist is 400', async () => {
    const { first, second } = await threeSections();
    const { early: foreign } = await threeSections();
    const body = question({ type: 'SHORT_TEXT' });
    const typed = (await cast.bob.client.questions.createQuestion({ params: { sectionId: first }, body })).body;
    for (const sourceId of [foreign.id, typed.id, first]) {
      expect(await refused(second, { sourceId })).toEqual(['/body/sourceId']);
    }
    expect(await refused(second, { sourceId: 'x' })).toEqual(['/body/sourceId']);
  });

  test('DETAILED_MULTIPLE_CHOICE has no source: it is dropped, and choices are required', async () => {
    const { second, early } = await threeSections();
    const type = 'DETAILED_MULTIPLE_CHOICE';
    expect(await refused(second, { type, sourceId: early.id })).toEqual(['/body/choices']);
    const { body } = await create(second, { type, sourceId: early.id, choices: [{ name: 'a' }] });
    expect('sourceId' in body).toBe(false);
  });

  test('a question cannot take its choices from itself, not even by way of others', async () => {
    const { first, early } = await threeSections();
    const { body: middle } = await create(first, { sourceId: early.id });
    const { body: last } = await create(first, { sourceId: middle.id });
    const path = `/api/sections/${first}/questions/${early.id}`;
    for (const sourceId of [early.id, middle.id, last.id]) {
      const body = { ...question({ type: 'SINGLE_CHOICE' }), sourceId };
      expect(await faultsOf(cast.bob, 'PUT', path, body)).toEqual(['/body/sourceId']);
    }
  });

  test('deleting the source leaves the question, without choices until it is given some', async () => {
    const { formId, first, second, early } = await threeSections();
    const { body: sourced } = await create(second, { sourceId: early.id });
    await cast.bob.client.questions.deleteQuestion({ params: { sectionId: first, questionId: early.id } });
    const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
    const left = listed.flatMap(({ questions }) => questions ?? []).find(({ id }) => id === sourced.id);
    expect(left?.choices).toEqual([]);
    expect(left && 'sourceId' in left).toBe(false);
  });

  test('the type of a source stays one with choices while others take theirs from it', async () => {
    const { first, second, early } = await threeSections();
    await create(second, { sourceId: early.id });
    const path = `/api/sections/${first}/questions/${early.id}`;
    expect(await faultsOf(cast.bob, 'PUT', path, question({ type: 'SHORT_TEXT' }))).toEqual(['/body/type']);
    const ranking = question({ type: 'RANKING', choices: [{ name: 'a' }] });
    expect((await ask(cast.bob, 'PUT', path, ranking)).status).toBe(200);
  });
});
