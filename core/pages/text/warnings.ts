/** The texts of the check list of a form, and of what is odd about its rules, in both languages. */
import type { Language } from '#core/schema/format.ts';

const en = {
  prevents: 'These faults prevent publishing:',
  lead: 'These do not prevent publishing:',
  optional: (question: string): string =>
    `“${question}” is optional, but the path depends on it: everybody who reaches it must answer.`,
  never: 'This rule never applies: the ones before it already apply to all its answers.',
  same: 'This rule changes nothing: without it, the same follows.',
  noWay: (choices: string): string => `Nothing follows these choices: ${choices}.`,
  unreachable: 'Nothing leads to this section.',
  sourceLoop: (question: string): string => `“${question}” takes its choices, in the end, from itself.`,
  rule: (number: number, section: string): string => `Rule ${number} after “${section}”`,
  condition: (number: number): string => `Condition ${number}`,
  /** A warning with the rule or the section that it is about. */
  at: (condition: string, warning: string): string => `${condition}: ${warning}`,
  after: (section: string, warning: string): string => `After “${section}”: ${warning}`,
  about: (section: string, warning: string): string => `“${section}”: ${warning}`,
  untitled: 'Section without a title',
  separator: ', ',
};

const zhTw: typeof en = {
  prevents: '以下問題使表單無法發布：',
  lead: '以下項目不影響發布：',
  optional: (question) => `「${question}」是選填，但路徑由它決定，因此經過的人都必須回答。`,
  never: '這條規則永遠不會適用：它的所有回答都已符合前面的規則。',
  same: '這條規則沒有作用：沒有它，之後的內容也相同。',
  noWay: (choices) => `這些選項之後沒有內容：${choices}。`,
  unreachable: '沒有任何內容通往這個區段。',
  sourceLoop: (question) => `「${question}」的選項最終來自它自己。`,
  rule: (number, section) => `「${section}」之後的規則 ${number}`,
  condition: (number) => `條件 ${number}`,
  at: (condition, warning) => `${condition}：${warning}`,
  after: (section, warning) => `「${section}」之後：${warning}`,
  about: (section, warning) => `「${section}」：${warning}`,
  untitled: '沒有標題的區段',
  separator: '、',
};

/** Returns the texts in the language of a reader. */
export const getWarningsText = ({ language }: { language: Language }): typeof en => (language === 'en' ? en : zhTw);
