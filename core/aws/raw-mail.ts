/**
 * Writes the source of a mail (RFC 5322, 2045, 2047), for mails with headers that SES does not take as parameters. Every header
 * is one line of printable ASCII characters, whatever its text is. Pure.
 */

const CRLF = '\r\n';
/** The most bytes of UTF-8 in one encoded word, so that no line of a header is longer than 78 characters. */
const WORD_BYTES = 42;

type RawMail = {
  /** An address, or `name <address>`. */
  from: string;
  replyTo: string | undefined;
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
  /** The address at which a POST ends such mails (RFC 8058). */
  unsubscribe: string;
};

/** Writes a mail of plain text. SES adds the date and the id. */
export function writeRawMail({ from, replyTo, to, subject, text, unsubscribe }: RawMail): Buffer {
  const headers = [
    `From: ${encodeSender(from)}`,
    ...(replyTo === undefined ? [] : [`Reply-To: ${replyTo}`]),
    `To: ${to}`,
    `Subject: ${encodeWords(subject)}`,
    'MIME-Version: 1.0',
    `List-Unsubscribe: <${new URL(unsubscribe).href}>`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: base64',
  ];
  return Buffer.from([...headers, '', ...encodeLines(text), ''].join(CRLF), 'ascii');
}

/** Encodes a content in base64, in lines. */
export const encodeLines = (content: string): string[] =>
  Buffer.from(content)
    .toString('base64')
    .match(/.{1,76}/g) ?? [];

/** Encodes the text of a header: as it is in ASCII, otherwise as encoded words of whole characters, each on its own line. */
export function encodeWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text;
  const words = [''];
  for (const character of text) {
    const last = words.at(-1) ?? '';
    if (Buffer.byteLength(last + character) > WORD_BYTES) words.push(character);
    else words[words.length - 1] = last + character;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(`${CRLF} `);
}

/** Encodes the name of a sender, if there is one that needs it. */
function encodeSender(from: string): string {
  const start = from.lastIndexOf('<');
  if (start < 0 || /^[\x20-\x7e]*$/.test(from)) return from;
  return `${encodeWords(from.slice(0, start).trim())} ${from.slice(start)}`;
}
