/** Rich text that the pages edit as plain text: paragraphs, one a line. */
import { isDeepStrictEqual } from 'node:util';
import type { RichText } from '#core/rich-text/model.ts';
import { plainText } from '#core/rich-text/text.ts';

/** Converts lines to a document of plain paragraphs; null for a text without visible characters. */
export const toDocument = (text: string): RichText | null =>
  text.trim() === ''
    ? null
    : {
        type: 'doc',
        content: text.split('\n').map((line) => ({
          type: 'paragraph',
          ...(line === '' ? {} : { content: [{ type: 'text', text: line }] }),
        })),
      };

/** Returns the text of a document; undefined if it has more than plain paragraphs, so that it cannot be edited here. */
export function editableText(document: RichText | null): string | undefined {
  if (document === null) return '';
  const text = plainText(document);
  return isDeepStrictEqual(toDocument(text), document) ? text : undefined;
}
