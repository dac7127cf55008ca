/**
 * Rich text (contract section 11): which ProseMirror documents the service accepts. A document is kept exactly as it
 * was sent, so nothing here rebuilds it: the schema knows the root, and one walk by hand judges everything below,
 * because a recursive zod union copies the tree and cannot say which of its nodes is at fault.
 * `html.ts` renders a document, `text.ts` reads it as plain text.
 */
import * as z from 'zod';
import { type Infer, schema } from '#core/schema/schema.ts';

export const MAX_DOCUMENT_BYTES = 65_536;
/** Levels of nodes below the root: the blocks of a document are the first. */
export const MAX_DOCUMENT_DEPTH = 32;

/** Levels of JSON that a document within `MAX_DOCUMENT_DEPTH` needs (two a node), and some for attributes of others. */
const MAX_JSON_DEPTH = 100;
const MAX_FAULTS = 20;
/** The numbers that every reader of HTML takes as the start of a list. */
export const MAX_LIST_START = 2_147_483_647;

export const BLOCKS = [
  'paragraph',
  'heading',
  'bullet_list',
  'ordered_list',
  'blockquote',
  'code_block',
  'horizontal_rule',
] as const;
export const INLINE = ['text', 'hard_break', 'variable'] as const;
export const MARKS = ['bold', 'italic', 'underline', 'strike', 'code', 'link'] as const;

/** A node by its ProseMirror name, whichever of its two names it was sent under. */
export type NodeName = (typeof BLOCKS)[number] | (typeof INLINE)[number] | 'list_item';
export type MarkName = (typeof MARKS)[number];

const TIPTAP_NAMES: [string, NodeName][] = [
  ['bulletList', 'bullet_list'],
  ['orderedList', 'ordered_list'],
  ['listItem', 'list_item'],
  ['codeBlock', 'code_block'],
  ['horizontalRule', 'horizontal_rule'],
  ['hardBreak', 'hard_break'],
];

// Looked up by what a caller sent, so they are maps: an object would know "constructor" and "__proto__".
export const NODE_NAMES = new Map<unknown, NodeName>([
  ...[...BLOCKS, ...INLINE, 'list_item' as const].map((name): [string, NodeName] => [name, name]),
  ...TIPTAP_NAMES,
]);
const MARK_NAMES = new Map<unknown, MarkName>(MARKS.map((name) => [name, name]));

/** What may stand in the content of each node. */
export const HOLDS: Record<NodeName | 'doc', readonly NodeName[]> = {
  doc: BLOCKS,
  blockquote: BLOCKS,
  list_item: BLOCKS,
  bullet_list: ['list_item'],
  ordered_list: ['list_item'],
  paragraph: INLINE,
  heading: INLINE,
  code_block: ['text'],
  horizontal_rule: [],
  text: [],
  hard_break: [],
  variable: [],
};

const isInline = (name: NodeName): boolean => INLINE.some((inline) => inline === name);

/** The node that a `type` stands for, or undefined when there is no such node. */
export const nodeName = (type: unknown): NodeName | undefined => NODE_NAMES.get(type);
/** The mark that a `type` stands for, or undefined when there is no such mark. */
export const markName = (type: unknown): MarkName | undefined => MARK_NAMES.get(type);

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The attributes of a node or mark; none when it was sent without. */
export const attributesOf = (owner: Record<string, unknown>): Record<string, unknown> =>
  isObject(owner.attrs) ? owner.attrs : {};

/** Whether a value is a number that a list may start at: `order` in ProseMirror, `start` in Tiptap. */
export const isListStart = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(Number(value)) <= MAX_LIST_START;

/** Whether a value is the level of a heading: 1 to 6. */
export const isHeadingLevel = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 6;

/**
 * Whether a link may lead there (contract section 11): http, https, mailto or `#fragment`, as an absolute address.
 * Browsers drop tabs, line ends and leading control characters before they read a scheme, so an address that
 * holds any control character is refused rather than cleaned.
 */
export function isAllowedLink(href: unknown): href is string {
  if (typeof href !== 'string' || !href.isWellFormed() || /\p{Cc}/u.test(href)) return false;
  if (/^https?:\/\/[^\s/\\]/i.test(href)) return URL.canParse(href);
  return /^mailto:\S/i.test(href) || href.startsWith('#');
}

