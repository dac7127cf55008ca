/** The texts of the pages that merge, restore and undo edits, apart from the others so that no other function loads them. */
import type { Language } from '#core/schema/format.ts';
import { type VersionsText, versionsEn } from './versions-en.ts';
import { versionsZhTw } from './versions-zh-tw.ts';

/** Returns the texts of versions in the language of a reader. */
export const getVersionsText = ({ language }: { language: Language }): VersionsText =>
  language === 'en' ? versionsEn : versionsZhTw;
