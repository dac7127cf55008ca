/** The texts of the pages on which questions are made, apart from the others so that no other function loads them. */
import type { Language } from '#core/schema/format.ts';
import { type QuestionsText, questionsEn } from './questions-en.ts';
import { questionsZhTw } from './questions-zh-tw.ts';

/** Returns the texts of authors in the language of a reader. */
export const getQuestionsText = ({ language }: { language: Language }): QuestionsText =>
  language === 'en' ? questionsEn : questionsZhTw;
