/** The texts of the page of statistics, apart from the others so that no other function loads them. */
import type { Language } from '#core/schema/format.ts';
import { type StatisticsText, statisticsEn } from './statistics-en.ts';
import { statisticsZhTw } from './statistics-zh-tw.ts';

/** Returns the texts of statistics in the language of a reader. */
export const getStatisticsTexts = ({ language }: { language: Language }): StatisticsText =>
  language === 'en' ? statisticsEn : statisticsZhTw;
