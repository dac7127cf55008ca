/** The page of all answers to a question. */
import { expect, test } from 'vitest';
import { measureCost } from '#test/support/cost.ts';
import { newForm } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, choice, pass, readQuestions, respond, sent, store, submissionOf } from '#test/support/responses.ts';

const cast = await castAt();
const pages = pagesOf(cast.bob);

const hrefOf = (html: string, name: string): string =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
    .find(([, , content = '']) => content.replaceAll(/(?:<[^>]+>|\s)+/g, ' ').trim() === name)?.[1]
    ?.replaceAll('&amp;', '&') ?? `no link: ${name}`;

/** A form with a colour and a remark, answered by dave, erin and dave. */
async function answered() {
  const { alice, dave, erin, slug } = cast;
  const form = await newForm(alice, slug, [
    [
      { type: 'SINGLE_CHOICE', title: 'Colour', choices: [{ name: 'Red' }, { name: '', isOther: true }] },
      { type: 'LONG_TEXT', title: 'Remark' },
    ],
  ]);
  const [colour, remark] = await readQuestions(alice, form.formId);
  if (!colour || !remark) throw new Error('a question is missing');
  const colours = [
    [dave, 'Red', undefined, 'x'.repeat(300)],
    [erin, '', 'Mauve', undefined],
    [dave, '', 'mauve', '<b>two</b>'],
    [erin, '', 'Mauve', 'three'],
    [dave, '', 'Teal', 'four'],
  ] as const;
  const ids: string[] = [];
  for (const [who, name, other, words] of colours) {
    const answers = [
      sent(colour.id, 'SINGLE_CHOICE', [choice(colour, name)], other),
      ...(words === undefined ? [] : [sent(remark.id, 'LONG_TEXT', words)]),
    ];
    ids.push(await respond(who, form.formId, answers));
    pass(60);
  }
  return { ...form, colour, remark, ids };
}

test('has each answer in full, newest first, with who gave it, and leads to the response and back', async () => {
  const { formId, remark, ids } = await answered();
  const statistics = await pages.show(`/review/${formId}/statistics`);
  const html = await pages.show(hrefOf(statistics, 'All answers : Remark'));
  const [, list = ''] = /<ul class="rows answers">(.*?)<\/ul>/s.exec(html) ?? [];
  expect([...list.matchAll(/<span class="pre-line" dir="auto">(.*?)<\/span>/g)].map(([, answer]) => answer)).toEqual([
    'four',
    'three',
    '&lt;b&gt;two&lt;/b&gt;',
    'x'.repeat(300),
  ]);
  expect([...list.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(
    [4, 3, 2, 0].map((index) => `/review/${formId}/r/${ids[index]}`),
  );
  expect(hrefOf(html, 'Statistics')).toBe(`/review/${formId}/statistics`);
  expect((await pages.get(`/review/${formId}/q/${formId}`)).status).toBe(404);
  expect((await pagesOf(cast.erin).get(`/review/${formId}/q/${remark.id}`)).status).toBe(403);
});

test('counts what was written for “Other”, equal texts together, in the responses of the filter', async () => {
  const { formId, colour, remark } = await answered();
  const path = `/review/${formId}/q/${colour.id}`;
  expect(textOf(await pages.show(path))).toContain('Written for “Other” Mauve 3 Teal 1');
  const filtered = await pages.show(`${path}?has-${remark.id}=o`);
  expect(textOf(filtered)).toContain('Written for “Other” mauve 1 Teal 1');
  expect(hrefOf(filtered, 'Show these responses')).toBe(`/review/${formId}?has-${remark.id}=o`);
  expect(textOf(await pages.show(`${path}?empty-${colour.id}=1`))).toContain('Nobody has answered this question yet.');
  expect(textOf(await pages.show(`/review/${formId}/q/${remark.id}`))).not.toContain('Written for');
});

test('has pages, whose number does not change what one of them reads', async () => {
  const { alice, dave, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', title: 'Name' }]]);
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
  const [name = ''] = form.questionIds;
  await store(
    Array.from({ length: 120 }, (_, index) => {
      const answers = index % 2 === 0 ? { [name]: { type: 'SHORT_TEXT', value: `Name ${index}` } } : {};
      return { ...submissionOf(form, dave.id, at(index)), answers } as ReturnType<typeof submissionOf>;
    }),
  );
  const names = (html: string) => [...html.matchAll(/dir="auto">(Name \d+)</g)].map(([, each]) => each);
  const { result: first, cost } = await measureCost(() => pages.show(`/review/${form.formId}/q/${name}`));
  expect([names(first).length, names(first)[0], names(first).at(-1)]).toEqual([50, 'Name 118', 'Name 20']);
  const second = await pages.show(hrefOf(first, 'Next page'));
  expect([names(second).length, names(second)[0], names(second).at(-1)]).toEqual([10, 'Name 18', 'Name 0']);
  expect(second).not.toContain('Next page');
  expect(cost.calls).toBeLessThan(20);
  expect((await pages.get(`/review/${form.formId}/q/${name}?cursor=broken`)).status).toBe(400);
});
