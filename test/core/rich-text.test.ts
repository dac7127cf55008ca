/**
 * Rich text: what is accepted and returned as sent, its HTML and plain text, and what is refused. Attacks and limits are
 * in `rich-text-safety.test.ts`.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { renderHtml } from '#core/rich-text/html.ts';
import { RichText } from '#core/rich-text/model.ts';
import { firstCharacters, plainText, previewText } from '#core/rich-text/text.ts';
import { doc, documents, type Json, link, node, p, readHtml, text, textOf } from '#test/support/rich-text.ts';

const accepts = (value: unknown): boolean => RichText().safeParse(value).success;
const faults = (value: unknown) => RichText().safeParse(value).error?.issues ?? [];
const paths = (value: unknown): string[] => faults(value).map((fault) => fault.path.join('.'));
const valid = (value: unknown): RichText => RichText().parse(value);

describe('the HTML of a document', () => {
  test.each<[string, unknown[], string]>([
    ['a paragraph', [p(text('Hello'))], '<p>Hello</p>'],
    ['an empty paragraph', [{ type: 'paragraph' }], '<p></p>'],
    ...[1, 2, 3, 4, 5, 6].map((level): [string, unknown[], string] => [
      `a heading of level ${level}`,
      [node('heading', [text('T')], { level })],
      `<h${level}>T</h${level}>`,
    ]),
    ['a bullet list', [node('bullet_list', [node('list_item', [p(text('a'))])])], '<ul><li><p>a</p></li></ul>'],
    ['an ordered list', [node('ordered_list', [node('list_item', [p()])])], '<ol><li><p></p></li></ol>'],
    ['an ordered list from 1', [node('ordered_list', [], { order: 1 })], '<ol></ol>'],
    ['an ordered list from 3', [node('ordered_list', [], { order: 3 })], '<ol start="3"></ol>'],
    ['a quotation', [node('blockquote', [p(text('q'))])], '<blockquote><p>q</p></blockquote>'],
    ['code', [node('code_block', [text('a < b\n')])], '<pre><code>a &lt; b\n</code></pre>'],
    ['a rule', [node('horizontal_rule')], '<hr>'],
    ['a line break', [p(text('a'), node('hard_break'), text('b'))], '<p>a<br>b</p>'],
    ['a variable', [p(node('variable', undefined, { name: 'NAME' }))], '<p>{{NAME}}</p>'],
    ['bold', [p(text('x', { type: 'bold' }))], '<p><strong>x</strong></p>'],
    ['italic', [p(text('x', { type: 'italic' }))], '<p><em>x</em></p>'],
    ['underline', [p(text('x', { type: 'underline' }))], '<p><u>x</u></p>'],
    ['strike', [p(text('x', { type: 'strike' }))], '<p><s>x</s></p>'],
    ['a code mark', [p(text('x', { type: 'code' }))], '<p><code>x</code></p>'],
    [
      'a link',
      [p(text('x', link('https://a.test/?b&c', { title: 'T', target: '_blank', class: 'c' })))],
      '<p><a href="https://a.test/?b&amp;c" title="T" rel="noopener noreferrer nofollow" target="_blank">x</a></p>',
    ],
    [
      'a link with a bold word in it, as one link',
      [p(text('a ', link('#f')), text('b', link('#f'), { type: 'bold' }), text('c', { type: 'bold' }))],
      '<p><a href="#f" rel="noopener noreferrer nofollow">a <strong>b</strong></a><strong>c</strong></p>',
    ],
    [
      'marks in their order, the first outermost',
      [p(text('a', { type: 'italic' }, { type: 'bold' }), text('b', { type: 'bold' }, { type: 'italic' }))],
      '<p><em><strong>a</strong></em><strong><em>b</em></strong></p>',
    ],
  ])('renders %s', (_, content, html) => {
    expect(renderHtml(valid(doc(...content)))).toBe(html);
  });

  it('is empty for null, for no content and for an empty content', () => {
    const empty: (RichText | null)[] = [null, { type: 'doc' }, { type: 'doc', content: null }, doc()];
    expect(empty.map((document) => renderHtml(document && valid(document)))).toEqual(['', '', '', '']);
    expect(empty.map((document) => plainText(document))).toEqual(['', '', '', '']);
  });

  it("is the same for Tiptap's names, which are returned as they were sent", () => {
    const list = (names: string[], start: Json) =>
      doc(
        node(names[0] ?? '', [node(names[2] ?? '', [p(text('a'), node(names[5] ?? ''))])]),
        node(names[1] ?? '', [node(names[2] ?? '')], start),
        node(names[3] ?? '', [text('c')]),
        node(names[4] ?? ''),
      );
    const snake = ['bullet_list', 'ordered_list', 'list_item', 'code_block', 'horizontal_rule', 'hard_break'];
    const camel = ['bulletList', 'orderedList', 'listItem', 'codeBlock', 'horizontalRule', 'hardBreak'];
    const sent = list(camel, { start: 4, type: null });
    expect(valid(sent)).toEqual(sent);
    expect(renderHtml(valid(sent))).toBe(renderHtml(valid(list(snake, { order: 4 }))));
    expect(plainText(sent)).toBe(plainText(list(snake, { order: 4 })));
  });
});

describe('any valid document', () => {
  it('is returned exactly as it was sent', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const sent = JSON.stringify(document);
        expect(valid(JSON.parse(sent))).toStrictEqual(JSON.parse(sent));
      }),
    );
  });

  it('has exactly its text in well-formed HTML and in its plain text', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(readHtml(renderHtml(document))).toBe(textOf(document));
        expect(plainText(document).replaceAll('\n', '')).toBe(textOf(document).replaceAll('\n', ''));
      }),
    );
  });
});

describe('what is refused', () => {
  test.each<[string, unknown, string[]]>([
    ['a node that does not exist', doc(node('image')), ['content.0.type']],
    ['a document in a document', doc(doc()), ['content.0.type']],
    ['text without a paragraph', doc(text('a')), ['content.0.type']],
    ['a list item without a list', doc(node('list_item')), ['content.0.type']],
    ['a paragraph straight in a list', doc(node('bullet_list', [p()])), ['content.0.content.0.type']],
    ['a block in a paragraph', doc(p(p())), ['content.0.content.0.type']],
    ['a line break in code', doc(node('code_block', [node('hard_break')])), ['content.0.content.0.type']],
    ['content in a rule', doc(node('horizontal_rule', [p()])), ['content.0.content']],
    ['a heading without a level', doc(node('heading')), ['content.0.attrs.level']],
    ['a heading of level 7', doc(node('heading', [], { level: 7 })), ['content.0.attrs.level']],
    ['a heading of level "2"', doc(node('heading', [], { level: '2' })), ['content.0.attrs.level']],
    ['a list from 1.5', doc(node('orderedList', [], { start: 1.5 })), ['content.0.attrs.start']],
    ['a variable without a name', doc(p(node('variable'))), ['content.0.content.0.attrs.name']],
    ['an empty text', doc(p(text(''))), ['content.0.content.0.text']],
    ['half of a surrogate pair', doc(p(text('\ud83d'))), ['content.0.content.0.text']],
    [
      "ProseMirror's strong",
      doc(p(text('a', { type: 'bold' }, { type: 'strong' }))),
      ['content.0.content.0.marks.1.type'],
    ],
    ['a mark set twice', doc(p(text('a', link('#a'), link('#b')))), ['content.0.content.0.marks.1.type']],
    ['a mark on a block', doc({ ...p(), marks: [{ type: 'bold' }] }), ['content.0.marks']],
    [
      'a link to elsewhere than _blank',
      doc(p(text('a', link('#', { target: 'x' })))),
      ['content.0.content.0.marks.0.attrs.target'],
    ],
    ['a link without an address', doc(p(text('a', { type: 'link' }))), ['content.0.content.0.marks.0.attrs.href']],
    ['attributes that are no object', doc({ ...p(), attrs: 'a' }), ['content.0.attrs']],
    ['content that is no array', doc({ ...p(), content: {} }), ['content.0.content']],
    ['a number beyond JSON', JSON.parse('{"type":"doc","content":[],"n":1e999}'), ['n']],
    ['another root', { type: 'paragraph' }, ['type']],
  ])('names the place of %s', (_, document, places) => {
    expect(paths(document)).toEqual(places);
  });

  it('reports all faults at once, but no more than 20', () => {
    expect(paths(doc(p(text('')), 7, node('heading'), node('x')))).toEqual([
      'content.0.content.0.text',
      'content.1',
      'content.2.attrs.level',
      'content.3.type',
    ]);
    expect(faults(doc(...Array.from({ length: 500 }, () => node('x'))))).toHaveLength(20);
  });

  it.each([
    ['<p>Hello</p>'],
    ['{"type":"doc"}'],
    [''],
    [5],
    [[]],
    [true],
  ])('refuses %j with one clear message', (value) => {
    const result = RichText().nullable().safeParse(value);
    expect(result.error?.issues.map((issue) => issue.message)).toEqual([
      'must be a rich-text document (an object whose type is doc) or null',
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('has no node and no mark named %s', (type) => {
    expect(paths(doc({ type }, p(text('a', { type }))))).toEqual([
      'content.0.type',
      'content.1.content.0.marks.0.type',
    ]);
    expect(renderHtml(doc({ type }, p(text('a', { type }))))).toBe('<p>a</p>');
    expect(accepts(JSON.parse('{"type":"doc","content":[{"__proto__":{"type":"paragraph"}}]}'))).toBe(false);
    expect(accepts(JSON.parse('{"type":"doc","content":[{"type":"paragraph","attrs":{"__proto__":{}}}]}'))).toBe(false);
  });

  it('takes null for what an editor leaves empty, and keeps unknown attributes', () => {
    const sent = doc(
      { type: 'paragraph', content: null, marks: null, attrs: null, id: 'x' },
      node('ordered_list', [], { order: null }),
    );
    expect(valid(sent)).toEqual(sent);
  });
});

describe('the plain text of a document', () => {
  it('has a line for each block of text, line breaks as lines, and variables by name', () => {
    const document = doc(
      node('heading', [text('Title')], { level: 1 }),
      p(text('Dear '), node('variable', undefined, { name: 'NAME' }), node('hard_break'), text('welcome', link('#'))),
      p(),
      node('horizontal_rule'),
      node('bulletList', [node('listItem', [p(text('one'))]), node('listItem', [p(text('two')), p(text('three'))])]),
      node('blockquote', [node('code_block', [text('a\nb')])]),
    );
    expect(plainText(valid(document))).toBe('Title\nDear {{NAME}}\nwelcome\n\none\ntwo\nthree\na\nb');
  });

  it('previews on one line, with every run of white space as one space', () => {
    const document = doc(p(text('  one \t two')), p(), p(text('three'), node('hard_break'), text('four five six')));
    expect(previewText(document, 25)).toBe('one two three four five s');
    expect(previewText(document, 1_000)).toBe('one two three four five six');
    expect(previewText(null, 25)).toBe('');
  });

  it.each([
    ['問卷調查', 2, '問卷'],
    ['👨‍👩‍👧‍👦🇹🇼e\u0301n', 3, '👨‍👩‍👧‍👦🇹🇼e\u0301'],
    ['ab', 2, 'ab'],
    ['ab', 5, 'ab'],
    ['ab', 0, ''],
    ['', 3, ''],
  ])('counts the characters of %j as a person does', (words, count, beginning) => {
    expect(firstCharacters(words, count)).toBe(beginning);
  });
});
