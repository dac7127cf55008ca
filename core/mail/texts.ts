/** The texts of mails in English. */
import { formatNumber, type Language } from '#core/schema/format.ts';

export const english: MailTexts = {
  responseSubject: (title) => `Your response: ${title}`,
  responseIntroduction: (submitted, changed) =>
    `Thank you. This is a copy of the response that you submitted on ${submitted}${changed === undefined ? '' : ` and changed on ${changed}`}.`,
  notAnswered: 'Not answered',
  openResponse: 'Open your response',
  responseReason: 'You receive this mail because you submitted this form while signed in with this address.',
  exportSubject: (title) => `Your export is ready: ${title}`,
  exportHeading: (title) => `Export of “${title}”`,
  exportIntroduction: (rows) =>
    rows === 1
      ? 'Your export is ready. It has 1 response.'
      : `Your export is ready. It has ${formatNumber({ language: 'en' }, rows)} responses.`,
  exportFailedSubject: (title) => `Your export failed: ${title}`,
  exportFailedIntroduction: 'The export that you asked for could not be finished. Please start it again.',
  exportTooLargeIntroduction:
    'The form has too many responses or answers for one export. Please choose fewer questions.',
  exportFailedReason: 'You receive this mail because you asked for this export.',
  download: 'Download the file',
  exportReason: 'You receive this mail because you asked for this export. The link works while you are signed in.',
  address: 'If the button does not work, open this address:',
};

// The texts of mails in Traditional Chinese.

export const chinese: MailTexts = {
  responseSubject: (title) => `你的回覆：${title}`,
  responseIntroduction: (submitted, changed) =>
    `感謝你的填寫。以下是你於 ${submitted} 送出${changed === undefined ? '' : `、並於 ${changed} 修改`}的回覆副本。`,
  notAnswered: '未作答',
  openResponse: '查看你的回覆',
  responseReason: '你收到這封信，是因為你以此電子郵件地址登入並送出了這份表單。',
  exportSubject: (title) => `匯出檔案已備妥：${title}`,
  exportHeading: (title) => `「${title}」的匯出檔案`,
  exportIntroduction: (rows) => `你要求的匯出檔案已備妥，共有 ${formatNumber({ language: 'zh-TW' }, rows)} 份回覆。`,
  exportFailedSubject: (title) => `匯出失敗：${title}`,
  exportFailedIntroduction: '很抱歉，你要求的匯出未能完成，請重新匯出。',
  exportTooLargeIntroduction: '表單的回覆或答案太多，無法一次匯出。請選擇較少的題目。',
  exportFailedReason: '你收到這封信，是因為你要求了這次匯出。',
  download: '下載檔案',
  exportReason: '你收到這封信，是因為你要求了這次匯出。登入後即可使用此連結。',
  address: '若按鈕無法使用，請開啟以下網址：',
};

// The texts of mails, in each language.

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

/** Returns the texts of a language. */
export const mailTexts = (language: Language): MailTexts => TEXTS[language];
