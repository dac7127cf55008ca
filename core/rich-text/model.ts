/**
 * Rich text: which ProseMirror documents the service accepts. Documents are stored exactly as they were sent. The zod
 * schema checks the root only; the nodes below it are validated by hand, because a recursive zod union copies the tree
 * and cannot report which node is invalid. `html.ts` renders a document as HTML, `text.ts` as plain text.
 */
import * as z from 'zod';
import { because } from '#core/schema/check-faults.ts';
import { type Infer, schema } from '#core/schema/schema.ts';

const MAX_DOCUMENT_BYTES = 65_536;
/** Levels of nodes below the root; the blocks of a document are level 1. */
export const MAX_DOCUMENT_DEPTH = 32;

/** JSON nesting: two levels per node within `MAX_DOCUMENT_DEPTH`, and room for front-end attributes. */
const MAX_JSON_DEPTH = 100;
const MAX_FAULTS = 20;
/** The largest start of a list that browsers support; the smallest is its negative. */
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

/** The ProseMirror name of a node. */
export type NodeName = (typeof BLOCKS)[number] | (typeof INLINE)[number] | 'list_item';
export type MarkName = (typeof MARKS)[number];

/** Tiptap's name of a node: `bulletList` for `bullet_list`. */
const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

// Maps and not objects, because the looked-up names come from the request and may be "constructor" or "__proto__".
export const NODE_NAMES = new Map<unknown, NodeName>(
  [...BLOCKS, ...INLINE, 'list_item' as const].flatMap((name) => [
    [name, name],
    [camelCase(name), name],
  ]),
);
const MARK_NAMES = new Map<unknown, MarkName>(MARKS.map((name) => [name, name]));

/** The nodes that the content of each node may contain. */
export const ALLOWED_CONTENT: Record<NodeName | 'doc', readonly NodeName[]> = {
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

/** Finds the node name of a `type`, ProseMirror or Tiptap; undefined for an unknown one. */
export const nodeName = (type: unknown): NodeName | undefined => NODE_NAMES.get(type);
/** Finds the mark name of a `type`; undefined for an unknown one. */
export const markName = (type: unknown): MarkName | undefined => MARK_NAMES.get(type);

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the attributes of a node or mark; empty when it has none. */
export const readAttributes = (owner: Record<string, unknown>): Record<string, unknown> =>
  isObject(owner.attrs) ? owner.attrs : {};

/** Whether a value is a valid start of an ordered list: `order` in ProseMirror, `start` in Tiptap. */
export const isListStart = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(Number(value)) <= MAX_LIST_START;

/** Whether a value is a heading level, 1 to 6. */
export const isHeadingLevel = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 6;

/**
 * Whether a value is an allowed link target: an absolute http, https or mailto URL, or a `#fragment`. Browsers drop
 * tabs, line breaks and leading control characters before they read the scheme, so a URL that contains any control
 * character is rejected.
 */
export function isAllowedLink(href: unknown): href is string {
  if (typeof href !== 'string' || !href.isWellFormed() || /\p{Cc}/u.test(href)) return false;
  if (/^https?:\/\/[^\s/\\]/i.test(href)) return URL.canParse(href);
  return /^mailto:\S/i.test(href) || href.startsWith('#');
}

type Path = (string | number)[];
type Fault = { path: Path; message: string };
/** The state of a validation: the path of the current value, and the faults found so far. */
type Context = { path: Path; faults: Fault[] };

/** Adds a fault at a path relative to the current value. */
function addFault(context: Context, relative: Path, message: string): void {
  if (context.faults.length < MAX_FAULTS) context.faults.push({ path: [...context.path, ...relative], message });
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value) : typeof value;

const isNullish = (value: unknown): boolean => value === undefined || value === null;

/** Runs a check with the current path extended by `keys`. */
function checkAt(context: Context, keys: Path, check: () => void): void {
  context.path.push(...keys);
  check();
  context.path.length -= keys.length;
}

/** Checks a required text: not empty, and well-formed Unicode. */
function checkText(context: Context, relative: Path, value: unknown): void {
  if (typeof value !== 'string' || value === '') addFault(context, relative, 'must be a non-empty string');
  else if (!value.isWellFormed()) {
    addFault(context, relative, 'must be valid Unicode text (it contains half a surrogate pair)');
  }
}

function checkLink(context: Context, attributes: Record<string, unknown>): void {
  const { href, title, target } = attributes;
  if (!isAllowedLink(href)) addFault(context, ['attrs', 'href'], 'must be an http, https or mailto URL, or #fragment');
  if (!isNullish(title) && title !== '') checkText(context, ['attrs', 'title'], title);
  if (!isNullish(target) && target !== '_blank') addFault(context, ['attrs', 'target'], 'must be _blank or absent');
}

/** Checks the attributes that the service reads; others belong to the front end and are kept as sent. */
function checkAttributes(context: Context, name: NodeName | MarkName, owner: Record<string, unknown>): void {
  if (!isNullish(owner.attrs) && !isObject(owner.attrs)) {
    addFault(context, ['attrs'], 'must be an object or null');
    return;
  }
  const attributes = readAttributes(owner);
  if (name === 'link') checkLink(context, attributes);
  if (name === 'variable') checkText(context, ['attrs', 'name'], attributes.name);
  if (name === 'heading' && !isHeadingLevel(attributes.level)) {
    addFault(context, ['attrs', 'level'], 'must be a whole number from 1 to 6');
  }
  if (name !== 'ordered_list') return;
  for (const key of ['order', 'start']) {
    const value = attributes[key];
    if (!isNullish(value) && !isListStart(value)) addFault(context, ['attrs', key], 'must be a whole number');
  }
}

function checkMark(context: Context, mark: unknown, seen: Set<MarkName>): void {
  if (!isObject(mark)) {
    addFault(context, [], 'must be a mark: an object with a type');
    return;
  }
  const name = markName(mark.type);
  if (!name) {
    addFault(context, ['type'], `${quoted(mark.type)} is not a known mark: use one of ${MARKS.join(', ')}`);
    return;
  }
  if (seen.has(name)) addFault(context, ['type'], `${name} must not be set twice`);
  seen.add(name);
  checkAttributes(context, name, mark);
}

function checkMarks(context: Context, name: NodeName, marks: unknown): void {
  if (isNullish(marks)) return;
  if (!Array.isArray(marks)) {
    addFault(context, ['marks'], 'must be an array of marks or null');
    return;
  }
  if (marks.length > 0 && !isInline(name)) {
    addFault(context, ['marks'], `${name} cannot have marks`);
    return;
  }
  const seen = new Set<MarkName>();
  for (const [index, mark] of marks.entries()) {
    checkAt(context, ['marks', index], () => checkMark(context, mark, seen));
  }
}

function checkContent(context: Context, name: NodeName | 'doc', content: unknown, depth: number): void {
  if (isNullish(content)) return;
  if (!Array.isArray(content)) {
    addFault(context, ['content'], 'must be an array of nodes or null');
    return;
  }
  if (content.length > 0 && ALLOWED_CONTENT[name].length === 0) {
    addFault(context, ['content'], `${name} cannot have content`);
    return;
  }
  for (const [index, node] of content.entries()) {
    checkAt(context, ['content', index], () => checkNode(context, node, name, depth + 1));
  }
}

function checkNode(context: Context, node: unknown, parent: NodeName | 'doc', depth: number): void {
  if (depth > MAX_DOCUMENT_DEPTH) {
    addFault(context, [], TOO_DEEP);
    return;
  }
  if (!isObject(node)) {
    addFault(context, [], 'must be a node: an object with a type');
    return;
  }
  const name = nodeName(node.type);
  const hint = `${parent} may contain ${ALLOWED_CONTENT[parent].join(', ')}`;
  if (!name) {
    addFault(context, ['type'], `${quoted(node.type)} is not a known node: ${hint}`);
    return;
  }
  if (!ALLOWED_CONTENT[parent].includes(name)) addFault(context, ['type'], `${name} is not allowed here: ${hint}`);
  if (name === 'text') checkText(context, ['text'], node.text);
  checkAttributes(context, name, node);
  checkMarks(context, name, node.marks);
  checkContent(context, name, node.content, depth);
}

const TOO_DEEP = `must be nested at most ${MAX_DOCUMENT_DEPTH} levels deep`;

/**
 * Checks the document as JSON, including the attributes that the service does not read. The depth limit protects this
 * function and later ones such as `JSON.stringify` from a stack overflow; `JSON.parse` accepts any depth.
 */
function checkJson(context: Context, value: unknown, depth: number): void {
  // JSON.parse reads 1e999 as Infinity, which could not be written back.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    addFault(context, [], 'must be a smaller number');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_JSON_DEPTH) {
    context.faults.push({ path: [], message: TOO_DEEP });
    return;
  }
  const members: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, member] of members) {
    if (key === '__proto__') addFault(context, [key], 'must not be used as a name');
    // The first fault ends the check, which bounds the cost of a large invalid document.
    if (context.faults.length > 0) return;
    context.path.push(key);
    checkJson(context, member, depth + 1);
    context.path.pop();
  }
}

