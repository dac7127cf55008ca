/** The texts of what is odd about the rules of a form, in both languages: the overview and the rules show them. */
import type { Language } from '#core/schema/format.ts';

const en = {
  title: 'Worth a look',
  lead: 'These do not prevent publishing:',
  optional: (question: string): string =>
    `“${question}” is optional, but the path depends on it: everybody who reaches it must answer.`,
  never: 'This rule never applies: the ones before it already apply to all its answers.',
  same: 'This rule changes nothing: without it, the same follows.',
  noWay: (choices: string): string => `Nothing follows these choices: ${choices}.`,
  unreachable: 'Nothing leads to this section.',
  sourceLoop: (question: string): string => `“${question}” takes its choices, in the end, from itself.`,
  /** A warning with the section that it is about. */
  after: (section: string, warning: string): string => `After “${section}”: ${warning}`,
  about: (section: string, warning: string): string => `“${section}”: ${warning}`,
  untitled: 'Section without a title',
  separator: ', ',
};

const zhTw: typeof en = {
  title: '值得確認',
  lead: '以下項目不影響發布：',
  optional: (question) => `「${question}」是選填，但路徑由它決定，因此經過的人都必須回答。`,
  never: '這條規則永遠不會適用：它的所有回答都已符合前面的規則。',
  same: '這條規則沒有作用：沒有它，之後的內容也相同。',
  noWay: (choices) => `這些選項之後沒有內容：${choices}。`,
  unreachable: '沒有任何內容通往這個區段。',
  sourceLoop: (question) => `「${question}」的選項最終來自它自己。`,
  after: (section, warning) => `「${section}」之後：${warning}`,
  about: (section, warning) => `「${section}」：${warning}`,
  untitled: '沒有標題的區段',
  separator: '、',
};

/** Returns the texts in the language of a reader. */
export const getWarningsText = ({ language }: { language: Language }): typeof en => (language === 'en' ? en : zhTw);
