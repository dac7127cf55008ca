/** The mails about an export that is finished or has failed. Pure. */
import { html } from 'hono/html';
import type { MailContent } from '#core/delivery/ports.ts';
import type { Language } from '#core/schema/language.ts';
import { button, document, row, STYLES } from './layout.ts';
import { mailTexts } from './texts.ts';

type EndedExport = {
  language: Language;
  /** The title of the form. */
  title: string;
};
type FinishedExport = EndedExport & {
  /** The lasting address of the file. */
  link: string;
  /** The number of responses in the file. */
  rows: number;
};

/** The mail to the person who asked for an export. */
export function exportMail({ title, link, rows, language }: FinishedExport): MailContent {
  const texts = mailTexts(language);
  const introduction = texts.exportIntroduction(rows);
  return mailOf({ title, language, subject: texts.exportSubject(title), introduction, link });
}

/** The mail to the person who asked for an export that has failed for good. */
export function failedExportMail({ title, language, isTooLarge }: EndedExport & { isTooLarge: boolean }): MailContent {
  const texts = mailTexts(language);
  const introduction = isTooLarge ? texts.exportTooLargeIntroduction : texts.exportFailedIntroduction;
  return mailOf({ title, language, subject: texts.exportFailedSubject(title), introduction });
}

type Content = EndedExport & { subject: string; introduction: string; link?: string };

function mailOf({ title, language, subject, introduction, link }: Content): MailContent {
  const texts = mailTexts(language);
  const heading = texts.exportHeading(title);
  const reason = link === undefined ? texts.exportFailedReason : texts.exportReason;
  const rows = [
    row(html`<h1 class="ink" style="${STYLES.title}">${heading}</h1>`, 28),
    row(html`<p class="ink" style="${STYLES.text}">${introduction}</p>`, 12),
    ...(link === undefined ? [] : [row(button(texts.download, link, texts), 24)]),
  ];
  const linkLines = link === undefined ? [] : [`${texts.download}: ${link}`, ''];
  return {
    subject,
    html: document({ language, title: heading, rows, reason }),
    text: [heading, '', introduction, '', ...linkLines, '-- ', reason, ''].join('\n'),
  };
}
