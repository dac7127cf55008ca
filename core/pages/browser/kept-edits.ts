/**
 * What was typed into questions and is not stored, kept on the device until it is. Each load of a page keeps entries of its own,
 * and holds a lock while it is open, so that another tab leaves them alone. Signing out removes them.
 */

/** A form as it is sent: where, and its body. */
export type KeptEdit = { action: string; body: string };

/** The same prefix as that of kept answers: signing out asks while anything is kept. */
const PREFIX = `unsaved ${location.pathname} `;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1_000;
const pageKey = `${PREFIX}${Date.now()}-${Math.random()}`;

/** Keeps what is typed into the open question of this page; without it, removes the entry. Returns whether that worked. */
export function keepEdit(edit: KeptEdit | undefined): boolean {
  try {
    if (edit) localStorage.setItem(pageKey, JSON.stringify({ ...edit, at: Date.now() }));
    else localStorage.removeItem(pageKey);
    return true;
  } catch {
    return edit === undefined;
  }
}

/** Holds the lock of this page, so that its entry is its own while it is open. */
export function holdEdits(): void {
  void navigator.locks?.request(pageKey, () => new Promise(() => undefined));
}

/** Hands each entry that no open page holds to `restore`, which returns whether it is settled; then it is removed. */
export async function restoreEdits(restore: (edit: KeptEdit) => Promise<boolean>): Promise<void> {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && key !== pageKey);
  for (const key of keys) {
    const settle = async (isFree: boolean): Promise<void> => {
      if (isFree && (await settleEntry(key, restore))) localStorage.removeItem(key);
    };
    if (navigator.locks) await navigator.locks.request(key, { ifAvailable: true }, (lock) => settle(lock !== null));
    else await settle(true);
  }
}

async function settleEntry(key: string, restore: (edit: KeptEdit) => Promise<boolean>): Promise<boolean> {
  try {
    const { action, body, at } = JSON.parse(localStorage.getItem(key) ?? '');
    if (typeof action !== 'string' || typeof body !== 'string' || at < Date.now() - MAX_AGE_MS) return true;
    return await restore({ action, body });
  } catch {
    return true;
  }
}
