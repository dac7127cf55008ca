/** What the pages of one form cost: how often they wait for storage, and how much a browser loads for them. */
import { beforeAll, expect, test } from 'vitest';
import { measureCost } from '#test/support/cost.ts';
import { type Built, type Cast, newCast, newForm, send } from '#test/support/fixtures.ts';
import { listAuthorPages, newLargeForm } from '#test/support/large-form.ts';
import { fieldsOf, pagesOf } from '#test/support/pages.ts';

let cast: Cast;
let form: Built;
beforeAll(async () => {
  cast = await newCast();
  form = await newLargeForm(cast.alice, cast.slug);
});

/** Loads a path as a browser does, which takes Brotli. */
async function load(path: string): Promise<{ html: string; bytes: number }> {
  const headers = { cookie: `access_token=${cast.alice.token}`, 'accept-encoding': 'br' };
  const response = await send('GET', path, { headers });
  expect([path, response.status, response.headers.get('content-encoding')]).toEqual([path, 200, 'br']);
  const [body, html] = await Promise.all([response.arrayBuffer(), pagesOf(cast.alice).get(path)]);
  return { html: await html.text(), bytes: body.byteLength };
}

/** Of a first visit in bytes, and of that the scripts; the editor has more. */
const LIMITS = { page: 60_000, scripts: 12_000 };
const EDITOR_LIMITS = { page: 80_000, scripts: 30_000 };

test('no page waits for storage more than twice, or is larger on a first visit than it may be', async () => {
  for (const [name, path] of listAuthorPages(form)) {
    const { cost } = await measureCost(() => pagesOf(cast.alice).show(path));
    const { html, bytes } = await load(path);
    const links = new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, link = '']) => link));
    const assets = await Promise.all([...links].map(async (link) => [link, (await load(link)).bytes] as const));
    const sum = (ending: string) =>
      assets.filter(([link]) => link.endsWith(ending)).reduce((total, [, size]) => total + size, 0);
    expect([name, cost.roundTrips <= 2]).toEqual([name, true]);
    const limits = html.includes('data-editor') ? EDITOR_LIMITS : LIMITS;
    expect([name, sum('.css') > 0, sum('.js') > 0, sum('.js') <= limits.scripts]).toEqual([name, true, true, true]);
    expect([name, bytes + sum('') <= limits.page]).toEqual([name, true]);
  }
});

type Edit = readonly [page: string, action: string, changes: Record<string, string>];

test('no edit waits for storage more than three times', async () => {
  const { alice, slug } = cast;
  const [choices, more] = [
    [{ name: 'a' }, { name: 'b' }],
    [{ type: 'SHORT_TEXT' as const }, { type: 'SHORT_TEXT' as const }],
  ];
  for (const publish of [false, true]) {
    const { formId, sectionIds, questionIds } = await newForm(
      alice,
      slug,
      [[{ type: 'SINGLE_CHOICE', choices }, ...more], [], []],
      { publish },
    );
    const [section, other] = sectionIds;
    const [question, last] = [questionIds[0], questionIds[2]];
    const edits: Edit[] = [
      ['/questions', `section:${section}`, {}],
      ['/questions', `copy-section:${section}`, {}],
      ['/questions', `section-down:${section}`, {}],
      ['/questions', `copy:${question}`, {}],
      ['/questions', `down:${question}`, {}],
      ['/questions/order', 'save', { [`n.${question}`]: '2' }],
      [`/s/${section}`, 'save', { title: 'Lakes' }],
      [`/s/${section}`, 'move', { place: other ?? '' }],
      [`/s/${section}/new?type=SHORT_TEXT`, 'save', { title: 'Why?' }],
      [`/q/${question}`, 'save', { title: 'Which?' }],
      [`/q/${question}`, 'move', { place: `${other}:` }],
      [`/q/${question}/choices`, 'save', { choices: 'a\nb\nc' }],
      [`/q/${last}/delete`, 'delete', {}],
      [`/s/${section}/rules?as=rows`, 'save', {}],
      [`/s/${other}/delete`, 'delete', {}],
      ['/settings', 'save', { title: 'Rivers' }],
      ['/look', 'save', { color: '#336699' }],
      ['/share', 'prefillLink', {}],
      ['/share', 'audience', { audience: 'ANYONE' }],
      ['', 'duplicate', {}],
      ...(publish
        ? ([
            ['/changes', 'publish', {}],
            ['', 'close', {}],
            ['', 'archive', {}],
            ['', 'unarchive', {}],
          ] as const)
        : ([['', 'publish', {}]] as const)),
    ];
    for (const [page, action, changes] of edits) {
      const path = `/build/${formId}${page}`;
      const shown = fieldsOf(await pagesOf(alice).show(path)).filter(([name]) => !Object.hasOwn(changes, name));
      const fields = [...shown, ...Object.entries(changes), ['do', action] as const];
      const { cost, result } = await measureCost(() => pagesOf(alice).post(path.replace(/\?.*/, ''), fields));
      const isDone = action === 'prefillLink' ? 200 : 303;
      expect([page, action, result.status, cost.roundTrips <= 3]).toEqual([page, action, isDone, true]);
    }
  }
});
