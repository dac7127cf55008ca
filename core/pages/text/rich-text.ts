/** The texts of a field for rich text, in both languages. */
import type { Language } from '#core/schema/format.ts';

const en = {
  syntax: 'An empty line starts a paragraph. **bold**, *italic*, [link](https://example.org), - list, # heading.',
  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  link: 'Link',
  list: 'List',
  heading: 'Heading',
  preview: 'Preview',
  previewed: 'As respondents see it',
};

const zhTw: typeof en = {
  syntax: '空一行即換段。**粗體**、*斜體*、[連結](https://example.org)、- 清單、# 標題。',
  toolbar: '格式',
  bold: '粗體',
  italic: '斜體',
  link: '連結',
  list: '清單',
  heading: '標題',
  preview: '預覽',
  previewed: '填寫者看到的樣子',
};

/** Returns the texts in the language of a reader. */
export const getRichTextTexts = ({ language }: { language: Language }): typeof en => (language === 'en' ? en : zhTw);
