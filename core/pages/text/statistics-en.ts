/** The texts of the page of statistics in English. `statistics-zh-tw.ts` has the same members. */
import { formatNumber } from '#core/schema/format.ts';
import { FIRST_YEAR, LAST_YEAR, MAX_SEARCHED } from '#core/schema/limits.ts';

const plural = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

export const statisticsEn = {
  title: 'Statistics',
  counts: (submitted: number, started: number): string =>
    `${plural(submitted, 'response', 'responses')}, ${formatNumber(started)} started`,
  counting: `Still counting: these statistics are of at most the newest ${formatNumber(MAX_SEARCHED)} responses.`,
  matches: (count: number): string =>
    `These statistics are of ${plural(count, 'response that matches', 'responses that match')}.`,
  matchesOfNewest: (count: number): string =>
    `These statistics are of ${plural(count, 'response that matches', 'responses that match')} among at most the newest ${formatNumber(MAX_SEARCHED)}. There are more.`,
  toTable: 'Show these responses',
  none: 'Statistics appear here with the first response.',
  noMatch: 'No response matches the filter.',
  more: (count: number): string => `${count} more`,
  count: 'Responses',
  share: 'Share',
  all: {
    count: 'Count all responses',
    again: 'Count again',
    title: 'Counting all responses',
    lead: 'You can leave this page: the result is kept for a day.',
    progress: 'Responses read',
    asOf: 'All responses were counted, as of',
    changed: 'Responses have changed since.',
    failed: 'The count failed.',
    tooLarge: 'There are too many responses or answers for one count. Choose a filter by day.',
    back: 'Statistics without this count',
  },
  completion: {
    rate: 'Completion rate',
    ofStarted: (started: number): string => `of ${plural(started, 'response', 'responses')} started`,
    time: 'Median time to complete',
    duration: (amount: string, unit: 'day' | 'hour' | 'minute' | 'second'): string =>
      `${amount} ${unit}${amount === '1' ? '' : 's'}`,
    ofAll: (count: number): string => `of ${plural(count, 'response', 'responses')}`,
    ofNewest: (count: number): string => `of ${formatNumber(count)} of the newest responses`,
  },
  time: {
    title: 'Responses over time',
    period: 'Period',
    DAY: (zone: string): string => `By day, in ${zone}.`,
    MONTH: (zone: string): string => `By month, in ${zone}.`,
    caption: 'Submitted responses by period',
    table: 'Show as a table',
    highest: (count: number, period: string): string => `Most: ${formatNumber(count)} (${period})`,
  },
  sections: {
    title: 'How far respondents get',
    hint: 'A started response has reached the sections up to its last answer; with branches, only those on its path. It stopped there if it is not submitted.',
    drafts: (count: number): string =>
      `Of the responses that are not submitted, only the newest ${count} are included.`,
    caption: 'Started responses that reached each section',
    section: 'Section',
    reached: 'Reached',
    stopped: 'Stopped here',
    untitled: 'Untitled section',
    submitted: 'Submitted',
  },
  questions: {
    title: 'Answers',
    asked: (answered: number, asked: number): string =>
      `${formatNumber(answered)} of ${formatNumber(asked)} who were asked have answered.`,
    base: (answered: number): string =>
      answered === 1
        ? 'Shares are of the one who answered.'
        : `Shares are of the ${formatNumber(answered)} who answered.`,
    notAsked: 'Nobody has been asked this question yet.',
    choice: 'Choice',
    point: 'Point',
    choices: (title: string): string =>
      `How often each choice was selected, and its share of those who answered: ${title}`,
    ranking: (title: string): string => `Choices by their mean place: ${title}`,
    points: (title: string): string =>
      `How often each point was selected, and its share of those who answered: ${title}`,
    dates: (title: string): string => `Dates by period, and their share of those who answered: ${title}`,
    meanPlace: 'Mean place',
    mean: 'Mean',
    median: 'Median',
    least: 'Least',
    greatest: 'Greatest',
    ofNewest: (read: number): string => `Of the newest ${plural(read, 'number', 'numbers')}:`,
    removed: (count: number): string =>
      `${plural(count, 'selection', 'selections')} of choices that are no longer offered.`,
    date: 'Date',
    earlier: `Before ${FIRST_YEAR}`,
    later: `After ${LAST_YEAR}`,
    all: 'All answers',
    table: (rows: number, first: string): string => `A table of ${rows} questions, from “${first}”`,
    tableBase: 'Shares are of those who answered the question of the row.',
    tableCaption: 'How often each answer was given to each question, and its share of those who answered',
    question: 'Question',
    answered: 'Answered',
    of: (answered: number, asked: number): string => `${formatNumber(answered)} of ${formatNumber(asked)}`,
    newest: (read: number): string => `Newest answers, from the last ${read === 1 ? 'response' : `${read} responses`}:`,
    noNewest: (read: number): string =>
      read === 1 ? 'The last response has no answer.' : `None of the last ${read} responses has an answer.`,
    range: (from: number, to: number, all: number): string => `Questions ${from} to ${to} of ${all}`,
    previous: 'Previous questions',
    next: 'Next questions',
  },
};

export type StatisticsText = typeof statisticsEn;
