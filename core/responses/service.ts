/**
 * Every change of a response goes through here: the form must be open, a pure function makes the next response, one
 * conditional write stores it, and again from the newest one when two requests meet (contract section 7). Files that
 * the change attaches or drops are part of the same write.
 */
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Table, Write } from '#core/db/table.ts';
import type { StoredFile } from '#core/files/model.ts';
import { forgetFiles } from '#core/files/objects.ts';
import { attachFile, loadFiles, removeFile, removeUpload } from '#core/files/store.ts';
import { requireOpen } from '#core/forms/status.ts';
import type { App } from '#core/http/app.ts';
import { problems } from '#core/problems/problems.ts';
import { noteAnswered } from '#core/structure/store.ts';
import { type Loaded, loadResponse } from './load.ts';
import { fileIdsOf, type Response, type ResponseSummary } from './model.ts';
import { replaceResponse } from './store.ts';

export type Opened = Loaded;
export type Changing = {
  app: App;
  opened: Opened;
  ifMatch: (version: number) => void;
  /** Files that the change may attach: those whose bytes are in their place. */
  attaching?: readonly StoredFile[];
  /**
   * When the form must be open: `always`, which it is unless said otherwise; `unless adding`, for uploads that were
   * begun in time; `never`, for those who may change a response at any time.
   */
  open?: 'always' | 'unless adding' | 'never';
};

/**
 * Applies `change` to a response and stores the result; answers it with its new version. `change` throws Problems
 * to refuse, and answers the response it was given to change nothing. Throws 400 unless the form is open, 404 when
 * the response is gone meanwhile, 409 stale, 413 when the response would become too large.
 */
export async function changeResponse(
  { app, opened, ifMatch, attaching = [], open = 'always' }: Changing,
  change: (opened: Opened, now: string) => Response | Promise<Response>,
): Promise<Response> {
  const { next, dropped } = await untilWritten(async (first) => {
    const current = first ? opened : await readAgain(app.table, opened.response.id);
    ifMatch(current.response.version);
    if (open === 'always') requireOpen(current.form, app.now());
    const changed = await change(current, app.now().toISOString());
    if (changed === current.response) return { next: changed, dropped: [] };
    const next = { ...changed, version: current.response.version + 1 };
    const dropped = await loadFiles(app.table, lostFiles(current.response, next));
    const added = lostFiles(next, current.response);
    const onlyAdds = added.length > 0 && dropped.length === 0;
    if (open === 'unless adding' && !onlyAdds) requireOpen(current.form, app.now());
    requireFits(next);
    await app.table.write([
      replaceResponse(next),
      ...firstAnswers(next, current),
      ...fileWrites(next, dropped, added, attaching),
    ]);
    return { next, dropped };
  });
  await forgetFiles(app, dropped);
  return next;
}

/** With the first answer that a question ever gets, the note that it has answers now. */
function firstAnswers(next: Response, { stored }: Opened): Write[] {
  const questionIds = Object.keys(next.answers).filter((questionId) => !stored.answered.has(questionId));
  return questionIds.length > 0 ? [noteAnswered(stored.structure, questionIds)] : [];
}

/** The files that a response has and another state of it has not. */
function lostFiles(before: Response, after: Response): string[] {
  const kept = new Set(fileIdsOf(after));
  return fileIdsOf(before).filter((fileId) => !kept.has(fileId));
}

function fileWrites(
  { id: responseId }: Response,
  dropped: readonly StoredFile[],
  added: readonly string[],
  attaching: readonly StoredFile[],
): Write[] {
  const attached = added.flatMap((fileId) => {
    const file = attaching.find((each) => each.id === fileId);
    if (!file) throw new Error(`the file ${fileId} is attached to ${responseId} without its bytes`);
    return [attachFile(file), removeUpload(responseId, fileId)];
  });
  return [...attached, ...dropped.map(({ id }) => removeFile(id))];
}

/** A response with its form and structure as they are now. Throws 404 when it, or its form, is gone. */
export async function readAgain(table: Table, responseId: string): Promise<Opened> {
  const loaded = await loadResponse(table, responseId);
  if (!loaded) throw problems.notFound();
  return loaded;
}

function requireFits(response: Response): void {
  const bytes = entityBytes(response);
  if (bytes <= MAX_ENTITY_BYTES) return;
  throw problems.tooLarge(`A response may have ${MAX_ENTITY_BYTES} bytes; with these answers it would have ${bytes}`);
}

/** 403 for a change of a submitted response whose form does not let respondents edit. */
export function requireEditable({ response, form }: Opened): void {
  if (response.progress === 'DRAFT' || form.allowEditResponse) return;
  throw problems.forbidden(
    'The response is submitted and this form does not allow editing: cancel the response to change it',
    'response_submitted',
  );
}

/** A response in the short form that submit and cancel answer. */
export const summaryOf = ({ id, formId, createdAt, submittedAt, progress }: Response): ResponseSummary => ({
  id,
  formId,
  createdAt,
  submittedAt,
  progress,
});
