/**
 * Sends mails as jobs. SES has no idempotency key: a job is claimed for as long as the Send event of its mail
 * may take, the mail has the job's id as its tag, and the event marks it as sent if the worker died before it could.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { html, raw } from 'hono/html';
import { type Key, keys, lastPart } from '#core/db/keys.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { readableColors } from '#core/forms/colors.ts';
import { attemptEach, DONE, type JobHandler, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job, JobKind } from '#core/jobs/job.ts';
import { formatNumber, type Language } from '#core/schema/format.ts';
import { MAX_ZIP_FILES, MAX_ZIP_GB } from '#core/schema/limits.ts';
import { splitAtLinks } from '#core/schema/links.ts';
import {
  type BulkContent,
  EVENT_SECONDS,
  type Mail,
  type MailContent,
  type MailPorts,
  type SendOutcome,
} from './ports.ts';

/** The mails that are sent at once: SES accepts a limited number per second. */
const PARALLEL = 5;
/** The time that one mail may take: the limit of the mail port, and storage. */
const MAIL_MS = 12_000;

/** How often one attempt sends a mail that exceeds the rate of the account. */
const MAX_TRIES = 5;

/** A mail without its id. */
export type AddressedMail = (MailContent | BulkContent) & { to: string };

/**
 * Builds the handler of a kind of mail. `prepare` returns the mail of a job, or its outcome when none is to be sent, and may renew
 * the job like other handlers;
 * `isRecorded`: the job of a mail that SES accepted stays as its record.
 */
export const mailHandler = <T extends object>(prepare: Prepare<T>, isRecorded: boolean): JobHandler<MailPorts> =>
  attemptEach<MailPorts, T>({
    claimSeconds: EVENT_SECONDS,
    parallel: PARALLEL,
    minMs: MAIL_MS,
    attempt: async (app, job, renew) => {
      const prepared = await prepare(app, job, renew);
      if ('result' in prepared) return prepared;
      const outcome = await sendWithinRate(app, { id: buildMailId(job), ...prepared });
      return outcome.result === 'done' && isRecorded ? { ...DONE, record: job.data } : outcome;
    },
  });

type Prepare<T extends object> = (
  app: MailPorts,
  job: Job<T>,
  renew: (data: T) => Promise<boolean>,
) => Promise<AddressedMail | JobOutcome>;

/**
 * Sends a mail, again after a second while the account sends more per second than it may: many submissions at once
 * would otherwise wait for hours, because pauses grow.
 */
async function sendWithinRate(app: MailPorts, mail: Mail): Promise<SendOutcome> {
  for (let tries = 1; ; tries += 1) {
    // Each try follows the refusal of the one before.
    const outcome = await app.mail.send(mail);
    const isThrottled =
      outcome.result === 'retry' && outcome.minSeconds === undefined && outcome.reason.startsWith('Throttling');
    if (!isThrottled || tries === MAX_TRIES || remainingMs() < MAIL_MS) return outcome;
    await sleep(1_000 * Math.random() + 500);
  }
}

// The id of a mail: the message tag by which events about it are recognized, of letters, digits, - and _. It names the
// item of the job and when it was queued, so that events of an earlier mail are distinguished.

/** A time in milliseconds has 13 digits until the year 2286; more digits may be no time at all. */
const ID =
  /^(?:response_(?<responseId>[0-9a-f-]{36})|export_(?<exportId>[0-9a-f-]{36})|invitation_(?<guestId>[0-9a-f-]{36})|reminder_(?<draftId>[0-9a-f-]{36})|notice_(?<noticeForm>[0-9a-f-]{18})_(?<reader>[0-9a-f-]{36})|link_(?<form>[0-9a-f-]{18})_(?<address>[0-9a-f]{64})|retention_(?<keptForm>[0-9a-f-]{18})_(?<admin>[0-9a-f-]{36})|member_(?<orgId>[0-9a-f-]{36})_(?<userId>[0-9a-f-]{36}))_(?<time>\d{1,13})$/;

/** Builds the id of the mail of a job. */
export const buildMailId = ({ key, kind, queuedAt }: Pick<Job, 'key' | 'kind' | 'queuedAt'>): string =>
  `${nameJob(kind, key)}_${Date.parse(queuedAt)}`;

