/**
 * The HTML of a rich-text document (contract section 11): `descriptionHtml`, and the copies sent by e-mail.
 * It writes only the tags listed there, escapes every text and attribute, and trusts nothing: what `model.ts` would
 * refuse is left out, so even a document that was never validated cannot bring in markup or a script.
 */
import {
  attributesOf,
  isAllowedLink,
  isHeadingLevel,
  isListStart,
  isObject,
  MAX_DOCUMENT_DEPTH,
  type MarkName,
  markName,
  type NodeName,
  nodeName,
  type RichText,
} from '#core/rich-text/model.ts';

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Text as it may stand in HTML, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES.get(mark) ?? '');

/**
 * Renders a document. Marks nest in the order of their array, the first outermost, and one that goes on over
 * neighbouring nodes stays open, so that a link with a bold word in it is one link.
 *
 * @param document a document, or null for an empty one
 * @returns well-formed HTML, `""` for an empty document
 */
export const renderHtml = (document: RichText | null): string =>
  isObject(document) ? renderNodes(document.content, 1) : '';

type Tag = { open: string; close: string };

function renderNodes(content: unknown, depth: number): string {
  if (!Array.isArray(content) || depth > MAX_DOCUMENT_DEPTH) return '';
  let html = '';
  let open: Tag[] = [];
  for (const node of content) {
    const rendered = isObject(node) ? renderNode(node, depth) : undefined;
    if (rendered === undefined) continue;
    const tags = tagsOf(node.marks);
    const shared = sharedLength(open, tags);
    html += closing(open.slice(shared)) + opening(tags.slice(shared)) + rendered;
    open = tags;
  }
  return html + closing(open);
}

const opening = (tags: Tag[]): string => tags.map((tag) => tag.open).join('');
const closing = (tags: Tag[]): string =>
  tags
    .map((tag) => tag.close)
    .reverse()
    .join('');

/** How many marks, from the outermost, go on from one node to the next. */
function sharedLength(before: Tag[], after: Tag[]): number {
  const differs = before.findIndex((tag, index) => tag.open !== after[index]?.open);
  return differs === -1 ? before.length : differs;
}

const element = (tag: string, inner: string): string => `<${tag}>${inner}</${tag}>`;

/** One node as HTML, or undefined when it is none that we know. */
function renderNode(node: Record<string, unknown>, depth: number): string | undefined {
  const name = nodeName(node.type);
  if (!name) return undefined;
  return name === 'text' || name === 'variable' || name === 'hard_break'
    ? renderInline(name, node)
    : renderBlock(name, attributesOf(node), () => renderNodes(node.content, depth + 1));
}

function renderInline(name: 'text' | 'variable' | 'hard_break', node: Record<string, unknown>): string | undefined {
  if (name === 'hard_break') return '<br>';
  if (name === 'text') return typeof node.text === 'string' ? escapeHtml(node.text) : undefined;
  const variable = attributesOf(node).name;
  return typeof variable === 'string' ? `{{${escapeHtml(variable)}}}` : undefined;
}

type BlockName = Exclude<NodeName, 'text' | 'variable' | 'hard_break'>;

function renderBlock(name: BlockName, attributes: Record<string, unknown>, inner: () => string): string | undefined {
  switch (name) {
    case 'paragraph':
      return element('p', inner());
    case 'heading':
      return isHeadingLevel(attributes.level) ? element(`h${attributes.level}`, inner()) : undefined;
    case 'bullet_list':
      return element('ul', inner());
    case 'ordered_list':
      return `<ol${startOf(attributes)}>${inner()}</ol>`;
    case 'list_item':
      return element('li', inner());
    case 'blockquote':
      return element('blockquote', inner());
    case 'code_block':
      return element('pre', element('code', inner()));
    case 'horizontal_rule':
      return '<hr>';
  }
}

/** The start of an ordered list, said only when it is not 1. */
function startOf(attributes: Record<string, unknown>): string {
  const start = [attributes.order, attributes.start].find(isListStart) ?? 1;
  return start === 1 ? '' : ` start="${start}"`;
}

/** The tags of a node's marks, outermost first; a mark set twice counts once, since links must not nest. */
function tagsOf(marks: unknown): Tag[] {
  const tags = new Map<MarkName, Tag>();
  for (const mark of Array.isArray(marks) ? marks : []) {
    const name = isObject(mark) ? markName(mark.type) : undefined;
    const tag = name ? tagOf(name, attributesOf(mark)) : undefined;
    if (name && tag) tags.set(name, tag);
  }
  return [...tags.values()];
}

const plainTag = (name: string): Tag => ({ open: `<${name}>`, close: `</${name}>` });

const PLAIN_TAGS: Record<Exclude<MarkName, 'link'>, Tag> = {
  bold: plainTag('strong'),
  italic: plainTag('em'),
  underline: plainTag('u'),
  strike: plainTag('s'),
  code: plainTag('code'),
};

function tagOf(name: MarkName, attributes: Record<string, unknown>): Tag | undefined {
  if (name !== 'link') return PLAIN_TAGS[name];
  const { href, title, target } = attributes;
  if (!isAllowedLink(href)) return undefined;
  const said = typeof title === 'string' && title !== '' ? ` title="${escapeHtml(title)}"` : '';
  const opened = target === '_blank' ? ' target="_blank"' : '';
  return { open: `<a href="${escapeHtml(href)}"${said} rel="noopener noreferrer nofollow"${opened}>`, close: '</a>' };
}
