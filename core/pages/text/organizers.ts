/** The texts of the pages of organizers, apart from the others so that no other function loads them. */
import type { OrganizersText } from './organizers-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of organizers in the language of a reader. */
export const getOrganizersTexts = declareTexts<OrganizersText>({
  en: async () => (await import('./organizers-en.ts')).organizersEn,
  'zh-TW': async () => (await import('./organizers-zh-tw.ts')).organizersZhTw,
});
