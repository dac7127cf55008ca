/** The texts of the pages that build forms, apart from the others so that no other function loads them. */
import type { Language } from '#core/schema/format.ts';
import { type BuilderText, builderEn } from './builder-en.ts';
import { builderZhTw } from './builder-zh-tw.ts';

/** The texts of builders in the language of a reader. */
export const builderText = ({ language }: { language: Language }): BuilderText =>
  language === 'en' ? builderEn : builderZhTw;
