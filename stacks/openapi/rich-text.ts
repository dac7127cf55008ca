/**
 * The nodes and marks of rich text as JSON schemas. The service judges them by a walk of its own
 * (`core/rich-text/model.ts`), so they are said here once more, from the same tables of names and contents.
 * What a schema cannot say (64 KB, 32 levels, each mark once) stands in the description of `RichText`.
 */
import { BLOCKS, HOLDS, INLINE, MARKS, MAX_LIST_START, NODE_NAMES, type NodeName } from '#core/rich-text/model.ts';
import type { JsonSchema } from './schemas.ts';

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const filledText: JsonSchema = { type: 'string', minLength: 1 };
const nothing: JsonSchema = { type: ['array', 'null'], maxItems: 0 };

/** All names under which a node may be sent: ProseMirror's and Tiptap's. */
const namesOf = (node: NodeName): string[] =>
  [...NODE_NAMES].flatMap(([name, meant]) => (meant === node && typeof name === 'string' ? [name] : []));

/** The array of what a node holds, by the group of nodes that it is. */
function contentOf(node: NodeName | 'doc'): JsonSchema {
  const held = HOLDS[node];
  if (held.length === 0) return nothing;
  const group = GROUPS.find(([, members]) => members.length === held.length && members.every((m) => held.includes(m)));
  if (!group)
    throw new Error(`${node} holds ${held.join(', ')}, which is no group of rich-text nodes: add it to GROUPS`);
  return orNull({ type: 'array', items: ref(group[0]) });
}

const GROUPS: [string, readonly NodeName[]][] = [
  ['RichTextBlock', BLOCKS],
  ['RichTextListItem', ['list_item']],
  ['RichTextInline', INLINE],
  ['RichTextRun', ['text']],
];

/** Attributes that the service reads; others are the front end's and kept. */
const ATTRIBUTES: Partial<Record<NodeName, { required: boolean; attrs: JsonSchema }>> = {
  heading: {
    required: true,
    attrs: { type: 'object', required: ['level'], properties: { level: { type: 'integer', minimum: 1, maximum: 6 } } },
  },
  variable: { required: true, attrs: { type: 'object', required: ['name'], properties: { name: filledText } } },
  ordered_list: {
    required: false,
    attrs: { type: 'object', properties: { order: listStart(), start: listStart() } },
  },
};

function listStart(): JsonSchema {
  return { type: ['integer', 'null'], minimum: -MAX_LIST_START, maximum: MAX_LIST_START };
}

function nodeSchema(node: NodeName): JsonSchema {
  const { required = false, attrs = { type: 'object' } } = ATTRIBUTES[node] ?? {};
  const isInline = INLINE.some((inline) => inline === node);
  return {
    title: node,
    type: 'object',
    required: ['type', ...(node === 'text' ? ['text'] : []), ...(required ? ['attrs'] : [])],
    properties: {
      type: { type: 'string', enum: namesOf(node) },
      ...(node === 'text' ? { text: filledText } : {}),
      attrs: required ? attrs : orNull(attrs),
      content: contentOf(node),
      marks: isInline ? orNull({ type: 'array', maxItems: MARKS.length, items: ref('RichTextMark') }) : nothing,
    },
  };
}

const plainMark: JsonSchema = {
  title: 'mark',
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: MARKS.filter((mark) => mark !== 'link') },
    attrs: { type: ['object', 'null'] },
  },
};

const linkMark: JsonSchema = {
  title: 'link',
  type: 'object',
  required: ['type', 'attrs'],
  properties: {
    type: { type: 'string', const: 'link' },
    attrs: {
      type: 'object',
      required: ['href'],
      properties: {
        href: {
          type: 'string',
          pattern: '^(?:[hH][tT][tT][pP][sS]?://[^\\s/\\\\]|[mM][aA][iI][lL][tT][oO]:\\S|#)',
          description: 'An absolute http, https or mailto address, or #fragment, without control characters.',
        },
        title: { type: ['string', 'null'] },
        target: { enum: ['_blank', null] },
      },
    },
  },
};

/** The schemas below `RichText`, by name; their references are to `#/$defs/`. */
export const richTextSchemas = (): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    GROUPS.map(([name, members]): [string, JsonSchema] => {
      const [only, ...others] = members.map(nodeSchema);
      return [name, only && others.length === 0 ? only : { anyOf: members.map(nodeSchema) }];
    }),
  ),
  RichTextMark: { anyOf: [plainMark, linkMark] },
});

/** What `RichText` itself gains: blocks in place of any nodes. */
export const richTextContent = (): JsonSchema => contentOf('doc');
