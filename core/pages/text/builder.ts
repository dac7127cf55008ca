/** The texts of the pages that build forms, apart from the others so that no other function loads them. */
import type { BuilderText } from './builder-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of builders in the language of a reader. */
export const getBuilderTexts = declareTexts<BuilderText>({
  en: async () => (await import('./builder-en.ts')).builderEn,
  'zh-TW': async () => (await import('./builder-zh-tw.ts')).builderZhTw,
});
