/** The texts of the page of statistics, apart from the others so that no other function loads them. */
import type { StatisticsText } from './statistics-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of statistics in the language of a reader. */
export const getStatisticsTexts = declareTexts<StatisticsText>({
  en: async () => (await import('./statistics-en.ts')).statisticsEn,
  'zh-TW': async () => (await import('./statistics-zh-tw.ts')).statisticsZhTw,
});