function nameJob(kind: JobKind, { pk, sk }: Key): string {
  if (kind === 'export-mail') return `export_${lastPart(sk)}`;
  if (kind === 'invitation-mail') return `invitation_${lastPart(sk)}`;
  if (kind === 'draft-reminder') return `reminder_${lastPart(pk)}`;
  if (kind === 'notice-mail') return `notice_${lastPart(pk)}_${lastPart(sk)}`;
  if (kind === 'guest-link-mail') return `link_${lastPart(pk)}_${lastPart(sk)}`;
  if (kind === 'retention-mail') return `retention_${lastPart(pk)}_${lastPart(sk)}`;
  return kind === 'member-mail' ? `member_${lastPart(pk)}_${lastPart(sk)}` : `response_${lastPart(pk)}`;
}

/** Parses the key of the job of a mail, and when it was queued; undefined for other mails. */
export function parseMailId(id: string): { key: Key; queuedAt: string } | undefined {
  const named = ID.exec(id)?.groups ?? {};
  const {
    responseId = '',
    exportId,
    guestId,
    draftId,
    form,
    address = '',
    keptForm,
    admin = '',
    noticeForm,
    reader = '',
    orgId,
    userId = '',
    time,
  } = named;
  if (time === undefined) return undefined;
  const queuedAt = new Date(Number(time)).toISOString();
  if (exportId !== undefined) return { key: keys.exportMail(exportId), queuedAt };
  if (guestId !== undefined) return { key: keys.guestMail(guestId), queuedAt };
  if (draftId !== undefined) return { key: keys.reminder(draftId), queuedAt };
  if (noticeForm !== undefined)
    return { key: keys.notices(noticeForm, 'MAIL', String(Number(time)), reader), queuedAt };
  if (form !== undefined) return { key: keys.linkMail(form, address), queuedAt };
  if (keptForm !== undefined) return { key: keys.retention(keptForm, admin), queuedAt };
  return { key: orgId === undefined ? keys.delivery(responseId, 'email') : keys.memberMail(orgId, userId), queuedAt };
}

// The texts of mails in English.

const days = (count: number): string => (count === 1 ? '1 day' : `${formatNumber(count)} days`);

export const english: MailTexts = {
  responseSubject: (title) => `Your response: ${title}`,
  responseIntroduction: (submitted, changed) =>
    `Thank you. This is a copy of the response that you submitted on ${submitted}${changed === undefined ? '' : ` and changed on ${changed}`}.`,
  responseFrom: (organization) => `Asked by ${organization}`,
  reference: 'Reference',
  notAnswered: 'Not answered',
  openResponse: 'Open your response',
  responseReason: 'You receive this mail because you submitted this form while signed in with this address.',
  guestResponseReason:
    'You receive this mail because this form was submitted by the person with this address. Whoever has the link can read the answers.',
  guestLinkSubject: (organization, title) => `${organization}: your link to “${title}”`,
  guestLinkIntroduction: (title) =>
    `With this link you answer the form “${title}”, and find your answers again. It is valid for 30 days. Do not pass it on: whoever has it can read and change your answers.`,
  openGuestLink: 'Open the form',
  guestLinkReason:
    'You receive this mail because somebody entered this address in the form. If that was not you, you need not do anything: nothing is stored before the link is used.',
  confirmationIntroduction: (submitted) =>
    `Thank you. This is to confirm a response that was submitted on ${submitted}. With the link you find the answers again.`,
  confirmationReason:
    'You receive this mail because somebody entered this address in the form. If that was not you, you need not do anything.',
  exportSubject: (title) => `Your export is ready: ${title}`,
  exportHeading: (title) => `Export of “${title}”`,
  exportIntroduction: (rows) =>
    rows === 1
      ? 'Your export is ready. It has 1 response.'
      : `Your export is ready. It has ${formatNumber(rows)} responses.`,
  exportFailedSubject: (title) => `Your export failed: ${title}`,
  exportFailedIntroduction: 'The export that you asked for could not be finished. Please start it again.',
  exportTooLargeIntroduction:
    'The form has too many responses or answers for one export. Please choose fewer questions.',
  exportTooManyFilesIntroduction: `An archive has at most ${formatNumber(MAX_ZIP_FILES)} files and ${MAX_ZIP_GB} GB. Please filter the responses by the day of submission, and export them in parts.`,
  openExport: 'Open the export',
  exportReason:
    'You receive this mail because you asked for this export. If you are signed out, the page asks you to sign in.',
  memberSubject: (organization) => `You were added to ${organization}`,
  memberHeading: (organization) => `You are a member of “${organization}”`,
  memberIntroduction: (addedBy) =>
    `${addedBy ?? 'An admin'} added you to this organization. You can build its forms and read the responses to them.`,
  openOrganization: 'Open the organization',
  memberReason:
    'You receive this mail because you sign in with this address. An admin of the organization can remove you.',
  retentionSubject: (title) => `Responses will be deleted sooner: ${title}`,
  retentionIntroduction: (by, from, { submitted, drafts }) =>
    `${by ?? 'Somebody'} has changed how long this form keeps responses.${submitted === undefined ? '' : ` From ${from}, responses are deleted ${days(submitted)} after they were submitted.`}${drafts === undefined ? '' : ` From ${from}, drafts are deleted ${days(drafts)} after they were saved last.`} Until then it can be taken back in the settings of the form. What is deleted cannot be brought back.`,
  openSettings: 'Open the settings',
  retentionReason: 'You receive this mail because you are an admin of the organization that owns this form.',
  address: 'If the button does not work, open this address:',
};

