/**
 * Rich text as Markdown, for people who edit it in a text field: CommonMark without HTML, images, references, indented code
 * and underlined headings, which stay text, and with the signs of `markdown-signs.ts`. A line break within a paragraph is one in the document. `load-markdown.ts` loads
 * this module, because only pages of authors need the parser.
 */
import type { BlockContent, List, ListItem, Literal, PhrasingContent, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { type Handle, toMarkdown } from 'mdast-util-to-markdown';
import {
  isAllowedLink,
  isObject,
  MARKS,
  type MarkName,
  markName,
  type NodeName,
  nodeName,
  type RichText,
  readAttributes,
} from '#core/rich-text/model.ts';
import { findMarkdownFault } from './markdown-limits.ts';
import { decodeSigns, encodeSigns, type Item, pairSigns, SIGNS, splitSigns, writeVariable } from './markdown-signs.ts';

declare module 'mdast' {
  interface PhrasingContentMap {
    sign: Sign;
  }
  interface RootContentMap {
    sign: Sign;
  }
}

/** Written as it is: a sign of a mark, or a variable. */
interface Sign extends Literal {
  type: 'sign';
}

type Mark = { type: MarkName; attrs?: Record<string, unknown> };
type Node = { type: NodeName; attrs?: Record<string, unknown>; content?: Node[]; text?: string; marks?: Mark[] };

const LITERAL = ['codeIndented', 'definition', 'htmlFlow', 'htmlText', 'labelStartImage', 'setextUnderline'];

/** Longer texts are not parsed: the time for texts that only look like Markdown grows with the square of their length. */
const MAX_CHARACTERS = 10_000;

/**
 * Parses Markdown as a document; null for a text without visible characters. A text of more than 10,000 characters, with a
 * fault of `markdown-limits.ts`, or nested too deeply to be parsed, becomes paragraphs with the text as it is.
 */
export function parseMarkdown(text: string): RichText | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const isParsed = text.length <= MAX_CHARACTERS && findMarkdownFault(text) === undefined;
  const content = isParsed ? parseBlocks(text) : toParagraphs(text);
  const document = content.length === 0 ? null : { type: 'doc' as const, content };
  const [oldest] = parsed.size >= MAX_KEPT ? parsed.keys() : [];
  if (oldest !== undefined) parsed.delete(oldest);
  parsed.set(text, document);
  return document;
}

/** The documents of the texts parsed last, because a request parses a text to store it, to compare it and to show it. */
const parsed = new Map<string, RichText | null>();
const MAX_KEPT = 4;

function parseBlocks(text: string): Node[] {
  try {
    const source = encodeSigns(text);
    const { children } = fromMarkdown(source, { extensions: [{ disable: { null: LITERAL } }] });
    return children.flatMap((child) => toBlock(child, source) ?? []);
  } catch (error) {
    if (error instanceof RangeError) return toParagraphs(text);
    throw error;
  }
}

const toParagraphs = (text: string): Node[] =>
  text.split(/(?:\r?\n){2,}/).flatMap((part) => (part.trim() === '' ? [] : [block('paragraph', toLines(part, []))]));

function toBlock(node: RootContent, source: string): Node | undefined {
  switch (node.type) {
    case 'paragraph': {
      const paragraph = block('paragraph', toInline(node.children, [], source));
      // A link without a text leaves nothing.
      return paragraph.content ? paragraph : undefined;
    }
    case 'heading':
      return { ...block('heading', toInline(node.children, [], source)), attrs: { level: node.depth } };
    case 'list':
      return {
        ...block(
          node.ordered ? 'ordered_list' : 'bullet_list',
          node.children.map((item) => toItem(item, source)),
        ),
        ...(node.ordered && node.start !== 1 && { attrs: { order: node.start ?? 1 } }),
      };
    case 'blockquote':
      return block(
        'blockquote',
        node.children.flatMap((child) => toBlock(child, source) ?? []),
      );
    case 'code':
      return block('code_block', node.value === '' ? [] : [{ type: 'text', text: decodeSigns(node.value) }]);
    case 'thematicBreak':
      return { type: 'horizontal_rule' };
    default:
      return undefined;
  }
}

