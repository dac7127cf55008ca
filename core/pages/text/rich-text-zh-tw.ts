/** The texts of a field for rich text in Traditional Chinese. */
import type { RichTextText } from './rich-text-en.ts';

export const richTextZhTw: RichTextText = {
  syntax: '空一行即換段。**粗體**、*斜體*、++底線++、~~刪除線~~、[連結](https://example.org)、- 清單、# 標題。',
  toolbar: '格式',
  bold: '粗體',
  italic: '斜體',
  underline: '底線',
  strike: '刪除線',
  link: '連結',
  list: '清單',
  heading: '標題',
  preview: '預覽',
  previewed: '填寫者看到的樣子',
  otherProgram: '這是以其他程式撰寫的，含有這個頁面無法編輯的格式。',
  replaceHint: '除非你取代它，否則會維持原樣。',
  replace: '取代',
  tooNested: (line, max) => `第 ${line} 行開頭的清單與引用符號（例如 - 或 >）超過 ${max} 個，請減少層數`,
  tooManyMarks: (line, max) =>
    `從第 ${line} 行開始的段落有超過 ${max} 個格式符號（例如 * 或 [），請用空行分段，或在只是文字的符號前加上 \\`,
};
