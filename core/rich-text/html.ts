/**
 * Renders a rich-text document as HTML, for `descriptionHtml` and e-mails. Only the tags below are written, and every
 * text and attribute is escaped. Whatever `model.ts` rejects is left out, so even a document that was not validated
 * cannot inject markup or scripts.
 */

import { escapeHtml } from '#core/schema/text.ts';
import {
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
  readAttributes,
} from './model.ts';

/**
 * Renders a document. Marks nest in the order of their array, the first outermost. A mark that continues in the next
 * node stays open, so that a link that contains a bold word is one link.
 *
 * @param document a document, or null for an empty one
 * @returns well-formed HTML, `""` for an empty document
 */
export const renderHtml = (document: RichText | null): string =>
  isObject(document) ? renderNodes(document.content, 1) : '';

/** Whether a document has no content, so that nothing is rendered. */
export const isEmptyDocument = (document: RichText | null): boolean =>
  !isObject(document) || !Array.isArray(document.content) || document.content.length === 0;

type Tag = { open: string; close: string };

function renderNodes(content: unknown, depth: number): string {
  if (!Array.isArray(content) || depth > MAX_DOCUMENT_DEPTH) return '';
  let html = '';
  let open: Tag[] = [];
  for (const node of content) {
    const rendered = isObject(node) ? renderNode(node, depth) : undefined;
    if (rendered === undefined) continue;
    const tags = buildTags(node.marks);
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

/** Counts the marks, from the outermost, that two neighbouring nodes share. */
function sharedLength(before: Tag[], after: Tag[]): number {
  const differs = before.findIndex((tag, index) => tag.open !== after[index]?.open);
  return differs === -1 ? before.length : differs;
}

const element = (tag: string, inner: string): string => `<${tag}>${inner}</${tag}>`;

/** Renders one node; undefined for an unknown or invalid node. */
function renderNode(node: Record<string, unknown>, depth: number): string | undefined {
  const name = nodeName(node.type);
  if (!name) return undefined;
  return name === 'text' || name === 'variable' || name === 'hard_break'
    ? renderInline(name, node)
    : renderBlock(name, readAttributes(node), () => renderNodes(node.content, depth + 1));
}

function renderInline(name: 'text' | 'variable' | 'hard_break', node: Record<string, unknown>): string | undefined {
  if (name === 'hard_break') return '<br>';
  if (name === 'text') return typeof node.text === 'string' ? escapeHtml(node.text) : undefined;
  const variable = readAttributes(node).name;
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
      return `<ol${renderStart(attributes)}>${inner()}</ol>`;
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

/** Renders the `start` attribute of an ordered list; empty when the list starts at 1. */
function renderStart(attributes: Record<string, unknown>): string {
  const start = [attributes.order, attributes.start].find(isListStart) ?? 1;
  return start === 1 ? '' : ` start="${start}"`;
}

/**
 * Builds the tags of a node's marks, outermost first. A mark that is set twice is rendered once, because links must not nest.
 */
function buildTags(marks: unknown): Tag[] {
  const tags = new Map<MarkName, Tag>();
  for (const mark of Array.isArray(marks) ? marks : []) {
    const name = isObject(mark) ? markName(mark.type) : undefined;
    const tag = name ? buildTag(name, readAttributes(mark)) : undefined;
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

function buildTag(name: MarkName, attributes: Record<string, unknown>): Tag | undefined {
  if (name !== 'link') return PLAIN_TAGS[name];
  const { href, title, target } = attributes;
  if (!isAllowedLink(href)) return undefined;
  const titleAttribute = typeof title === 'string' && title !== '' ? ` title="${escapeHtml(title)}"` : '';
  const targetAttribute = target === '_blank' ? ' target="_blank"' : '';
  return {
    open: `<a href="${escapeHtml(href)}"${titleAttribute} rel="noopener noreferrer nofollow"${targetAttribute}>`,
    close: '</a>',
  };
}
