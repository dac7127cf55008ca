/** Saves what people have typed into a form: nothing that somebody else has stored meanwhile is replaced unseen. */
import type { RequestApp } from '#core/http/app.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { Overwritten } from './controls.ts';
import type { PageResult } from './result.ts';

/** Hashes stored content. A form sends the hash of what it showed in its field `hash`. */
export const hashContent = (content: unknown): string => sha256(JSON.stringify(content), 'base64url').slice(0, 16);

/**
 * Returns the hash for a form that is shown again: that of what its reader has seen. A page that lists what was stored
 * meanwhile has shown that too.
 */
export const seenHash = (
  contentHash: string,
  { seen, overwritten = [] }: { seen?: string | null | undefined; overwritten?: readonly unknown[] | undefined },
): string => (overwritten.length > 0 ? contentHash : (seen ?? contentHash));

/** Why a form is shown again: its errors by field, a refusal of the whole, or what somebody else has stored. */
export type Refused<E> = {
  status: number;
  errors?: E;
  refusal?: string;
  overwritten?: readonly Overwritten[];
};

/** Throws 409 when a write would replace something that the reader of the page has not seen. */
export type RequireSeen<S> = (stored: S, next: S) => void;

/** `S`: what is compared; `T`: what is read and shown again. */
type TypedForm<S, T extends S, E> = {
  /** The posted fields. */
  fields: URLSearchParams;
  /** Hashes what the form edits: equal values, equal hashes. */
  contentHash(stored: S): string;
  /** Says in words what is stored and differs from what was typed. Decides nothing. */
  listOverwritten(stored: S): Overwritten[];
  /** Saves and returns the next address. Its write calls `requireSeen` with the state on which it decides and the next one. */
  save(requireSeen: RequireSeen<S>): Promise<string>;
  /** Reads what is stored now. */
  reload(): Promise<T>;
  /** Explains a problem on the page of the form; undefined for one that has its own page, as that of busy storage. */
  explain?(problem: Problem): Refused<E> | undefined;
  /** Renders the form again, with what was typed. */
  render(stored: T, refused: Refused<E>): Promise<PageResult>;
};

/** How often a form is saved again when what was stored meanwhile was withdrawn before it could be shown. */
const MAX_SAVES = 3;

/**
 * Saves a form if what it would replace is what its reader has seen, or if it replaces nothing, as after a second press of
 * its button. Otherwise shows it again with what is stored now. Throws what `save` throws and `explain` does not explain.
 */
export async function saveTyped<S, T extends S, E>(form: TypedForm<S, T, E>): Promise<PageResult> {
  const { fields, contentHash, listOverwritten, save, reload, explain, render } = form;
  const requireSeen = (stored: S, next: S): void => {
    const hash = contentHash(stored);
    if (fields.get('hash') !== hash && contentHash(next) !== hash) throw problems.stale();
  };
  for (let saves = 1; ; saves += 1) {
    try {
      return { location: await save(requireSeen) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const isStale = error.code === 'stale_version';
      const refused = isStale || error.status === 503 ? undefined : explain?.(error);
      if (!isStale && !refused) throw error;
      const stored = await reload();
      if (refused) return render(stored, refused);
      const overwritten = listOverwritten(stored);
      if (overwritten.length > 0) return render(stored, { overwritten, status: 409 });
      if (saves === MAX_SAVES) throw error;
    }
  }
}

/** An app whose changes are refused with 409 as soon as the resource has another version than the page has shown. */
export const onlyAtVersion = (app: RequestApp, version: number): RequestApp => ({
  ...app,
  ifMatch: (current) => {
    if (current !== version) throw problems.stale();
  },
});
