/** What a view keeps of the table, by the pages: it is kept, shown, changed and forgotten. */
import { describe, expect, test } from 'vitest';
import { type Built, newCast, newForm, send } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { respond, sent } from '#test/support/responses.ts';

const cast = await newCast();
const pages = pagesOf(cast.bob);

/** A form with a scale, answered 3 by dave and 7 by erin. */
async function scores(): Promise<Built & { score: string }> {
  const scale = { type: 'LINEAR_SCALE', title: 'Score', scale: { minVal: 1, maxVal: 10 } } as const;
  const form = await newForm(cast.alice, cast.slug, [[scale]]);
  const [score = ''] = form.questionIds;
  await respond(cast.dave, form.formId, [sent(score, 'LINEAR_SCALE', 3)]);
  await respond(cast.erin, form.formId, [sent(score, 'LINEAR_SCALE', 7)]);
  return { ...form, score };
}

const rowsOf = (html: string): number =>
  [...html.matchAll(/<tr><th scope="row">(?:<label.*?<\/label>)?<a href="[^"]*" dir="auto">(.*?)<\/a>/g)].length;
const linkTo = (html: string, name: string): string =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
    .find(([, , content = '']) => content.replaceAll(/(?:<[^>]+>|\s)+/g, ' ').trim() === name)?.[1]
    ?.replaceAll('&amp;', '&') ?? `no link: ${name}`;
/** The fields and the address of the form around a text, as a browser would send it. */
function formAround(html: string, content: string): { action: string; fields: [string, string][] } {
  const form = [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(
    ([, , inner = '']) => inner.includes(content),
  );
  const [, action = '', inner = ''] = form ?? [];
  const fields = [...inner.matchAll(/<input [^>]*>/g)].flatMap(([input]): [string, string][] => {
    const [, name = ''] = /name="([^"]*)"/.exec(input) ?? [];
    const isOn = !input.includes('type="checkbox"') || input.includes(' checked');
    return isOn ? [[name, (/value="([^"]*)"/.exec(input)?.[1] ?? 'on').replaceAll('&amp;', '&')]] : [];
  });
  return { action: action.replaceAll('&amp;', '&'), fields };
}
const send303 = async (html: string, content: string, added: [string, string][]): Promise<string> => {
  const { action, fields } = formAround(html, content);
  const names = new Set(added.map(([name]) => name));
  const body = new URLSearchParams([...fields.filter(([name]) => !names.has(name)), ...added]).toString();
  const response = await send('POST', action, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://127.0.0.1:3000',
      cookie: `access_token=${cast.bob.token}`,
    },
    body,
  });
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
};

