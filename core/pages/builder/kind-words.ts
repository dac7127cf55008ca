/**
 * What people type to find a kind of question, besides its name: words of other services and of the other language, so that
 * each finds it in the language they know.
 */
import type { QuestionType } from '#core/structure/types/traits.ts';
import type { Preset } from './presets.ts';

export const KIND_WORDS: Readonly<Record<QuestionType | Preset | 'declaration', string>> = {
  SHORT_TEXT: 'text field, line, name, answer, 簡答 短答 單行 文字 姓名',
  LONG_TEXT: 'paragraph, text area, comment, essay, open, 段落 詳答 長答 多行 意見',
  SINGLE_CHOICE: 'radio, select, option, grid, matrix, 單選 選項 選擇 矩陣 表格',
  MULTIPLE_CHOICE: 'checkbox, check box, tick, options, 複選 多選 核取方塊 勾選 選擇',
  DROPDOWN: 'dropdown, select, combo, menu, 下拉 選單',
  DETAILED_MULTIPLE_CHOICE: 'checkbox, check box, options, 複選 多選 核取方塊 說明',
  DATE: 'day, calendar, birthday, month, year, 日期 生日 日曆 年月',
  UPLOAD_FILE: 'file, upload, attachment, picture, image, photo, document, 上傳 檔案 附件 圖片 照片',
  LINEAR_SCALE: 'grid, matrix, slider, range, table, 量表 矩陣 表格 網格 評分 刻度',
  RATING: 'stars, hearts, score, 星 評分 評等 分數',
  RANKING: 'order, sort, priority, 排序 順序 排名 優先',
  OAUTH_CONNECT: 'account, login, sign in, Google, GitHub, Discord, 帳號 登入 連結',
  HYPERLINK: 'url, link, website, 網址 連結 網站',
  nps: 'nps, net promoter, 推薦 淨推薦',
  yesNo: 'boolean, true false, 是非 是否',
  consent: 'terms, privacy, accept, checkbox, 同意 條款 隱私',
  email: 'email, mail, address, 電郵 電子郵件 信箱 郵件',
  phone: 'phone, mobile, cell, tel, 電話 手機',
  number: 'numeric, amount, quantity, integer, 數字 數量 金額 數值',
  time: 'hour, clock, 時間 時刻 幾點',
  agreement: 'grid, likert, matrix, 同意 量表 矩陣 表格',
  stars: 'rating, score, 星 評分',
  declaration: 'signature, sign, 聲明 簽名 簽署',
};
