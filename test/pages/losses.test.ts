/** What pages say before something is deleted or replaced: the answers, rules and questions that depend on it. */
import { describe, expect, test } from 'vitest';
import { rewire } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { choosing, newPoll, type Poll, seedSubmissions } from '#test/support/counts.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { respond, start } from '#test/support/responses.ts';

const cast = await newCast();

/** Two questions about colours: two responses and a draft chose green in the first one, one response red. */
async function answeredPoll(): Promise<Poll> {
  const poll = await newPoll(cast);
  await respond(cast.dave, poll.formId, [choosing(poll, 0, [0, 1])]);
  await respond(cast.erin, poll.formId, [choosing(poll, 0, [1])]);
  await start(cast.alice, poll.formId, [choosing(poll, 0, [1])]);
  return poll;
}

/** Adds a rule that asks for a choice of the first question. */
async function addRule({ formId, sectionIds, questions }: Poll, chosen: number): Promise<void> {
  const { client } = cast.alice;
  const { body } = await client.workflow.createNode({ params: { formId }, body: { type: 'CONDITION', payload: {} } });
  const conditionRule = {
    source: 'CHOICE' as const,
    question: questions[0]?.id ?? '',
    pattern: `^${questions[0]?.choiceIds[chosen]}$`,
  };
  const [first = ''] = sectionIds;
  const { workflow } = (await client.workflow.getWorkflow({ params: { formId } })).body;
  const end = workflow.find(({ type }) => type === 'END')?.id ?? '';
  const links = { [first]: { next: body.id }, [body.id]: { conditionRule, nextTrue: end, nextFalse: end } };
  expect((await rewire(cast.alice, formId, links)).status).toBe(200);
}

const pageOf = ({ formId, questions }: Poll, rest = '') => `/build/${formId}/q/${questions[0]?.id}${rest}`;
const show = async (path: string) => textOf(await pagesOf(cast.bob).show(path));
const offer = async (poll: Poll) =>
  fieldsOf(await pagesOf(cast.bob).show(pageOf(poll))).flatMap(([name, value]) =>
    name === 'choice.name' ? [value] : [],
  );

/** Saves the first question without some of its choices, once more after what that says; the texts that were said. */
async function saveWithout(poll: Poll, names: readonly string[], changes: [string, string][] = []) {
  const pages = pagesOf(cast.bob);
  const rows = fieldsOf(await pages.show(pageOf(poll)));
  const offered = rows.flatMap(([name, value]) => (name === 'choice.name' ? [value] : []));
  const replaced = new Set(changes.map(([name]) => name));
  const isKept = ([name]: [string, string], row: number) =>
    name.startsWith('choice.') ? !names.includes(offered[row] ?? '') : !replaced.has(name);
  const rowOf = (index: number) => rows.slice(0, index).filter(([name]) => name === rows[index]?.[0]).length;
  const fields = [...rows.filter((field, index) => isKept(field, rowOf(index))), ...changes];
  const first = await measureCost(() => pages.post(pageOf(poll), fields));
  expect(first.cost.roundTrips).toBeLessThanOrEqual(3);
  if (first.result.status === 303) return undefined;
  const html = await first.result.text();
  expect(first.result.status).toBe(409);
  expect((await pages.post(pageOf(poll), fieldsOf(html))).status).toBe(303);
  return textOf(html);
}

