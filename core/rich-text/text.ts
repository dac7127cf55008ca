/**
 * Renders a rich-text document as plain text, for previews and the text part of e-mails. `model.ts` defines documents,
 * `html.ts` renders them with their marks.
 */
import { isObject, MAX_DOCUMENT_DEPTH, nodeName, type RichText, readAttributes } from './model.ts';

/**
 * Renders a document as text: a line for each paragraph, heading and code block, in order; hard breaks as line breaks,
 * variables as `{{NAME}}`. Marks, list markers and horizontal rules are left out.
 *
 * @param document a document, or null for an empty one
 * @returns the lines joined by newlines, `""` for an empty document
 */
export const plainText = (document: RichText | null): string =>
  isObject(document) ? collectLines(document.content, 1).join('\n') : '';

function collectLines(content: unknown, depth: number): string[] {
  if (!Array.isArray(content) || depth > MAX_DOCUMENT_DEPTH) return [];
  return content.filter(isObject).flatMap((node) => {
    switch (nodeName(node.type)) {
      case 'paragraph':
      case 'heading':
      case 'code_block':
        return [Array.isArray(node.content) ? node.content.map(inlineText).join('') : ''];
      case 'bullet_list':
      case 'ordered_list':
      case 'list_item':
      case 'blockquote':
        return collectLines(node.content, depth + 1);
      default:
        return [];
    }
  });
}

function inlineText(node: unknown): string {
  if (!isObject(node)) return '';
  switch (nodeName(node.type)) {
    case 'text':
      return typeof node.text === 'string' ? node.text : '';
    case 'hard_break':
      return '\n';
    case 'variable': {
      const { name } = readAttributes(node);
      return typeof name === 'string' ? `{{${name}}}` : '';
    }
    default:
      return '';
  }
}

let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the first `count` graphemes of a text: an emoji sequence, a letter with its accents or a flag counts as one and is
 * never split. Reads only as much of the text as it returns.
 */
export function firstCharacters(text: string, count: number): string {
  // The first use of a segmenter takes 9 ms.
  if (text.length <= count) return text;
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  let remaining = count;
  for (const { index } of segmenter.segment(text)) {
    if (remaining <= 0) return text.slice(0, index);
    remaining -= 1;
  }
  return text;
}

/**
 * Renders the beginning of a document on one line: its text with each run of white space as one space, cut to `count`
 * graphemes. It is the `previewMessage` of a form without one of its own.
 */
export const previewText = (document: RichText | null, count: number): string =>
  firstCharacters(plainText(document).replace(/\s+/g, ' ').trim(), count);
