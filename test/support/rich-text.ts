/**
 * Rich text in tests: short builders of documents, random documents, and `readHtml`, a strict reader of HTML that is
 * independent of the renderer and judges links as a browser does.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import * as z from 'zod';
import type { RichText } from '#core/rich-text/model.ts';
import { decodeEntities } from './entities.ts';

export type Json = Record<string, unknown>;

export const doc = (...content: unknown[]): RichText => ({ type: 'doc', content });
export const text = (words: string, ...marks: Json[]): Json => ({
  type: 'text',
  text: words,
  ...(marks[0] ? { marks } : {}),
});
export const p = (...content: unknown[]): Json => ({ type: 'paragraph', content });
export const node = (type: string, content?: unknown[], attrs?: Json): Json => ({
  type,
  ...(attrs ? { attrs } : {}),
  ...(content ? { content } : {}),
});
export const link = (href: unknown, more: Json = {}): Json => ({ type: 'link', attrs: { href, ...more } });
/** A document with some levels of nodes below its root. */
export const nested = (levels: number): RichText => {
  let inner: Json = { type: 'paragraph' };
  for (let level = 1; level < levels; level += 1) inner = { type: 'blockquote', content: [inner] };
  return doc(inner);
};

const TAGS = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code hr br strong em u s a'.split(' '));
const ATTRIBUTES = new Set(['a href', 'a title', 'a rel', 'a target', 'ol start']);
const decoded = (html: string): string => {
  expect(html.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[&<>"']/);
  return decodeEntities(html);
};

/** The text of some HTML; fails on anything but balanced tags of rich text with their own attributes. */
export function readHtml(html: string): string {
  const open: string[] = [];
  const words: string[] = [];
  const leftover = html.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"]*")*)>|([^<>]+)/g,
    (_, end: string, tag: string, attributes: string, run: string | undefined) => {
      if (run !== undefined) words.push(decoded(run));
      else if (end) expect(open.pop()).toBe(tag);
      else {
        expect(TAGS).toContain(tag);
        readAttributes(tag, attributes);
        if (tag !== 'br' && tag !== 'hr') open.push(tag);
      }
      return '';
    },
  );
  expect({ leftover, open }).toEqual({ leftover: '', open: [] });
  return words.join('');
}

function readAttributes(tag: string, attributes: string): void {
  for (const [, name, value = ''] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
    expect(ATTRIBUTES).toContain(`${tag} ${name}`);
    const plain = decoded(value);
    if (name === 'href' && !plain.startsWith('#')) {
      expect(['http:', 'https:', 'mailto:']).toContain(new URL(plain, 'about:blank').protocol);
    }
  }
  if (tag === 'a') expect(attributes).toContain(' rel="noopener noreferrer nofollow"');
}

const oneCharacter = fc.oneof(
  fc.constantFrom(...'<>&"\'{}\n'),
  fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
);
const words = fc.string({ minLength: 1, maxLength: 8, unit: oneCharacter });
const extra = fc.option(fc.record({ textAlign: fc.oneof(words, fc.constant(null)), more: fc.array(fc.integer()) }));
const linkMark = fc.record({
  href: fc.constantFrom('https://a.test/"x"', 'HTTP://B.test', 'mailto:a@b.test?c&d', "#'"),
});
const mark = fc.oneof(
  fc.constantFrom('bold', 'italic', 'underline', 'strike', 'code').map((type): Json => ({ type })),
  fc
    .tuple(linkMark, words, fc.constantFrom(null, '_blank'))
    .map(([a, title, target]) => link(a.href, { title, target })),
);
const marks = fc.option(fc.uniqueArray(mark, { maxLength: 4, selector: (one) => one.type }));
const textNode = fc.record({ type: fc.constant('text'), text: words, marks }, { requiredKeys: ['type', 'text'] });
const inline = fc.oneof(
  textNode,
  fc.record({ type: fc.constantFrom('hard_break', 'hardBreak'), marks }),
  fc.record({ type: fc.constant('variable'), attrs: fc.record({ name: words }), marks }),
);
const some = <T>(of: fc.Arbitrary<T>) => fc.option(fc.array(of, { maxLength: 4 }));
const { blocks } = fc.letrec<{ block: Json; item: Json; blocks: Json[] | null }>((tie) => ({
  blocks: some(tie('block')),
  item: fc.record({ type: fc.constantFrom('list_item', 'listItem'), content: tie('blocks'), attrs: extra }),
  block: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    fc.record({ type: fc.constant('paragraph'), content: some(inline), attrs: extra }, { requiredKeys: ['type'] }),
    fc.record({
      type: fc.constant('heading'),
      content: some(inline),
      attrs: fc.record({ level: fc.integer({ min: 1, max: 6 }) }),
    }),
    fc.record({ type: fc.constantFrom('code_block', 'codeBlock'), content: some(textNode), attrs: extra }),
    fc.record({ type: fc.constantFrom('horizontal_rule', 'horizontalRule'), attrs: extra }),
    fc.record({ type: fc.constant('blockquote'), content: tie('blocks'), more: fc.integer() }),
    fc.record({ type: fc.constantFrom('bullet_list', 'bulletList'), content: some(tie('item')) }),
    fc.record({
      type: fc.constantFrom('ordered_list', 'orderedList'),
      content: some(tie('item')),
      attrs: fc.record({ order: fc.nat() }),
    }),
  ),
}));
/** Valid documents of every kind of node and mark, under both names, with attributes that are unknown to the service. */
export const documents = blocks.map((content): RichText => ({ content, type: 'doc', version: 7 }));

/** All the text of a document, collected without regard to its rules. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { type, text: own, attrs, content }: Json = { ...value };
  if (type === 'variable') return `{{${z.object({ name: z.string() }).parse(attrs).name}}}`;
  return typeof own === 'string' ? own : textOf(content);
}
