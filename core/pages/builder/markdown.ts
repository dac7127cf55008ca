/**
 * Rich text as Markdown, for people who edit it in a text field: CommonMark without HTML, images, references, indented code
 * and underlined headings, which stay text. A line break within a paragraph is one in the document. `load-markdown.ts` loads
 * this module, because only pages of authors need the parser.
 */
import type { BlockContent, List, ListItem, PhrasingContent, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toMarkdown } from 'mdast-util-to-markdown';
import {
  attributesOf,
  isAllowedLink,
  isObject,
  MARKS,
  type MarkName,
  markName,
  type NodeName,
  nodeName,
  type RichText,
} from '#core/rich-text/model.ts';

type Mark = { type: MarkName; attrs?: Record<string, unknown> };
type Node = { type: NodeName; attrs?: Record<string, unknown>; content?: Node[]; text?: string; marks?: Mark[] };

const LITERAL = ['codeIndented', 'definition', 'htmlFlow', 'htmlText', 'labelStartImage', 'setextUnderline'];

/** Longer texts are not parsed: the time for texts that only look like Markdown grows with the square of their length. */
const MAX_CHARACTERS = 10_000;

/**
 * Parses Markdown as a document; null for a text without visible characters. A text of more than 10,000 characters, or nested
 * too deeply to be parsed, becomes paragraphs with the text as it is.
 */
export function parseMarkdown(text: string): RichText | null {
  const content = text.length > MAX_CHARACTERS ? toParagraphs(text) : parseBlocks(text);
  return content.length === 0 ? null : { type: 'doc', content };
}

function parseBlocks(text: string): Node[] {
  try {
    const { children } = fromMarkdown(text, { extensions: [{ disable: { null: LITERAL } }] });
    return children.flatMap((child) => toBlock(child, text) ?? []);
  } catch (error) {
    if (error instanceof RangeError) return toParagraphs(text);
    throw error;
  }
}

const toParagraphs = (text: string): Node[] =>
  text.split(/(?:\r?\n){2,}/).flatMap((part) => (part.trim() === '' ? [] : [block('paragraph', toLines(part, []))]));

function toBlock(node: RootContent, source: string): Node | undefined {
  switch (node.type) {
    case 'paragraph':
      return block('paragraph', toInline(node.children, [], source));
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
      return block('code_block', node.value === '' ? [] : [{ type: 'text', text: node.value }]);
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

const toItem = ({ children }: ListItem, source: string): Node =>
  block(
    'list_item',
    children.length === 0 ? [{ type: 'paragraph' }] : children.flatMap((child) => toBlock(child, source) ?? []),
  );

function toInline(nodes: readonly PhrasingContent[], marks: readonly Mark[], source: string): Node[] {
  return nodes.flatMap((node): Node[] => {
    switch (node.type) {
      case 'text':
        return toLines(node.value, marks);
      case 'inlineCode':
        return toLines(node.value.replaceAll(/\r?\n|\r/g, ' '), [...marks, { type: 'code' }]);
      case 'strong':
        return toInline(node.children, addMark(marks, { type: 'bold' }), source);
      case 'emphasis':
        return toInline(node.children, addMark(marks, { type: 'italic' }), source);
      case 'break':
        return [{ type: 'hard_break' }];
      case 'link':
        return isAllowedLink(node.url)
          ? toInline(
              node.children,
              addMark(marks, { type: 'link', attrs: linkAttributes(node.url, node.title) }),
              source,
            )
          : toLines(source.slice(node.position?.start.offset, node.position?.end.offset), marks);
      default:
        return [];
    }
  });
}

const linkAttributes = (href: string, title: unknown) => ({ href, ...(title ? { title } : {}) });

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
 * Writes a document as Markdown; undefined for one that Markdown does not express, such as one with variables, underlined
 * text or aligned paragraphs. Empty paragraphs, repeated breaks, and how links open are left out.
 */
export function writeMarkdown(document: RichText | null): string | undefined {
  if (document === null) return '';
  const normal = normalizeNodes(document.content);
  const text = toMarkdown(toRoot(normal), {
    bullet: '-',
    emphasis: '*',
    rule: '-',
    fences: true,
    listItemIndent: 'one',
    // A break is a line break here, which other writers of Markdown end with a backslash.
    handlers: { break: () => '\n' },
  }).replace(/\n$/, '');
  if (text.length > MAX_CHARACTERS) return undefined;
  const parsed = parseMarkdown(text);
  return JSON.stringify(normalizeNodes(parsed?.content)) === JSON.stringify(normal) ? text : undefined;
}

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
    nodes.push({ type, ...(attrs && { attrs }), ...(children.length > 0 && { content: children }) });
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
  const entries = Object.entries(attributesOf(owner))
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
const NESTED: readonly MarkName[] = ['link', 'bold', 'italic'];

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
    } else result.push({ type: outer === 'bold' ? 'strong' : 'emphasis', children });
    index = end;
  }
  return result;
}

const findMark = (node: Node | undefined, type: MarkName): Mark | undefined =>
  node?.marks?.find((mark) => mark.type === type);

const isSame = (a: Mark | undefined, b: Mark | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

function fromLeaf({ type, text = '', marks = [] }: Node): PhrasingContent | undefined {
  if (type === 'hard_break') return { type: 'break' };
  if (type !== 'text') return undefined;
  return { type: marks.some((mark) => mark.type === 'code') ? 'inlineCode' : 'text', value: text };
}