function block(type: NodeName, children: Node[]): Node {
  const content = trimBreaks(children);
  return { type, ...(content.length > 0 && { content }) };
}

/** Leaves out breaks at the ends, and all but one of several: Markdown has none of these. */
function trimBreaks(nodes: readonly Node[]): Node[] {
  const start = nodes.findIndex(({ type }) => type !== 'hard_break');
  return nodes.filter(({ type }, index) => {
    const next = nodes[index + 1]?.type;
    return type !== 'hard_break' || (index > start && next !== undefined && next !== 'hard_break');
  });
}

function toItem({ children }: ListItem, source: string): Node {
  const content = children.flatMap((child) => toBlock(child, source) ?? []);
  return block('list_item', content.length === 0 ? [{ type: 'paragraph' }] : content);
}

/** Converts what is in a line; texts are split at their signs, and pairs of signs become marks. */
function toInline(children: readonly PhrasingContent[], marks: readonly Mark[], source: string): Node[] {
  const toItem = (value: Node): Item<Node> => ({
    value,
    text: value.type === 'hard_break' ? ' ' : (value.text ?? 'variable'),
  });
  const items = children.flatMap((child) =>
    child.type === 'text'
      ? splitSigns(child.value).flatMap((part): Item<Node>[] => {
          if ('sign' in part) return [part];
          return ('text' in part ? toLines(part.text, marks) : [toVariable(part.variable, marks)]).map(toItem);
        })
      : toMarked(child, marks, source).map(toItem),
  );
  const nodes = pairSigns(items).flatMap((item): Node[] => {
    if ('sign' in item) return toLines(SIGNS[item.sign], marks);
    const { value } = item;
    if (value.type === 'hard_break' || item.marks.length === 0) return [value];
    return [{ ...value, marks: item.marks.reduce((all, type) => addMark(all, { type }), value.marks ?? []) }];
  });
  return joinTexts(nodes);
}

const toVariable = (name: string, marks: readonly Mark[]): Node => ({
  type: 'variable',
  attrs: { name },
  ...(marks.length > 0 && { marks: [...marks] }),
});

/** Joins neighbours with the same marks, which a sign without a partner has split. */
function joinTexts(nodes: readonly Node[]): Node[] {
  const joined: Node[] = [];
  for (const node of nodes) {
    const previous = joined.at(-1);
    if (node.type === 'text' && previous?.type === 'text' && isSame(previous.marks, node.marks)) {
      joined[joined.length - 1] = { ...previous, text: `${previous.text}${node.text}` };
    } else joined.push(node);
  }
  return joined;
}

/** Converts an inline node other than text. */
function toMarked(node: PhrasingContent, marks: readonly Mark[], source: string): Node[] {
  switch (node.type) {
    case 'inlineCode':
      return toLines(decodeSigns(node.value).replaceAll(/\r?\n|\r/g, ' '), [...marks, { type: 'code' }]);
    case 'strong':
      return toInline(node.children, addMark(marks, { type: 'bold' }), source);
    case 'emphasis':
      return toInline(node.children, addMark(marks, { type: 'italic' }), source);
    case 'break':
      return [{ type: 'hard_break' }];
    case 'link': {
      const href = decodeSigns(node.url);
      return isAllowedLink(href)
        ? toInline(node.children, addMark(marks, { type: 'link', attrs: linkAttributes(href, node.title) }), source)
        : toLines(decodeSigns(source.slice(node.position?.start.offset, node.position?.end.offset)), marks);
    }
    default:
      return [];
  }
}

const linkAttributes = (href: string, title: string | null | undefined) => ({
  href,
  ...(title ? { title: decodeSigns(title) } : {}),
});

