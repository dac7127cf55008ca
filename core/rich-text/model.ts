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
type Reason = ReturnType<typeof because>;
type Fault = Reason & { path: Path };
/** The state of a validation: the path of the current value, and the faults found so far. */
type Context = { path: Path; faults: Fault[] };

/** Adds a fault at a path relative to the current value. */
function addFault(context: Context, relative: Path, reason: Reason): void {
  if (context.faults.length < MAX_FAULTS) context.faults.push({ path: [...context.path, ...relative], ...reason });
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
  if (typeof value !== 'string' || value === '') {
    addFault(context, relative, because('must be a non-empty string', 'empty_text'));
  } else if (!value.isWellFormed()) {
    addFault(
      context,
      relative,
      because('must be valid Unicode text (it contains half a surrogate pair)', 'not_unicode'),
    );
  }
}

function checkLink(context: Context, attributes: Record<string, unknown>): void {
  const { href, title, target } = attributes;
  if (!isAllowedLink(href)) {
    addFault(context, ['attrs', 'href'], because('must be an http, https or mailto URL, or #fragment', 'wrong_link'));
  }
  if (!isNullish(title) && title !== '') checkText(context, ['attrs', 'title'], title);
  if (!isNullish(target) && target !== '_blank') {
    addFault(context, ['attrs', 'target'], because('must be _blank or absent', 'other_target'));
  }
}

/** Checks the attributes that the service reads; others belong to the front end and are kept as sent. */
function checkAttributes(context: Context, name: NodeName | MarkName, owner: Record<string, unknown>): void {
  if (!isNullish(owner.attrs) && !isObject(owner.attrs)) {
    addFault(context, ['attrs'], because('must be an object or null', 'wrong_attributes'));
    return;
  }
  const attributes = readAttributes(owner);
  if (name === 'link') checkLink(context, attributes);
  if (name === 'variable') checkText(context, ['attrs', 'name'], attributes.name);
  if (name === 'heading' && !isHeadingLevel(attributes.level)) {
    addFault(context, ['attrs', 'level'], because('must be a whole number from 1 to 6', 'wrong_heading_level'));
  }
  if (name !== 'ordered_list') return;
  for (const key of ['order', 'start']) {
    const value = attributes[key];
    if (!isNullish(value) && !isListStart(value)) {
      addFault(context, ['attrs', key], because('must be a whole number', 'wrong_list_start'));
    }
  }
}

function checkMark(context: Context, mark: unknown, seen: Set<MarkName>): void {
  if (!isObject(mark)) {
    addFault(context, [], because('must be a mark: an object with a type', 'no_mark'));
    return;
  }
  const name = markName(mark.type);
  if (!name) {
    const type = quoted(mark.type);
    const message = `${type} is not a known mark: use one of ${MARKS.join(', ')}`;
    addFault(context, ['type'], because(message, 'unknown_mark', type, MARKS));
    return;
  }
  if (seen.has(name)) addFault(context, ['type'], because(`${name} must not be set twice`, 'mark_repeated', name));
  seen.add(name);
  checkAttributes(context, name, mark);
}

function checkMarks(context: Context, name: NodeName, marks: unknown): void {
  if (isNullish(marks)) return;
  if (!Array.isArray(marks)) {
    addFault(context, ['marks'], because('must be an array of marks or null', 'wrong_marks'));
    return;
  }
  if (marks.length > 0 && !isInline(name)) {
    addFault(context, ['marks'], because(`${name} cannot have marks`, 'marks_not_allowed', name));
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
    addFault(context, ['content'], because('must be an array of nodes or null', 'wrong_content'));
    return;
  }
  if (content.length > 0 && ALLOWED_CONTENT[name].length === 0) {
    addFault(context, ['content'], because(`${name} cannot have content`, 'content_not_allowed', name));
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
    addFault(context, [], because('must be a node: an object with a type', 'no_document_node'));
    return;
  }
  const name = nodeName(node.type);
  const allowed = ALLOWED_CONTENT[parent];
  const hint = `${parent} may contain ${allowed.join(', ')}`;
  if (!name) {
    const type = quoted(node.type);
    const message = `${type} is not a known node: ${hint}`;
    addFault(context, ['type'], because(message, 'unknown_document_node', type, parent, allowed));
    return;
  }
  if (!allowed.includes(name)) {
    const message = `${name} is not allowed here: ${hint}`;
    addFault(context, ['type'], because(message, 'misplaced_document_node', name, parent, allowed));
  }
  if (name === 'text') checkText(context, ['text'], node.text);
  checkAttributes(context, name, node);
  checkMarks(context, name, node.marks);
  checkContent(context, name, node.content, depth);
}

const TOO_DEEP = because(`must be nested at most ${MAX_DOCUMENT_DEPTH} levels deep`, 'too_deep', MAX_DOCUMENT_DEPTH);

/**
 * Checks the document as JSON, including the attributes that the service does not read. The depth limit protects this
 * function and later ones such as `JSON.stringify` from a stack overflow; `JSON.parse` accepts any depth.
 */
function checkJson(context: Context, value: unknown, depth: number): void {
  // JSON.parse reads 1e999 as Infinity, which could not be written back.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    addFault(context, [], because('must be a smaller number', 'number_too_large'));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_JSON_DEPTH) {
    context.faults.push({ path: [], ...TOO_DEEP });
    return;
  }
  const members: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, member] of members) {
    if (key === '__proto__') addFault(context, [key], because('must not be used as a name', 'name_not_allowed'));
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
    const message = `must be at most ${MAX_DOCUMENT_BYTES} bytes of JSON`;
    return [{ path: [], ...because(message, 'too_many_bytes', MAX_DOCUMENT_BYTES) }];
  }
  checkContent(context, 'doc', document.content, 0);
  return context.faults;
}

/** No document has more blocks: the JSON of the shortest one, with a comma, has 20 bytes. */
const MAX_BLOCKS = Math.ceil(MAX_DOCUMENT_BYTES / 20);

/** A node as the OpenAPI document describes it; `stacks/build/openapi/rules.ts` says in words what is in each type. */
const AnyNode = schema(() =>
  z.unknown().meta({
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' } },
    additionalProperties: {},
  }),
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
        content: z.array(AnyNode(), 'must be an array of block nodes, or null').max(MAX_BLOCKS).nullish(),
      },
      'must be a rich-text document (an object whose type is doc) or null',
    )
    .check((context) => {
      for (const fault of findFaults(context.value)) {
        context.issues.push({ code: 'custom', input: context.value, ...fault });
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
