/** The lists of a user's own files, newest first (contract section 8). */
import type { App } from '#core/http/app.ts';
import { type FileList, type FileView, showFile } from './model.ts';
import { fileIdsOfUser, loadFiles, pageFiles } from './store.ts';

/** A stretch of a user's files, with how many there are. */
export async function listFiles(
  app: App,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<FileList> {
  const ids = await fileIdsOfUser(app.table, userId);
  const files = await loadFiles(app.table, ids.slice(offset, offset + limit));
  return { files: files.map(showFile), total: ids.length, limit, offset };
}

/** One page of a user's files, and the cursor of the next one. */
export async function listMyFiles(
  app: App,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ files: FileView[]; next: string | null }> {
  const list = `files ${userId}`;
  const page = await pageFiles(app.table, userId, { limit, after: app.cursors.open(list, cursor) });
  return { files: page.files.map(showFile), next: app.cursors.seal(list, page.last) };
}
