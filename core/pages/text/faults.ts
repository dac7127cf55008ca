/** The texts of what prevents publishing a form, in both languages. */
import type { Language } from '#core/schema/format.ts';
import { describeFault, type FaultTexts, type PlacedFault } from '#core/structure/workflow-faults.ts';

type Texts = {
  untitled: string;
  start: string;
  end: string;
  /** A fault of a section, a condition, the start or the end. */
  of(name: string, fault: string): string;
  faults: FaultTexts;
};

const en: Texts = {
  untitled: 'Section without a title',
  start: 'Start',
  end: 'End',
  of: (name, fault) => `${name}: ${fault}`,
  faults: {
    ends: ({ nodeType }) =>
      nodeType === 'START' ? 'The form must have exactly one start.' : 'The form must have exactly one end.',
    noLink: ({ member }) =>
      ({
        next: 'nothing follows it.',
        nextTrue: 'nothing follows when it applies.',
        nextFalse: 'nothing follows when it does not apply.',
      })[member],
    brokenLink: () => 'what follows it was deleted.',
    linkToStart: () => 'it leads back to the start.',
    noRule: () => 'it has no test.',
    noSource: () => 'it does not say what it compares.',
    noQuestion: () => 'it has no question.',
    noPattern: () => 'it has no answer to compare with.',
    unknownQuestion: () => 'its question was deleted.',
    wrongSource: ({ question }) => `its test does not fit the type of “${question}”.`,
    faultyPattern: ({ fault }) => `its pattern is faulty. ${fault}`,
    unknownChoice: ({ question }) => `it looks for a choice that “${question}” does not have.`,
    sourceDeleted: ({ question }) => `“${question}” takes its choices from a deleted question.`,
    sourceWithoutChoices: ({ question, source }) => `“${question}” takes its choices from “${source}”, which has none.`,
    questionTooLate: ({ question }) => `it asks for “${question}”, which comes before it on no path.`,
    sourceTooLate: ({ question, source }) =>
      `“${question}” takes its choices from “${source}”, which comes before it on no path.`,
    unreachable: () => 'nothing leads to it.',
    cycle: () => 'what follows it leads back to it.',
    deadEnd: () => 'it does not lead to the end.',
  },
};

const zhTw: Texts = {
  untitled: '沒有標題的區段',
  start: '開始',
  end: '結束',
  of: (name, fault) => `${name}：${fault}`,
  faults: {
    ends: ({ nodeType }) => (nodeType === 'START' ? '表單必須恰有一個開始。' : '表單必須恰有一個結束。'),
    noLink: ({ member }) =>
      ({ next: '後面沒有內容。', nextTrue: '符合時後面沒有內容。', nextFalse: '不符合時後面沒有內容。' })[member],
    brokenLink: () => '後面的內容已被刪除。',
    linkToStart: () => '又回到開始。',
    noRule: () => '沒有設定條件。',
    noSource: () => '沒有指定要比較什麼。',
    noQuestion: () => '沒有指定題目。',
    noPattern: () => '沒有指定要比較的回答。',
    unknownQuestion: () => '它的題目已被刪除。',
    wrongSource: ({ question }) => `條件與「${question}」的類型不符。`,
    faultyPattern: ({ fault }) => `樣式有錯誤。${fault}`,
    unknownChoice: ({ question }) => `「${question}」沒有它要找的選項。`,
    sourceDeleted: ({ question }) => `「${question}」的選項來自已刪除的題目。`,
    sourceWithoutChoices: ({ question, source }) => `「${question}」的選項來自「${source}」，但它沒有選項。`,
    questionTooLate: ({ question }) => `它詢問的「${question}」在任何路徑上都不在它之前。`,
    sourceTooLate: ({ question, source }) => `「${question}」的選項來自「${source}」，但後者在任何路徑上都不在它之前。`,
    unreachable: () => '沒有任何內容通往這裡。',
    cycle: () => '後面的內容又回到這裡。',
    deadEnd: () => '不會到達結束。',
  },
};

/** Says what a fault is, and where; `condition` is the name of its condition. */
export function faultText({ language }: { language: Language }, { node, fault }: PlacedFault, condition = ''): string {
  const texts = language === 'en' ? en : zhTw;
  const text = describeFault(texts.faults, fault);
  if (!node) return text;
  const section = language === 'en' ? `“${node.label}”` : `「${node.label}」`;
  const names = { START: texts.start, END: texts.end, CONDITION: condition, SECTION: section };
  return texts.of(node.type === 'SECTION' && node.label === '' ? texts.untitled : names[node.type], text);
}
