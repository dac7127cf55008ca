/** The texts of mails in Traditional Chinese. */
import type { MailTexts } from './texts.ts';

const time = new Intl.DateTimeFormat('zh-TW', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const kilobytes = new Intl.NumberFormat('zh-TW', { style: 'unit', unit: 'kilobyte' });
const number = new Intl.NumberFormat('zh-TW');

export const chinese: MailTexts = {
  time: (date) => `${time.format(date)}（UTC）`,
  responseSubject: (title) => `您的回覆：${title}`,
  responseIntroduction: (submitted) => `感謝您的填寫。以下是您於 ${submitted}送出的回覆副本。`,
  notAnswered: '未作答',
  fileSize: (bytes) => kilobytes.format(Math.ceil(bytes / 1_000)),
  openResponse: '查看您的回覆',
  responseReason: '您收到這封信，是因為您以此電子郵件地址登入並送出了這份表單。',
  exportSubject: (title) => `匯出檔案已備妥：${title}`,
  exportHeading: (title) => `「${title}」的匯出檔案`,
  exportIntroduction: (rows) => `您要求的匯出檔案已備妥，共有 ${number.format(rows)} 份回覆。`,
  exportFailedSubject: (title) => `匯出失敗：${title}`,
  exportFailedIntroduction: '很抱歉，您要求的匯出未能完成，請重新匯出。',
  exportTooLargeIntroduction: '表單的回覆或答案太多，無法一次匯出。請選擇較少的題目。',
  exportFailedReason: '您收到這封信，是因為您要求了這次匯出。',
  download: '下載檔案',
  exportReason: '您收到這封信，是因為您要求了這次匯出。登入後即可使用此連結。',
  address: '若按鈕無法使用，請開啟以下網址：',
};
