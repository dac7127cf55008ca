/** A form's description, and the preview message that is taken from it by default. */
import { beforeAll, expect, test } from 'vitest';
import { draftForm, readFaults, requestAs } from '#test/support/building.ts';
import { type Cast, newCast } from '#test/support/fixtures.ts';
import { doc, link, nested, node, p, text } from '#test/support/rich-text.ts';

let cast: Cast;
let formId: string;
beforeAll(async () => {
  cast = await newCast();
  formId = (await draftForm(cast.alice, cast.slug)).id;
});

const patch = async (body: object) => {
  const result = await requestAs(cast.alice, 'PATCH', `/api/forms/${formId}`, body);
  expect(result.status).toBe(200);
  return result.body;
};
const faults = (description: unknown) => readFaults(cast.alice, 'PATCH', `/api/forms/${formId}`, { description });

test('a document is returned as it was sent, with Tiptap’s names and unknown attributes, and as HTML', async () => {
  const description = doc(
    node('heading', [text('Frogs & "friends"')], { level: 2, id: 'h-1' }),
    node('bulletList', [node('listItem', [p(text('one', { type: 'bold' }), node('hardBreak'), text('two'))])]),
    node('orderedList', [node('listItem', [p(text('<script>'))])], { start: 3, type: null }),
    node('codeBlock', [text('a < b')], { language: null }),
    node('horizontalRule'),
    p(
      text('a link', link('https://example.org/?a=1&b=2', { target: '_blank' })),
      node('variable', undefined, { name: 'NAME' }),
    ),
  );
  expect(await patch({ description })).toMatchObject({
    description,
    descriptionHtml:
      '<h2>Frogs &amp; &quot;friends&quot;</h2><ul><li><p><strong>one</strong><br>two</p></li></ul>' +
      '<ol start="3"><li><p>&lt;script&gt;</p></li></ol><pre><code>a &lt; b</code></pre><hr>' +
      '<p><a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">a link</a>{{NAME}}</p>',
  });
  const read = (await cast.alice.client.forms.getForm({ params: { formId } })).body;
  expect(JSON.stringify(read.description)).toBe(JSON.stringify(description));
});

test.each([
  [null],
  [{ type: 'doc' }],
  [{ type: 'doc', content: [] }],
  [{ type: 'doc', content: null }],
])('null, absent or no content is an empty document with no HTML: %j', async (description) => {
  expect(await patch({ description })).toMatchObject({ description, descriptionHtml: '', previewMessage: '' });
});

test('a string is no description, nor is another root', async () => {
  for (const wrong of ['text', '', 1, [], true, { type: 'paragraph' }, {}]) {
    const [pointer] = await faults(wrong);
    expect(pointer).toMatch(/^\/body\/description(\/type)?$/);
  }
});

test('unknown nodes, unknown marks and links beyond http, https, mailto and #fragment are refused, with a pointer to each', async () => {
  const wrong = doc(
    p(text('fine'), node('image', undefined, { src: 'x' })),
    p(text('x', { type: 'blink' }), text('y', link('javascript:alert(1)')), text('z', link('/relative'))),
  );
  expect(await faults(wrong)).toEqual([
    '/body/description/content/0/content/1/type',
    '/body/description/content/1/content/0/marks/0/type',
    '/body/description/content/1/content/1/marks/0/attrs/href',
    '/body/description/content/1/content/2/marks/0/attrs/href',
  ]);
});

test('a document has at most 64 KB of JSON and 32 levels', async () => {
  const frame = JSON.stringify(doc(p(text('')))).length;
  const largest = doc(p(text('x'.repeat(65_536 - frame))));
  expect((await patch({ description: largest })).description).toEqual(largest);
  expect(await faults(doc(p(text('x'.repeat(65_537 - frame)))))).toEqual(['/body/description']);
  expect((await patch({ description: nested(32) })).description).toEqual(nested(32));
  expect(await faults(nested(33))).toHaveLength(1);
});

test('previewMessage absent or empty is the first 25 graphemes of the description’s text, computed on every read', async () => {
  const family = '👩‍👩‍👧‍👦';
  await patch({ previewMessage: null, description: doc(p(text(`e\u0301${family}`.repeat(20)))) });
  const read = async () => (await cast.alice.client.forms.getForm({ params: { formId } })).body.previewMessage;
  expect(await read()).toBe(`${`e\u0301${family}`.repeat(12)}e\u0301`);
  await patch({ description: doc(p(text('Now the text')), p(text('is quite another one'))) });
  expect(await read()).toBe('Now the text is quite ano');
  await patch({ previewMessage: 'My own' });
  expect(await read()).toBe('My own');
  await patch({ previewMessage: '' });
  expect(await read()).toBe('Now the text is quite ano');
});