const addMark = (marks: readonly Mark[], mark: Mark): Mark[] =>
  marks.some(({ type }) => type === mark.type) ? [...marks] : [...marks, mark];

/** Returns the lines of a text with breaks between them. */
const toLines = (text: string, marks: readonly Mark[]): Node[] =>
  text
    .split(/\r?\n|\r/)
    .flatMap((line, index): Node[] => [
      ...(index > 0 ? [{ type: 'hard_break' as const }] : []),
      ...(line === '' ? [] : [{ type: 'text' as const, text: line, ...(marks.length > 0 && { marks: [...marks] }) }]),
    ]);

/**
 * Writes a document as Markdown; undefined for one that Markdown does not express, such as one with aligned paragraphs. Empty paragraphs, repeated breaks, and how links open are left out.
 */
export function writeMarkdown(document: RichText | null): string | undefined {
  if (document === null) return '';
  const normal = normalizeNodes(document.content);
  const text = writeNodes(normal);
  if (text.length > MAX_CHARACTERS || findMarkdownFault(text)) return undefined;
  const reread = parseMarkdown(text);
  return JSON.stringify(normalizeNodes(reread?.content)) === JSON.stringify(normal) ? text : undefined;
}

/** Writes a document as the closest Markdown: what Markdown does not express is left out. */
export const writeClosest = (document: RichText): string => writeNodes(normalizeNodes(document.content));

const writeNodes = (nodes: readonly Node[]): string =>
  toMarkdown(toRoot(nodes), {
    bullet: '-',
    emphasis: '*',
    rule: '-',
    fences: true,
    listItemIndent: 'one',
    // A break is a line break here, which other writers of Markdown end with a backslash.
    handlers: { break: () => '\n', sign: writeSign },
    unsafe: ['+', '~', '{'].flatMap((character) => [
      { character, before: `\\${character}`, inConstruct: 'phrasing' as const },
      { character, after: `\\${character}`, inConstruct: 'phrasing' as const },
    ]),
  }).replace(/\n$/, '');

const writeSign: Handle & { peek: Handle } = Object.assign((node: Sign) => node.value, {
  peek: (node: Sign) => node.value.charAt(0),
});

/** Attributes of links that say how they open. */
const FRONT_END: ReadonlySet<string> = new Set(['target', 'rel', 'class']);

/**
 * Returns nodes in one form: ProseMirror's names, no empty paragraphs and texts, marks in one order, neighbours with the same
 * marks as one text, attributes sorted and only where they are set.
 */
function normalizeNodes(content: unknown): Node[] {
  const nodes: Node[] = [];
  for (const value of Array.isArray(content) ? content : []) {
    if (!isObject(value)) continue;
    const type = nodeName(value.type);
    if (!type) continue;
    const children = trimBreaks(normalizeNodes(value.content));
    if (type === 'paragraph' && children.length === 0) continue;
    if (type === 'text') {
      const marks = normalizeMarks(value.marks);
      const previous = nodes.at(-1);
      if (previous?.type === 'text' && JSON.stringify(previous.marks) === JSON.stringify(marks)) {
        previous.text += String(value.text);
      } else nodes.push({ type, text: String(value.text), ...(marks && { marks }) });
      continue;
    }
    const attrs = normalizeAttributes(type, value);
    const marks = type === 'variable' ? normalizeMarks(value.marks) : undefined;
    nodes.push({
      type,
      ...(attrs && { attrs }),
      ...(marks && { marks }),
      ...(children.length > 0 && { content: children }),
    });
  }
  return nodes;
}

function normalizeMarks(marks: unknown): Mark[] | undefined {
  const found = (Array.isArray(marks) ? marks : []).flatMap((mark): Mark[] => {
    const type = isObject(mark) ? markName(mark.type) : undefined;
    if (!type) return [];
    const attrs = normalizeAttributes(type, mark);
    return [{ type, ...(attrs && { attrs }) }];
  });
  const order = ({ type }: Mark): number => MARKS.indexOf(type);
  return found.length === 0 ? undefined : found.sort((a, b) => order(a) - order(b));
}

