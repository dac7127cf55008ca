/** The text of the mails about new responses, and the time of the daily ones. Pure. */
import type { NoticeFrequency } from '#core/jobs/notices.ts';
import { formatReference } from '#core/responses/reference.ts';
import { formatNumber, type Language } from '#core/schema/format.ts';
import { MAX_NOTICES_TEXT, NOTICE_MINUTES } from '#core/schema/limits.ts';
import type { BulkContent } from './ports.ts';
import type { Section } from './response-mail.ts';

/** A new response; `sections`: with its answers, none if the form does not allow these in mails. */
export type NamedResponse = { id: string; sections: readonly Section[] };

type NoticeContent = {
  /** The title of the form. */
  title: string;
  /** How many responses are new; `responses` are some of them. */
  count: number;
  responses: readonly NamedResponse[];
  /** The address of the page with all responses. */
  link: string;
  frequency: NoticeFrequency;
  unsubscribe: string;
  language: Language;
};

/** Renders the mail about new responses. Answers beyond a length are left to the page of the response. */
export function renderNoticeMail({ title, count, responses, link, unsubscribe, ...rest }: NoticeContent): BulkContent {
  const texts = TEXTS[rest.language];
  const subject = texts.subject(title, count);
  let left = MAX_NOTICES_TEXT;
  const named = responses.flatMap(({ id, sections }) => {
    const answers = sections.flatMap(({ answers: each }) =>
      each.flatMap(({ question, answer }) => (answer === null ? [] : [`${question}: ${answer}`])),
    );
    const length = answers.join('\n').length;
    const isShown = length <= left;
    if (isShown) left -= length;
    return ['', `${formatReference(id)}: ${link}/r/${id}`, ...(isShown ? answers : [texts.answersOnPage])];
  });
  const lines = [
    ...[subject, ...named, '', texts.all, link, ''],
    ...['-- ', texts.reason[rest.frequency], texts.unsubscribe, unsubscribe, ''],
  ];
  return { subject, text: lines.join('\n'), unsubscribe };
}

const QUARTER_MS = 15 * 60 * 1_000;
const MORNING = '07:00';

/** Returns the next time after another at which it is seven in the morning in a zone. */
export function nextMorning(after: Date, timeZone: string): Date {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  // The offsets of all zones are whole quarters of an hour.
  let time = (Math.floor(after.getTime() / QUARTER_MS) + 1) * QUARTER_MS;
  while (clock.format(time) !== MORNING) time += QUARTER_MS;
  return new Date(time);
}

type Texts = {
  subject(title: string, count: number): string;
  all: string;
  answersOnPage: string;
  reason: Readonly<Record<NoticeFrequency, string>>;
  unsubscribe: string;
};

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    subject: (title, count) => `${count === 1 ? '1 new response' : `${formatNumber(count)} new responses`}: ${title}`,
    all: 'All responses:',
    answersOnPage: 'Its answers are too long for this mail.',
    reason: {
      SOON: `You receive this mail because you asked for it on the page of the responses. It comes at most every ${NOTICE_MINUTES} minutes.`,
      DAILY:
        'You receive this mail because you asked for it on the page of the responses. It comes at most once a day.',
    },
    unsubscribe: 'To get no more mails about responses to this form, open this address:',
  },
  'zh-TW': {
    subject: (title, count) => `${formatNumber(count)} 份新回覆：${title}`,
    all: '所有回覆：',
    answersOnPage: '答案太長，無法放入這封信。',
    reason: {
      SOON: `你收到這封信，是因為你在回覆頁面要求了通知。最多每 ${NOTICE_MINUTES} 分鐘一封。`,
      DAILY: '你收到這封信，是因為你在回覆頁面要求了通知。最多每天一封。',
    },
    unsubscribe: '如不想再收到這份表單的回覆通知，請開啟以下網址：',
  },
};
