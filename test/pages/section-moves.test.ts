/** Moving sections on the pages: by one place in the list, behind any other one on their own page, and back. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { reloadStructure } from '#core/structure/store.ts';
import { readWorkflow, rewire } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { type Built, newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

const formWith = (publish = false): Promise<Built> =>
  newForm(
    cast.alice,
    cast.slug,
    ['A', 'B', 'C'].map((title) => [{ type: 'SHORT_TEXT' as const, title }]),
    { publish },
  );
const list = ({ formId }: Built) => `/build/${formId}/questions`;
const pageOf = ({ formId, sectionIds }: Built, index: number) => `/build/${formId}/s/${sectionIds[index]}`;
const readOrder = async (form: Built) =>
  [...(await pagesOf(cast.bob).show(list(form))).matchAll(/>([A-F])<\/a><\/h3>/g)].map(([, title]) => title).join('');
const press = async (form: Built, action: string, index: number) =>
  (await fillIn(cast.bob, list(form), [], `${action}:${form.sectionIds[index]}`)).headers.get('location');
const move = (form: Built, index: number, after: string | undefined) =>
  pagesOf(cast.bob).post(pageOf(form, index), [
    ['place', after ?? ''],
    ['do', 'move'],
  ]);
const readStart = async ({ formId }: Built) =>
  (await reloadStructure(app().table, formId)).structure.nodes.find(({ type }) => type === 'START')?.id;
const undo = async (form: Built) => {
  const offer = /name="undo" value="([^"]+)"/.exec(await pagesOf(cast.bob).show(list(form)))?.[1] ?? '';
  return (await pagesOf(cast.bob).post(`/build/${form.formId}/undo`, [['undo', offer]])).headers.get('location');
};

/** A → B → a rule on B's question → C or the end. */
async function branched(): Promise<Built> {
  const form = await formWith();
  const [, b = '', c = ''] = form.sectionIds;
  const { formId } = form;
  const { id } = (
    await cast.alice.client.workflow.createNode({ params: { formId }, body: { type: 'CONDITION', payload: {} } })
  ).body;
  const end = (await readWorkflow(cast.alice, formId)).workflow.find(({ type }) => type === 'END')?.id ?? '';
  const conditionRule = { source: 'NON_CHOICE' as const, question: form.questionIds[1] ?? '', pattern: 'x' };
  const saved = await rewire(cast.alice, formId, {
    [b]: { next: id },
    [id]: { conditionRule, nextTrue: c, nextFalse: end },
  });
  expect(saved.status).toBe(200);
  return form;
}

describe.each([
  ['of a draft', false],
  ['of a published form, in its changes', true],
])('a section %s', (_name, isPublished) => {
  test('changes places with its neighbours, and the first and the last stay', async () => {
    const form = await formWith(isPublished);
    expect(await press(form, 'section-up', 2)).toBe(`${list(form)}?done=sectionMoved#s-${form.sectionIds[2]}`);
    expect(await readOrder(form)).toBe('ACB');
    await press(form, 'section-down', 0);
    expect(await readOrder(form)).toBe('CAB');
    await press(form, 'section-up', 2);
    await press(form, 'section-down', 1);
    expect(await readOrder(form)).toBe('CAB');
  });

  test('moves behind any other one, once however often the button is pressed, and back', async () => {
    const form = await formWith(isPublished);
    const html = await pagesOf(cast.bob).show(pageOf(form, 2));
    expect(html).toMatch(new RegExp(`<option dir="auto" value="${form.sectionIds[1]}" selected>`));
    const start = await readStart(form);
    const moved = await Promise.all([1, 2].map(() => move(form, 2, start)));
    const location = `${list(form)}?done=sectionMoved#s-${form.sectionIds[2]}`;
    expect(moved.map(({ headers }) => headers.get('location'))).toEqual([location, location]);
    expect(await readOrder(form)).toBe('CAB');
    expect(textOf(await pagesOf(cast.bob).show(list(form)))).toContain('You moved a section.');
    expect(await undo(form)).toMatch(/done=undone#s-/);
    expect(await readOrder(form)).toBe('ABC');
  });
});

test('the page says what becomes of rules, and the list marks one that asks too early', async () => {
  const form = await branched();
  const said = async (index: number) => textOf(await pagesOf(cast.bob).show(pageOf(form, index)));
  expect(await said(0)).not.toMatch(/rules? (leads|asks)|rules behind/);
  expect(await said(1)).toMatch(/rules after it will follow what comes before it now. 1 rule asks for its answers/);
  expect(await said(2)).toMatch(/1 rule leads to it and will lead to what follows it now/);
  const shown = await pagesOf(cast.bob).show(list(form));
  const isOff = (action: string, index: number) =>
    new RegExp(`value="${action}:${form.sectionIds[index]}"[^>]* disabled`).test(shown);
  expect([isOff('section-down', 0), isOff('section-down', 1), isOff('section-up', 2)]).toEqual([false, true, true]);
  const moved = await move(form, 1, form.sectionIds[2]);
  const { info } = await readWorkflow(cast.alice, form.formId);
  expect(info).toEqual([expect.objectContaining({ message: expect.stringContaining('no path') })]);
  const after = await pagesOf(cast.bob).show((moved.headers.get('location') ?? '').replace(/#.*/, ''));
  expect(textOf(after)).toMatch(/given only later.*Rule 1 after “New Section”: it asks for “B”/);
  expect(after).toContain(`<a href="/build/${form.formId}/s/${form.sectionIds[0]}/rules#rule-0">Rule 1 after`);
});

test('a place that is gone or is none is refused with the choice of another one, and the title stays', async () => {
  const form = await formWith();
  const end = (await readWorkflow(cast.alice, form.formId)).workflow.find(({ type }) => type === 'END')?.id;
  for (const place of ['x', end]) {
    const refused = await move(form, 0, place);
    const html = await refused.text();
    expect([refused.status, textOf(html)]).toEqual([409, expect.stringContaining('Choose another place')]);
    expect(fieldsOf(html)).toContainEqual(['title', 'New Section']);
  }
  expect(await readOrder(form)).toBe('ABC');
});

test('no move waits more than three times for storage', async () => {
  const form = await formWith();
  const { cost, result } = await measureCost(() => move(form, 2, form.sectionIds[0]));
  expect([result.status, cost.roundTrips <= 3]).toEqual([303, true]);
});
