/**
 * Patterns that need no RE2, because they only compare texts: those that pages and other front ends write for choices,
 * numbers and texts. Each is compared in linear time. Pure.
 */
import { isId } from '#core/schema/schema.ts';

type Comparison = (subject: string) => boolean;

/** A group around everything between the anchors, or no group. */
const GROUP = /^(?<opening>\^?)\((?:\?:)?(?<grouped>[^()]*)\)(?<closing>\$?)$/;
/** A text between anchors; a backslash keeps the next character from being one. */
const ANCHORED = /^(?<opening>\^?)(?<text>(?:\\[\s\S]|[^\\])*?)(?<closing>\$?)$/;
/** Characters with a meaning in patterns, and how a pattern writes them as text. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/;
const ESCAPED = /\\([\\^$.*+?()[\]{}|/-])/g;

/** A text without regard to case and outer spaces; those of RE2's `\s` are spaces of ASCII. */
const LOOSE = /^\(\?i\)\^\[\\s\\p\{Z\}\]\*(?<text>(?:\\[\s\S]|[^\\])+)\[\\s\\p\{Z\}\]\*\$$/;
const SPACE = /[\t\n\f\r\p{Z}]/u;

/**
 * Returns how a pattern is compared: one that is a text, anchored or not (`yes`, `^yes`, `yes$`, `^yes$`), a text without regard
 * to case and outer spaces, a list of texts that are anchored at both ends (`^(?:1|2|3)$`, `^1$|^2$`), a list of ids, or any
 * text (`.`). Undefined for any other.
 */
export function readLiteral(pattern: string): Comparison | undefined {
  if (pattern === '.') return (subject) => /[^\n]/.test(subject);
  const loose = LOOSE.exec(pattern)?.groups?.text;
  if (loose !== undefined) return compareLoosely(loose);
  const { grouped, opening, closing } = GROUP.exec(pattern)?.groups ?? {};
  const parts = (grouped ?? pattern).split('|').map((part) => readPart(part, { opening, closing }));
  if (!parts.every((part) => part !== undefined)) return undefined;
  const texts = parts.map(({ text }) => text);
  const listed: ReadonlySet<string> = new Set(texts);
  if (parts.every(({ opening, closing }) => opening && closing)) return (subject) => listed.has(subject);
  const [first] = parts;
  if (first && parts.length === 1) return compareEnds(first);
  if (!parts.every(({ opening, closing, text }) => !opening && !closing && isId(text))) return undefined;
  return (subject) => listed.has(subject) || (!isId(subject) && texts.some((text) => subject.includes(text)));
}

/** Compares with a text of a pattern that begins and ends with no space, so that those of a subject are outside of it. */
function compareLoosely(escaped: string): Comparison | undefined {
  const plain = escaped.replaceAll(ESCAPED, '');
  const text = escaped.replaceAll(ESCAPED, '$1');
  if (SPECIAL.test(plain) || SPACE.test(text.slice(0, 1)) || SPACE.test(text.slice(-1))) return undefined;
  const isSame = new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`, 'iu');
  return (subject) => isSame.test(trimSpaces(subject));
}

/** Removes the outer spaces of a text, in linear time. */
function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text.charAt(start))) start += 1;
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

type Part = { opening: boolean; text: string; closing: boolean };

/** Reads a text between anchors, or those around its group. */
function readPart(
  part: string,
  around: { opening?: string | undefined; closing?: string | undefined },
): Part | undefined {
  const { opening, text, closing } = ANCHORED.exec(part)?.groups ?? {};
  if (text === undefined || SPECIAL.test(text.replaceAll(ESCAPED, ''))) return undefined;
  return {
    opening: Boolean(opening || around.opening),
    text: text.replaceAll(ESCAPED, '$1'),
    closing: Boolean(closing || around.closing),
  };
}

function compareEnds({ opening, text, closing }: Part): Comparison {
  if (opening) return (subject) => subject.startsWith(text);
  return closing ? (subject) => subject.endsWith(text) : (subject) => subject.includes(text);
}
