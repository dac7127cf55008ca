/** The bytes of files, where the table has let go of them: removed after the write, so that no answer ever lacks them. */
import { objects } from '#core/db/objects.ts';
import type { App } from '#core/http/app.ts';
import { log } from '#core/http/log.ts';
import type { StoredFile } from './model.ts';
import { loadFiles } from './store.ts';

/**
 * Runs the removal of objects that nothing names any more. The outcome of the request is decided by then, so a failure
 * is noted and no more: what is left goes with its response or form, and what is pending after a day.
 */
export async function tidy(keys: readonly string[], remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log({ level: 'warn', message: 'objects were left behind', objects: keys, cause });
  }
}

/** Removes objects that nothing names any more. */
export async function forgetObjects(app: App, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await tidy(keys, () => app.bucket.remove(keys));
}

/** The key of the bytes of a file. */
export const placeOf = ({ responseId, id, object = id }: StoredFile): string => objects.file(responseId, object);

/** Removes the bytes of files that left a response. */
export const forgetFiles = (app: App, files: readonly StoredFile[]): Promise<void> =>
  forgetObjects(app, files.map(placeOf));

/**
 * Removes the bytes that were put in place for files which were then refused; not those of a file that is attached
 * after all, by an earlier run of the same request.
 */
export async function discardFiles(app: App, files: readonly StoredFile[]): Promise<void> {
  const ids = files.map(({ id }) => id);
  const named = new Set((await loadFiles(app.table, ids)).map(placeOf));
  await forgetObjects(
    app,
    files.map(placeOf).filter((place) => !named.has(place)),
  );
}
