/** The texts of the pages that merge, restore and undo edits, apart from the others so that no other function loads them. */

import { declareTexts } from './texts.ts';
import type { VersionsText } from './versions-en.ts';

/** Returns the texts of versions in the language of a reader. */
export const getVersionsTexts = declareTexts<VersionsText>({
  en: async () => (await import('./versions-en.ts')).versionsEn,
  'zh-TW': async () => (await import('./versions-zh-tw.ts')).versionsZhTw,
});