// The texts of mails in Traditional Chinese.

export const chinese: MailTexts = {
  responseSubject: (title) => `你的回覆：${title}`,
  responseIntroduction: (submitted, changed) =>
    `感謝你的填寫。以下是你於 ${submitted} 送出${changed === undefined ? '' : `、並於 ${changed} 修改`}的回覆副本。`,
  responseFrom: (organization) => `提問的組織：${organization}`,
  reference: '回覆編號',
  notAnswered: '未作答',
  openResponse: '查看你的回覆',
  responseReason: '你收到這封信，是因為你以此電子郵件地址登入並送出了這份表單。',
  guestResponseReason: '你收到這封信，是因為使用此電子郵件地址的人送出了這份表單。取得連結的人都能閱讀答案。',
  guestLinkSubject: (organization, title) => `${organization}：「${title}」的填寫連結`,
  guestLinkIntroduction: (title) =>
    `透過此連結可填寫表單「${title}」，也可再次找到你的答案。連結有效期限為 30 天。請勿轉交他人：取得連結的人都能閱讀和修改你的答案。`,
  openGuestLink: '開啟表單',
  guestLinkReason:
    '你收到這封信，是因為有人在表單中填寫了這個電子郵件地址。如果不是你，請忽略這封信：使用連結之前不會儲存任何資料。',
  confirmationIntroduction: (submitted) =>
    `感謝你的填寫。這封信確認一份於 ${submitted} 送出的回覆；透過連結可再次查看答案。`,
  confirmationReason: '你收到這封信，是因為有人在表單中填寫了這個電子郵件地址。如果不是你，請忽略這封信。',
  exportSubject: (title) => `匯出檔案已備妥：${title}`,
  exportHeading: (title) => `「${title}」的匯出檔案`,
  exportIntroduction: (rows) => `你要求的匯出檔案已備妥，共有 ${formatNumber(rows)} 份回覆。`,
  exportFailedSubject: (title) => `匯出失敗：${title}`,
  exportFailedIntroduction: '很抱歉，你要求的匯出未能完成，請重新匯出。',
  exportTooLargeIntroduction: '表單的回覆或答案太多，無法一次匯出。請選擇較少的題目。',
  exportTooManyFilesIntroduction: `一個壓縮檔最多 ${formatNumber(MAX_ZIP_FILES)} 個檔案、${MAX_ZIP_GB} GB。請依送出日期篩選回覆，分次匯出。`,
  openExport: '開啟匯出頁面',
  exportReason: '你收到這封信，是因為你要求了這次匯出。若尚未登入，頁面會先請你登入。',
  memberSubject: (organization) => `你已加入組織：${organization}`,
  memberHeading: (organization) => `你現在是「${organization}」的成員`,
  memberIntroduction: (addedBy) =>
    `${addedBy ?? '管理員'} 已將你加入這個組織。你可以製作組織的表單，並檢視表單的回覆。`,
  openOrganization: '開啟組織',
  memberReason: '你收到這封信，是因為你以此電子郵件地址登入。組織的管理員可以將你移除。',
  retentionSubject: (title) => `回覆將提早刪除：${title}`,
  retentionIntroduction: (by, from, { submitted, drafts }) =>
    `${by ?? '有人'}變更了這份表單保留回覆的時間。${submitted === undefined ? '' : `自 ${from} 起，回覆會在送出 ${submitted} 天後刪除。`}${drafts === undefined ? '' : `自 ${from} 起，草稿會在最後一次儲存 ${drafts} 天後刪除。`}在那之前，可以在表單的設定中取消。刪除後無法復原。`,
  openSettings: '開啟設定',
  retentionReason: '你收到這封信，是因為你是擁有這份表單的組織的管理員。',
  address: '若按鈕無法使用，請開啟以下網址：',
};

