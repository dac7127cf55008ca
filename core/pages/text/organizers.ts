/** The texts of the pages of organizers, apart from the others so that no other function loads them. */
import type { Language } from '#core/schema/format.ts';
import { type OrganizersText, organizersEn } from './organizers-en.ts';
import { organizersZhTw } from './organizers-zh-tw.ts';

/** Returns the texts of organizers in the language of a reader. */
export const getOrganizersTexts = ({ language }: { language: Language }): OrganizersText =>
  language === 'en' ? organizersEn : organizersZhTw;
