/**
 * Rich text under attack: no document, validated or not, brings markup or a script into the
 * HTML, links lead only where they may, and the limits hold without exhausting anything.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { renderHtml } from '#core/rich-text/html.ts';
import { isAllowedLink, RichText } from '#core/rich-text/model.ts';
import { plainText } from '#core/rich-text/text.ts';
import { doc, documents, type Json, link, nested, node, p, readHtml, text } from '#test/support/rich-text.ts';

const accepts = (value: unknown): boolean => RichText().safeParse(value).success;
const paths = (value: unknown): string[] =>
  (RichText().safeParse(value).error?.issues ?? []).map((fault) => fault.path.join('.'));

/** Text that would be markup, or would leave its attribute or element. */
const MARKUP = [
  '<script>alert(1)</script>',
  '</p><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)' autofocus='",
  '" style="background:url(javascript:alert(1))',
  '<!--><img src=x onerror=alert(1)>-->',
  ']]><script>alert(1)</script>',
  '</code></pre><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)',
  '<a href="javascript:alert(1)">x</a>',
  '<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '{{constructor.constructor("alert(1)")()}}',
  '\u2028<script>\u2029',
  '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  '＜script＞alert(1)＜/script＞',
];

/** Addresses with another scheme than those allowed, as they are written or as a browser would read them. */
const REFUSED_LINKS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  'javascript\t:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  'javascript://https://a.test/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://a.test/1',
  'view-source:https://a.test',
  'ftp://a.test',
  'tel:+123',
  '//evil.test',
  '\\\\evil.test',
  '/\\evil.test',
  '/path',
  'page.html',
  '?query',
  '',
  ' ',
  ' https://a.test',
  'ht\ntps://a.test',
  'https://a.test/\u0000',
  'https:a.test',
  'https:/a.test',
  'https://',
  'https:///',
  'https:\\\\a.test',
  'http://[',
  'http://a b.test',
  'httpsx://a.test',
  'mailto:',
  'mailto',
  'https://a.test/\ud800',
];

const HOSTILE_VALUES: unknown[] = [null, 1, true, {}, [], ['https://a.test'], { toString: 'javascript:alert(1)' }];

describe('text that looks like markup', () => {
  test.each(MARKUP)('stays text in every position: %j', (words) => {
    const marks = [link(`https://a.test/?q=${words}`, { title: words }), { type: 'bold' }];
    const variable = { type: 'variable', attrs: { name: words } };
    const document = doc(p(text(words), variable, text(words, ...marks)), node('code_block', [text(words)]));
    expect(readHtml(renderHtml(document))).toBe(`${words}{{${words}}}${words}${words}`);
  });

  test.each(MARKUP)('is never a node, a mark or an attribute: %j', (words) => {
    const document = doc(
      node(words, [p(text('a'))]),
      node('heading', [text('b')], { level: words }),
      node('ordered_list', [], { order: words, [words]: words }),
      p(text('c', { type: words }), text('d', link('#', { target: words, [words]: words }))),
    );
    expect(accepts(document)).toBe(false);
    expect(renderHtml(document)).toBe('<ol></ol><p>c<a href="#" rel="noopener noreferrer nofollow">d</a></p>');
  });
});

