/** Writes a mail as a MIME message (RFC 5322, 2045, 2047), as SES builds it from SendEmail. */
import { encodeLines, encodeWords } from '#core/aws/raw-mail.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { StoredMail } from './mailbox.ts';

type MimeMail = Pick<StoredMail, 'id' | 'from' | 'to' | 'replyTo' | 'subject' | 'sentAt'> & {
  text?: string | undefined;
  html?: string | undefined;
};

const CRLF = '\r\n';

/** The message with its headers; text and HTML as alternatives. */
export function mimeMessage(mail: MimeMail): string {
  const boundary = `=_${sha256(mail.id, 'hex').slice(0, 24)}`;
  const parts = [
    ...(mail.text === undefined ? [] : [part('text/plain', mail.text)]),
    ...(mail.html === undefined ? [] : [part('text/html', mail.html)]),
  ];
  const headers = [
    `From: ${mail.from}`,
    `To: ${mail.to.join(', ')}`,
    ...(mail.replyTo.length > 0 ? [`Reply-To: ${mail.replyTo.join(', ')}`] : []),
    `Subject: ${encodeWords(mail.subject)}`,
    `Date: ${new Date(mail.sentAt).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${mail.id}@eu-central-1.amazonses.com>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
  ];
  const body = parts.map((each) => `--${boundary}${CRLF}${each}${CRLF}`).join('');
  return `${headers.join(CRLF)}${CRLF}${CRLF}${body}--${boundary}--${CRLF}`;
}

function part(type: string, content: string): string {
  const headers = [`Content-Type: ${type}; charset=UTF-8`, 'Content-Transfer-Encoding: base64'];
  return [...headers, '', ...encodeLines(content)].join(CRLF);
}
