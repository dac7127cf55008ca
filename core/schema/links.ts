/** Finds web addresses in plain text, for pages and mails that show them as links. */

/** A piece of a text; `href`: the address that it is. */
export type TextPart = { text: string; href?: string };

/** An address ends at white space, quotes, angle brackets, and punctuation of Chinese. */
const ADDRESS = /https?:\/\/[^\s<>"'\u3000-\u303f\uff00-\uffef]+/gi;

/** Splits a text at its addresses; the pieces together are the text. */
export function splitAtLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const href = trimEnd(found);
    if (!URL.canParse(href)) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: href, href });
    end = index + href.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Cuts off the punctuation of the sentence, and a bracket that was opened before the address. */
function trimEnd(address: string): string {
  const opens = address.includes('(');
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? '';
    const isSentence = '.,;:!?*_'.includes(last);
    const isClosing = last === ')' && !opens;
    if (!isSentence && !isClosing) break;
  }
  return address.slice(0, end);
}