describe('links', () => {
  test.each(REFUSED_LINKS)('are refused when they lead to %j, and would be rendered without', (href) => {
    const document = doc(p(text('x', link(href), { type: 'bold' })));
    expect(paths(document)).toEqual(['content.0.content.0.marks.0.attrs.href']);
    expect(renderHtml(document)).toBe('<p><strong>x</strong></p>');
  });

  test.each(HOSTILE_VALUES.map((value) => [value]))('are refused when the address is %j', (href) => {
    const document = doc(p(text('x', link(href))));
    expect(accepts(document)).toBe(false);
    expect(renderHtml(document)).toBe('<p>x</p>');
  });

  test.each([
    'https://a.test',
    'http://a.test:8080/p?q=1&r=2#f',
    'HTTPS://A.TEST/',
    'https://例子.test/路徑',
    'https://a.test/a b',
    'mailto:a@b.test',
    'MAILTO:a@b.test?subject=Hello there',
    '#fragment',
    '#',
    '#javascript:alert(1)',
  ])('may lead to %j', (href) => {
    const document = doc(p(text('x', link(href))));
    expect(accepts(document)).toBe(true);
    expect(renderHtml(document)).toContain(`<a href="${href.replace('&', '&amp;')}"`);
    expect(readHtml(renderHtml(document))).toBe('x');
  });

  it('never lead a browser to another scheme, whatever is written', () => {
    const pieces = fc.constantFrom(
      ...'/\\:#\t\n \0&;',
      'javascript',
      'JAVA',
      'data',
      'http',
      'https',
      'mailto',
      '//',
      'a.test',
    );
    const addresses = fc.array(fc.oneof(pieces, fc.string({ maxLength: 3, unit: 'binary' })), { maxLength: 6 });
    fc.assert(
      fc.property(addresses, (parts) => {
        const href = parts.join('');
        if (!isAllowedLink(href)) return;
        const read = new URL(href, 'page://our.test/form');
        expect(['http:', 'https:', 'mailto:', 'page:']).toContain(read.protocol);
        expect(read.protocol !== 'page:' || read.href.startsWith('page://our.test/form#')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a document that was never validated', () => {
  it('renders a mark that is set twice once, so that links do not nest', () => {
    const document = doc(p(text('x', link('#a'), link('#a'), { type: 'bold' }, { type: 'bold' })));
    expect(renderHtml(document)).toBe('<p><a href="#a" rel="noopener noreferrer nofollow"><strong>x</strong></a></p>');
  });

  it('renders as well-formed HTML, whatever JSON it is', () => {
    const types =
      'doc paragraph heading orderedList list_item text variable hard_break link bold __proto__ script'.split(' ');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5, depthSize: 'small' },
        fc.constantFrom<unknown>(null, 1, '<b>', 'javascript:alert(1)', '"'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.record(
          {
            type: fc.constantFrom(...types),
            text: tie('value'),
            attrs: fc.record({ level: tie('value'), order: tie('value'), name: tie('value'), href: tie('value') }),
            marks: tie('value'),
            content: tie('value'),
          },
          { requiredKeys: ['type'] },
        ),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value), (content) => {
        readHtml(renderHtml(doc(...content)));
        expect(typeof plainText(doc(...content))).toBe('string');
      }),
      { numRuns: 500 },
    );
  });
});

describe('the limits', () => {
  /** A document of exactly `bytes` bytes of JSON, filled with a character of `size` bytes. */
  const sized = (bytes: number, character = 'a', size = 1): RichText => {
    const room = bytes - JSON.stringify(doc(p(text('')))).length;
    return doc(p(text(character.repeat(Math.floor(room / size)) + 'a'.repeat(room % size))));
  };

  it('take 65,536 bytes of JSON and refuse 65,537, counted as UTF-8', () => {
    for (const [character, size] of [
      ['a', 1],
      ['é', 2],
      ['問', 3],
      ['😀', 4],
      ['"', 2],
    ] as const) {
      expect(accepts(sized(65_536, character, size))).toBe(true);
      expect(paths(sized(65_537, character, size))).toEqual(['']);
    }
    expect(accepts({ ...doc(), other: 'a'.repeat(65_536) })).toBe(false);
  });

  it('take 32 levels and refuse the 33rd, with a pointer to it', () => {
    expect(accepts(nested(32))).toBe(true);
    expect(readHtml(renderHtml(nested(32)))).toBe('');
    expect(renderHtml(nested(32))).toContain('<p></p>');
    expect(paths(nested(33))).toEqual([Array.from({ length: 33 }, () => 'content.0').join('.')]);
  });

  it('refuse any depth without running out of stack, in nodes as in attributes', () => {
    let attrs: Json = {};
    for (let level = 0; level < 100_000; level += 1) attrs = { attrs };
    const deep = [nested(100_000), doc({ type: 'paragraph', attrs }), { ...doc(), attrs }];
    expect(deep.map((document) => paths(document).length)).toEqual([1, 1, 1]);
    for (const document of deep) {
      readHtml(renderHtml({ ...document, type: 'doc' }));
      expect(plainText({ ...document, type: 'doc' })).toBe('');
    }
  });

  it('leave room for valid documents: random ones all pass', () => {
    fc.assert(fc.property(documents, accepts));
  });
});

it('is an object of its own name in the OpenAPI document', () => {
  const jsonSchema = z.toJSONSchema(z.object({ description: RichText().nullable() }));
  expect(jsonSchema.$defs?.RichText).toMatchObject({
    type: 'object',
    required: ['type'],
    properties: { type: { const: 'doc' } },
  });
});
