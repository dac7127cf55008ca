/** The texts of mails in Traditional Chinese. */
import { number } from '#core/schema/format.ts';
import type { MailTexts } from './texts.ts';

export const chinese: MailTexts = {
  responseSubject: (title) => `你的回覆：${title}`,
  responseIntroduction: (submitted, changed) =>
    `感謝你的填寫。以下是你於 ${submitted} 送出${changed === undefined ? '' : `、並於 ${changed} 修改`}的回覆副本。`,
  notAnswered: '未作答',
  openResponse: '查看你的回覆',
  responseReason: '你收到這封信，是因為你以此電子郵件地址登入並送出了這份表單。',
  exportSubject: (title) => `匯出檔案已備妥：${title}`,
  exportHeading: (title) => `「${title}」的匯出檔案`,
  exportIntroduction: (rows) => `你要求的匯出檔案已備妥，共有 ${number({ language: 'zh-TW' }, rows)} 份回覆。`,
  exportFailedSubject: (title) => `匯出失敗：${title}`,
  exportFailedIntroduction: '很抱歉，你要求的匯出未能完成，請重新匯出。',
  exportTooLargeIntroduction: '表單的回覆或答案太多，無法一次匯出。請選擇較少的題目。',
  exportFailedReason: '你收到這封信，是因為你要求了這次匯出。',
  download: '下載檔案',
  exportReason: '你收到這封信，是因為你要求了這次匯出。登入後即可使用此連結。',
  address: '若按鈕無法使用，請開啟以下網址：',
};