// The texts of mails, in each language.

export type MailTexts = {
  responseSubject(title: string): string;
  /** When the response was submitted, and when it was changed since, if it was. */
  responseIntroduction(submitted: string, changed?: string): string;
  /** Names the organization that owns the form. */
  responseFrom(organization: string): string;
  /** The short name of a response. */
  reference: string;
  notAnswered: string;
  openResponse: string;
  responseReason: string;
  /** Like `responseReason`, to somebody without an account. */
  guestResponseReason: string;
  /** Names the organization first. */
  guestLinkSubject(organization: string, title: string): string;
  guestLinkIntroduction(title: string): string;
  openGuestLink: string;
  guestLinkReason: string;
  /** `submitted`: when the response was submitted. */
  confirmationIntroduction(submitted: string): string;
  confirmationReason: string;
  exportSubject(title: string): string;
  exportHeading(title: string): string;
  exportIntroduction(rows: number): string;
  exportFailedSubject(title: string): string;
  exportFailedIntroduction: string;
  exportTooLargeIntroduction: string;
  exportTooManyFilesIntroduction: string;
  openExport: string;
  exportReason: string;
  memberSubject(organization: string): string;
  memberHeading(organization: string): string;
  /** Names who added the reader, if they have an account with a name. */
  memberIntroduction(addedBy: string | undefined): string;
  openOrganization: string;
  memberReason: string;
  retentionSubject(title: string): string;
  /** `by`: who changed it. `from`: when it acts. After how many days responses and drafts go; undefined for what does not go. */
  retentionIntroduction(
    by: string | undefined,
    from: string,
    days: { submitted: number | undefined; drafts: number | undefined },
  ): string;
  openSettings: string;
  retentionReason: string;
  /** Above an address, for programs that show no button. */
  address: string;
};

const TEXTS: Readonly<Record<Language, MailTexts>> = { en: english, 'zh-TW': chinese };

/** Returns the texts of a language. */
export const mailTexts = (language: Language): MailTexts => TEXTS[language];

// The frame of every mail, as mail programs render it: tables and inline styles for programs that ignore style sheets,
// and a style sheet for dark mode where it is supported. No images, no scripts, no external content, no tracking.

/** A part of an HTML document, already escaped. */
export type Markup = ReturnType<typeof html>;

const FONTS =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif";
const WRAP = 'overflow-wrap:anywhere;word-break:break-word';

/** Inline styles of the light design; the classes of the same elements recolour them in dark mode. */
export const STYLES = {
  title: `margin:0;font-size:24px;line-height:1.3;font-weight:700;color:#1b2733;${WRAP}`,
  section: `margin:0;font-size:18px;line-height:1.4;font-weight:700;color:#1b2733;${WRAP}`,
  text: `margin:0;font-size:16px;line-height:1.5;color:#1b2733;${WRAP}`,
  label: `margin:0;font-size:14px;line-height:1.45;font-weight:600;color:#51606e;${WRAP}`,
  quiet: `margin:0;font-size:13px;line-height:1.5;color:#5b6975;${WRAP}`,
  empty: 'margin:0;font-size:16px;line-height:1.5;color:#5b6975',
} as const;

const styleSheet = (dark: string): string => `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .page { padding: 0 !important; } .card { border-radius: 0 !important; } .cell { padding-left: 20px !important; padding-right: 20px !important; } }
@media (prefers-color-scheme: dark) {
  .page { background: #10161c !important; }
  .card { background: #19222b !important; border-color: #31404e !important; }
  .ink { color: #e8edf2 !important; }
  .soft { color: #aab7c3 !important; }
  .line { border-color: #31404e !important; }
  .button { background: ${dark} !important; color: #0d1620 !important; }
  .link { color: ${dark} !important; }
}`;

/** The colour of the band above a mail whose form has none. */
const DEFAULT_COLOR = '#1d5fa8';

