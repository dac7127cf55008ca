/** The texts of the pages on which questions are made, apart from the others so that no other function loads them. */
import type { QuestionsText } from './questions-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of authors in the language of a reader. */
export const getQuestionsTexts = declareTexts<QuestionsText>({
  en: async () => (await import('./questions-en.ts')).questionsEn,
  'zh-TW': async () => (await import('./questions-zh-tw.ts')).questionsZhTw,
});