function normalizeAttributes(
  type: NodeName | MarkName,
  owner: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const entries = Object.entries(readAttributes(owner))
    .map(([name, value]): [string, unknown] => [type === 'ordered_list' && name === 'start' ? 'order' : name, value])
    .filter(
      ([name, value]) =>
        value !== null && value !== undefined && value !== '' && !(type === 'link' && FRONT_END.has(name)),
    )
    .filter(([name, value]) => !(type === 'ordered_list' && name === 'order' && value === 1))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const toRoot = (nodes: readonly Node[]): Root => ({
  type: 'root',
  children: nodes.flatMap((node) => fromBlock(node) ?? []),
});

function fromBlock({ type, attrs = {}, content = [] }: Node): BlockContent | undefined {
  switch (type) {
    case 'paragraph':
      return { type: 'paragraph', children: fromInline(content) };
    case 'heading':
      return { type: 'heading', depth: Number(attrs.level) as 1, children: fromInline(content) };
    case 'bullet_list':
      return fromList(content, {});
    case 'ordered_list':
      return fromList(content, { ordered: true, start: Number(attrs.order ?? 1) });
    case 'blockquote':
      return { type: 'blockquote', children: content.flatMap((child) => fromBlock(child) ?? []) };
    case 'code_block':
      return { type: 'code', value: content.map(({ text = '' }) => text).join('') };
    case 'horizontal_rule':
      return { type: 'thematicBreak' };
    default:
      return undefined;
  }
}

const fromList = (items: readonly Node[], numbering: Pick<List, 'ordered' | 'start'>): List => ({
  type: 'list',
  ...numbering,
  spread: false,
  children: items.map(({ content = [] }) => ({
    type: 'listItem',
    spread: false,
    children: content.flatMap((child) => fromBlock(child) ?? []),
  })),
});

/** The marks that contain others in Markdown, from the outermost; code is innermost. */
const NESTED: readonly MarkName[] = ['link', 'underline', 'strike', 'bold', 'italic'];

function fromInline(nodes: readonly Node[], marks: readonly MarkName[] = NESTED): PhrasingContent[] {
  const [outer, ...inner] = marks;
  if (outer === undefined) return nodes.flatMap((node) => fromLeaf(node) ?? []);
  const result: PhrasingContent[] = [];
  for (let index = 0; index < nodes.length; ) {
    const mark = findMark(nodes[index], outer);
    let end = index + 1;
    while (end < nodes.length && isSame(findMark(nodes[end], outer), mark)) end += 1;
    const children = fromInline(nodes.slice(index, end), inner);
    const { href, title } = mark?.attrs ?? {};
    if (!mark) result.push(...children);
    else if (outer === 'link') {
      result.push({ type: 'link', url: String(href), ...(title ? { title: String(title) } : {}), children });
    } else if (outer === 'underline' || outer === 'strike') {
      const sign: Sign = { type: 'sign', value: SIGNS[outer] };
      result.push(sign, ...children, sign);
    } else result.push({ type: outer === 'bold' ? 'strong' : 'emphasis', children });
    index = end;
  }
  return result;
}

const findMark = (node: Node | undefined, type: MarkName): Mark | undefined =>
  node?.marks?.find((mark) => mark.type === type);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function fromLeaf({ type, text = '', marks = [], attrs = {} }: Node): PhrasingContent | undefined {
  if (type === 'hard_break') return { type: 'break' };
  if (type === 'variable') return { type: 'sign', value: writeVariable(String(attrs.name)) ?? '' };
  if (type !== 'text') return undefined;
  return { type: marks.some((mark) => mark.type === 'code') ? 'inlineCode' : 'text', value: text };
}
