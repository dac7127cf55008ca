/** The preview of a form: the pages of respondents on the path that the answers decide, and nothing is stored. */
import { expect, test } from 'vitest';
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
        throw new Error('a preview writes nothing');
      },
    }),
    run,
  );

/** Posts the form of a preview as a browser does: the fields that the page shows, other values for the given ones. */
async function press(path: string, html: string, changes: readonly (readonly [string, string])[], action: string) {
  const names = new Set(changes.map(([name]) => name));
  const shown = fieldsOf(html).filter(([name]) => !names.has(name));
  const response = await pagesOf(cast.bob).post(path, [...shown, ...changes, ['do', action]]);
  expect(response.status).toBe(200);
  return response.text();
}

test('the path follows the answers, forth and back, to the end', async () => {
  const kinds = {
    first: [{ type: 'SHORT_TEXT' as const, title: 'Again?', required: true }],
    yes: [{ type: 'SHORT_TEXT' as const, title: 'When?' }],
    no: [{ type: 'SHORT_TEXT' as const, title: 'Why not?' }],
    last: [{ type: 'LONG_TEXT' as const, title: 'Anything else?' }],
  };
  const who = { person: cast.alice, slug: cast.slug };
  const { formId, asked, yes, last } = await branchedForm(who, kinds, { pattern: '^yes' }, { publish: false });
  const path = `/build/${formId}/preview`;
  await withoutWrites(async () => {
    expect(textOf(await pagesOf(cast.bob).show(path))).toContain('Nothing is stored');
    let html = await (await pagesOf(cast.bob).post(path)).text();
    expect(textOf(html)).toContain('Again?');
    html = await press(path, html, [], 'next');
    expect(html).toContain('data-error-summary');
    html = await press(path, html, [[`q.${asked}`, 'no']], 'next');
    expect(textOf(html)).toContain('Why not?');
    html = await press(path, html, [], 'back');
    expect(new Map(fieldsOf(html)).get(`q.${asked}`)).toBe('no');
    html = await press(path, html, [[`q.${asked}`, 'yes']], 'next');
    expect(textOf(html)).toContain('When?');
    html = await press(path, html, [[`q.${yes[0]}`, 'In <b>June</b>']], 'next');
    html = await press(path, html, [[`q.${last[0]}`, 'No']], 'next');
    expect(textOf(html)).toMatch(/The end of the form.*yes.*In &lt;b&gt;June&lt;\/b&gt;.*No/);
    expect(textOf(html)).not.toContain('Why not?');
    html = await (await pagesOf(cast.bob).post(path, [...fieldsOf(html), ['do', 'submit']])).text();
    expect(textOf(html)).toMatch(/Nothing is stored.*Reference.*yes.*In &lt;b&gt;June&lt;\/b&gt;.*No/);
  });
  const { body } = await cast.alice.client.responses.listResponses({ params: { formId } });
  expect(body.responses).toEqual([]);
});

test('every type is shown; what is missing is said; files and accounts cannot be given', async () => {
  const { formId, byType } = await everyTypeForm(cast.alice, cast.slug);
  const path = `/build/${formId}/preview`;
  const html = await withoutWrites(async () => (await pagesOf(cast.bob).post(path)).text());
  for (const { id } of Object.values(byType)) expect(html).toContain(`data-question="${id}"`);
  expect(textOf(html)).toContain('Not in the preview: nothing is stored here.');
  expect(html).not.toContain('type="file"');
  expect(html).not.toContain('data-autosave');
  expect(html).not.toContain('value="connect:');
  const wrong = await press(path, html, [[`q.${byType.HYPERLINK.id}`, 'no address']], 'next');
  expect(wrong).toContain('data-error-summary');
  expect(new Map(fieldsOf(wrong)).get(`q.${byType.HYPERLINK.id}`)).toBe('no address');
});

test.for([
  ['open', 'Start'],
  ['not-yet', 'opens'],
  ['closed', 'closed'],
  ['archived', 'archived'],
  ['done', 'Reference'],
  ['<script>', 'Start'],
] as const)('the state %s is shown', async ([state, words]) => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  const html = await pagesOf(cast.bob).show(`/build/${formId}/preview?as=${encodeURIComponent(state)}`);
  expect(textOf(html).toLowerCase()).toContain(words.toLowerCase());
});

test('the page after a submit has the closing message and what follows, and leads nowhere else', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]], {
    publish: false,
  });
  const done = () => pagesOf(cast.bob).show(`/build/${formId}/preview?as=done`);
  const plain = await withoutWrites(done);
  expect(plain).not.toMatch(/href="\/(?:r|f)\//);
  expect(textOf(plain)).not.toContain('name@example.org');
  const body = { messageAfterSubmission: 'Come again', sendResponseEmail: true };
  await cast.alice.client.forms.updateForm({ params: { formId }, body });
  expect(textOf(await done())).toMatch(/Come again.*Reference.*name@example\.org.*Which lake\?/);
});

test.for([
  '',
  'x',
  '{}',
  '[{}]',
  '[1]',
  `[${'1,'.repeat(400)}1]`,
  '{"__proto__":[]}',
  '['.repeat(5_000),
])('answers that were changed on the way are dropped: %#', async (answers) => {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  const response = await pagesOf(cast.bob).post(`/build/${formId}/preview`, [
    ['answers', answers],
    ['section', sectionIds[0] ?? ''],
    ['do', 'next'],
  ]);
  expect(response.status).toBe(200);
});

test('only members try a form', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  const pages = pagesOf(cast.chelsea);
  expect((await pages.get(`/build/${formId}/preview`)).status).toBe(403);
  expect((await pages.post(`/build/${formId}/preview`)).status).toBe(403);
});
