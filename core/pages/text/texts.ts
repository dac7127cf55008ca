/**
 * How the texts of pages are declared: each language is a module of its own, which a function loads when the first reader
 * of that language comes. Before a page is built, all declared texts are loaded in the language of its reader.
 */
import type { Language } from '#core/schema/format.ts';

/** The names of the languages, each in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', 'zh-TW': '繁體中文' };

const declared: ((language: Language) => Promise<void>)[] = [];

/** Declares texts, and returns the lookup of those in the language of a reader, which must be loaded before. */
export function declareTexts<T>(
  load: Readonly<Record<Language, () => Promise<T>>>,
): (reader: { language: Language }) => T {
  const loaded = new Map<Language, T>();
  declared.push(async (language) => {
    if (!loaded.has(language)) loaded.set(language, await load[language]());
  });
  return ({ language }) => {
    const texts = loaded.get(language);
    if (!texts) throw new Error(`texts in the language ${language} are not loaded`);
    return texts;
  };
}

/** Loads all texts that the loaded modules declare, in one language. */
export async function loadTexts(language: Language): Promise<void> {
  await Promise.all(declared.map((load) => load(language)));
}
