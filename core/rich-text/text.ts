/**
 * A rich-text document as plain text: for previews, and for mail that is read as text (contract sections 4 and 9).
 * `model.ts` says what a document is, `html.ts` renders it with its marks.
 */
import { attributesOf, isObject, MAX_DOCUMENT_DEPTH, nodeName, type RichText } from '#core/rich-text/model.ts';

/**
 * The text of a document: a line for each paragraph, heading and code block, in order, hard breaks as line ends,
 * variables as `{{NAME}}`. Marks, list numbers and rules are not said.
 *
 * @param document a document, or null for an empty one
 * @returns the lines joined by newlines, `""` for an empty document
 */
export const plainText = (document: RichText | null): string =>
  isObject(document) ? linesOf(document.content, 1).join('\n') : '';

function linesOf(content: unknown, depth: number): string[] {
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
        return linesOf(node.content, depth + 1);
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
      const { name } = attributesOf(node);
      return typeof name === 'string' ? `{{${name}}}` : '';
    }
    default:
      return '';
  }
}

let segmenter: Intl.Segmenter | undefined;

/**
 * The beginning of a text, counted in characters as a person sees them (graphemes): a family emoji, a letter with its
 * accents or a flag is one, and is never cut in half. Only as much of the text is read as is answered.
 */
export function firstCharacters(text: string, count: number): string {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  let left = count;
  for (const { index } of segmenter.segment(text)) {
    if (left <= 0) return text.slice(0, index);
    left -= 1;
  }
  return text;
}

/**
 * What a document begins with, on one line: its text with every run of white space as one space, cut to `count`
 * characters. Contract section 4: with 25, the `previewMessage` of a form that has none of its own.
 */
export const previewOf = (document: RichText | null, count: number): string =>
  firstCharacters(plainText(document).replace(/\s+/g, ' ').trim(), count);
