/** The texts of the pages that merge, restore and undo edits of a form, in Traditional Chinese. */
import type { VersionsText } from './versions-en.ts';

export const versionsZhTw: VersionsText = {
  merge: {
    moved: '開始這些變更之後，其他程式編輯了已發布的表單。那些編輯會保留，你的編輯也會。',
    movedList: '這段期間已發布的表單有以下編輯：',
    asked:
      '開始這些變更之後，其他程式編輯了已發布的表單，有些在相同的地方。請決定那些地方保留誰的編輯，其餘的都會保留。',
    keep: '你的編輯',
    theirs: '已發布的內容',
    apply: '套用決定',
    allMine: '全部保留我的',
    allTheirs: '全部採用已發布的',
    takeOver: '把這些編輯併入變更',
    takeOverHint: '之後可以在這裡修正錯誤，尚不會發布。',
    choose: (title) => `請選擇要保留哪個編輯：${title}`,
    kinds: {
      QUESTION: (title) => `問題「${title}」`,
      SECTION: (title) => `區段「${title}」`,
      WORKFLOW: (title) => `「${title}」之後的內容`,
      ORDER: (title) => `「${title}」中問題的順序`,
    },
    deleted: '已刪除',
    inSection: (title) => `在區段「${title}」`,
    optional: '選填',
    questions: (titles) => (titles === '' ? '沒有問題' : `問題：${titles}`),
    goesTo: (title) => `前往${title}`,
    ifTrue: (title) => `符合時前往${title}`,
    ifFalse: (title) => `否則前往${title}`,
    nowhere: '尚未決定的地方',
    otherOptions: '類型的選項不同',
    tooMany: '兩邊的編輯合起來超過表單問題、區段或規則的上限，請先刪除一些。',
    count: (count) => `有 ${count} 處需要決定`,
  },
};
