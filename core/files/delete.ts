/** Deleting one file, which leaves its answer as well (contract section 8). */
import type { App } from '#core/http/app.ts';
import { dropFile, dropFileInPlace } from '#core/responses/edit.ts';
import { changeResponse, readAgain, requireEditable } from '#core/responses/service.ts';
import type { OpenedFile } from './open.ts';

/**
 * Deletes a file. Admins may at any time; who uploaded it only while the form is open (400) and the response editable
 * (403), and a submitted response must stay complete (400).
 */
export async function deleteFile(app: App, { file, roles }: OpenedFile): Promise<void> {
  const isAdmin = roles.includes('admin');
  const opened = await readAgain(app.table, file.responseId);
  const changing = { app, opened, ifMatch: () => undefined, open: isAdmin ? ('never' as const) : ('always' as const) };
  await changeResponse(changing, (current, now) => {
    const { response, stored } = current;
    if (isAdmin) return dropFile(response, file.id, now);
    return dropFileInPlace({ response, structure: stored.structure, now }, file.id, () => requireEditable(current));
  });
}