describe('a page before a deletion', () => {
  test('says how many responses answer a question', async () => {
    const poll = await answeredPoll();
    await addRule(poll, 0);
    expect(await show(pageOf(poll, '/delete'))).toMatch(
      /3 responses answer it. The answers stay in the table.*1 rule asks for it and must be changed.*: If “Light\?” is “red”, go to /,
    );
    const other = `/build/${poll.formId}/q/${poll.questions[1]?.id}/delete`;
    expect(await show(other)).toContain('The question has no answers.');
    const { cost } = await measureCost(() => show(pageOf(poll, '/delete')));
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
  });

  test('says which questions of a section are answered, and which ones elsewhere take choices from it', async () => {
    const poll = await answeredPoll();
    await addRule(poll, 1);
    const { formId, sectionIds, questions } = poll;
    const list = `/build/${formId}/questions`;
    const added = await fillIn(cast.bob, list, [], `section:${sectionIds[0]}`);
    const sectionId = /\/s\/([^?]+)/.exec(added.headers.get('location') ?? '')?.[1];
    const typed: [string, string][] = [
      ['title', 'Which of these?'],
      ['sourceId', questions[0]?.id ?? ''],
    ];
    expect((await fillIn(cast.bob, `/build/${formId}/s/${sectionId}/new?type=RANKING`, typed)).status).toBe(303);
    const page = `/build/${formId}/s/${sectionIds[0]}/delete`;
    expect(await show(page)).toMatch(
      /2 questions are deleted with it; 1 has answers. “Light\?”: 3 responses answer it. .*1 rule asks for it.*: If “Light\?” is “green”, go to .*Questions in other sections take their choices.*: Which of these\?/,
    );
    const { cost } = await measureCost(() => show(page));
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
  });

  test('says how many responses a form has if they are too many to be read', async () => {
    const poll = await answeredPoll();
    await seedSubmissions(poll, 200, cast.erin.id);
    expect(await show(pageOf(poll, '/delete'))).toMatch(/has answers in a form with \d+ responses/);
    expect(await saveWithout(poll, ['blue'])).toContain('blue – perhaps with answers');
  });
});

describe('a question that loses', () => {
  test('choices with answers or rules is stored when that was seen', async () => {
    const poll = await answeredPoll();
    await addRule(poll, 0);
    const said = await saveWithout(
      poll,
      ['red', 'green', 'blue'],
      [
        ['choice.name', 'grey'],
        ['choice.id', ''],
        ['choice.other', ''],
        ['choice.description', ''],
      ],
    );
    expect(said).toMatch(
      /These choices will be removed: red – 1 answer – 1 rule names it green – 3 answers blue Answers that chose them/,
    );
    expect(await offer(poll)).toEqual(['grey']);
  });

  test('a choice that no rule names is stored at once while nobody has answered', async () => {
    const poll = await newPoll(cast);
    await addRule(poll, 0);
    expect(await saveWithout(poll, ['blue'])).toBeUndefined();
    expect(await offer(poll)).toEqual(['red', 'green']);
  });

  test('its own choices to a source is stored when that was seen', async () => {
    const poll = await newPoll(cast);
    await addRule(poll, 1);
    const said = await saveWithout(poll, [], [['sourceId', poll.questions[1]?.id ?? '']]);
    expect(said).toMatch(/These choices will be removed: red green – 1 rule names it blue/);
  });

  test('its type while a rule asks for it is stored when that was seen', async () => {
    const { formId, questionIds, sectionIds } = await newForm(
      cast.alice,
      cast.slug,
      [[{ type: 'SINGLE_CHOICE', choices: [{ name: 'a' }] }]],
      { publish: false },
    );
    const poll = { formId, sectionIds, questionIds, questions: [{ id: questionIds[0] ?? '', choiceIds: ['x'] }] };
    expect(await saveWithout(poll, [], [['type', 'MULTIPLE_CHOICE']])).toBeUndefined();
    await addRule(poll, 0);
    expect(await saveWithout(poll, [], [['type', 'SHORT_TEXT']])).toMatch(/1 rule asks for this question.*Save anyway/);
    expect(await saveWithout(poll, [], [['title', 'Changed']])).toBeUndefined();
  });

  test('all its choices, by another type or a source, is stored when that was seen, also in a draft without rules', async () => {
    for (const change of ['type', 'sourceId'] as const) {
      const poll = await newPoll(cast);
      const value = change === 'type' ? 'SHORT_TEXT' : (poll.questions[1]?.id ?? '');
      const said = await saveWithout(poll, [], [[change, value]]);
      expect(said).toMatch(/These choices will be removed: red green blue .*Save anyway/);
    }
  });

  test('choices in a pasted text says which of them have answers or rules', async () => {
    const poll = await answeredPoll();
    await addRule(poll, 0);
    const response = await fillIn(cast.bob, pageOf(poll, '/choices'), [['choices', 'grey']]);
    expect([response.status, textOf(await response.text())]).toEqual([
      409,
      expect.stringMatching(
        /These choices will be removed: red – 1 answer – 1 rule names it green – 3 answers blue Answers/,
      ),
    ]);
  });
});
