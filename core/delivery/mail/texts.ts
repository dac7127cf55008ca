/** The texts of mails, in each language. */
import type { Language } from '#core/schema/language.ts';
import { english } from './texts-en.ts';
import { chinese } from './texts-zh-tw.ts';

export type MailTexts = {
  responseSubject(title: string): string;
  /** When the response was submitted, and when it was changed since, if it was. */
  responseIntroduction(submitted: string, changed?: string): string;
  notAnswered: string;
  openResponse: string;
  responseReason: string;
  exportSubject(title: string): string;
  exportHeading(title: string): string;
  exportIntroduction(rows: number): string;
  exportFailedSubject(title: string): string;
  exportFailedIntroduction: string;
  exportTooLargeIntroduction: string;
  exportFailedReason: string;
  download: string;
  exportReason: string;
  /** Above an address, for programs that show no button. */
  address: string;
};

const TEXTS: Readonly<Record<Language, MailTexts>> = { en: english, 'zh-TW': chinese };

/** The texts of a language. */
export const mailTexts = (language: Language): MailTexts => TEXTS[language];
