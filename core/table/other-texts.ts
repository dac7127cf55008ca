/** Counts what respondents wrote behind the choice "Other" of a question: equal texts, whatever their case and spaces, are one. Pure. */
import type { Answer } from '#core/responses/model.ts';

/** A text as it was written most often, and how many responses have it. */
export type OtherText = { text: string; count: number };

/** Creates a counter: `add` takes an answer, `list` returns the texts, most frequent first, equal counts in the order of the alphabet. */
export function countOtherTexts(): { add(answer: Answer | undefined): void; list(): OtherText[] } {
  const spellings = new Map<string, Map<string, number>>();
  return {
    add: (answer) => {
      const text = answer?.otherText?.trim().replaceAll(/\s+/g, ' ') ?? '';
      if (text === '') return;
      const key = text.toLowerCase();
      const counts = spellings.get(key) ?? new Map<string, number>();
      counts.set(text, (counts.get(text) ?? 0) + 1);
      spellings.set(key, counts);
    },
    list: () =>
      [...spellings.values()]
        .map((counts) => {
          const [[text] = ['']] = [...counts].sort((a, b) => b[1] - a[1]);
          return { text, count: counts.values().reduce((sum, count) => sum + count, 0) };
        })
        .sort((a, b) => b.count - a.count || a.text.localeCompare(b.text, 'en')),
  };
}
