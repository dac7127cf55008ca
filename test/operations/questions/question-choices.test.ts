/** The identity of choices across updates, and choices taken from another question. */
import { describe, expect, test } from 'vitest';
import { draftForm, newNode, readFaults, readWorkflow, requestAs } from '#test/support/building.ts';
import { linkInOrder, newCast, question } from '#test/support/fixtures.ts';

const cast = await newCast();

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

  test('an id sent twice is 400', async () => {
    const { red, path } = await colours();
    const choices = [
      { id: red, name: 'a' },
      { id: red, name: 'b' },
    ];
    expect(await readFaults(cast.bob, 'PUT', path, question({ type: 'SINGLE_CHOICE', choices }))).toEqual([
      '/body/choices/1/id',
    ]);
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
    requestAs(cast.bob, 'POST', `/api/sections/${sectionId}/questions`, {
      ...question({ type: 'SINGLE_CHOICE' }),
      ...body,
    });
  const refused = (sectionId: string, body: object) =>
    readFaults(cast.bob, 'POST', `/api/sections/${sectionId}/questions`, {
      ...question({ type: 'SINGLE_CHOICE' }),
      ...body,
    });

  test.each(SOURCED)('a %s question may take its choices from one in an earlier or the same section', async (type) => {
    const { first, second, early } = await threeSections();
    for (const sectionId of [first, second]) {
      const { status, body } = await create(sectionId, { type, sourceId: early.id, choices: null });
      expect(status).toBe(201);
      expect(body).toMatchObject({ sourceId: early.id, choices: [] });
    }
  });

  test('choices and sourceId together are 400; neither is 400', async () => {
    const { second, early } = await threeSections();
    expect(await refused(second, { sourceId: early.id, choices: [{ name: 'a' }] })).toEqual(['/body/sourceId']);
    expect(await refused(second, {})).toEqual(['/body/choices']);
    expect((await create(second, { sourceId: early.id, choices: [] })).status).toBe(201);
  });

  test('a source in a later section, or in one that is not linked, is accepted and reported in info', async () => {
    const { formId, first, second, aside, late } = await threeSections();
    const alone = await choiceQuestion(aside);
    expect((await create(first, { sourceId: late.id })).status).toBe(201);
    expect((await create(second, { sourceId: alone.id })).status).toBe(201);
    expect((await create(aside, { sourceId: alone.id })).status).toBe(201);
    const { info } = await readWorkflow(cast.bob, formId);
    expect(info.map(({ type, nodeId }) => [type, nodeId])).toEqual([
      ['graph_validation_failed', first],
      ['graph_validation_failed', second],
      ['node_validation_failed', aside],
    ]);
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
      expect(await readFaults(cast.bob, 'PUT', path, body)).toEqual(['/body/sourceId']);
    }
  });

  test('a question keeps the source that is deleted, can be sent back as it is, and is reported in info', async () => {
    const { formId, first, second, early } = await threeSections();
    const { body: sourced } = await create(second, { sourceId: early.id });
    await cast.bob.client.questions.deleteQuestion({ params: { sectionId: first, questionId: early.id } });
    const read = async () => {
      const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
      return listed.flatMap(({ questions }) => questions ?? []).find(({ id }) => id === sourced.id);
    };
    const left = await read();
    expect(left).toEqual(sourced);
    const { status, body } = await requestAs(cast.bob, 'PUT', `/api/sections/${second}/questions/${sourced.id}`, left);
    expect({ status, body }).toEqual({ status: 200, body: { ...sourced, updatedAt: body.updatedAt } });
    const { info } = await readWorkflow(cast.bob, formId);
    expect(info.find(({ nodeId }) => nodeId === second)?.type).toBe('node_validation_failed');
  });

  test('the type of a source stays one with choices while others take theirs from it', async () => {
    const { first, second, early } = await threeSections();
    await create(second, { sourceId: early.id });
    const path = `/api/sections/${first}/questions/${early.id}`;
    expect(await readFaults(cast.bob, 'PUT', path, question({ type: 'SHORT_TEXT' }))).toEqual(['/body/type']);
    const ranking = question({ type: 'RANKING', choices: [{ name: 'a' }] });
    expect((await requestAs(cast.bob, 'PUT', path, ranking)).status).toBe(200);
  });
});
