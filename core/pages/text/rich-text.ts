/** The texts of a field for rich text, in both languages. */
import type { Language } from '#core/schema/format.ts';

const en = {
  syntax:
    'An empty line starts a paragraph. **bold**, *italic*, ++underlined++, ~~struck~~, [link](https://example.org), - list, # heading.',
  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strike: 'Strike',
  link: 'Link',
  list: 'List',
  heading: 'Heading',
  preview: 'Preview',
  previewed: 'As respondents see it',
  elsewhere: 'This was written in another program, with formatting that this page does not edit.',
  replaceHint: 'It stays as it is, unless you replace it.',
  replace: 'Replace it',
};

const zhTw: typeof en = {
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
  elsewhere: '這是以其他程式撰寫的，含有這個頁面無法編輯的格式。',
  replaceHint: '除非你取代它，否則會維持原樣。',
  replace: '取代',
};

/** Returns the texts in the language of a reader. */
export const getRichTextTexts = ({ language }: { language: Language }): typeof en => (language === 'en' ? en : zhTw);