type Path = (string | number)[];
type Fault = { path: Path; message: string };
/** Where the walk stands, and what it has found so far. */
type Walk = { path: Path; faults: Fault[] };

function report(walk: Walk, below: Path, message: string): void {
  if (walk.faults.length < MAX_FAULTS) walk.faults.push({ path: [...walk.path, ...below], message });
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value) : typeof value;

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Judges one value nested in the document at `keys` below where the walk stands. */
function inside(walk: Walk, keys: Path, judge: () => void): void {
  walk.path.push(...keys);
  judge();
  walk.path.length -= keys.length;
}

/** Judges a text that must be there: well-formed Unicode, and not empty. */
function checkText(walk: Walk, below: Path, value: unknown): void {
  if (typeof value !== 'string' || value === '') report(walk, below, 'must be a text that is not empty');
  else if (!value.isWellFormed()) report(walk, below, 'must be valid Unicode text (it holds half of a surrogate pair)');
}

function checkLink(walk: Walk, attributes: Record<string, unknown>): void {
  const { href, title, target } = attributes;
  if (!isAllowedLink(href)) report(walk, ['attrs', 'href'], 'must be an http, https or mailto address, or #fragment');
  if (!isAbsent(title) && title !== '') checkText(walk, ['attrs', 'title'], title);
  if (!isAbsent(target) && target !== '_blank') report(walk, ['attrs', 'target'], 'must be _blank or absent');
}

/** Judges the attributes that the service itself reads; all others are the front end's and kept as sent. */
function checkAttributes(walk: Walk, name: NodeName | MarkName, owner: Record<string, unknown>): void {
  if (!isAbsent(owner.attrs) && !isObject(owner.attrs)) {
    report(walk, ['attrs'], 'must be an object or null');
    return;
  }
  const attributes = attributesOf(owner);
  if (name === 'link') checkLink(walk, attributes);
  if (name === 'variable') checkText(walk, ['attrs', 'name'], attributes.name);
  if (name === 'heading' && !isHeadingLevel(attributes.level)) {
    report(walk, ['attrs', 'level'], 'must be a whole number from 1 to 6');
  }
  if (name !== 'ordered_list') return;
  for (const key of ['order', 'start']) {
    const value = attributes[key];
    if (!isAbsent(value) && !isListStart(value)) report(walk, ['attrs', key], 'must be a whole number');
  }
}

function checkMark(walk: Walk, mark: unknown, seen: Set<MarkName>): void {
  if (!isObject(mark)) {
    report(walk, [], 'must be a mark, an object with a type');
    return;
  }
  const name = markName(mark.type);
  if (!name) {
    report(walk, ['type'], `${quoted(mark.type)} is no mark; the marks are ${MARKS.join(', ')}`);
    return;
  }
  if (seen.has(name)) report(walk, ['type'], `${name} must not be set twice`);
  seen.add(name);
  checkAttributes(walk, name, mark);
}

function checkMarks(walk: Walk, name: NodeName, marks: unknown): void {
  if (isAbsent(marks)) return;
  if (!Array.isArray(marks)) {
    report(walk, ['marks'], 'must be an array of marks or null');
    return;
  }
  if (marks.length > 0 && !isInline(name)) {
    report(walk, ['marks'], `a ${name} carries no marks`);
    return;
  }
  const seen = new Set<MarkName>();
  for (const [index, mark] of marks.entries()) {
    inside(walk, ['marks', index], () => checkMark(walk, mark, seen));
  }
}

function checkContent(walk: Walk, name: NodeName | 'doc', content: unknown, depth: number): void {
  if (isAbsent(content)) return;
  if (!Array.isArray(content)) {
    report(walk, ['content'], 'must be an array of nodes or null');
    return;
  }
  if (content.length > 0 && HOLDS[name].length === 0) {
    report(walk, ['content'], `a ${name} holds no nodes`);
    return;
  }
  for (const [index, node] of content.entries()) {
    inside(walk, ['content', index], () => checkNode(walk, node, name, depth + 1));
  }
}

