/** The page that tries the rules of a form: answers decide the path that it shows, and nothing is stored. */
import { expect, test } from 'vitest';
import { newNode, rewire } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { withTable } from '#test/support/faults.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { branchedForm, everyTypeForm } from '#test/support/responses.ts';

const cast = await newCast();

/** Runs a journey and fails if anything is written. */
const withoutWrites = <T>(run: () => Promise<T>): Promise<T> =>
  withTable(
    () => ({
      write: async () => {
        throw new Error('trying rules writes nothing');
      },
    }),
    run,
  );

/** Posts the form of a page with some values changed; returns the next page. */
async function press(path: string, html: string, changes: readonly (readonly [string, string])[]): Promise<string> {
  const names = new Set(changes.map(([name]) => name));
  const shown = fieldsOf(html).filter(([name]) => !names.has(name));
  const response = await pagesOf(cast.bob).post(path, [...shown, ...changes, ['do', 'show']]);
  expect(response.status).toBe(200);
  return response.text();
}

/** A form that asks again or not: only its first question decides. */
async function branched() {
  const kinds = {
    first: [{ type: 'LONG_TEXT' as const, title: 'Again?', required: true }],
    yes: [{ type: 'SHORT_TEXT' as const, title: 'When?', required: true }],
    no: [{ type: 'SHORT_TEXT' as const, title: 'Why not?' }],
    last: [{ type: 'LONG_TEXT' as const, title: 'Anything else?' }],
  };
  const who = { person: cast.alice, slug: cast.slug };
  const form = await branchedForm(who, kinds, { pattern: '^yes' }, { publish: false });
  return { ...form, path: `/build/${form.formId}/rules/try` };
}

/** Counts the sections of the path that a page shows. */
function countOf(html: string): number {
  const [, card = ''] = html.split('role="status"');
  return card.slice(0, card.indexOf('</ol>')).split('<li ').length - 1;
}

test('an answer decides the path, and another one changes it; required questions off the rules are not asked', async () => {
  const { path, asked } = await branched();
  await withoutWrites(async () => {
    let html = await pagesOf(cast.bob).show(path);
    expect([countOf(html), textOf(html)]).toEqual([1, expect.stringContaining('it depends on the answer to “Again?”')]);
    expect(textOf(html)).not.toContain('When?');
    html = await press(path, html, [[`q.${asked}`, 'yes, soon']]);
    expect([countOf(html), textOf(html)]).toEqual([3, expect.stringContaining('Then the form ends.')]);
    // The answer is carried on and can be replaced or cleared.
    expect(new Map(fieldsOf(html)).get(`q.${asked}`)).toBe('yes, soon');
    expect(textOf(await press(path, html, []))).toContain('Then the form ends.');
    html = await press(path, html, [[`q.${asked}`, '']]);
    expect(countOf(html)).toBe(1);
  });
});

test('it waits for storage twice at most, and members only see it', async () => {
  const { path } = await branched();
  const { cost } = await measureCost(() => pagesOf(cast.bob).show(path));
  expect(cost.roundTrips).toBeLessThanOrEqual(2);
  expect((await pagesOf(cast.chelsea).get(path)).status).toBe(404);
  expect((await pagesOf(cast.chelsea).post(path)).status).toBe(404);
});

test('files and accounts on which rules depend are shown and cannot be given', async () => {
  const { formId, byType } = await everyTypeForm(cast.alice, cast.slug);
  for (const type of ['UPLOAD_FILE', 'OAUTH_CONNECT'] as const) {
    const nodeId = await newNode(cast.alice, formId, 'CONDITION');
    const conditionRule = { source: 'NON_CHOICE' as const, question: byType[type].id, pattern: 'a' };
    expect((await rewire(cast.alice, formId, { [nodeId]: { conditionRule } })).status).toBe(200);
  }
  const html = await pagesOf(cast.bob).show(`/build/${formId}/rules/try`);
  expect(html.match(/data-question=/g)).toHaveLength(2);
  expect(textOf(html)).toContain('Not in the preview: nothing is stored here.');
  expect(html).not.toMatch(/type="file"|value="connect:/);
});

test('a form without rules says so and shows its path', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }], []], { publish: false });
  const html = await pagesOf(cast.bob).show(`/build/${formId}/rules/try`);
  expect([countOf(html), textOf(html)]).toEqual([2, expect.stringContaining('everybody takes this path')]);
});

test('no more than 64 KB of answers are carried, the shortest first', async () => {
  const { formId, questionIds } = await newForm(
    cast.alice,
    cast.slug,
    [Array.from({ length: 5 }, () => ({ type: 'LONG_TEXT' as const }))],
    { publish: false },
  );
  for (const question of questionIds) {
    const nodeId = await newNode(cast.alice, formId, 'CONDITION');
    await rewire(cast.alice, formId, { [nodeId]: { conditionRule: { source: 'NON_CHOICE', question, pattern: 'a' } } });
  }
  const path = `/build/${formId}/rules/try`;
  const texts = questionIds.map((id, index) => [`q.${id}`, '水'.repeat(index === 0 ? 10 : 9_000)] as const);
  const html = await press(path, await pagesOf(cast.bob).show(path), texts);
  const kept = new Map(fieldsOf(html)).get('answers') ?? '';
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(65_536);
  const Kept = JSON.parse(kept) as { questionId: string }[];
  expect(Kept).toHaveLength(3);
  expect(Kept[0]?.questionId).toBe(questionIds[0]);
});

test.each([
  '',
  'x',
  '[1]',
  `"${'x'.repeat(70_000)}"`,
])('answers that were changed on the way are dropped: %#', async (answers) => {
  const { path } = await branched();
  const response = await pagesOf(cast.bob).post(path, [['answers', answers]]);
  expect([response.status, countOf(await response.text())]).toEqual([200, 1]);
});