/** Finds the faults of a document with a valid root: at most 20, in document order. */
function findFaults(document: Record<string, unknown>): Fault[] {
  const context: Context = { path: [], faults: [] };
  checkJson(context, document, 1);
  if (context.faults.length > 0) return context.faults;
  if (Buffer.byteLength(JSON.stringify(document)) > MAX_DOCUMENT_BYTES) {
    return [{ path: [], message: `must be at most ${MAX_DOCUMENT_BYTES} bytes of JSON` }];
  }
  checkContent(context, 'doc', document.content, 0);
  return context.faults;
}

/** A node as the OpenAPI document describes it; `stacks/build/openapi/rich-text.ts` adds the schema of each type. */
const AnyNode = schema(() =>
  z.unknown().meta({ type: 'object', required: ['type'], properties: { type: { type: 'string' } } }),
);

/**
 * A rich-text document, stored and returned as it was sent. Rejects, with the path of each fault: anything but an
 * object of type doc, unknown nodes and marks, misplaced nodes, missing or invalid attributes, links other than http,
 * https, mailto and #fragment, more than 64 KB of JSON (as JSON.stringify writes it), more than 32 levels.
 */
export const RichText = schema(() =>
  z
    .looseObject(
      {
        type: z.literal('doc', 'must be doc, the type of a rich-text document'),
        content: z.array(AnyNode(), 'must be an array of block nodes, or null').nullish(),
      },
      'must be a rich-text document (an object whose type is doc) or null',
    )
    .check((context) => {
      for (const fault of findFaults(context.value)) {
        context.issues.push({
          code: 'custom',
          input: context.value,
          path: fault.path,
          ...because(fault.message, 'wrong_document', fault.message),
        });
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
