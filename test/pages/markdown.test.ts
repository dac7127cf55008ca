/** Rich text as Markdown: what authors type becomes a document, and what it shows can be edited again without a loss. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadMarkdown } from '#core/pages/builder/load-markdown.ts';
import { findMarkdownFault } from '#core/pages/builder/markdown-limits.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import { RichText } from '#core/rich-text/model.ts';

const { parseMarkdown, writeMarkdown } = loadMarkdown();

test.each([
  ['plain', '<p>plain</p>'],
  ['Two\nlines', '<p>Two<br>lines</p>'],
  ['Two\n\nparagraphs', '<p>Two</p><p>paragraphs</p>'],
  ['**bold**, *italic* and `code`', '<p><strong>bold</strong>, <em>italic</em> and <code>code</code></p>'],
  ['***both***', '<p><em><strong>both</strong></em></p>'],
  ['- one\n- two\n  1. three', '<ul><li><p>one</p></li><li><p>two</p><ol><li><p>three</p></li></ol></li></ul>'],
  ['3. three\n4. four', '<ol start="3"><li><p>three</p></li><li><p>four</p></li></ol>'],
  ['## Heading', '<h2>Heading</h2>'],
  ['> quoted', '<blockquote><p>quoted</p></blockquote>'],
  ['```\na < b\n```', '<pre><code>a &lt; b</code></pre>'],
  ['above\n\n---', '<p>above</p><hr>'],
  ['++under++, ~~struck~~ and ~~++both++~~', '<p><u>under</u>, <s>struck</s> and <u><s>both</s></u></p>'],
  ['++**bold**\nline++', '<p><strong><u>bold</u></strong><br><u>line</u></p>'],
  ['Dear {{NAME}}, **{{first.name}}**', '<p>Dear {{NAME}}, <strong>{{first.name}}</strong></p>'],
  [
    '[++a++](https://example.org/b++c++d)',
    '<p><a href="https://example.org/b++c++d" rel="noopener noreferrer nofollow"><u>a</u></a></p>',
  ],
  ['`++a++ {{b}}`', '<p><code>++a++ {{b}}</code></p>'],
  ['~~~\n~~a~~\n~~~', '<pre><code>~~a~~</code></pre>'],
  ['C++ and D++; i++ ++ ~~ a+++b+++ ~~~', '<p>C++ and D++; i++ ++ ~~ a+++b+++ ~~~</p>'],
  ['\\++a++ \\{{b}} {{}} {{a b}}', '<p>++a++ {{b}} {{}} {{a b}}</p>'],
  // What the format does not have, and what it forbids, stays text.
  ['Title\n---', '<p>Title</p><hr>'],
  ['<b>bold</b>', '<p>&lt;b&gt;bold&lt;/b&gt;</p>'],
  ['[run](javascript:alert(1))', '<p>[run](javascript:alert(1))</p>'],
  ['| a | b |\n|---|---|', '<p>| a | b |<br>|---|---|</p>'],
  ['    indented', '<p>indented</p>'],
  ['1 * 2 * 3 and snake_case_name', '<p>1 * 2 * 3 and snake_case_name</p>'],
  ['\\*not italic\\*', '<p>*not italic*</p>'],
])('%j is shown as %s', (text, html) => {
  expect(renderHtml(parseMarkdown(text))).toBe(html);
});

test('a link opens its address', () => {
  expect(renderHtml(parseMarkdown('[the *lake*](https://example.org/a?b=1&c)'))).toMatch(
    /<a href="https:\/\/example\.org\/a\?b=1&amp;c"[^>]*>the <em>lake<\/em><\/a>/,
  );
});

const SIGNS = [
  'a',
  'b c',
  '水',
  '🐸',
  '*',
  '**',
  '_',
  '`',
  '``',
  '```',
  '\n',
  '\n\n',
  '- ',
  '+ ',
  '1. ',
  '2) ',
  '> ',
  '# ',
];
const MORE = [
  '    ',
  '  ',
  '\\',
  '[',
  ']',
  '(https://x.org)',
  '(',
  '&amp;',
  '&',
  '<',
  '>',
  '!',
  '~',
  '~~',
  '++',
  '+',
  '{{NAME}}',
  '{',
  '}}',
  '---',
  '.',
  '"',
  '\t',
  '=',
];
const typed = fc.array(fc.constantFrom(...SIGNS, ...MORE), { maxLength: 30 }).map((pieces) => pieces.join(''));

test('whatever is typed is a valid document, which can be edited again without a difference', () => {
  fc.assert(
    fc.property(typed, (text) => {
      const document = parseMarkdown(text);
      expect(document === null || RichText().safeParse(document).success).toBe(true);
      const written = writeMarkdown(document);
      expect(renderHtml(parseMarkdown(written ?? 'lost'))).toBe(renderHtml(document));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [[{ type: 'variable', attrs: { name: 'NAME' } }], '{{NAME}}'],
  [[{ type: 'text', text: 'a', marks: [{ type: 'underline' }] }], '++a++'],
  [[{ type: 'text', text: 'a', marks: [{ type: 'strike' }, { type: 'bold' }] }], '~~**a**~~'],
  [
    [
      { type: 'text', text: '1+', marks: [] },
      { type: 'text', text: '+2', marks: [{ type: 'underline' }] },
    ],
    '1\\+++\\+2++',
  ],
  [[{ type: 'text', text: 'C++, ~~ {{x}}' }], 'C\\++, \\~~ \\{{x}}'],
])('%j is written as %s and read back', (content, written) => {
  const document = { type: 'doc', content: [{ type: 'paragraph', content }] } as RichText;
  const text = writeMarkdown(document) ?? '';
  expect(text.replaceAll('\\', '')).toBe(written.replaceAll('\\', ''));
  expect(renderHtml(parseMarkdown(text)).replace(/<strong><s>a<.s><.strong>/, '<s><strong>a</strong></s>')).toBe(
    renderHtml(document),
  );
});

test.each([
  ['a variable with spaces', { type: 'paragraph', content: [{ type: 'variable', attrs: { name: 'MY NAME' } }] }],
  [
    'a variable with more than a name',
    { type: 'paragraph', content: [{ type: 'variable', attrs: { name: 'A', of: 1 } }] },
  ],
  ['aligned text', { type: 'paragraph', attrs: { textAlign: 'right' }, content: [{ type: 'text', text: 'a' }] }],
])('%s cannot be edited as Markdown', (_what, node) => {
  expect(writeMarkdown({ type: 'doc', content: [node] } as RichText)).toBeUndefined();
});

test.each([
  ['++a'],
  ['~~'],
  ['{{'],
  ['> '],
  ['- '],
  ['**a'],
  ['[a]('],
  ['_a*b '],
])('a long text of %j is parsed or stays text', (sign) => {
  const text = sign.repeat(20_000 / sign.length);
  expect(JSON.stringify(parseMarkdown(text))).toContain(sign.trim());
  expect(parseMarkdown(sign.repeat(4_000 / sign.length))).not.toBeUndefined();
});

test.each([
  ['1. '.repeat(21), { code: 'opened', line: 1 }],
  [`a\n\n${'> - '.repeat(2_000)}`, { code: 'opened', line: 3 }],
  [`a\n\nb\n${'*a '.repeat(1_001)}`, { code: 'marks', line: 3 }],
  ['*[a'.repeat(3_333), { code: 'marks', line: 1 }],
])('what would take the parser long is found before it is parsed: %#', (text, fault) => {
  expect(findMarkdownFault(text)).toEqual(fault);
  expect(renderHtml(parseMarkdown(text))).toContain(text.slice(-12).trim().replaceAll('>', '&gt;'));
});

test.each([
  ['text', 'Please answer **all** of it, in [time](https://example.org), or *later*. '.repeat(150).slice(0, 10_000)],
  ['paragraphs', '**A** b *c*\n\n'.repeat(900).slice(0, 10_000)],
  ['a list', '- one\n- two\n  1. three\n'.repeat(400)],
  ['a rule of dashes', '- '.repeat(40)],
  ['a row of stars', '*'.repeat(2_000)],
  ['escaped signs', String.raw`\*`.repeat(3_000)],
])('%s of any length that a page takes is parsed', (_, text) => {
  expect(findMarkdownFault(text)).toBeUndefined();
});
