/**
 * The nodes and marks of rich text as JSON schemas, made from the same tables that the service validates with
 * (`core/rich-text/model.ts`). The rules that a schema cannot express (64 KB, 32 levels, each mark once) are in the
 * description of `RichText`.
 */
import {
  ALLOWED_CONTENT,
  BLOCKS,
  INLINE,
  MARKS,
  MAX_LIST_START,
  NODE_NAMES,
  type NodeName,
} from '#core/rich-text/model.ts';

/** A JSON schema of draft 2020-12. */
export type JsonSchema = { [keyword: string]: unknown; $ref?: string; properties?: Record<string, JsonSchema> };

/** A reference to a schema of the document. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const listStart: JsonSchema = { type: ['integer', 'null'], minimum: -MAX_LIST_START, maximum: MAX_LIST_START };
const nonEmptyText: JsonSchema = { type: 'string', minLength: 1 };
const noItems: JsonSchema = { type: ['array', 'null'], maxItems: 0 };

const GROUPS: Record<string, readonly NodeName[]> = {
  RichTextBlock: BLOCKS,
  RichTextInline: INLINE,
  RichTextListItem: ['list_item'],
  RichTextRun: ['text'],
};

/** The content of a node: an array of one group of nodes, or nothing. */
function toContentSchema(node: NodeName | 'doc'): JsonSchema {
  const allowed = ALLOWED_CONTENT[node].join();
  if (allowed === '') return noItems;
  const [group] = Object.entries(GROUPS).find(([, members]) => members.join() === allowed) ?? [];
  if (group === undefined) throw new Error(`Add the content of ${node} (${allowed}) to GROUPS.`);
  return nullable({ type: 'array', items: ref(group) });
}

/** Attributes that the service reads. Nodes may have others, which are kept. */
const ATTRIBUTES: Partial<Record<NodeName, JsonSchema>> = {
  heading: { required: ['level'], properties: { level: { type: 'integer', minimum: 1, maximum: 6 } } },
  variable: { required: ['name'], properties: { name: nonEmptyText } },
  ordered_list: { properties: { order: listStart, start: listStart } },
};

function nodeSchema(node: NodeName): JsonSchema {
  const attrs: JsonSchema = { type: 'object', ...ATTRIBUTES[node] };
  const required = ['type', ...(node === 'text' ? ['text'] : []), ...(attrs.required ? ['attrs'] : [])];
  const marks = INLINE.some((inline) => inline === node)
    ? nullable({ type: 'array', maxItems: MARKS.length, items: ref('RichTextMark') })
    : noItems;
  return {
    title: node,
    type: 'object',
    required,
    properties: {
      type: { type: 'string', enum: [...NODE_NAMES].filter(([, named]) => named === node).map(([name]) => name) },
      ...(node === 'text' ? { text: nonEmptyText } : {}),
      attrs: attrs.required ? attrs : nullable(attrs),
      content: toContentSchema(node),
      marks,
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

/** The schemas that `RichText` refers to, by name. */
export const richTextSchemas = (): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    Object.entries(GROUPS).map(([name, members]) => {
      const [only, ...others] = members.map(nodeSchema);
      return [name, only && others.length === 0 ? only : { anyOf: members.map(nodeSchema) }];
    }),
  ),
  RichTextMark: { anyOf: [plainMark, linkMark] },
});

/** The content of `RichText` itself. */
export const richTextContent = (): JsonSchema => toContentSchema('doc');