describe('a view on the pages', () => {
  test('is made of the table as it is shown, and shows that again from the menu and the list of views', async () => {
    const { formId, score } = await scores();
    const shown = await pages.show(`/review/${formId}?min-${score}=5&sort=${score}`);
    expect(rowsOf(shown)).toBe(1);
    const views = await pages.show(linkTo(shown, 'Save as a new view').split('#')[0] ?? '');
    expect(textOf(views)).toContain('Score: at least 5 Order: Score: first to last');
    const made = await send303(views, 'Create view', [['title', 'High scores']]);
    expect(made).toContain(`sort=${score}`);
    const table = await pages.show(made);
    expect(rowsOf(table)).toBe(1);
    // What is shown is what the view keeps, so there is nothing to keep.
    expect(table).not.toContain('Keep this filter');
    expect(table).not.toContain('Save as a new view');
    const all = await pages.show(linkTo(table, 'All questions'));
    expect(rowsOf(all)).toBe(2);
    expect(rowsOf(await pages.show(linkTo(all, 'High scores')))).toBe(1);
    const list = await pages.show(`/review/${formId}/views`);
    expect(textOf(list)).toContain('with a filter or an order');
    expect(rowsOf(await pages.show(linkTo(list, 'Show High scores')))).toBe(1);
    expect(textOf(await pages.show(linkTo(await pages.show(`/review/${formId}/export`), 'High scores')))).toContain(
      'Score at least 5',
    );
  });

  test('has its columns in its order in the table, and is exported so, then the others that are chosen', async () => {
    const { alice, slug, dave } = cast;
    const titles = ['One', 'Two', 'Three', 'Four'];
    const form = await newForm(alice, slug, [titles.map((title) => ({ type: 'SHORT_TEXT', title }))]);
    const { formId, questionIds } = form;
    const [one = '', two = '', three = '', four = ''] = questionIds;
    await respond(dave, formId, [sent(one, 'SHORT_TEXT', 'answer')]);
    const body = { title: 'Backwards', columns: [four, three, one] };
    const { id } = (await cast.bob.client.views.createView({ params: { formId }, body })).body;
    const table = textOf(await pages.show(`/review/${formId}?view=${id}`));
    expect(table).toMatch(/Four .*Three .*One /);
    expect(table).not.toContain(' Two ');
    const columns = [one, two, four].map((column): [string, string] => ['column', column]);
    const file = await pages.post(`/review/${formId}/export?view=${id}`, [...columns, ['format', 'CSV']]);
    expect((await file.text()).split('\r\n')[0]).toBe('Response ID,Submitted at,Respondent,Four,One,Two,Reference');
  });

  test('keeps what is shown now after one press, leads back to it, and forgets it', async () => {
    const { formId, score } = await scores();
    const { id } = (await cast.bob.client.views.createView({ params: { formId }, body: { title: 'Low' } })).body;
    const filtered = await pages.show(`/review/${formId}?view=${id}&max-${score}=5`);
    const kept = await pages.show(await send303(filtered, 'Keep this filter and order in “Low”', [['do', 'keep']]));
    expect([rowsOf(kept), textOf(kept).includes('The view was saved')]).toEqual([1, true]);
    // The second press keeps the same.
    await send303(filtered, 'Keep this filter and order in “Low”', [['do', 'keep']]);
    const other = await pages.show(`/review/${formId}?view=${id}&q=erin`);
    expect(rowsOf(await pages.show(linkTo(other, 'Back to the filter of “Low”')))).toBe(1);
    const view = await pages.show(`/review/${formId}/views/${id}`);
    expect(textOf(view)).toContain('Score: at most 5');
    await send303(view, 'Remove the filter and the order', [['do', 'forget']]);
    expect(textOf(await pages.show(`/review/${formId}/views/${id}`))).not.toContain('Score: at most 5');
    expect((await cast.bob.client.views.getView({ params: { formId, viewId: id } })).body.query).toBeNull();
  });

  test('is made without the filter when its box is not checked, and after a refused name still with it', async () => {
    const { formId, score } = await scores();
    const views = await pages.show(`/review/${formId}/views?max-${score}=5`);
    const { action, fields } = formAround(views, 'Create view');
    await cast.bob.client.views.createView({ params: { formId }, body: { title: 'Taken' } });
    const refused = await pages.post(action, [...fields.filter(([name]) => name !== 'title'), ['title', 'Taken']]);
    expect(refused.status).toBe(400);
    const again = await refused.text();
    expect(textOf(again)).toContain('Score: at most 5');
    const made = await send303(again, 'Create view', [
      ['title', 'Free'],
      ['keep', ''],
    ]);
    expect(made).toContain(`max-${score}=5`);
    const unchecked = formAround(views, 'Create view').fields.filter(([name]) => name !== 'keep' && name !== 'title');
    await pages.post(action, [...unchecked, ['title', 'Plain']]);
    const { body } = await cast.bob.client.views.listViews({ params: { formId } });
    expect(body.map(({ title, query }) => [title, query !== null])).toEqual([
      ['Taken', false],
      ['Free', true],
      ['Plain', false],
    ]);
  });

  test('of a client shows moments within a day, which stay as they are', async () => {
    const { formId } = await scores();
    const query = { filters: [], from: '2026-01-01T00:00:00.000Z', to: '2999-01-01T10:30:00.000Z' };
    await cast.bob.client.views.createView({ params: { formId }, body: { title: 'Until noon', query } });
    const list = await pages.show(`/review/${formId}/views`);
    const href = linkTo(list, 'Show Until noon');
    expect(new URL(href, 'http://x').searchParams.get('to')).toBe('2999-01-01T10:30:00.000Z');
    const table = await pages.show(href);
    expect(rowsOf(table)).toBe(2);
    expect(textOf(table)).toContain('until 2999-01-01 ');
    expect(table).not.toContain('Keep this filter');
  });
});
