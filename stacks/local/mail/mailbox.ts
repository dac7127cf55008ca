/**
 * The mails that the local SES accepted, newest first: kept in a directory as `<id>.eml` and `<id>.json`, with `<id>.pending`
 * until their events were handed over.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../../build/replace-file.ts';
import { readJson } from '../dynamo/data-file.ts';

/** An accepted mail. */
const StoredMail = z.object({
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()).readonly(),
  replyTo: z.array(z.string()).readonly(),
  subject: z.string(),
  /** ISO time. */
  sentAt: z.string(),
  text: z.string(),
  html: z.string(),
  /** The message tags, by name. */
  tags: z.record(z.string(), z.string()).readonly(),
  /** Headers beyond those of every mail, by name. */
  headers: z.record(z.string(), z.string()).readonly().default({}),
});
export type StoredMail = z.output<typeof StoredMail>;

export type Mailbox = {
  /** Keeps a mail with its source; it survives a restart once this returns. `isPending`: its events are to be handed over. */
  add(mail: StoredMail, source: string, isPending?: boolean): void;
  /** The mails whose events were not handed over before the process ended, oldest first. */
  pending: readonly StoredMail[];
  /** Records that the events of a mail were handed over. */
  settle(id: string): void;
  /** All mails, newest first. */
  list(): readonly StoredMail[];
  find(id: string): StoredMail | undefined;
  /** The source of a mail, as an .eml file has it. */
  findSource(id: string): string | undefined;
};

/** The mailbox of a directory; null keeps the mails in memory. */
export function openMailbox(directory: string | null): Mailbox {
  const mails = new Map<string, StoredMail>();
  const sources = new Map<string, string>();
  const pending: StoredMail[] = [];
  if (directory !== null) {
    mkdirSync(directory, { recursive: true });
    for (const mail of readMails(directory)) mails.set(mail.id, mail);
    const names = new Set(readdirSync(directory));
    pending.push(...[...mails.values()].filter(({ id }) => names.has(`${id}.pending`)));
  }
  return {
    pending,
    settle(id) {
      if (directory !== null) rmSync(join(directory, `${id}.pending`), { force: true });
    },
    add(mail, source, isPending) {
      if (directory === null) sources.set(mail.id, source);
      else {
        // Before the mail, which is accepted with its own file.
        if (isPending) replaceFile(join(directory, `${mail.id}.pending`), '');
        replaceFile(join(directory, `${mail.id}.eml`), source);
        replaceFile(join(directory, `${mail.id}.json`), JSON.stringify(mail));
      }
      mails.set(mail.id, mail);
    },
    list: () => [...mails.values()].reverse(),
    find: (id) => mails.get(id),
    findSource(id) {
      if (directory === null || !mails.has(id)) return sources.get(id);
      return readFileSync(join(directory, `${id}.eml`), 'utf8');
    },
  };
}

/** The mails of a directory, oldest first. One that cannot be read is left out with a message. */
const readMails = (directory: string): StoredMail[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readMail(join(directory, name)) ?? [])
    .sort((a, b) => (a.sentAt < b.sentAt ? -1 : 1));

function readMail(file: string): StoredMail | undefined {
  try {
    return readJson(file, StoredMail);
  } catch (error) {
    console.error('The inbox leaves out a mail.', error instanceof Error ? error.message : error);
    return undefined;
  }
}
