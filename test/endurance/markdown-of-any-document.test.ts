/** Rich text of other clients as Markdown: any document is either refused, or its text shows the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadMarkdown } from '#core/pages/builder/load-markdown.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import type { RichText } from '#core/rich-text/model.ts';

const { parseMarkdown, writeMarkdown } = loadMarkdown();

const word = fc.constantFrom(
  'lake',
  'a*b',
  '_x_',
  '1.',
  '- ',
  '# ',
  '[x](y)',
  '`',
  '\\',
  ' ',
  'two  words',
  '&lt;',
  '<br>',
  '++',
  'a~~b',
  '{{x}}',
  '+',
);
const marks = fc
  .uniqueArray(fc.constantFrom('bold', 'italic', 'underline', 'strike', 'code', 'link'), { maxLength: 3 })
  .map((names) =>
    names.map((type) => ({
      type,
      ...(type === 'link' && { attrs: { href: 'https://example.org/(a)', target: '_blank' } }),
    })),
  );
const inline = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ type: fc.constant('text'), text: word, marks }) },
    fc.constant({ type: 'hardBreak' }),
    fc.record({ type: fc.constant('variable'), attrs: fc.constantFrom({ name: 'NAME' }, { name: 'a b' }), marks }),
  ),
  { maxLength: 5 },
);
const { block } = fc.letrec((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constant('paragraph'), content: inline }),
    fc.record({ type: fc.constant('heading'), attrs: fc.constantFrom({ level: 1 }, { level: 3 }), content: inline }),
    fc.record({ type: fc.constant('code_block'), content: word.map((text) => [{ type: 'text', text }]) }),
    fc.record({
      type: fc.constantFrom('bulletList', 'ordered_list'),
      content: fc.array(
        fc.record({ type: fc.constant('list_item'), content: fc.array(tie('block'), { maxLength: 3 }) }),
      ),
    }),
    fc.record({ type: fc.constant('blockquote'), content: fc.array(tie('block'), { maxLength: 3 }) }),
  ),
}));

test('a document of another client is written only if its text shows the same', () => {
  let writtenCount = 0;
  fc.assert(
    fc.property(fc.array(block, { maxLength: 3 }), (content) => {
      const document = { type: 'doc', content } as RichText;
      const text = writeMarkdown(document);
      if (text === undefined) return;
      writtenCount += 1;
      // Breaks at ends, empty paragraphs and the order of marks may differ.
      const words = (html: string): string =>
        html.replaceAll(/<\/?(?:strong|em|u|s|code|a)\b[^>]*>|<br>/g, '').replaceAll('<p></p>', '');
      expect(words(renderHtml(parseMarkdown(text)))).toBe(words(renderHtml(document)));
    }),
    { numRuns: 1_000 },
  );
  expect(writtenCount).toBeGreaterThan(300);
});
