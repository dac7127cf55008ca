/** The texts of a field for rich text, apart from the others so that only pages with such a field load them. */
import type { RichTextText } from './rich-text-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of a field for rich text in the language of a reader. */
export const getRichTextTexts = declareTexts<RichTextText>({
  en: async () => (await import('./rich-text-en.ts')).richTextEn,
  'zh-TW': async () => (await import('./rich-text-zh-tw.ts')).richTextZhTw,
});
