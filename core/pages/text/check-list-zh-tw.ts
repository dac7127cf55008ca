/** The texts of what prevents publishing a form, and of what is odd about its rules, in Traditional Chinese. */
import type { CheckListText } from './check-list-en.ts';

export const checkListZhTw: CheckListText = {
  prevents: '以下問題使表單無法發布：',
  lead: '以下項目不影響發布：',
  never: '這條規則永遠不會適用：它的所有回答都已符合前面的規則。',
  same: '這條規則沒有作用：沒有它，之後的內容也相同。',
  noWay: (choices) => `這些選項之後沒有內容：${choices}。`,
  unreachable: '沒有任何內容通往這個區段。',
  sourceLoop: (question) => `「${question}」的選項最終來自它自己。`,
  unknownName: (name) => `沒有題目使用 {{${name}}} 中的代號，因此會照原樣顯示。`,
  laterName: (name, question) => `{{${name}}} 不會顯示任何內容：「${question}」不在它之前的區段。`,
  nothingToShow: (name, question) => `{{${name}}} 不會顯示任何內容：「${question}」的答案是檔案或帳號。`,
  selection: (bound, count) => `它要求選擇 ${bound} 項，但只有 ${count} 個選項，因此只要求 ${count} 項。`,
  rule: (number, section) => `「${section}」之後的規則 ${number}`,
  condition: (number) => `條件 ${number}`,
  at: (condition, warning) => `${condition}：${warning}`,
  after: (section, warning) => `「${section}」之後：${warning}`,
  about: (section, warning) => `「${section}」：${warning}`,
  untitled: '沒有標題的區段',
  separator: '、',
  start: '開始',
  end: '結束',
  of: (name, fault) => `${name}：${fault}`,
  quote: (title) => `「${title}」`,
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
    costlyPattern: () => '加上它的樣式後，所有規則的樣式合計太複雜。請縮短其中一些。',
    unknownChoice: ({ question }) => `「${question}」沒有它要找的選項。`,
    sourceDeleted: ({ question }) => `「${question}」的選項來自已刪除的題目。`,
    sourceWithoutChoices: ({ question, source }) => `「${question}」的選項來自「${source}」，但它沒有選項。`,
    questionTooLate: ({ question }) => `它詢問的「${question}」在任何路徑上都不在它之前。`,
    sourceTooLate: ({ question, source }) => `「${question}」的選項來自「${source}」，但後者在任何路徑上都不在它之前。`,
    unreachable: () => '沒有任何內容通往這裡。',
    cycle: () => '後面的內容又回到這裡。',
    deadEnd: () => '不會到達結束。',
    typeAnswered: ({ question }) => `「${question}」已有回答，必須保留它在已發布表單中的類型。`,
    tooMany: ({ parts, max }) =>
      `加上這些修改後，表單的${{ QUESTION: '題目', SECTION: '區段', CONDITION: '規則' }[parts]}超過 ${max} 個。`,
    tooLarge: () => '加上這些修改後，表單太大而無法儲存。請縮短文字，或移除選項或題目。',
  },
  leadsBack: {
    next: (section) => `後面的內容又回到「${section}」。`,
    nextTrue: (section) => `符合時又回到「${section}」。`,
    nextFalse: (section) => `不符合時又回到「${section}」。`,
  },
  passedBy: (after, following) =>
    following === 0
      ? `沒有任何內容通往這裡，因為${after}之後的內容跳過了它。`
      : `沒有任何內容通往這裡和只在它之後的內容，因為${after}之後的內容跳過了它。`,
  obstacles: {
    lead: '目前沒有人能填答這份表單：',
    noSections: '表單沒有區段，因此沒有可填答的內容。',
    noQuestions: '表單的任何路徑上都沒有題目，因此沒有可填答的內容。',
    deadlinePassed: '截止時間已過，因此不接受填答。',
  },
};
