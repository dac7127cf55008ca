/** The text of the mails that invite guests and remind them. Pure. */
import type { Language } from '#core/schema/format.ts';
import type { BulkContent } from './ports.ts';

type InvitationContent = {
  /** The name of the organization, and the title of the form. */
  organization: string;
  title: string;
  /** What the admin has written. */
  subject: string;
  text: string;
  code: string;
  link: string;
  unsubscribe: string;
  language: Language;
};

/** Renders the mail that invites or reminds a guest. The text of the admin is sent as it is. */
export function renderInvitationMail({ subject, unsubscribe, ...content }: InvitationContent): BulkContent {
  const { organization, title, text, code, link, language } = content;
  const texts = TEXTS[language];
  const lines = [
    ...[texts.first(organization, title), '', text.trim(), '', texts.link, link, '', texts.code(code), ''],
    ...['-- ', texts.reason(organization), texts.unsubscribe(organization), unsubscribe, ''],
  ];
  return { subject, text: lines.join('\n'), unsubscribe };
}

type Texts = {
  first(organization: string, title: string): string;
  link: string;
  code(code: string): string;
  reason(organization: string): string;
  unsubscribe(organization: string): string;
};

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    first: (organization, title) => `${organization} asks you to fill in “${title}”.`,
    link: 'Your link. Whoever has it can respond in your name:',
    code: (code) => `Your code: ${code}`,
    reason: (organization) => `You receive this mail because ${organization} has invited this address.`,
    unsubscribe: (organization) => `To get no more such mails from ${organization}, open this address:`,
  },
  'zh-TW': {
    first: (organization, title) => `${organization} 邀請你填寫「${title}」。`,
    link: '你的專屬連結；取得此連結的人都能以你的名義作答：',
    code: (code) => `你的邀請碼：${code}`,
    reason: (organization) => `你收到這封信，是因為 ${organization} 邀請了這個電子郵件地址。`,
    unsubscribe: (organization) => `如不想再收到 ${organization} 的這類信件，請開啟以下網址：`,
  },
};
