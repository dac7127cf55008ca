/** The texts of the page of statistics in Traditional Chinese. */
import { FIRST_YEAR, LAST_YEAR, MAX_SEARCHED } from '#core/schema/limits.ts';
import type { StatisticsText } from './statistics-en.ts';

const number = (count: number): string => count.toLocaleString('zh-TW');

export const statisticsZhTw: StatisticsText = {
  title: '統計',
  counts: (submitted, started) => `${number(submitted)} 份回覆，${number(started)} 份已開始填寫`,
  counting: `仍在計算中：目前的統計最多只包含最新的 ${number(MAX_SEARCHED)} 份回覆。`,
  matches: (count) => `這些統計包含 ${number(count)} 份符合的回覆。`,
  matchesOfNewest: (count) =>
    `這些統計包含最新（最多 ${number(MAX_SEARCHED)} 份）回覆中符合的 ${number(count)} 份，之前還有更多回覆。`,
  toTable: '顯示這些回覆',
  none: '收到第一份回覆後，這裡會顯示統計。',
  noMatch: '沒有符合篩選條件的回覆。',
  more: (count) => `其他 ${count} 項`,
  count: '回覆數',
  share: '比例',
  time: {
    title: '各時期的回覆',
    period: '時期',
    DAY: '按日統計，時區為 UTC。',
    MONTH: '按月統計，時區為 UTC。',
    caption: '各時期送出的回覆',
    table: '以表格顯示',
    highest: (count, period) => `最多：${number(count)}（${period}）`,
  },
  sections: {
    title: '填寫進度',
    hint: '已開始的回覆到達最後一個答案所在的部分；有分支時只計算其路徑上的部分。尚未送出的回覆視為停在該處。',
    drafts: (count) => `尚未送出的回覆中，只計入最新的 ${count} 份。`,
    caption: '到達各部分的回覆',
    section: '部分',
    reached: '到達',
    stopped: '停在這裡',
    untitled: '未命名的部分',
    submitted: '已送出',
  },
  questions: {
    title: '答案',
    asked: (answered, asked) => `看到這題的 ${number(asked)} 人中，有 ${number(answered)} 人作答。`,
    base: (answered) => `比例以作答的 ${number(answered)} 人計算。`,
    notAsked: '還沒有人看到這題。',
    choice: '選項',
    point: '分數',
    choices: (title) => `各選項的選擇次數，以及占作答者的比例：${title}`,
    ranking: (title) => `依平均名次排列的選項：${title}`,
    points: (title) => `各分數的選擇次數，以及占作答者的比例：${title}`,
    dates: (title) => `各時期的日期，以及占作答者的比例：${title}`,
    meanPlace: '平均名次',
    mean: '平均數',
    median: '中位數',
    removed: (count) => `另有 ${number(count)} 次選擇了已不再提供的選項。`,
    date: '日期',
    earlier: `${FIRST_YEAR} 年以前`,
    later: `${LAST_YEAR} 年以後`,
    newest: (read) => `最新的答案，取自最近 ${read} 份回覆：`,
    noNewest: (read) => `最近 ${read} 份回覆中沒有答案。`,
    range: (from, to, all) => `第 ${from} 至 ${to} 題，共 ${all} 題`,
    previous: '前面的題目',
    next: '後面的題目',
  },
};
