/** The texts of the pages of reviewers, apart from the others so that the function of respondents does not load them. */
import type { Language } from '#core/schema/format.ts';
import { type ReviewText, reviewEn } from './review-en.ts';
import { reviewZhTw } from './review-zh-tw.ts';

/** Returns the texts of reviewers in the language of a reader. */
export const getReviewTexts = ({ language }: { language: Language }): ReviewText =>
  language === 'en' ? reviewEn : reviewZhTw;
