/** The mails that the local SES accepted, newest first: kept in a directory as `<id>.eml` and `<id>.json`. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '#stacks/replace-file.ts';

/** An accepted mail. */
export type StoredMail = {
  id: string;
  from: string;
  to: readonly string[];
  replyTo: readonly string[];
  subject: string;
  /** ISO time. */
  sentAt: string;
  text: string;
  html: string;
  /** The message tags, by name. */
  tags: Readonly<Record<string, string>>;
};

export type Mailbox = {
  /** Keeps a mail with its source; it survives a restart once this returns. */
  add(mail: StoredMail, source: string): void;
  /** All mails, newest first. */
  list(): readonly StoredMail[];
  find(id: string): StoredMail | undefined;
  /** The source of a mail, as an .eml file has it. */
  sourceOf(id: string): string | undefined;
};

/** The mailbox of a directory; null keeps the mails in memory. */
export function openMailbox(directory: string | null): Mailbox {
  const mails = new Map<string, StoredMail>();
  const sources = new Map<string, string>();
  if (directory !== null) {
    mkdirSync(directory, { recursive: true });
    for (const mail of readMails(directory)) mails.set(mail.id, mail);
  }
  return {
    add(mail, source) {
      if (directory === null) sources.set(mail.id, source);
      else {
        replaceFile(join(directory, `${mail.id}.eml`), source);
        replaceFile(join(directory, `${mail.id}.json`), JSON.stringify(mail));
      }
      mails.set(mail.id, mail);
    },
    list: () => [...mails.values()].reverse(),
    find: (id) => mails.get(id),
    sourceOf(id) {
      if (directory === null || !mails.has(id)) return sources.get(id);
      return readFileSync(join(directory, `${id}.eml`), 'utf8');
    },
  };
}

/** The mails of a directory, oldest first. */
const readMails = (directory: string): StoredMail[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name): StoredMail => JSON.parse(readFileSync(join(directory, name), 'utf8')))
    .sort((a, b) => (a.sentAt < b.sentAt ? -1 : 1));
