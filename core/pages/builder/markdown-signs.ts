/**
 * What Markdown does not have but documents do: `++underlined++`, `~~struck~~` and `{{VARIABLE}}`. Before the parser reads a text,
 * each of these signs becomes a character that no text has, unless a backslash stands before it; afterwards pairs of signs
 * become marks, and signs without a partner, within code or in addresses are text again. Pure, in linear time.
 */
import type { MarkName } from '#core/rich-text/model.ts';

type Sign = Extract<MarkName, 'underline' | 'strike'>;

/** The sign of each mark. */
export const SIGNS: Readonly<Record<Sign, string>> = { underline: '++', strike: '~~' };
const MARKS: readonly Sign[] = ['underline', 'strike'];

// Noncharacters of Unicode, which are never exchanged in texts.
const ENCODED: Readonly<Record<Sign, string>> = { underline: '\u{FDD0}', strike: '\u{FDD1}' };
const [OPEN, CLOSE] = ['\u{FDD2}', '\u{FDD3}'];
const ANY = /[\u{FDD0}-\u{FDD3}]/gu;

const NAME = /^[\p{L}\p{N}_.-]{1,100}$/u;
/** An escaped character, a longer row of a sign, a sign, or a variable with its name. */
const TYPED = /\\[\s\S]|\+{3,}|~{3,}|\+\+|~~|\{\{([\p{L}\p{N}_.-]{1,100})\}\}/gu;

/** Writes a variable; undefined for a name that cannot be read back. */
export const writeVariable = (name: string): string | undefined => (NAME.test(name) ? `{{${name}}}` : undefined);

/** Replaces the signs of a text by characters that stand for them. Longer rows of a sign stay: `~~~` begins code. */
export const encodeSigns = (text: string): string =>
  text.replaceAll(ANY, '\u{FFFD}').replaceAll(TYPED, (found, name?: string) => {
    if (name !== undefined) return OPEN + name + CLOSE;
    const mark = MARKS.find((name) => SIGNS[name] === found);
    return mark ? ENCODED[mark] : found;
  });

/** Writes the signs of an encoded text as they were typed. */
export const decodeSigns = (text: string): string =>
  text.replaceAll(ANY, (character) => {
    const mark = MARKS.find((name) => ENCODED[name] === character);
    return mark ? SIGNS[mark] : character === OPEN ? '{{' : '}}';
  });

/** A part of a text: plain text, a variable, or a sign. */
export type Part = { text: string } | { variable: string } | { sign: Sign };

/** Splits an encoded text at its signs. */
export const splitSigns = (text: string): Part[] =>
  text.split(/([\u{FDD0}\u{FDD1}]|\u{FDD2}[^\u{FDD2}\u{FDD3}]*\u{FDD3})/u).flatMap((part): Part[] => {
    const sign = MARKS.find((mark) => ENCODED[mark] === part);
    if (sign) return [{ sign }];
    if (part.startsWith(OPEN)) return [{ variable: part.slice(1, -1) }];
    return part === '' ? [] : [{ text: decodeSigns(part) }];
  });

/** An item between signs: the text at its ends decides which signs can open and close; a line break is a space. */
export type Item<T> = { sign: Sign } | { value: T; text: string };
type Paired<T> = { sign: Sign } | { value: T; marks: Sign[] };

/** Returns the items between signs with the marks of the pairs around them; signs without a partner are texts. */
export function pairSigns<T>(items: readonly Item<T>[]): Paired<T>[] {
  const paired = new Set<number>();
  const marks = items.map((): Sign[] => []);
  for (const mark of MARKS) {
    let open: number | undefined;
    for (const [index, item] of items.entries()) {
      if (!('sign' in item) || item.sign !== mark) continue;
      const { canOpen, canClose } = flanks(items, index);
      if (open !== undefined && canClose && index > open + 1) {
        for (let between = open + 1; between < index; between += 1) marks[between]?.push(mark);
        paired.add(open).add(index);
        open = undefined;
      } else if (canOpen) open = index;
    }
  }
  return items.flatMap((item, index): Paired<T>[] => {
    if ('sign' in item) return paired.has(index) ? [] : [item];
    return [{ value: item.value, marks: marks[index] ?? [] }];
  });
}

/** Like `**`: a sign opens before a word and closes behind one. */
function flanks<T>(items: readonly Item<T>[], index: number): { canOpen: boolean; canClose: boolean } {
  const findKind = (item: Item<T> | undefined, at: 0 | -1): 'space' | 'punctuation' | 'word' => {
    if (!item) return 'space';
    const character = 'sign' in item ? 'x' : (Array.from(item.text).at(at) ?? ' ');
    return /\s/u.test(character) ? 'space' : /[\p{P}\p{S}]/u.test(character) ? 'punctuation' : 'word';
  };
  const [before, after] = [findKind(items[index - 1], -1), findKind(items[index + 1], 0)];
  return {
    canOpen: after === 'word' || (after === 'punctuation' && before !== 'word'),
    canClose: before === 'word' || (before === 'punctuation' && after !== 'word'),
  };
}
