/**
 * Answers that are not saved yet, kept on the device until they are. Each loaded page writes an entry of its own, so that
 * two tabs do not overwrite each other's. Signing out removes them.
 */
import type { TypedAnswer } from './question.ts';

export type KeptAnswer = TypedAnswer & {
  /** The path of the section. */
  section: string;
  /** The question was removed from the form. */
  removed?: true;
};

/** A kept answer with the storage key of the page that wrote it. */
export type KeptEntry = { key: string; questionId: string; answer: KeptAnswer };

type KeptPage = { at: number; answers: Record<string, KeptAnswer> };

const PREFIX = 'unsaved ';
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1_000;

/** Returns the path of the response that the page belongs to. */
export const responsePath = (): string => /^\/r\/[^/]+/.exec(location.pathname)?.[0] ?? location.pathname;

const pageKey = `${PREFIX}${responsePath()} ${Date.now()}-${Math.random()}`;

/** Keeps the unsaved answers of this page, by question; without answers, removes the entry. Returns whether that worked. */
export function keepAnswers(answers: Record<string, KeptAnswer>): boolean {
  try {
    write(pageKey, answers);
    return true;
  } catch {
    return Object.keys(answers).length === 0;
  }
}

/** Reads the answers that other loads of pages of this response have kept, oldest first. Removes entries that are too old. */
export function readKeptEntries(): KeptEntry[] {
  try {
    const pages = Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => ({ key, ...read(key) }));
    for (const { key, at } of pages) if (at < Date.now() - MAX_AGE_MS) localStorage.removeItem(key);
    return pages
      .filter(({ key }) => key !== pageKey && key.startsWith(`${PREFIX}${responsePath()} `))
      .toSorted((a, b) => a.at - b.at)
      .flatMap(({ key, answers }) =>
        Object.entries(answers).map(([questionId, answer]) => ({ key, questionId, answer })),
      );
  } catch {
    return [];
  }
}

/** Whether answers of any response are kept. */
export function keepsAnswers(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(PREFIX));
  } catch {
    return false;
  }
}

/** Whether an entry is still kept. */
export const isKept = ({ key, questionId }: KeptEntry): boolean => questionId in read(key).answers;

/** Removes an entry. */
export function discardEntry({ key, questionId }: KeptEntry): void {
  const { [questionId]: _discarded, ...rest } = read(key).answers;
  write(key, rest);
}

function write(key: string, answers: KeptPage['answers']): void {
  const page: KeptPage = { at: Date.now(), answers };
  if (Object.keys(answers).length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(page));
}

function read(key: string): KeptPage {
  try {
    const { at = 0, answers = {} } = JSON.parse(localStorage.getItem(key) ?? '{}');
    return { at, answers };
  } catch {
    return { at: 0, answers: {} };
  }
}
