/** The texts of the pages of reviewers, apart from the others so that the function of respondents does not load them. */
import type { ReviewText } from './review-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of reviewers in the language of a reader. */
export const getReviewTexts = declareTexts<ReviewText>({
  en: async () => (await import('./review-en.ts')).reviewEn,
  'zh-TW': async () => (await import('./review-zh-tw.ts')).reviewZhTw,
});
