/**
 * Finds texts that would take the parser of Markdown out of proportion to their length: its time grows with the square of the
 * lists and quotations that one line opens, and of the marks in one paragraph. Pure, in linear time.
 */

/** More lists and quotations within one another than anybody reads. */
export const MAX_OPENED = 20;
/** More than one sign in ten characters of a paragraph of the longest text. */
export const MAX_MARKS = 1_000;

/** `opened`: a line opens too many lists and quotations; `marks`: a paragraph has too many signs of emphasis and links. */
export type MarkdownFault = { code: 'opened'; line: number } | { code: 'marks'; line: number };

/** The start of a list item or a quotation. */
const OPENING = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
const RULE = /^[ \t]*([-*_])(?:[ \t]*\1)+[ \t]*$/;
/** An escaped character, or a sign that may begin or end emphasis or a link, however often it is repeated. */
const MARK = /\\[\s\S]|\*+|_+|[[\]`<]/g;

/** Finds the first line or paragraph, by the number of its first line, that would be slow; undefined for other texts. */
export function findMarkdownFault(text: string): MarkdownFault | undefined {
  let paragraph = { line: 1, marks: 0 };
  for (const [index, content] of text.split(/\r\n?|\n/).entries()) {
    const line = index + 1;
    if (content.trim() === '') paragraph = { line: line + 1, marks: 0 };
    if (countOpened(content) > MAX_OPENED) return { code: 'opened', line };
    for (const [mark] of content.matchAll(MARK)) if (!mark.startsWith('\\')) paragraph.marks += 1;
    if (paragraph.marks > MAX_MARKS) return { code: 'marks', line: paragraph.line };
  }
  return undefined;
}

function countOpened(line: string): number {
  if (RULE.test(line)) return 0;
  let count = 0;
  for (OPENING.lastIndex = 0; OPENING.test(line); ) count += 1;
  return count;
}