function checkNode(walk: Walk, node: unknown, parent: NodeName | 'doc', depth: number): void {
  if (depth > MAX_DOCUMENT_DEPTH) {
    report(walk, [], TOO_DEEP);
    return;
  }
  if (!isObject(node)) {
    report(walk, [], 'must be a node, an object with a type');
    return;
  }
  const name = nodeName(node.type);
  const holds = HOLDS[parent];
  if (!name) {
    report(walk, ['type'], `${quoted(node.type)} is no node; a ${parent} holds ${holds.join(', ')}`);
    return;
  }
  if (!holds.includes(name)) report(walk, ['type'], `a ${parent} holds ${holds.join(', ')}, not ${name}`);
  if (name === 'text') checkText(walk, ['text'], node.text);
  checkAttributes(walk, name, node);
  checkMarks(walk, name, node.marks);
  checkContent(walk, name, node.content, depth);
}

const TOO_DEEP = `must be nested at most ${MAX_DOCUMENT_DEPTH} levels deep`;

/**
 * Judges the document as mere JSON, attributes of others included. It stops at `MAX_JSON_DEPTH`, so that neither it
 * nor anything after it (`JSON.stringify` too) can run out of stack; `JSON.parse` alone would take any depth.
 */
function checkJson(walk: Walk, value: unknown, depth: number): void {
  // JSON.parse reads 1e999 as Infinity, which could not be written back.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    report(walk, [], 'must be a smaller number');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_JSON_DEPTH) {
    walk.faults.push({ path: [], message: TOO_DEEP });
    return;
  }
  const members: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, member] of members) {
    if (key === '__proto__') report(walk, [key], 'must not be named so');
    // One such fault is enough: a wide and deep document must not cost more than it has to.
    if (walk.faults.length > 0) return;
    walk.path.push(key);
    checkJson(walk, member, depth + 1);
    walk.path.pop();
  }
}

/** What is wrong with a document whose root is right: up to 20 faults, in the order of the document. */
function faultsOf(document: Record<string, unknown>): Fault[] {
  const walk: Walk = { path: [], faults: [] };
  checkJson(walk, document, 1);
  if (walk.faults.length > 0) return walk.faults;
  if (Buffer.byteLength(JSON.stringify(document)) > MAX_DOCUMENT_BYTES) {
    return [{ path: [], message: `must be at most ${MAX_DOCUMENT_BYTES} bytes of JSON` }];
  }
  checkContent(walk, 'doc', document.content, 0);
  return walk.faults;
}

/** A node in the OpenAPI document; what each type may hold is told in words. */
const AnyNode = schema(() =>
  z.unknown().meta({ type: 'object', required: ['type'], properties: { type: { type: 'string' } } }),
);

/**
 * A rich-text document (contract section 11), answered as it was sent; callers take `null` by `.nullable()`.
 * Refuses, with the path of each fault: anything but an object of type doc, unknown nodes and marks, nodes where they
 * do not belong, missing or wrong attributes, links other than http, https, mailto and #fragment, more than 64 KB of
 * JSON (as JSON.stringify writes it), more than 32 levels.
 */
export const RichText = schema(() =>
  z
    .looseObject(
      {
        type: z.literal('doc', 'must be doc, the type of a rich-text document'),
        content: z.array(AnyNode(), 'must be an array of block nodes, or null').nullish(),
      },
      'must be a rich-text document, an object whose type is doc, or null',
    )
    .check((context) => {
      for (const fault of faultsOf(context.value)) {
        context.issues.push({ code: 'custom', input: context.value, path: fault.path, message: fault.message });
      }
    })
    .meta({
      id: 'RichText',
      description:
        `A ProseMirror document, at most ${MAX_DOCUMENT_BYTES} bytes and ${MAX_DOCUMENT_DEPTH} levels, kept as sent. ` +
        `Blocks: ${BLOCKS.join(', ')}, and list_item in the lists; inline: ${INLINE.join(', ')}; ` +
        `marks: ${MARKS.join(', ')}. Tiptap's camelCase names of the same nodes are accepted.`,
    }),
);
export type RichText = Infer<typeof RichText>;