/** The colour of buttons and links, in light and in dark mode. */
type ButtonColors = { light: string; dark: string };
const DEFAULT_COLORS: ButtonColors = { light: DEFAULT_COLOR, dark: '#8fc1f0' };
/** The cards of both modes, on which links are read; the text of buttons is white or darker than the dark card. */
const CARDS = { light: [255, 255, 255], dark: [25, 34, 43] } as const;

/** Returns the colours of buttons and links: that of a form, corrected until it can be read, or the default. */
export const buttonColors = (color: string | undefined): ButtonColors =>
  color === undefined ? DEFAULT_COLORS : readableColors(color, CARDS);

type Frame = {
  language: Language;
  title: string;
  /** `#rgb` or `#rrggbb`. */
  color?: string | undefined;
  colors?: ButtonColors;
  /** Rows of the table of the mail. */
  rows: readonly Markup[];
  /** Why the reader gets the mail. */
  reason: string;
};

/** Renders a row of a mail. `top`: the space above it, in pixels. */
export const renderRow = (content: Markup, top = 16): Markup =>
  html`<tr><td class="cell" style="padding:${top}px 32px 0">${content}</td></tr>
`;

/** Renders the HTML document of a mail. */
export const renderDocument = ({
  language,
  title,
  color = DEFAULT_COLOR,
  colors = DEFAULT_COLORS,
  rows,
  reason,
}: Frame): string =>
  String(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${title}</title>
<style>${raw(styleSheet(colors.dark))}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#eef1f4;${raw(FONTS)}">
<div role="main" lang="${language}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#eef1f4">
<tr><td class="page" align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background:#ffffff;border:1px solid #d5dce3;border-radius:8px;text-align:left;text-align:start;${raw(FONTS)}">
<tr><td style="height:6px;line-height:6px;font-size:0;background:${color};border-radius:7px 7px 0 0">&nbsp;</td></tr>
${rows}
${renderRow(html`<p class="soft" style="${STYLES.quiet}">${reason}</p>`, 28)}
<tr><td style="height:28px;line-height:28px;font-size:0">&nbsp;</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`);

/** Renders a button that opens an address, and the address as text. */
export const renderButton = (
  label: string,
  address: string,
  texts: MailTexts,
  { light }: ButtonColors = DEFAULT_COLORS,
): Markup =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" style="background:${light};border-radius:6px"><a class="button" href="${address}" style="display:inline-block;padding:12px 20px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:6px">${label}</a></td></tr></table>
<p class="soft" style="${STYLES.quiet};padding-top:12px">${texts.address}<br><a class="link" href="${address}" style="color:${light}">${address}</a></p>`;

type Notice = {
  language: Language;
  subject: string;
  heading: string;
  introduction: string;
  /** The label of the button that opens the link. */
  button: string;
  link: string;
  /** Why the reader gets the mail. */
  reason: string;
};

/** Renders a mail that says one thing and opens one page. */
export function renderNotice({ language, subject, heading, introduction, button, link, reason }: Notice): MailContent {
  const rows = [
    renderRow(html`<h1 class="ink" style="${STYLES.title}">${heading}</h1>`, 28),
    renderRow(html`<p class="ink" style="${STYLES.text}">${introduction}</p>`, 12),
    renderRow(renderButton(button, link, mailTexts(language)), 24),
  ];
  return {
    subject,
    html: renderDocument({ language, title: heading, rows, reason }),
    text: [heading, '', introduction, '', `${button}: ${link}`, '', '-- ', reason, ''].join('\n'),
  };
}

/** Changes a text between its web addresses. */
export const changeOutsideLinks = (text: string, change: (part: string) => string): string =>
  splitAtLinks(text)
    .map(({ text: part, href }) => (href === undefined ? change(part) : part))
    .join('');

/** Renders a text with its line breaks, and its web addresses as links; `toText` changes what is between these. */
export const renderLinkedLines = (text: string, toText: (part: string) => string = (part) => part): Markup =>
  html`${splitAtLinks(text).map(({ text: part, href }) =>
    href === undefined
      ? renderLines(toText(part))
      : html`<a class="link" href="${href}" rel="noopener" style="color:#1d5fa8">${part}</a>`,
  )}`;

/** Renders a text with its line breaks. */
export const renderLines = (text: string): Markup =>
  html`${text.split(/\r\n|\r|\n/).map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`;
