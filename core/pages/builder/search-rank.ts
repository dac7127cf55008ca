/** How well an entry of a menu fits what was typed. Shared with the scripts of the pages. */

/** An entry: its name, and what else is said of it or finds it. */
export type Entry = { name: string; others: string };

/** Folds a text: case, width, hyphens and white space do not count. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[-‐‑–]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Returns how well an entry fits, 0 best: it is its name, its name begins so, its name has it, its name and its other words
 * have each typed word. Undefined if it does not fit.
 */
export function rankEntry({ name, others }: Entry, text: string): number | undefined {
  const typed = fold(text);
  const named = fold(name);
  if (named === typed) return 0;
  if (named.startsWith(typed)) return 1;
  if (named.includes(typed)) return 2;
  const all = `${named} ${fold(others)}`;
  return typed.split(' ').every((word) => all.includes(word)) ? 3 : undefined;
}
